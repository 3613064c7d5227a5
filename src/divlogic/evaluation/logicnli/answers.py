"""What learners answer to LogicNLI's sets, each trained on the set that the paper trains on; and training networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from divlogic.benchmarks.logicnli.learners import learner_named, numbered_tokens
from divlogic.benchmarks.logicnli.set_names import SETS, group_of
from divlogic.benchmarks.registry import benchmark_named
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.io.log import track
from divlogic.models.learners import SCRATCH, Encoder, Learner, Network, SmallTransformer, Training
from divlogic.models.predictions import Prediction, Source
from divlogic.networks.library import weights_of
from divlogic.records import Record, grouped, read_records

CONNECTIVES = "connectives"
TrainingSet = Literal["train", "train_r", "d_train", "d_train_r", "connectives"]
"""What a network is trained on; ``connectives``: each half of a connective's set, and asked the other."""


Positive = Annotated[int | None, click.IntRange(1)]
PositiveFloat = Annotated[float | None, click.FloatRange(0, min_open=True)]


@dataclass(frozen=True)
class TrainingOptions:
    """What of the training differs from the kind's own."""

    epochs: Annotated[Positive, "Passes over the training set, at most."] = None
    batch: Annotated[Positive, "Records per step."] = None
    rate: Annotated[PositiveFloat, "Learning rate of AdamW."] = None
    patience: Annotated[
        Positive, "Passes without a better accuracy on the development set before it stops."
    ] = None
    head_rate: Annotated[PositiveFloat, "Learning rate of the head."] = None
    decay: Annotated[
        float | None, click.FloatRange(0, 1, min_open=True), "Factor of the rate from pass to pass."
    ] = None
    weight_decay: Annotated[float | None, click.FloatRange(0), "Weight decay of AdamW."] = None

    def laid_over(self, training: Training) -> Training:
        """Return a training with what is given here in place of its own."""
        return replace(
            training, **{name: value for name, value in vars(self).items() if value is not None}
        )


def train_network(
    *,
    folder: Annotated[Path, "--sets", FOLDER, "Folder of the sets."],
    kind: Annotated[
        Literal["transformer", "encoder"],
        "A small transformer from scratch, or an encoder of `transformers`.",
    ],
    model: Annotated[str | None, "Encoder: a name of the hub, or a folder."] = None,
    label: Annotated[
        str | None, "Name of the system in tables; by default the kind, or the encoder's name."
    ] = None,
    training_sets: Annotated[
        tuple[TrainingSet, ...],
        "--train",
        "Training set; repeatable. The sets that go with it are answered; connectives: each half of a connective's"
        " set, asked the other.",
    ] = ("train",),
    instances: Annotated[Positive, "Records trained on, the first ones; by default all."] = None,
    settings: TrainingOptions = TrainingOptions(),
    save: Annotated[Path | None, FOLDER, "Folder for the trained networks."] = None,
    out: Annotated[Path, "Predictions (jsonl)."],
    params: EvaluationRun,
) -> int:
    """Train a network on LogicNLI's sets and write its answers; needs the environment of requirements/neural.lock.

    Returns:
        Number of answers. Early stop looks at the development set that goes with the training set; the halves of
        connectives have none. ``save`` gets a subfolder per training set or half of a connective's set.
    """
    if kind == "encoder" and not model:
        raise DivLogicError("which encoder? Name it with --model: a name of the hub, or a folder.")

    system = label or model or kind

    def trained(training: Iterable[Record], name: str) -> dict[str, Learner]:
        validation: list[Record] = []
        if name in training_sets:
            development = read_records(set_file(folder, name.replace("train", "dev")))
            validation = list(islice(development, instances))
        network = _network(kind, model, settings, validation, params.seed)
        network.fit(islice(training, instances))
        if save:
            network.save(save / name)
        return {system: network}

    names = ("" if name == CONNECTIVES else name for name in training_sets)

    def rows() -> Iterator[dict[str, Any]]:
        for record, labels in track(answers_by(folder, names, trained), "answered statements"):
            yield from prediction_rows(record, labels, "model")

    return write_jsonl(out, rows())


def _network(
    kind: str, model: str | None, settings: TrainingOptions, validation: Sequence[Record], seed: int
) -> Network:
    if kind == "transformer":
        training = settings.laid_over(SCRATCH)
        return SmallTransformer(seed, numbered_tokens, training=training, validation=validation)
    training = settings.laid_over(Training())
    return Encoder(seed, str(weights_of(str(model))), training=training, validation=validation)


ASKED = tuple(name for name in SETS if "train" not in name)
"""The sets that are answered."""

_CHUNK = 200

Answers = Iterator[tuple[Record, dict[str, str]]]


def set_file(folder: Path, name: str) -> Path:
    """Return the file of a set."""
    return folder / benchmark_named("logicnli").file_of(name)


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
    """

    def fitted(training: Iterable[Record], _: str) -> dict[str, Learner]:
        texts = list(map(_plain, training))
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
            learners = fitted(read_records(set_file(folder, training)), training)
            for name in names:
                yield from predicted(learners, read_records(set_file(folder, name)))
            continue
        for name in names:
            for number, (half, other) in enumerate(folds(set_file(folder, name))):
                yield from predicted(fitted(half, f"{name}-{number}"), other)


def prediction_rows(
    record: Record, labels: dict[str, str], source: Source = "baseline"
) -> Iterator[dict[str, Any]]:
    """Yield the answers to one record as rows of a file of predictions."""
    asked = Prediction(
        benchmark=record.benchmark,
        model="",
        prompt=record.split,
        instance=record.id,
        gold=record.options[record.answer or 0],
        predicted=None,
        question_type=record.question_type or "",
        source=source,
        choices=len(record.options),
        depth=record.depth,
    ).to_json()
    for system, label in labels.items():
        yield {**asked, "model": system, "predicted": label}


def slim(record: Record) -> Record:
    """Return what a diagnosis needs of a record: no text, no formulas, but how many sentences there were."""
    size = len(record.sentences or {})
    metadata = {**record.metadata, "sentences": size} if size else record.metadata
    return replace(
        record, context="", question="", formulas=None, sentences=None, metadata=metadata
    )


def folds(path: Path) -> Iterator[tuple[list[Record], list[Record]]]:
    """Yield the two halves of a set, each once as what is trained on and once as what is asked; groups stay whole."""
    records = list(read_records(path))
    order = {group: number for number, group in enumerate(dict.fromkeys(map(group_of, records)))}
    halves = grouped(records, lambda record: order[group_of(record)] % 2)
    even, odd = halves.get(0, []), halves.get(1, [])
    # A set of one group has no other half to learn from.
    yield odd or even, even
    yield even or odd, odd


def predicted(fitted: Mapping[str, Learner], records: Iterable[Record]) -> Answers:
    """Yield each record, slimmed, with the label that each learner gives it."""
    # Formulas and sentences of 200 records at once are 200,000 objects, among which Python looks for cycles.
    stream = ((_plain(record), slim(record)) for record in records)
    while chunk := list(islice(stream, _CHUNK)):
        texts = [text for text, _ in chunk]
        columns = {name: learner.predict(texts) for name, learner in fitted.items()}
        for (_, record), *labels in zip(chunk, *columns.values(), strict=True):
            yield record, dict(zip(columns, labels, strict=True))


def _plain(record: Record) -> Record:
    """Return what a learner reads of a record: its text."""
    return replace(record, formulas=None, sentences=None, metadata={})
