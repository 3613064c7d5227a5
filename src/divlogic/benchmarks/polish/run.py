"""The two steps of the polish: ask the model, apply what it proposes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.polish.choose import select_proposal
from divlogic.benchmarks.polish.client import ChatClient
from divlogic.benchmarks.polish.store import ProposalStore, answer_key
from divlogic.config import PolishParameters
from divlogic.errors import DivLogicError
from divlogic.files import write_jsonl
from divlogic.progress import track
from divlogic.records import Record, read_records

PROMPT = (
    "Correct only the grammar of the following text with minimal changes. Don't remove any sentence, change content"
    " structure, or make unnecessary changes in wording, especially don't modify conjunction words and don't add any"
    " new punctuation. Return the complete text after correction.\n\n{text}"
)
"""DivLogicEval, Appendix G, with the text after it."""

_BOUNDARY = re.compile(r"(?<=\.) (?=[A-Z\d\"'“])")


@dataclass(frozen=True, slots=True)
class PolishReport:
    """What the polish did.

    Attributes:
        records: records written.
        changed_records: those of which some text changed.
        fragments: texts for which the model was asked (sentences of contexts, options).
        changed_fragments: those that were replaced by a proposal.
    """

    records: int
    changed_records: int
    fragments: int
    changed_fragments: int


def ask(
    source: Path, store: ProposalStore, parameters: PolishParameters, *, client: ChatClient | None = None
) -> int:
    """Ask for every proposal that the store does not hold yet; return how many were asked for.

    Answers are stored the moment they arrive, so a run that is killed pays for nothing twice.

    Args:
        source: jsonl file of records.
        store: where the proposals go.
        parameters: model, trials and number of requests under way at once.
        client: the client to use; by default one for ``parameters.base_url``.

    Raises:
        DivLogicError: no server or model is named, or the server does not answer (what came in until then is kept).
    """
    model = _model(parameters)
    own = client is None
    if client is None:
        if not parameters.base_url:
            raise DivLogicError(
                "polish.base_url is not set; name an OpenAI-compatible server in params.yaml."
            )
        client = ChatClient(parameters.base_url, model)

    def one(prompt: str, trial: int) -> None:
        text, details = client.ask(prompt)
        store.add(model, prompt, trial, text, **details)

    questions = track(_open_questions(source, store, model, parameters.trials), "polish")
    asked = 0
    with ThreadPoolExecutor(max_workers=parameters.concurrency) as pool:
        under_way: set[Future[None]] = set()
        try:
            for prompt, trial in questions:
                under_way.add(pool.submit(one, prompt, trial))
                asked += 1
                if len(under_way) >= 2 * parameters.concurrency:
                    under_way = _settle(under_way)
            while under_way:
                under_way = _settle(under_way)
        except BaseException:
            # Requests on their way are awaited (they are paid for); those still in line are dropped.
            client.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            if own:
                client.close()
    return asked


def apply(source: Path, out: Path, store: ProposalStore, parameters: PolishParameters) -> PolishReport:
    """Write the records with the accepted corrections; the text before correction stays in their metadata.

    Args:
        source: jsonl file of records.
        out: jsonl file to write.
        store: the proposals, all of them asked for already.
        parameters: model, trials and ``min_ratio``.

    Raises:
        DivLogicError: a proposal has not been asked for yet, or a record is malformed.
    """
    model = _model(parameters)
    counts = dict.fromkeys(("records", "changed_records", "fragments", "changed_fragments"), 0)

    def polished(text: str) -> str:
        prompt = PROMPT.format(text=text)
        try:
            proposals = [store.get(model, prompt, trial) for trial in range(parameters.trials)]
        except KeyError:
            raise DivLogicError(
                f"{store.path}: not all proposals of '{model}' are there; run `divlogic benchmarks polish` first."
            ) from None
        chosen = select_proposal(text, proposals, min_ratio=parameters.min_ratio)
        counts["fragments"] += 1
        counts["changed_fragments"] += chosen != text
        return chosen

    def rows() -> Iterator[dict[str, Any]]:
        for record in read_records(source):
            sentences, options = fragments(record)
            context = " ".join(map(polished, sentences))
            changed = dataclasses.replace(record, context=context, options=tuple(map(polished, options)))
            counts["records"] += 1
            if changed != record:
                counts["changed_records"] += 1
                before = {"context": record.context, "options": list(record.options)}
                changed = dataclasses.replace(changed, metadata={**record.metadata, "unpolished": before})
            yield changed.to_json()

    write_jsonl(out, rows())
    return PolishReport(**counts)


def fragments(record: Record) -> tuple[list[str], list[str]]:
    """Return the texts of a record that are corrected one by one: sentences of the context, and options.

    A context is cut into sentences only where that gives as many as the record has formulas; otherwise it is
    corrected as a whole.
    """
    sentences = [part for part in _BOUNDARY.split(record.context) if part]
    formulas = record.formulas or {}
    expected = len(formulas.get("premises", ())) + (formulas.get("conclusion") is not None)
    if expected and len(sentences) != expected:
        sentences = [record.context] if record.context else []
    return sentences, list(record.options)


def _open_questions(source: Path, store: ProposalStore, model: str, trials: int) -> Iterator[tuple[str, int]]:
    """Yield each (prompt, trial) that has no answer yet, once."""
    seen: set[bytes] = set()
    for record in read_records(source):
        sentences, options = fragments(record)
        for text in (*sentences, *options):
            prompt = PROMPT.format(text=text)
            for trial in range(trials):
                key = answer_key(model, prompt, trial)
                if key not in seen and not store.has(model, prompt, trial):
                    seen.add(key)
                    yield prompt, trial


def _settle(under_way: set[Future[None]]) -> set[Future[None]]:
    """Wait until a request is through; its error, if it failed, is raised."""
    done, rest = wait(under_way, return_when=FIRST_COMPLETED)
    for future in done:
        future.result()
    return rest


def _model(parameters: PolishParameters) -> str:
    if not parameters.model:
        raise DivLogicError("polish.model is not set; name the model in params.yaml.")
    return parameters.model
