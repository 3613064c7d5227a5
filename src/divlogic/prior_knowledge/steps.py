"""The steps of the phase as functions of files: every benchmark of a collection, every recorded answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.corpora.manifest import read_manifest
from divlogic.errors import DivLogicError
from divlogic.models.asking import ClosedQuestion, ask, askable, read_questions, stored_answers
from divlogic.models.closed_answers import Answer, write_answers
from divlogic.models.closed_prompts import STYLES
from divlogic.models.label_recordings import read_justlogic, recorded_answers
from divlogic.models.parameters import ModelParameters
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from divlogic.prior_knowledge.probe import probe
from divlogic.progress import say
from divlogic.records import Record, read_records

READER = "recorded:justlogic_prior"
"""Reader, as the registry calls it, of answers that were given without a context."""

_NAME = re.compile(r"ci_results_(?P<benchmark>[a-z]+)\.csv")
_RENAMED = {"logiqa": "logiqa2"}


def probe_collection(
    collection: Path, splits: Sequence[Path], out: Path, parameters: PriorKnowledgeParameters, seed: int
) -> int:
    """Cross-validate the question-only classifier on every benchmark that has enough answers; return the rows.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        splits: further splits of generated benchmarks, so that the probe learns from all of them.
        out: the answers.
        parameters: the classifier's settings.
        seed: of the folds.
    """
    further: dict[str, list[Record]] = {}
    for path in splits:
        for record in read_records(path):
            further.setdefault(record.benchmark, []).append(record)

    def answers() -> Iterator[Answer]:
        for one in load_collection(collection):
            if not one.available:
                continue
            own = further.get(one.benchmark)
            records = own if own is not None else list(collected_records(collection, one.benchmark))
            try:
                found = probe(records, parameters.probe, seed)
            except DivLogicError as error:
                say(f"{one.benchmark}: no probe ({error})")
                continue
            yield from (replace(answer, benchmark=one.benchmark) for answer in found)

    return write_answers(out, answers())


def ask_file(
    source: Path,
    pool: Path | None,
    store: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> None:
    """Ask one model the questions of a record file that the store holds no answer to.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still lacking at the end.
    """
    questions = _questions(source, pool, model, parameters, seed)
    ask(questions, store, model=model, sampling=parameters.sampling, limits=parameters.limits, seed=seed)


def answers_to_file(
    source: Path,
    pool: Path | None,
    store: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> Iterator[Answer]:
    """Yield one model's stored answers to the questions of a record file, in the file's order."""
    questions = _questions(source, pool, model, parameters, seed)
    yield from stored_answers(questions, store, model=model, sampling=parameters.sampling)


def ask_collection(
    collection: Path,
    store: Path,
    out: Path,
    *,
    pools: Sequence[Path] = (),
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> int:
    """Ask one model the questions of every benchmark with answers, without their contexts; return the rows.

    Answers are kept in the store the moment they arrive; what it holds is not asked again. A model whose parameters
    name benchmarks is asked these only.

    Args:
        collection: folder that ``divlogic benchmarks collect`` wrote.
        store: response store of the model.
        out: the answers.
        pools: training splits of generated benchmarks, that solved examples are drawn from.
        model, parameters, seed: what is asked, and how.
    """
    training = {next(iter(askable(path))).benchmark: path for path in pools}

    def answers() -> Iterator[Answer]:
        for one in load_collection(collection):
            source = collection / f"{one.benchmark}.jsonl.gz"
            wanted = model.benchmarks is None or one.benchmark in model.benchmarks
            if not (wanted and one.available and any(r.answer is not None for r in read_records(source))):
                continue
            pool = training.get(one.benchmark)
            prompts = parameters.prompts if model.prompts is None else model.prompts
            kept = [name for name in prompts if pool is not None or not STYLES[name].shots]
            if kept != prompts:
                say(f"{one.benchmark}: no prompt with solved examples, it has no training part here")
            if not kept:
                continue
            asked = model.model_copy(update={"prompts": kept})
            given: dict[str, Any] = {"model": asked, "parameters": parameters, "seed": seed}
            ask_file(source, pool, store, **given)
            for answer in answers_to_file(source, pool, store, **given):
                yield replace(answer, benchmark=one.benchmark)

    return write_answers(out, answers())


def replay_folders(folders: Sequence[Path], out: Path) -> int:
    """Write the answers without context that JustLogic's authors recorded, as far as the corpus folders hold them."""

    def answers() -> Iterator[Answer]:
        for folder in folders:
            for file in read_manifest(folder).files:
                found = _NAME.fullmatch(Path(file.name).name)
                if file.reader == READER and found:
                    predictions = list(read_justlogic(Path(folder, file.name)))
                    name = _RENAMED.get(found["benchmark"], found["benchmark"])
                    yield from recorded_answers(
                        predictions, benchmark=name, system="GPT-4", prompt="", choices=None
                    )

    return write_answers(out, answers())


def _questions(
    source: Path,
    pool: Path | None,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> list[ClosedQuestion]:
    prompts = parameters.prompts if model.prompts is None else model.prompts
    return read_questions(source, pool, prompts=prompts, instances=parameters.instances, seed=seed)
