"""What learners answer to LogicNLI's sets, each trained on the set that the paper trains on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from divlogic.benchmarks.logicnli.learners import learner_named
from divlogic.benchmarks.logicnli.set_names import SETS, group_of
from divlogic.models.learners import Learner
from divlogic.models.predictions import Prediction
from divlogic.records import Record, read_records

ASKED = tuple(name for name in SETS if "train" not in name)
"""The sets that are answered."""

_CHUNK = 200

Answers = Iterator[tuple[Record, dict[str, str]]]


def training_set(name: str) -> str:
    """Return the set that a learner is trained on for another; empty where the set itself is cut into two folds.

    >>> training_set("d_test_r"), training_set("proofs"), training_set("fol_and")
    ('d_train_r', 'train', '')
    """
    if name.startswith("fol_"):
        return ""
    return ("d_" if name.startswith("d_") else "") + ("train_r" if name.endswith("_r") else "train")


def answer_sets(folder: Path, learners: Sequence[str], seed: int) -> Answers:
    """Yield every record of the answered sets, without its text and formulas, with the label that each learner gives.

    Args:
        folder: the sets, one file each.
        learners: names of learners.
        seed: of all that they draw.

    Raises:
        DivLogicError: a set is missing or empty, a learner is unknown, or a record lacks what it reads.
    """

    def fitted(training: Iterable[Record], _: str) -> dict[str, Learner]:
        texts = [replace(record, formulas=None, sentences=None) for record in training]
        found = {name: learner_named(name, seed) for name in learners}
        for learner in found.values():
            learner.fit(iter(texts))
        return found

    return answers_by(folder, dict.fromkeys(map(training_set, ASKED)) if learners else (), fitted)


def answers_by(
    folder: Path,
    training_sets: Iterable[str],
    fitted: Callable[[Iterable[Record], str], Mapping[str, Learner]],
) -> Answers:
    """Yield every record of the sets that go with training sets, with the label that each learner gives.

    Args:
        folder: the sets, one file each.
        training_sets: names; empty for the sets that are cut into two folds, each answered by learners of the other.
        fitted: returns learners trained on records of that name.
    """
    for training in training_sets:
        names = [name for name in ASKED if training_set(name) == training]
        if training:
            learners = fitted(read_records(folder / f"{training}.jsonl"), training)
            for name in names:
                yield from predicted(learners, read_records(folder / f"{name}.jsonl"))
            continue
        for name in names:
            for number, (half, other) in enumerate(folds(folder / f"{name}.jsonl")):
                yield from predicted(fitted(half, f"{name}-{number}"), other)


def predictions_of(record: Record, labels: dict[str, str]) -> Iterator[Prediction]:
    """Yield the answers to one record as predictions."""
    for system, label in labels.items():
        yield Prediction(
            benchmark=record.benchmark,
            model=system,
            prompt=record.split,
            instance=record.id,
            gold=record.options[record.answer or 0],
            predicted=label,
            question_type=record.question_type or "",
            source="baseline",
            choices=len(record.options),
            depth=record.depth,
        )


def slim(record: Record) -> Record:
    """Return what a diagnosis needs of a record: no text, no formulas, but how many sentences there were."""
    size = len(record.sentences or {})
    metadata = {**record.metadata, "sentences": size} if size else record.metadata
    return replace(record, context="", question="", formulas=None, sentences=None, metadata=metadata)


def folds(path: Path) -> Iterator[tuple[list[Record], list[Record]]]:
    """Yield the two halves of a set, each once as what is trained on and once as what is asked; groups stay whole.

    Raises:
        DivLogicError: the file is missing or malformed.
    """
    records = list(read_records(path))
    order = {group: number for number, group in enumerate(dict.fromkeys(map(group_of, records)))}
    for fold in (0, 1):
        parts: tuple[list[Record], list[Record]] = ([], [])
        for record in records:
            parts[order[group_of(record)] % 2 == fold].append(record)
        train, test = parts
        # A set of one group has no other half to learn from.
        yield train or test, test


def predicted(fitted: Mapping[str, Learner], records: Iterable[Record]) -> Answers:
    """Yield each record, slimmed, with the label that each learner gives it."""
    stream = iter(records)
    while chunk := list(islice(stream, _CHUNK)):
        columns = {name: learner.predict(chunk) for name, learner in fitted.items()}
        for number, record in enumerate(chunk):
            yield slim(record), {name: labels[number] for name, labels in columns.items()}
