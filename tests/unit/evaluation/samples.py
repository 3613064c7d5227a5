"""Small records for the tests of the evaluation phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models import asking
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.requests import (
    ClosedQuestion,
    Question,
    Request,
    Response,
    ResponseStore,
    requests_of,
)
from divlogic.models.runner import run_requests
from divlogic.models.runs import RunSummary
from divlogic.records import Record

SAMPLING, LIMITS = SamplingParameters(), LimitParameters()
TYPES = ("3c1e", "3e1c", "missing_premise")
THINGS = ("kettle", "lantern", "violin", "compass", "ladder", "teapot", "saddle", "anvil")


def records(count: int = 6, split: str = "test", benchmark: str = "divlogiceval") -> list[Record]:
    """Return records with four distinct options; the answer moves through all positions."""
    return [
        Record(
            id=f"{split}-{number}",
            benchmark=benchmark,
            split=split,
            context=f"If the {THINGS[number % 8]} number {number} hums, the roof leaks. The {split} bell is ringing.",
            question="Which one follows?",
            options=tuple(
                f"The {THINGS[(number + k) % 8]} is {word}."
                for k, word in enumerate(("old", "new", "red", "wet"))
            ),
            answer=number % 4,
            question_type=TYPES[number % 3],
        )
        for number in range(count)
    ]


def rotations(count: int = 3, prompt: str = "zero_shot") -> list[ClosedQuestion]:
    """Return the rotations of some records in a prompt style without examples."""
    return list(rotation_rows(records(count), style_named(prompt), seed=1))


def predictions_of(
    requests: Iterable[Request[ClosedQuestion]], responses: Mapping[str, Response], label: str
) -> Iterator[Prediction]:
    """Yield the answers that a store holds to requests, under a model's name."""
    return asking.predictions_of(
        asking.stored_answers(requests, responses), ModelParameters(name=label)
    )


def run_model(
    questions: Sequence[Question],
    model: ModelParameters,
    store: ResponseStore,
    *,
    runs: int = 1,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int = 1,
) -> RunSummary:
    """Fill a store with a model's answers to questions."""
    requests = list(requests_of(questions, model, runs, sampling))
    return run_requests(requests, model, store, sampling=sampling, limits=limits, seed=seed)


def answered(
    questions: Sequence[ClosedQuestion],
    model: ModelParameters,
    store: Path,
    *,
    sampling: SamplingParameters = SAMPLING,
    limits: LimitParameters = LIMITS,
) -> tuple[RunSummary, list[Prediction]]:
    """Ask a model what a store lacks, and return what was done and all answers."""
    with ResponseStore(store) as opened:
        summary = run_model(questions, model, opened, sampling=sampling, limits=limits)
        requests = requests_of(questions, model, 1, sampling)
        return summary, list(predictions_of(requests, opened.responses, "m"))


def said(row: ClosedQuestion, letter: str | None) -> Prediction:
    """Return a letter as the answer of model ``m`` to a question."""
    about = (row.benchmark, "m", row.prompt, row.instance, row.gold, letter)
    return Prediction(
        *about, rotation=row.rotation, question_type=row.question_type, choices=row.choices
    )
