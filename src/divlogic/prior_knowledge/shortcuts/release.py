"""What a released file tells without its texts: ids, the order of rows, and every field of metadata."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click
import numpy as np

from divlogic.config.command import ARGUMENT
from divlogic.io.files import read_jsonl
from divlogic.prior_knowledge.shortcuts.learners import credits, looked_up

_TEXTS = frozenset(("id", "context", "question", "options", "answer", "formulas", "sentences", "metadata"))
_DIFFICULTY = frozenset(("depth", "premises_needed"))
"""Fields that may go with the answer: how hard an instance is, is said."""

_PERIODS = range(2, 13)
_LAGS = (1, 2, 3)
_FOLDS = 10
_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class Leak:
    """How often the best guess from one field is right, as a fraction; its table comes from the other folds.

    Attributes:
        field: name of the field, or what of the id or of the order.
        instances: number of rows with an answer.
        accuracy: of the guess.
        chance: of the most frequent answer.
    """

    field: str
    instances: int
    accuracy: float
    chance: float

    @property
    def limit(self) -> float:
        """Return what the accuracy must not exceed: chance and three standard errors."""
        return self.chance + _ERRORS * math.sqrt(self.chance * (1 - self.chance) / self.instances)


def list_leaks(
    files: Annotated[tuple[Path, ...], ARGUMENT], *, seed: Annotated[int, "Seed of the folds."] = 0
) -> None:
    """List what released FILES (jsonl, parquet) tell of their answers by ids, order and metadata."""
    for path in files:
        for leak in leaks_of(path, seed):
            if leak.accuracy > leak.limit:
                shown = f"{100 * leak.accuracy:.1f} %, chance {100 * leak.chance:.1f} %"
                click.echo(f"{path}: {leak.field}: {shown}")


def leaks_of(path: Path, seed: int) -> list[Leak]:
    """Return how far each field of a released file (jsonl or parquet) gives its answers away, the worst first."""
    rows = [row for row in _rows(path) if row.get("answer") is not None and len(row["options"]) > 1]
    if not rows:
        return []
    answers = [int(row["answer"]) for row in rows]
    options = max(len(row["options"]) for row in rows)
    folds = np.random.default_rng(np.random.SeedSequence([seed, 3])).permutation(len(rows)) % _FOLDS
    chance = Counter(answers).most_common(1)[0][1] / len(answers)
    found = []
    for field, values in _fields(rows, answers):
        keys = [[(value, option) for option in range(options)] for value in values]
        accuracy = float(credits(looked_up(keys, answers, folds), answers).mean())
        found.append(Leak(field, len(rows), accuracy, chance))
    return sorted(found, key=lambda leak: (leak.limit - leak.accuracy, leak.field))


def _rows(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        import pyarrow.parquet

        stored = pyarrow.parquet.read_schema(path).names
        names = [name for name in stored if name not in ("formulas", "sentences")]
        rows: list[dict[str, Any]] = pyarrow.parquet.read_table(path, columns=names).to_pylist()
        return rows
    return [row for _, row in read_jsonl(path)]


def _fields(rows: Sequence[dict[str, Any]], answers: Sequence[int]) -> Iterator[tuple[str, list[Hashable]]]:
    """Yield each field with its value in every row."""
    for period in _PERIODS:
        yield f"row mod {period}", [at % period for at in range(len(rows))]
    for lag in _LAGS:
        before = [tuple(answers[max(at - lag, 0) : at]) for at in range(len(rows))]
        yield f"answers of the {lag} rows before" if lag > 1 else "answer of the row before", list(before)
    yield "row by quarters", [4 * at // len(rows) for at in range(len(rows))]
    # Digits between letters are a hash and count nothing.
    digits = re.compile(r"(?<![0-9a-z])\d+(?![0-9a-z])")
    numbers = [list(map(int, digits.findall(str(row["id"])))) for row in rows]
    for place in range(max(map(len, numbers))):
        own = [parts[-1 - place] if place < len(parts) else -1 for parts in numbers]
        for period in _PERIODS:
            yield f"number {place + 1} from the end of the id, mod {period}", [one % period for one in own]
    yield "last character of the id", [str(row["id"])[-1] for row in rows]
    flat = [{key: value for key, value in row.items() if key not in _TEXTS} | _metadata(row) for row in rows]
    for name in dict.fromkeys(key for row in flat for key in row if key not in _DIFFICULTY):
        yield name, [json.dumps(row.get(name), sort_keys=True, default=str) for row in flat]


def _metadata(row: dict[str, Any]) -> dict[str, Any]:
    found = row.get("metadata") or {}
    return {f"metadata.{key}": value for key, value in (json.loads(found) if isinstance(found, str) else found).items()
            if key not in _DIFFICULTY}  # fmt: skip
