"""Asking a model for what the store lacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.models.asking import ask
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters


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
    answers = ask([questions], store, model=model, runs=runs, sampling=sampling, limits=limits, seed=seed)
    return {(request.question.instance, request.run): response.answer for request, response in answers}
