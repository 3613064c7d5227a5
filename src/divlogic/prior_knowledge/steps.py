"""The steps of the phase as functions of files: every benchmark of a collection, every recorded answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.corpora.manifest import read_manifest
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import ModelParameters
from divlogic.evaluation.replay import read_justlogic
from divlogic.prior_knowledge.answers import Answer, write_answers
from divlogic.prior_knowledge.asking import ask, recorded_answers, stored_answers
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


def ask_collection(
    collection: Path,
    store: Path,
    out: Path,
    *,
    model: ModelParameters,
    parameters: PriorKnowledgeParameters,
    seed: int,
) -> int:
    """Ask one model the questions of every benchmark with answers, without their contexts; return the rows.

    Answers are kept in the store the moment they arrive; what it holds is not asked again.
    """

    def answers() -> Iterator[Answer]:
        for one in load_collection(collection):
            source = collection / f"{one.benchmark}.jsonl.gz"
            if one.available and any(record.answer is not None for record in read_records(source)):
                ask(source, None, store, model=model, parameters=parameters, seed=seed)
                yield from stored_answers(source, None, store, model=model, parameters=parameters, seed=seed)

    return write_answers(out, answers())


def replay_folders(folders: Sequence[Path], out: Path) -> int:
    """Write the answers without context that JustLogic's authors recorded, as far as the corpus folders hold them."""

    def answers() -> Iterator[Answer]:
        for folder in folders:
            for file in read_manifest(folder).files:
                found = _NAME.fullmatch(Path(file.name).name)
                if file.reader == READER and found:
                    predictions = list(read_justlogic(Path(folder, file.name), note=say))
                    name = _RENAMED.get(found["benchmark"], found["benchmark"])
                    yield from recorded_answers(
                        predictions, benchmark=name, system="GPT-4", prompt="", choices=None
                    )

    return write_answers(out, answers())
