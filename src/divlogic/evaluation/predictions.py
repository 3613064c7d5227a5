"""Answer matrices made of predictions, and predictions made of stored answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import NONE, Answers
from divlogic.evaluation.rotations import FEWEST, MOST, RotationRow
from divlogic.io.files import read_jsonl
from divlogic.models.letters import OPTIONS, parse_answer
from divlogic.models.predictions import Prediction, Series
from divlogic.models.requests import Request
from divlogic.models.store import Response

FIELDS = ("benchmark", "model", "prompt", "run", "instance", "rotation", "question_type", "gold", "predicted")
_LETTER_INDEX = {letter: index for index, letter in enumerate(ascii_uppercase[:MOST])}
_MISSING = -2


def predictions_of(
    requests: Sequence[Request[RotationRow]], responses: Mapping[str, Response], label: str
) -> Iterator[Prediction]:
    """Yield the predictions for the requests that have a response; the order is that of the requests."""
    for request in requests:
        response = request.stored(responses)
        if response is not None:
            row = request.question
            yield Prediction(
                row.benchmark,
                label,
                row.prompt,
                row.instance,
                row.gold,
                row.read(response.answer),
                run=request.run,
                rotation=row.rotation,
                question_type=row.question_type,
                answer=response.answer,
                logprobs=response.logprobs,
                choices=row.choices,
            )


def read_answers(paths: Iterable[Path]) -> dict[Series, Answers]:
    """Read prediction files into one answer matrix per series, in the order of the series' names.

    A row without ``predicted`` has its ``answer`` parsed. Instances keep the order in which they come.

    Raises:
        DivLogicError: a file is missing or empty, a row lacks a field or names a letter that is none, or a rotation
            of a series appears twice.
    """
    columns: dict[Series, _Columns] = {}
    last: tuple[Any, ...] | None = None
    column: _Columns | None = None
    for path in paths:
        empty = True
        for number, row in read_jsonl(path):
            empty = False
            try:
                key = (row["benchmark"], row["model"], row["prompt"], row["run"])
                if key != last:
                    column, last = columns.setdefault(_series(*key), _Columns()), key
                if not isinstance(row["question_type"], (str, type(None))):
                    raise ValueError("the field 'question_type' is not a string")
                assert column is not None
                choices = row.get("choices", OPTIONS)
                predicted = row["predicted"] if "predicted" in row else parse_answer(row["answer"], choices)
                column.add(
                    row["instance"], row["question_type"], row["rotation"], row["gold"], predicted, choices
                )
            except (KeyError, ValueError, TypeError) as error:
                raise DivLogicError(
                    f"{path}, row {number}: {_reason(error)}; fix or delete that row."
                ) from error
        if empty:
            raise DivLogicError(f"{path}: no predictions in it; run or replay something first.")
    return {series: columns[series].answers(str(series)) for series in sorted(columns)}


def _series(benchmark: Any, model: Any, prompt: Any, run: Any) -> Series:
    """Return the series that a row names."""
    if not all(isinstance(name, str) for name in (benchmark, model, prompt)) or type(run) is not int:
        raise ValueError("'benchmark', 'model' or 'prompt' is not a string, or 'run' not a number")
    return Series(benchmark, model, prompt, run)


def answers_of(predictions: Iterable[Prediction]) -> dict[Series, Answers]:
    """Group predictions into answer matrices, as :func:`read_answers` does with files.

    Raises:
        DivLogicError: a rotation of a series appears twice.
    """
    columns: dict[Series, _Columns] = {}
    for p in predictions:
        column = columns.setdefault(p.series, _Columns())
        column.add(p.instance, p.question_type, p.rotation, p.gold, p.predicted, p.choices)
    return {series: columns[series].answers(str(series)) for series in sorted(columns)}


@dataclass(slots=True)
class _Columns:
    """Columns of one series while its rows are being read."""

    index: dict[str, int] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    rotations: list[int] = field(default_factory=list)
    gold: list[int] = field(default_factory=list)
    predicted: list[int] = field(default_factory=list)

    def add(
        self,
        instance: str,
        question_type: str | None,
        rotation: int,
        gold: str,
        predicted: str | None,
        choices: int = OPTIONS,
    ) -> None:
        place = self.index.get(instance)
        if place is None:
            place = self.index[instance] = len(self.types)
            self.types.append(question_type or "")
            if choices.__class__ is not int or not FEWEST <= choices <= MOST:
                raise ValueError(f"the number of options {choices!r} is not {FEWEST} to {MOST}")
            self.choices.append(choices)
        if rotation.__class__ is not int or not 0 <= rotation < self.choices[place]:
            numbers = [str(number) for number in range(self.choices[place])]
            raise ValueError(f"the rotation {rotation!r} is not {', '.join(numbers[:-1])} or {numbers[-1]}")
        for letter in (gold, predicted):
            if letter and _LETTER_INDEX[letter] >= self.choices[place]:
                raise KeyError(letter)
        self.gold.append(_LETTER_INDEX[gold])
        self.predicted.append(_LETTER_INDEX[predicted] if predicted else NONE)
        self.rows.append(place)
        self.rotations.append(rotation)

    def answers(self, name: str) -> Answers:
        count = len(self.types)
        rows = np.array(self.rows, dtype=np.int64)
        rotations = np.array(self.rotations, dtype=np.int8)
        letters = np.array(self.predicted, dtype=np.int8)
        choices = np.array(self.choices, dtype=np.int64)
        width = int(choices.max(initial=1))
        picks = np.full((count, width), _MISSING, dtype=np.int8)
        seen = np.bincount(rows * width + rotations, minlength=count * width)
        if (seen > 1).any():
            place, rotation = divmod(int(np.argmax(seen > 1)), width)
            instance = list(self.index)[place]
            raise DivLogicError(
                f"instance {instance!r}, rotation {rotation} of {name} comes {seen[np.argmax(seen > 1)]} times;"
                " remove the duplicate rows or give the files different model or run names."
            )
        picks[rows, rotations] = np.where(letters == NONE, NONE, (letters + rotations) % choices[rows])
        correct = np.zeros((count, width), dtype=np.bool_)
        correct[rows, rotations] = letters == np.array(self.gold, dtype=np.int8)
        missing = int((picks == _MISSING).sum() - (width - choices).sum())
        picks[picks == _MISSING] = NONE
        mixed = None if (choices == width).all() else tuple(self.choices)
        return Answers(tuple(self.index), tuple(self.types), picks, correct, missing, mixed)


def _reason(error: Exception) -> str:
    """Say what is wrong with a row."""
    if isinstance(error, KeyError):
        name = error.args[0]
        if name in FIELDS or name == "answer":
            return f"the field '{name}' is missing"
        return f"{name!r} is none of the letters of the options"
    return str(error)
