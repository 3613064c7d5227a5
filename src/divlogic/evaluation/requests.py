"""Requests: which answers are wanted of a model, under which keys they are stored, and the predictions they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from divlogic.evaluation.answers import parse_answer
from divlogic.evaluation.faults import redact
from divlogic.evaluation.parameters import ModelParameters, SamplingParameters
from divlogic.evaluation.predictions import Prediction, Series
from divlogic.evaluation.rotations import RotationRow
from divlogic.evaluation.store import Response, request_key


@dataclass(frozen=True)
class Request:
    """One answer wanted: a rotation row in one run."""

    row: RotationRow
    run: int
    key: str


def requests_of(
    rows: Sequence[RotationRow],
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Iterator[Request]:
    """Yield the requests that a model's answers to ``rows`` need, in the order of runs and rows."""
    values, fingerprint = sampling.model_dump(exclude_none=True), fingerprint_of(model)
    rows = limited(rows, model)
    for run in range(runs):
        for row in rows:
            key = request_key(
                model=model.name, fingerprint=fingerprint, text=row.input, sampling=values, run=run
            )
            yield Request(row, run, key)


def predictions_of(
    requests: Sequence[Request], responses: dict[str, Response], label: str
) -> Iterator[Prediction]:
    """Yield the predictions for the requests that have a response; the order is that of the requests."""
    for request in requests:
        response = responses.get(request.key)
        if response is not None:
            row = request.row
            yield Prediction(
                Series(row.benchmark, label, row.prompt, request.run),
                row.instance,
                row.rotation,
                row.question_type,
                row.gold,
                parse_answer(response.answer),
                response.answer,
            )


def limited(rows: Sequence[RotationRow], model: ModelParameters) -> list[RotationRow]:
    """Return the rows of the first ``model.instances`` instances."""
    if model.instances is None:
        return list(rows)
    kept = set(list(dict.fromkeys(row.instance for row in rows))[: model.instances])
    return [row for row in rows if row.instance in kept]


def label_of(model: ModelParameters) -> str:
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def fingerprint_of(model: ModelParameters) -> str:
    """Return what tells apart models of one name: a baseline's code and files, or the address and arguments."""
    if model.name.startswith("baseline/"):
        from divlogic.evaluation.baseline_files import fingerprint

        return fingerprint(model.name.removeprefix("baseline/"), model.args)
    return redact(f"{model.base_url or ''} {sorted(model.args.items())}", limit=10_000)
