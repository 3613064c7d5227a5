"""TS-Guessing of models that only answer, behind any of Inspect's providers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from divlogic.contamination.guessing import GENERATED, Guess, completion_scores, guess_of
from divlogic.contamination.outcomes import Outcome, summarise, write_outcomes
from divlogic.contamination.parameters import ContaminationRun
from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models.parameters import ModelParameters
from divlogic.models.requests import label_of, requests_of
from divlogic.models.runner import run_requests
from divlogic.models.store import ResponseStore
from divlogic.records import read_records, spaced_over_types

WHOLE = "test"
"""The sample that is asked: the test split, of which nobody knows whether the model has seen it."""


@dataclass(frozen=True, slots=True)
class MaskedQuestion:
    """A masked instance as it is put to a model."""

    guess: Guess
    benchmark: str
    likelihood: bool = False
    letters: tuple[str, ...] = ()

    @property
    def instance(self) -> str:
        return self.guess.instance

    @property
    def input(self) -> str:
        return self.guess.prompt

    def read(self, answer: str) -> str | None:
        """Return the completion; an empty one is none."""
        return answer.strip() or None


def guess_options(model: ModelParameters, test: Path, store: Path, out: Path, run: ContaminationRun) -> int:
    """Ask a model to fill in a masked wrong option of each instance, and write exact match and ROUGE-L F1.

    Args:
        model: any model of Inspect's, or one that is served here.
        test: records with options and answers.
        store: response store of the model; what it holds is not asked again.
        out: the outcomes (jsonl).
        run: the parameters.

    Returns:
        The number of outcomes.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are missing at the end.
    """
    settings = run.contamination
    records = [
        record for record in read_records(test) if record.answer is not None and len(record.options) > 1
    ]
    if not records:
        raise DivLogicError(f"{test}: no record has options and an answer; there is nothing to ask.")
    questions = [
        MaskedQuestion(guess_of(record, run.seed), record.benchmark)
        for record in spaced_over_types(records, settings.guessed)
    ]
    requests = list(requests_of(questions, model, 1, settings.sampling))
    with ResponseStore(store) as opened:
        done = run_requests(
            requests, model, opened, sampling=settings.sampling, limits=settings.limits, seed=run.seed
        )
        say(f"{label_of(model)}: {done.sentence()}")
        done.require_all(opened.path, label_of(model))
        answers = [request.stored(opened.responses) for request in requests]
    scores = np.array(
        [
            completion_scores((answer.answer or "") if answer else "", request.question.guess.hidden)
            for request, answer in zip(requests, answers, strict=True)
        ]
    )

    def outcomes() -> Iterator[Outcome]:
        for column, measure in enumerate(GENERATED):
            yield from summarise(
                label_of(model),
                WHOLE,
                measure,
                {"before": [scores[:, column]]},
                seed=run.seed,
                resamples=settings.resamples,
            )

    return write_outcomes(out, outcomes())
