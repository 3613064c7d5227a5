"""Prediction files of another run, or of another program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from divlogic.io.files import RowProblem, read_jsonl
from divlogic.models.letters import LETTERS, OPTIONS
from divlogic.models.predictions import Prediction, prediction_from


def read(path: Path, *, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions of a file; what was predicted and is none of the options' letters names no option.

    Raises:
        DivLogicError: the file is missing.
    """
    letters = tuple(LETTERS)
    for number, row in read_jsonl(path, on_problem=on_problem):
        try:
            prediction = prediction_from(row)
        except ValueError as error:
            on_problem(number, str(error))
            continue
        if prediction.gold not in letters or not prediction.rotation < OPTIONS:
            on_problem(
                number, f"the gold letter {prediction.gold!r} in rotation {prediction.rotation} is impossible"
            )
        elif prediction.predicted not in letters:
            yield replace(prediction, predicted=None)
        else:
            yield prediction
