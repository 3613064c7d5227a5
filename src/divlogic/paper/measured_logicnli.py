"""The numbers that this workflow measured for LogicNLI's tables.

The printed systems are the authors' trained models, and most printed sets are not public: what is measured here are the
public splits, the generated sets, learners on these, and floors on sets drawn as published, in rows of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from divlogic.io.tables import read_table
from divlogic.paper.measured import GENERATED, RECORDED, Keys, Measured, Row, measured

SETS = "benchmarks/logicnli/sets"
FLOORS = "benchmarks/logicnli/floors"
DIAGNOSIS = "evaluation/logicnli/diagnosis"
CONNECTIVES = "evaluation/logicnli/connectives"

SIZES = ("instances", "average_length", "maximum_length", "facts_and_rules", "subjects", "predicates")
ACCURACIES = {
    "Dev.": "dev",
    "Test-A": "test",
    "Dev-R": "dev_r",
    "Test-R": "test_r",
    "Test-G": "test_g",
    "#Target": "targets",
    "Test-T (P-EM)": "p_em",
    "#Proof": "proofs",
    "Test-T (P-Acc.)": "p_acc",
}
INDICATORS = {"P-Acc": "test", "δR": "robustness", "δA→G": "generalisation", "P-EM": "p_em"}
"""Table 7's column P-Acc holds the accuracy on Test-A."""

SYMBOLS = {
    "∧": "fol_and", "∨": "fol_or", "¬": "fol_not", "→": "fol_implies", "≡": "fol_equivalent", "∀": "fol_all",
    "∃": "fol_exists",
}  # fmt: skip

_AS_PUBLISHED = "random theories drawn here as the paper's were"


@dataclass
class SetSizes:
    """Tables 1, 2 and 5: the public splits beside their printed rows, the generated sets as rows of their own.

    Attributes:
        results: folder of the results.
        columns: printed measures that are counted.
        rows: names of the printed sets; a generated set of that name becomes a row.
        titles: the released split that a printed row is compared with, where the names differ.
    """

    results: Path
    columns: tuple[str, ...]
    rows: tuple[str, ...] = ()
    titles: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        self.files = _there(self.results, SETS)
        found = _read(self.results, SETS)
        self._released = {str(row["benchmark"]): row for row in found if row["source"] == "release"}
        self._generated = [row for row in found if row["source"] == "generated"]

    def measures(self, keys: Keys, column: str) -> bool:
        return column in self.columns and self._title(keys) in self._released

    def find(self, keys: Keys, column: str) -> Measured | None:
        row = self._released.get(self._title(keys))
        return _number(row, column, "") if row else None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for row in self._generated:
            if str(row["benchmark"]).startswith(self.rows or ("\0",)):
                numbers = {column: _number(row, column, GENERATED) for column in self.columns}
                yield {"benchmark": f"{row['benchmark']} (generated)"}, _given(numbers)

    def _title(self, keys: Keys) -> str:
        return (self.titles or {}).get(keys["benchmark"], keys["benchmark"])


@dataclass
class Learners:
    """Tables 4, 6 and 7: learners on the generated sets, and floors on sets drawn as published.

    Attributes:
        results: folder of the results.
        path: table of the learners, without suffix; ``columns`` maps printed columns to its columns.
        floors: printed columns to columns of the table of floors.
        setting: only rows of this benchmark; ``None``: all, each with its own.
    """

    results: Path
    path: str
    columns: Mapping[str, str]
    floors: Mapping[str, str]
    setting: str | None = None

    def __post_init__(self) -> None:
        self.files = (
            *_there(self.results, self.path),
            *(_there(self.results, FLOORS) if self.floors else ()),
        )

    def measures(self, keys: Keys, column: str) -> bool:
        return False

    def find(self, keys: Keys, column: str) -> Measured | None:
        return None

    def extra(self) -> Iterator[tuple[dict[str, str], dict[str, Measured]]]:
        for row in _read(self.results, FLOORS) if self.floors else ():
            numbers = {printed: _number(row, name, _AS_PUBLISHED) for printed, name in self.floors.items()}
            yield {"system": f"{row['system']} (as published)"}, _given(numbers)
        for row in _read(self.results, self.path):
            setting = str(row.get("setting") or "")
            if self.setting in (None, setting):
                numbers = {printed: _number(row, name, GENERATED) for printed, name in self.columns.items()}
                words = {"system": _shown(row), "setting": setting}
                yield words, _given(numbers)


def _shown(row: Row) -> str:
    """Return the name of a learner or model, and behind that of a recorded one how much of Test-A it was asked."""
    name, asked = str(row["system"]).replace("_", " "), row.get("statements")
    return f"{name}, {asked:,} statements" if RECORDED in name and asked else name


def _there(results: Path, path: str) -> tuple[str, ...]:
    # A run without the phase has no such table.
    return (f"{path}.csv",) if (results / path).with_suffix(".json").is_file() else ()


def _read(results: Path, path: str) -> list[Row]:
    return list(read_table(results / path)) if _there(results, path) else []


def _number(row: Row, column: str, other: str) -> Measured | None:
    # Sets of several sizes or depths list them in words.
    return measured(row, column, other) if isinstance(row.get(column), int | float) else None


def _given(numbers: Mapping[str, Measured | None]) -> dict[str, Measured]:
    return {column: number for column, number in numbers.items() if number is not None}
