"""The two steps of the polish: ask the model, apply what it proposes.

Of the proposals the smallest change is kept that is small enough and leaves the logic alone.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, partial
from pathlib import Path
from typing import Any

from divlogic.benchmarks.polish.parameters import PolishParameters
from divlogic.benchmarks.templates import load_templates
from divlogic.errors import DivLogicError
from divlogic.io.files import write_csv, write_jsonl
from divlogic.models.asking import ask_requests
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import Question, Request, Response, ResponseStore, requests_of
from divlogic.records import Record, read_records

PROMPT = (
    "Correct only the grammar of the following text with minimal changes. Don't remove any sentence, change content"
    " structure, or make unnecessary changes in wording, especially don't modify conjunction words and don't add any"
    " new punctuation. Return the complete text after correction.\n\n{text}"
)
"""DivLogicEval, Appendix G, with the text after it."""

_BOUNDARY = re.compile(r"(?<=\.) (?=[A-Z\d\"'“])")
_SAMPLING = SamplingParameters(temperature=None, max_tokens=None)
"""The server's own: the trials shall differ, and a text may be long."""


# Words of the frames that carry no logic by themselves, and that a correction may rightly change.
_GRAMMATICAL = {
    *(
        "a",
        "an",
        "the",
        "it",
        "them",
        "these",
        "this",
        "that",
        "which",
        "be",
        "being",
        "is",
        "do",
        "does",
    ),
    *("as", "at", "by", "for", "from", "in", "of", "on", "so", "to", "with"),
}
# Negations inside clauses: changing one would turn a literal round.
_NEGATIONS = {
    "no",
    "not",
    "nobody",
    "nothing",
    "nowhere",
    "none",
    "never",
    "neither",
    "nor",
    "without",
}
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")


def wanted_proposals(source: Path, parameters: PolishParameters) -> list[Request[Question]]:
    """Return a request per text and trial; equal texts are asked once."""
    texts: dict[str, Question] = {}
    for record in read_records(source):
        sentences, options = fragments(record)
        for text in (*sentences, *options):
            texts[text] = Question(record.benchmark, text, PROMPT.format(text=text))
    return list(
        requests_of(list(texts.values()), model_of(parameters), parameters.trials, _SAMPLING)
    )


def ask(
    requests: Sequence[Request[Question]],
    store: ResponseStore,
    parameters: PolishParameters,
    *,
    seed: int,
    limits: LimitParameters | None = None,
) -> int:
    """Ask for every proposal that the store does not hold yet; return how many were asked for.

    Answers are stored the moment they arrive, so a run that is killed pays for nothing twice.
    """
    model = model_of(parameters)
    limits = (limits or LimitParameters()).model_copy(
        update={"concurrency": parameters.concurrency}
    )
    lacking = sum(not request.is_answered(store.responses) for request in requests)
    ask_requests(requests, store, model=model, sampling=_SAMPLING, limits=limits, seed=seed)
    return lacking


def apply(
    source: Path,
    out: Path,
    requests: Iterable[Request[Question]],
    responses: Mapping[str, Response],
    parameters: PolishParameters,
) -> Counter[str]:
    """Write the records with the accepted corrections; the text before correction stays in their metadata.

    Returns:
        Numbers of records and of fragments (texts for which the model was asked), and of those that changed.
    """
    proposals: dict[str, list[str | None]] = {}
    for request in requests:
        response = request.stored(responses)
        if response is None:
            raise DivLogicError(
                f"{source}: proposals of '{model_of(parameters).name}' are missing; run"
                " `divlogic benchmarks divlogiceval finish` first."
            )
        # A text that was cut off is no correction of the whole, and neither is a refusal.
        whole = request.status(response) == ""
        proposal = request.read(response) if whole else None
        proposals.setdefault(request.question.instance, []).append(proposal)
    counts = Counter(records=0, changed_records=0, fragments=0, changed_fragments=0)
    select = partial(select_proposal, min_ratio=parameters.min_ratio)
    chosen_of = {text: select(text, found) for text, found in proposals.items()}
    if parameters.review:
        refused = _refused(chosen_of, Path(parameters.review))
        chosen_of.update((text, text) for text in refused)

    def polished(text: str) -> str:
        chosen = chosen_of[text]
        counts["fragments"] += 1
        counts["changed_fragments"] += chosen != text
        return chosen

    def rows() -> Iterator[dict[str, Any]]:
        for record in read_records(source):
            sentences, options = fragments(record)
            context = " ".join(map(polished, sentences))
            changed = dataclasses.replace(
                record, context=context, options=tuple(map(polished, options))
            )
            counts["records"] += 1
            if changed != record:
                counts["changed_records"] += 1
                before = {"context": record.context, "options": list(record.options)}
                changed = dataclasses.replace(
                    changed, metadata={**record.metadata, "unpolished": before}
                )
            yield changed.to_json()

    write_jsonl(out, rows())
    return counts


def _refused(chosen: Mapping[str, str], review: Path) -> list[str]:
    """Return the texts whose change was refused by people; list the changes that wait for a verdict."""
    import pandas as pd

    columns = ["text", "change", "approved"]
    try:
        table = pd.read_csv(review, dtype=str, keep_default_na=False) if review.exists() else None
        rows = [] if table is None else table[columns].values.tolist()
    except (ValueError, KeyError, OSError) as error:
        raise DivLogicError(
            f"{review}: not a table with the columns {', '.join(columns)} ({error}); mend it, or move it away."
        ) from error
    verdicts = {(text, change): verdict.strip().lower() for text, change, verdict in rows}
    changes = [(text, change) for text, change in chosen.items() if change != text]
    if wrong := next(
        (pair for pair in changes if verdicts.get(pair, "") not in ("", "yes", "no")), None
    ):
        row = [(text, change) for text, change, _ in rows].index(wrong) + 2
        raise DivLogicError(
            f"{review}, row {row}: '{verdicts[wrong]}' is no verdict; write yes or no."
        )
    added = [[*pair, ""] for pair in changes if pair not in verdicts]
    if added:
        write_csv(review, columns, [*rows, *added])
    if waiting := sum(not verdicts.get(pair) for pair in changes):
        raise DivLogicError(
            f"{review}: {waiting:,} of {len(changes):,} changes wait to be approved; write yes or no into the column"
            " 'approved', and run the same command again."
        )
    return [text for text, change in changes if verdicts[text, change] == "no"]


def fragments(record: Record) -> tuple[list[str], list[str]]:
    """Return the texts of a record that are corrected separately: sentences of the context, and options.

    A context is cut into sentences only where that gives as many as the record has formulas; otherwise it is
    corrected as a whole.
    """
    sentences = [part for part in _BOUNDARY.split(record.context) if part]
    formulas = record.formulas or {}
    expected = len(formulas.get("premises", ())) + (formulas.get("conclusion") is not None)
    if expected and len(sentences) != expected:
        sentences = [record.context] if record.context else []
    return sentences, list(record.options)


def model_of(parameters: PolishParameters) -> ModelParameters:
    """Return the model that the parameters name.

    With an address the name is that of the server's model (``compatible/NAME``); without one it is Inspect's
    (``openai/gpt-4o``).
    """
    name = parameters.model
    if not name:
        raise DivLogicError("polish.model is not set; name the model in params.yaml.")
    if parameters.base_url and not name.startswith("compatible/"):
        name = f"compatible/{name}"
    if "/" not in name:
        raise DivLogicError(
            f"polish.base_url is not set, and '{name}' names no provider; set the address of an OpenAI-compatible"
            " server, or name the model as Inspect does (openai/gpt-4o)."
        )
    return ModelParameters(name=name, base_url=parameters.base_url)


def select_proposal(original: str, proposals: Iterable[str | None], *, min_ratio: float) -> str:
    """Return the accepted proposal that changes least, or the original if none is accepted.

    A proposal that changes, moves or drops a logical word is refused.

    Args:
        proposals: the answers of the trials, in order of trial; ``None`` where a trial gave none.
        min_ratio: the similarity of an accepted proposal is greater than this (paper: 0.5).
    """
    words = connectives(original)
    best, best_ratio = original, min_ratio
    for proposal in proposals:
        # An explanation around the text or a lost full stop: not a corrected text.
        if not proposal or "\n" in proposal or proposal[-1] != original[-1]:
            continue
        # One too long cannot be similar enough, and would take long to compare.
        if len(original) <= min_ratio * len(proposal) or connectives(proposal) != words:
            continue
        ratio = similarity(original, proposal)
        # Of equally small changes the first trial's stays, so that the choice does not hang on arrival.
        if ratio > best_ratio:
            best, best_ratio = proposal, ratio
    return best


def similarity(left: str, right: str) -> float:
    """Return the length of the longest common substring over the length of the longer text (0 to 1)."""
    longer = max(len(left), len(right))
    common = SequenceMatcher(None, left, right, autojunk=False).find_longest_match().size
    return common / longer if longer else 1.0


def connectives(text: str) -> tuple[str, ...]:
    """Return the logical words of a text in order: connectives, and negations as ``not``."""
    logical = _logical_words()
    found: list[str] = []
    for word in _WORD.findall(text.lower()):
        if word.endswith(("n't", "n’t")) or word in ("not", "cannot"):
            found.append("not")
        elif word in logical:
            found.append(word)
    return tuple(found)


@cache
def _logical_words() -> frozenset[str]:
    """Return the words of the frames and introducers that carry the logic, and the negations."""
    templates = load_templates()
    texts = [
        piece for frames in templates.frames.values() for frame in frames for piece in frame.pieces
    ]
    words = {
        word for text in (*texts, *templates.conclusions) for word in _WORD.findall(text.lower())
    }
    return frozenset((words - _GRAMMATICAL) | _NEGATIONS)
