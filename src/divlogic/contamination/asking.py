"""TS-Guessing of models that only answer, behind any of Inspect's providers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np

from divlogic.contamination.guessing import GENERATED, completion_scores, guess_of
from divlogic.contamination.outcomes import summarise, write_outcomes
from divlogic.contamination.parameters import ContaminationRun
from divlogic.errors import DivLogicError
from divlogic.models.asking import AskingOptions, ask
from divlogic.models.requests import label_of
from divlogic.records import read_records, spaced_over_types

WHOLE = "test"
"""The sample that is asked: the test split, of which nobody knows whether the model has seen it."""


def guess_options(
    given: AskingOptions,
    test: Annotated[Path, "Records with options and answers (jsonl)."],
    out: Annotated[Path, "Outcomes (jsonl)."],
    params: ContaminationRun,
) -> None:
    """Ask a model to fill in a masked wrong option of each instance (TS-Guessing).

    Exact match and ROUGE-L F1 are written. Any model of Inspect's can be asked, or one that is served here.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are missing at the end.
    """
    settings = params.contamination
    model = given.model(settings.models)
    records = [
        record for record in read_records(test) if record.answer is not None and len(record.options) > 1
    ]
    if not records:
        raise DivLogicError(f"{test}: no record has options and an answer; there is nothing to ask.")
    answers = ask(
        [[guess_of(record, params.seed) for record in spaced_over_types(records, settings.guessed)]],
        given.store,
        model=model,
        runs=1,
        sampling=settings.sampling,
        limits=given.limits(settings.limits),
        seed=params.seed,
    )
    scores = np.array(
        [completion_scores(response.answer, request.question.hidden) for request, response in answers]
    )
    drawn = {"seed": params.seed, "resamples": settings.resamples}
    write_outcomes(
        out,
        (
            outcome
            for measure, column in zip(GENERATED, scores.T, strict=True)
            for outcome in summarise(label_of(model), WHOLE, measure, {"before": [column]}, **drawn)
        ),
    )
