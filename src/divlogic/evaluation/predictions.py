"""Answer matrices made of predictions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import FEWEST_OPTIONS, MOST_OPTIONS, NONE, Answers
from divlogic.io.files import read_jsonl
from divlogic.models.predictions import Prediction, Series, prediction_from

_LETTER_INDEX = {letter: index for index, letter in enumerate(ascii_uppercase[:MOST_OPTIONS])}
_MISSING = -2


def read_answers(paths: Iterable[Path]) -> dict[Series, Answers]:
    """Read prediction files into one answer matrix per series, in the order of the series' names.

    A row without ``predicted`` has its ``answer`` parsed. Instances keep the order in which they come.

    Raises:
        DivLogicError: a file is missing or empty, a row lacks a field or names a letter that is none, or a rotation
            of a series appears twice.
    """
    columns = defaultdict[Series, _Columns](_Columns)
    for path in paths:
        number = 0
        for number, row in read_jsonl(path):
            try:
                p = prediction_from(row)
                columns[p.series].add(p)
            except ValueError as error:
                raise DivLogicError(f"{path}, row {number}: {error}; fix or delete that row.") from error
        if not number:
            raise DivLogicError(f"{path}: no predictions in it; run or replay something first.")
    return {series: columns[series].answers(str(series)) for series in sorted(columns)}


def answers_of(predictions: Iterable[Prediction]) -> dict[Series, Answers]:
    """Group predictions into answer matrices, as :func:`read_answers` does with files.

    Raises:
        DivLogicError: a rotation of a series appears twice.
    """
    columns: dict[Series, _Columns] = defaultdict(_Columns)
    for p in predictions:
        columns[p.series].add(p)
    return {series: columns[series].answers(str(series)) for series in sorted(columns)}


@dataclass(slots=True)
class _Columns:
    """Columns of one series while its rows are being read."""

    index: dict[str, int] = field(default_factory=dict)
    types: list[str] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    rows: list[tuple[int, int, int, int]] = field(default_factory=list)

    def add(self, p: Prediction) -> None:
        place = self.index.get(p.instance)
        if place is None:
            place = self.index[p.instance] = len(self.types)
            self.types.append(p.question_type)
            if not FEWEST_OPTIONS <= p.choices <= MOST_OPTIONS:
                raise ValueError(
                    f"the number of options {p.choices} is not {FEWEST_OPTIONS} to {MOST_OPTIONS}"
                )
            self.choices.append(p.choices)
        choices = self.choices[place]
        if p.rotation >= choices:
            numbers = [str(number) for number in range(choices)]
            raise ValueError(f"the rotation {p.rotation} is not {', '.join(numbers[:-1])} or {numbers[-1]}")
        for letter in (p.gold, p.predicted):
            if letter and _LETTER_INDEX.get(letter, MOST_OPTIONS) >= choices:
                raise ValueError(f"{letter!r} is none of the letters of the options")
        predicted = _LETTER_INDEX[p.predicted] if p.predicted else NONE
        self.rows.append((place, p.rotation, _LETTER_INDEX[p.gold], predicted))

    def answers(self, name: str) -> Answers:
        count = len(self.types)
        rows, rotations, gold, letters = np.array(self.rows, dtype=np.int64).T
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
        correct[rows, rotations] = letters == gold
        missing = int((picks == _MISSING).sum() - (width - choices).sum())
        picks[picks == _MISSING] = NONE
        mixed = None if (choices == width).all() else tuple(self.choices)
        return Answers(tuple(self.index), tuple(self.types), picks, correct, missing, mixed)
