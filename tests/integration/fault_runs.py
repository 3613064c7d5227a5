"""Runs of one model on a few rotations, with short waits."""

from __future__ import annotations

from pathlib import Path

from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.requests import ClosedQuestion, read_responses, requests_of
from divlogic.models.runs import RunSummary
from tests.integration.fault_server import Behaviour, Handler, serving
from tests.unit.evaluation.samples import answered, predictions_of

SAMPLING = SamplingParameters()


def limits(**change: object) -> LimitParameters:
    # A minute for each attempt: a busy machine needs more than a second for what an idle one does at once.
    return LimitParameters(**{"concurrency": 4, "timeout": 60.0, "first_wait": 0.01, **change})  # type: ignore[arg-type]


def run(
    store: Path,
    address: str,
    asked: list[ClosedQuestion],
    model: str = "compatible/fake",
    **change: object,
) -> RunSummary:
    named = ModelParameters(name=model, base_url=address or None)
    return answered(asked, named, store, sampling=SAMPLING, limits=limits(**change))[0]


def run_served(
    store: Path,
    asked: list[ClosedQuestion],
    behaviour: Behaviour = lambda *_: False,
    **change: object,
) -> tuple[RunSummary, type[Handler]]:
    """Ask a server of its own; return what was done, and what the server saw."""
    with serving(behaviour) as (address, handler):
        return run(store, address, asked, **change), handler


def stored(store: Path, address: str, asked: list[ClosedQuestion]) -> list[Prediction]:
    """Return the answers of a store to questions."""
    model = ModelParameters(name="compatible/fake", base_url=address)
    return list(
        predictions_of(requests_of(asked, model, 1, SAMPLING), read_responses(store), "fake")
    )


def gold_of(asked: list[ClosedQuestion]) -> dict[str, str]:
    return {row.input: row.gold for row in asked}
