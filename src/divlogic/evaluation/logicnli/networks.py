"""Networks trained on LogicNLI's sets, whose answers the diagnosis reads as those of any other system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from divlogic.benchmarks.logicnli.learners import numbered_tokens
from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.logicnli.answers import answers_by, predictions_of
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.io.log import track
from divlogic.models.learners import Learner
from divlogic.models.learners.neural import SCRATCH, Encoder, Network, SmallTransformer, Training
from divlogic.networks.library import weights_of
from divlogic.records import Record, read_records

CONNECTIVES = "connectives"
TrainingSet = Literal["train", "train_r", "d_train", "d_train_r", "connectives"]
"""What a network is trained on; ``connectives``: each half of a connective's set, and asked the other."""


@dataclass(frozen=True)
class TrainingOptions:
    """What of the training differs from the kind's own."""

    epochs: Annotated[int | None, click.IntRange(1), "Passes over the training set, at most."] = None
    batch: Annotated[int | None, click.IntRange(1), "Records per step."] = None
    rate: Annotated[float | None, click.FloatRange(0, min_open=True), "Learning rate of AdamW."] = None
    patience: Annotated[
        int | None,
        click.IntRange(1),
        "Passes without a better accuracy on the development set before it stops.",
    ] = None
    head_rate: Annotated[float | None, click.FloatRange(0, min_open=True), "Learning rate of the head."] = (
        None
    )
    decay: Annotated[
        float | None, click.FloatRange(0, 1, min_open=True), "Factor of the rate from pass to pass."
    ] = None
    weight_decay: Annotated[float | None, click.FloatRange(0), "Weight decay of AdamW."] = None

    def laid_over(self, training: Training) -> Training:
        """Return a training with what is given here in place of its own."""
        return replace(training, **{name: value for name, value in vars(self).items() if value is not None})


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
    instances: Annotated[
        int | None, click.IntRange(1), "Records trained on, the first ones; by default all."
    ] = None,
    settings: TrainingOptions = TrainingOptions(),
    save: Annotated[Path | None, FOLDER, "Folder for the trained networks."] = None,
    out: Annotated[Path, "Predictions (jsonl)."],
    params: EvaluationRun,
) -> int:
    """Train a network on LogicNLI's sets and write its answers; needs the environment of requirements/neural.lock.

    Returns:
        Number of answers. Early stop looks at the development set that goes with the training set; the halves of
        connectives have none. ``save`` gets a subfolder per training set or half of a connective's set.

    Raises:
        DivLogicError: torch is not installed, the encoder or a set is missing, or an encoder was not named.
    """
    if kind == "encoder" and not model:
        raise DivLogicError("which encoder? Name it with --model: a name of the hub, or a folder.")

    system = label or model or kind

    def trained(training: Iterable[Record], name: str) -> dict[str, Learner]:
        validation: list[Record] = []
        if name in training_sets:
            development = read_records(folder / f"{name.replace('train', 'dev')}.jsonl")
            validation = list(islice(development, instances))
        network = _network(kind, model, settings, validation, params.seed)
        network.fit(islice(training, instances))
        if save:
            network.save(save / name)
        return {system: network}

    names = ("" if name == CONNECTIVES else name for name in training_sets)

    def rows() -> Iterator[dict[str, Any]]:
        for record, labels in track(answers_by(folder, names, trained), "answered statements"):
            for prediction in predictions_of(record, labels):
                yield replace(prediction, source="model").to_json()

    return write_jsonl(out, rows())


def _network(
    kind: str, model: str | None, settings: TrainingOptions, validation: Sequence[Record], seed: int
) -> Network:
    if kind == "transformer":
        training = settings.laid_over(SCRATCH)
        return SmallTransformer(seed, numbered_tokens, training=training, validation=validation)
    training = settings.laid_over(Training())
    return Encoder(seed, str(weights_of(str(model))), training=training, validation=validation)
