"""What a released file tells without its texts: ids, the order of rows, and every field of metadata."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

from divlogic.config.command import ARGUMENT
from divlogic.io.files import read_jsonl
from divlogic.prior_knowledge.groups import named_groups, related
from divlogic.prior_knowledge.shortcuts.learners import Whole
from divlogic.prior_knowledge.shortcuts.measure import deal_folds
from divlogic.records import Record, grouped

_TEXTS = frozenset(
    ("id", "context", "question", "options", "answer", "formulas", "sentences", "metadata")
)
_DIFFICULTY = frozenset(("depth", "premises_needed"))
"""Fields that may go with the answer: how hard an instance is, is said."""

_PERIODS = range(2, 13)
_LAGS = (1, 2, 3)
_FOLDS = 10
_ERRORS = 3.0

_SHUFFLES = 199
"""Deals of the answers that an accuracy is compared with: the share below can then be told in steps of 1 in 200."""

_LEVEL = 0.01
"""Share of files without a leak in which one is listed all the same, however many fields there are."""

_COMPARED = 5_000
"""Rows of the largest file whose texts are compared to find its groups, where it names none."""


@dataclass(frozen=True, slots=True)
class Leak:
    """How often the best guess from one field is right, as a fraction; its table comes from the other folds.

    Attributes:
        field: name of the field, or what of the id or of the order.
        instances: number of rows with an answer.
        accuracy: of the guess.
        chance: of the most frequent answer.
        luck: share of deals of the same answers in which any of the fields does as well (Westfall & Young 1993).
    """

    field: str
    instances: int
    accuracy: float
    chance: float
    luck: float = 0.0

    @property
    def limit(self) -> float:
        """Return what the accuracy must not exceed: chance and three standard errors."""
        return self.chance + _ERRORS * math.sqrt(self.chance * (1 - self.chance) / self.instances)

    @property
    def tells(self) -> bool:
        """Return whether the field tells answers: more than the limit allows, and more than chance does by groups."""
        return self.accuracy > self.limit and self.luck <= _LEVEL


def list_leaks(
    files: Annotated[tuple[Path, ...], ARGUMENT], *, seed: Annotated[int, "Seed of the folds."] = 0
) -> None:
    """List what released FILES (jsonl, parquet) tell of their answers by ids, order and metadata."""
    for path in files:
        for leak in leaks_of(path, seed):
            if leak.tells:
                shown = f"{100 * leak.accuracy:.1f} %, chance {100 * leak.chance:.1f} %"
                click.echo(f"{path}: {leak.field}: {shown}")


def leaks_of(path: Path, seed: int) -> list[Leak]:
    """Return how far each field of a released file (jsonl or parquet) gives its answers away, the worst first."""
    rows = [row for row in _rows(path) if row.get("answer") is not None and len(row["options"]) > 1]
    if not rows:
        return []
    answers = np.array([int(row["answer"]) for row in rows])
    groups = _groups(rows)
    folds = deal_folds(groups, _FOLDS, seed)
    chance = Counter(answers.tolist()).most_common(1)[0][1] / len(answers)
    fields = {name: _column(values, folds) for name, values in _fields(rows)}

    def measured(dealt: Whole) -> dict[str, float]:
        own = dict(fields)
        for name, values in _answers_before(dealt.tolist()):
            own[name] = _column(values, folds)
        return {name: _accuracy(column, dealt) for name, column in own.items()}

    found = [Leak(name, len(rows), right, chance) for name, right in measured(answers).items()]
    if any(leak.accuracy > leak.limit for leak in found):
        random = np.random.default_rng(np.random.SeedSequence([seed, 4]))
        deals = [measured(_dealt(answers, groups, random)) for _ in range(_SHUFFLES)]
        found = _with_luck(found, deals)
    return sorted(found, key=lambda leak: (leak.limit - leak.accuracy, leak.field))


def _groups(rows: Sequence[dict[str, Any]]) -> list[int]:
    """Return the number of each row's group: the one that it names, else that of its texts."""
    records = [
        Record(
            id=str(row["id"]),
            benchmark="",
            split="",
            context=row.get("context") or "",
            question=row.get("question") or "",
            options=tuple(map(str, row["options"])),
            answer=None,
            question_type=row.get("question_type"),
            metadata=_as_dict(row.get("metadata")),
        )
        for row in rows
    ]
    named = named_groups(records)
    if len(rows) <= _COMPARED or all(one is not None for one in named):
        return related(records)
    numbers: dict[Hashable, int] = {}
    return [
        numbers.setdefault((at,) if one is None else one, len(numbers))
        for at, one in enumerate(named)
    ]


@dataclass(frozen=True, slots=True)
class _Column:
    """A field as numbers: ``value`` and ``cell`` of each row, a cell being a value in one fold; the cells' values."""

    value: Whole
    cell: Whole
    values_of_cells: Whole


def _column(values: Sequence[Hashable], folds: Whole) -> _Column:
    numbers: dict[Hashable, int] = {}
    value = np.array([numbers.setdefault(one, len(numbers)) for one in values])
    cells, cell = np.unique(folds * len(numbers) + value, return_inverse=True)
    return _Column(value, cell, cells % len(numbers))


def _accuracy(column: _Column, answers: Whole) -> float:
    """Return how often the answer that is most frequent with a row's value in the other folds is right.

    A tie of k answers counts 1/k.
    """
    labels = int(answers.max()) + 1
    every, own = (
        np.bincount(of * labels + answers, minlength=(int(of.max()) + 1) * labels).reshape(
            -1, labels
        )
        for of in (column.value, column.cell)
    )
    others = every[column.values_of_cells] - own
    best = others == others.max(axis=1, keepdims=True)
    return float((own * best / best.sum(axis=1, keepdims=True)).sum() / len(answers))


def _dealt(answers: Whole, groups: Sequence[int], random: np.random.Generator) -> Whole:
    """Deal the answers anew: groups of a size change places, and within a group its members do.

    So the members of a group still have the answers of one group: in a pair true and false, one each.
    """
    places = grouped(range(len(groups)), groups.__getitem__).values()
    dealt = np.empty_like(answers)
    for alike in grouped(places, len).values():
        table = np.array(alike)
        own = random.permuted(answers[table], axis=1)
        dealt[table] = own[random.permutation(len(own))]
    return dealt


def _with_luck(found: Sequence[Leak], deals: Sequence[dict[str, float]]) -> list[Leak]:
    """Return leaks with the share of deals in which the surest of all fields is as sure as theirs."""
    fields = [leak.field for leak in found]
    table = np.array([[deal[name] for name in fields] for deal in deals])
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    highest = ((table - mean) / spread).max(axis=1)
    surety = (np.array([leak.accuracy for leak in found]) - mean) / spread
    return [
        replace(leak, luck=float(1 + (highest >= own).sum()) / (len(deals) + 1))
        for leak, own in zip(found, surety, strict=True)
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        import pyarrow.parquet

        stored = pyarrow.parquet.read_schema(path).names
        names = [name for name in stored if name not in ("formulas", "sentences")]
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path, columns=names).to_pylist()
        return rows
    return [row for _, row in read_jsonl(path)]


def _answers_before(answers: Sequence[int]) -> Iterator[tuple[str, list[Hashable]]]:
    for lag in _LAGS:
        before: list[Hashable] = [
            tuple(answers[max(at - lag, 0) : at]) for at in range(len(answers))
        ]
        yield f"answers of the {lag} rows before" if lag > 1 else "answer of the row before", before


def _fields(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[Hashable]]]:
    """Yield each field with its value in every row."""
    for period in _PERIODS:
        yield f"row mod {period}", [at % period for at in range(len(rows))]
    yield "row by quarters", [4 * at // len(rows) for at in range(len(rows))]
    # Digits between letters are a hash and count nothing.
    digits = re.compile(r"(?<![0-9a-z])\d+(?![0-9a-z])")
    numbers = [list(map(int, digits.findall(str(row["id"])))) for row in rows]
    for place in range(max(map(len, numbers))):
        own = [parts[-1 - place] if place < len(parts) else -1 for parts in numbers]
        for period in _PERIODS:
            yield (
                f"number {place + 1} from the end of the id, mod {period}",
                [one % period for one in own],
            )
    yield "last character of the id", [str(row["id"])[-1] for row in rows]
    flat = [
        {key: value for key, value in row.items() if key not in _TEXTS} | _metadata(row)
        for row in rows
    ]
    for name in dict.fromkeys(key for row in flat for key in row if key not in _DIFFICULTY):
        yield name, [json.dumps(row.get(name), sort_keys=True, default=str) for row in flat]


def _metadata(row: dict[str, Any]) -> dict[str, Any]:
    return {
        f"metadata.{key}": value
        for key, value in _as_dict(row.get("metadata")).items()
        if key not in _DIFFICULTY
    }


def _as_dict(metadata: dict[str, Any] | str | None) -> dict[str, Any]:
    """Return metadata, which parquet holds as JSON."""
    found: dict[str, Any] = (json.loads(metadata) if isinstance(metadata, str) else metadata) or {}
    return found
