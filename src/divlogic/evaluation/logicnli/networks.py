"""Networks trained on LogicNLI's sets, whose answers the diagnosis reads as those of any other system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from divlogic.benchmarks.logicnli.learners import numbered_tokens
from divlogic.benchmarks.logicnli.set_names import CONNECTIVE_SETS
from divlogic.errors import DivLogicError
from divlogic.evaluation.logicnli.answers import ASKED, folds, predictions_of, training_set
from divlogic.io.files import write_jsonl
from divlogic.io.log import track
from divlogic.models.learners.neural import SCRATCH, Encoder, Network, SmallTransformer, Training
from divlogic.records import Record, read_records

Kind = Literal["transformer", "encoder"]
CONNECTIVES = "connectives"
TRAINING_SETS = ("train", "train_r", "d_train", "d_train_r", CONNECTIVES)
"""What a network is trained on; ``connectives``: each half of a connective's set, and asked the other."""

_CHUNK = 200


def train_network(
    folder: Path,
    out: Path,
    *,
    kind: Kind,
    model: str | None,
    label: str,
    training_sets: Sequence[str],
    instances: int | None,
    settings: dict[str, Any],
    seed: int,
    save: Path | None = None,
) -> int:
    """Train a network on each training set, answer the sets that go with it, and write the answers as predictions.

    Early stop looks at the development set that goes with the training set; the halves of connectives have none.

    Args:
        folder: the sets, one file each.
        out: predictions (jsonl).
        kind: ``transformer`` (from scratch) or ``encoder`` (of `transformers`).
        model: hub name or folder of the encoder.
        label: name of the system in the predictions.
        training_sets: of ``TRAINING_SETS``.
        instances: records trained on, the first ones; ``None``: all.
        settings: what differs from the defaults of :class:`Training`.
        seed: of weights and order.
        save: folder for the trained networks, one subfolder per training set or half of a connective's set.

    Raises:
        DivLogicError: torch is not installed, the encoder or a set is missing, or an encoder was not named.
    """
    if kind == "encoder" and not model:
        raise DivLogicError("which encoder? Name it with --model: a name of the hub, or a folder.")

    def trained(training: Iterable[Record], validation: Sequence[Record], name: str) -> Network:
        network = _network(kind, model, settings, validation, seed)
        network.fit(islice(training, instances))
        if save:
            network.save(save / name)
        return network

    def answers() -> Iterator[tuple[Record, str]]:
        for name in training_sets:
            if name == CONNECTIVES:
                for asked in CONNECTIVE_SETS:
                    for number, (half, other) in enumerate(folds(folder / f"{asked}.jsonl")):
                        network = trained(half, (), f"{asked}-{number}")
                        yield from _answered(network, other)
                continue
            development = read_records(folder / f"{name.replace('train', 'dev')}.jsonl")
            network = trained(
                read_records(folder / f"{name}.jsonl"), list(islice(development, instances)), name
            )
            for asked in (one for one in ASKED if training_set(one) == name):
                yield from _answered(network, read_records(folder / f"{asked}.jsonl"))

    def rows() -> Iterator[dict[str, Any]]:
        for record, answer in track(answers(), "answered statements"):
            for prediction in predictions_of(record, {label: answer}):
                yield replace(prediction, source="model").to_json()

    return write_jsonl(out, rows())


def _network(
    kind: Kind, model: str | None, settings: dict[str, Any], validation: Sequence[Record], seed: int
) -> Network:
    if kind == "transformer":
        training = replace(SCRATCH, **settings)
        return SmallTransformer(seed, numbered_tokens, training=training, validation=validation)
    return Encoder(seed, str(model), training=replace(Training(), **settings), validation=validation)


def _answered(network: Network, records: Iterable[Record]) -> Iterator[tuple[Record, str]]:
    stream = iter(records)
    while chunk := list(islice(stream, _CHUNK)):
        yield from zip(chunk, network.predict(chunk), strict=True)
