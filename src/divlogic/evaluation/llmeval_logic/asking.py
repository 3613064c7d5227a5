"""Asking a model for what the store lacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.io.log import say
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import label_of, requests_of
from divlogic.models.runner import run_requests
from divlogic.models.store import ResponseStore


def asked(
    questions: Sequence[Any],
    model: ModelParameters,
    store: Path,
    runs: int,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> dict[tuple[str, int], str]:
    """Return the replies by instance and run; what the store lacks is asked first.

    Raises:
        DivLogicError: the model cannot be used, or answers are still lacking.
    """
    requests = list(requests_of(questions, model, runs, sampling))
    with ResponseStore(store) as opened:
        done = run_requests(requests, model, opened, sampling=sampling, limits=limits, seed=seed)
    say(f"{label_of(model)}: {done.sentence()}")
    done.require_all(store, label_of(model))
    found = {}
    for request in requests:
        response = request.stored(opened.responses)
        if response is not None:
            found[request.question.instance, request.run] = response.answer
    return found
