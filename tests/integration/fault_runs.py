"""Runs of one model on a few rotations, with short waits."""

from __future__ import annotations

from pathlib import Path

from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import write_predictions
from divlogic.models.requests import ClosedQuestion, requests_of
from divlogic.models.runs import RunSummary
from divlogic.models.store import ResponseStore, read_responses
from tests.unit.evaluation.samples import predictions_of, records, run_model

SAMPLING = SamplingParameters()


def rows(count: int = 3) -> list[ClosedQuestion]:
    return list(rotation_rows(records(count), style_named("zero_shot"), seed=1))


def limits(**change: object) -> LimitParameters:
    # A minute for each attempt: a busy machine needs more than a second for what an idle one does at once.
    return LimitParameters(**{"concurrency": 4, "timeout": 60.0, "first_wait": 0.01, **change})  # type: ignore[arg-type]


def run(
    store: Path, address: str, asked: list[ClosedQuestion], model: str = "compatible/fake", **change: object
) -> RunSummary:
    with ResponseStore(store) as opened:
        return run_model(
            asked,
            ModelParameters(name=model, base_url=address or None),
            opened,
            runs=1,
            sampling=SAMPLING,
            limits=limits(**change),
            seed=1,
        )


def exported(store: Path, address: str, asked: list[ClosedQuestion], out: Path) -> bytes:
    model = ModelParameters(name="compatible/fake", base_url=address)
    requests = list(requests_of(asked, model, 1, SAMPLING))
    write_predictions(out, predictions_of(requests, read_responses(store), "fake"))
    return out.read_bytes()


def gold_of(asked: list[ClosedQuestion]) -> dict[str, str]:
    return {row.input: row.gold for row in asked}
