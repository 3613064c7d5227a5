"""The answers that are due: instances × rotations × runs of every model, against those that are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import Answers
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import first_rotation
from divlogic.io.files import row_count
from divlogic.io.log import say
from divlogic.models.letters import OPTIONS
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Series
from divlogic.models.requests import ClosedQuestion, label_of

_NAMED = 3
"""Series that a message names."""


def is_asked(model: ModelParameters, row: ClosedQuestion, parameters: EvaluationParameters) -> bool:
    """Return whether a model answers a rotation: whether its prompt style and its benchmark are the model's."""
    prompts = parameters.prompts if model.prompts is None else model.prompts
    return row.prompt in prompts and (model.benchmarks is None or row.benchmark in model.benchmarks)


def due_answers(rotations: Sequence[Path], parameters: EvaluationParameters) -> dict[Series, int]:
    """Return how many answers each run of each model of the parameters owes to the rotation files.

    A file is not read: its first row says what it holds, the note on it how many rows.

    Raises:
        DivLogicError: a file is missing or empty.
    """
    due: dict[Series, int] = {}
    for path in rotations:
        row, rows = first_rotation(path), row_count(path)
        for model in parameters.models:
            if not is_asked(model, row, parameters):
                continue
            most = model.most(row.prompt)
            wanted = rows if most is None else min(rows, OPTIONS * most)
            for run in range(model.runs or parameters.runs):
                series = Series(row.benchmark, label_of(model), row.prompt, run)
                due[series] = due.get(series, 0) + wanted
    return due


def with_missing(
    answers: Mapping[Series, Answers], due: Mapping[Series, int], *, allow_missing: bool
) -> dict[Series, Answers]:
    """Return the answers, each series with the number of those that are due and not there.

    Raises:
        DivLogicError: some are missing, and that is not allowed.
    """
    counted = dict(answers)
    lacking: dict[Series, str] = {}
    for series, wanted in due.items():
        found = answers.get(series)
        there = 0 if found is None else OPTIONS * len(found.instances) - found.missing
        if there == wanted:
            continue
        lacking[series] = f"{there:,} of {wanted:,} answers of {series}"
        if found is not None:
            counted[series] = replace(found, missing=max(wanted - there, found.missing))
    if lacking:
        more = f" and {len(lacking) - _NAMED:,} more" if len(lacking) > _NAMED else ""
        listed = f"{'; '.join([*lacking.values()][:_NAMED])}{more}"
        if not allow_missing:
            raise DivLogicError(
                f"not the answers that are due: there are {listed}. Run these models again (divlogic evaluation run;"
                " nothing answered is asked twice), or score what is there with --allow-missing."
            )
        say(f"not the answers that are due: {listed}")
    return counted
