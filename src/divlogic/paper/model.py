"""The report's tables: printed and measured numbers, in one JSON file, as ``tables.yaml`` declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from divlogic.benchmarks.registry import TITLES
from divlogic.io.files import read_json, read_yaml
from divlogic.io.tables import format_cell
from divlogic.published import PrintedTable, read_published

Kind = Literal["percent", "count", "bits", "grade", "text"]
"""The unit of a column; each but ``text`` has a tolerance."""

Status = Literal[
    "reproduced", "counted", "near", "off", "generated", "design", "arithmetic", "unavailable", "needs_key",
    "needs_gpu", "withdrawn", "people", "unknown", "measured_only", "text", "empty",
]  # fmt: skip
"""Where a cell stands. The scoreboard counts all but the last three."""

_STATUSES: dict[str, dict[str, Any]] = read_yaml(Path(__file__).with_name("statuses.yaml"))
STATUSES = {name: status.get("words", "") for name, status in _STATUSES.items()}
"""How the csv of a table writes them."""
MEANINGS: dict[str, str] = {
    name: status["meaning"] for name, status in _STATUSES.items() if "meaning" in status
}
"""What each status that the scoreboard counts means, in a sentence."""
REASONS = {name: text for name, text in MEANINGS.items() if _STATUSES[name].get("missing")}
"""Why a printed number is not compared with one of this run."""
COMPARED = tuple(name for name in MEANINGS if name not in REASONS)
"""Where a printed number stands to one that was measured on its data."""
SHORT = {name: words.rpartition(": ")[2] for name, words in STATUSES.items()}
"""How pages and logs name them."""
COUNTED = {name: status for name, status in _STATUSES.items() if "head" in status}
"""What the scoreboard counts, with the head and the colour of its column."""

OTHER_MARK = "°"
"""Stands behind a number that was not measured on the paper's data."""

Via = Literal["", "profile", "recording"]
"""What a number was measured from if not from texts or answers of this run."""

VIA_MARKS: dict[Via, str] = {"profile": "ᵖ", "recording": "ʳ"}
"""Stand behind a number measured from shipped word counts, or from answers that the authors recorded."""


@dataclass(frozen=True)
class TableCell:
    """One number of a table.

    Attributes:
        measured: ours, in the same unit as the printed one; ``low`` and ``high`` are its interval.
        difference: measured minus printed.
        several: the measured numbers of a cell that prints several; ``measured`` and ``difference`` are then those of
            the pair that is farthest apart.
        other: why the data are not those of the paper; empty if they are.
        note: what the paper's cell needs to be read with.
        need: why there is no measured number, as data/published/needs.yaml says.
    """

    status: Status = "empty"
    printed: str = ""
    measured: float | None = None
    low: float | None = None
    high: float | None = None
    difference: float | None = None
    other: str = ""
    via: Via = ""
    note: str = ""
    need: str = ""
    several: tuple[float, ...] = ()


@dataclass(frozen=True)
class Column:
    """One column of numbers: its head, its unit, and the decimals of measured numbers."""

    name: str
    kind: Kind
    decimals: int


@dataclass(frozen=True)
class TableRow:
    """One line: the words before the numbers, and the numbers."""

    heads: tuple[str, ...]
    cells: tuple[TableCell, ...]


@dataclass(frozen=True)
class ReportTable:
    """One table of a paper.

    Attributes:
        name: file name without suffix.
        heads: heads of the columns of words; ``columns`` are those of numbers.
        rows: first the paper's rows, in its order, then those that only this workflow has.
        notes: how the numbers were obtained.
        files: where they come from, relative to the repository's root.
    """

    name: str
    paper: str
    number: str
    title: str
    heads: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    notes: tuple[str, ...]
    files: tuple[str, ...]

    def cells(self) -> Iterator[TableCell]:
        """Yield every cell, row by row."""
        for row in self.rows:
            yield from row.cells

    def is_compared(self, place: int) -> bool:
        """Return whether a column has a measured number."""
        return any(row.cells[place].measured is not None for row in self.rows)


def read_tables_json(path: Path) -> list[ReportTable]:
    """Read the tables that `gather` wrote."""
    return TypeAdapter(list[ReportTable]).validate_python(read_json(path))


def show(value: float | None, decimals: int) -> str:
    """Return a measured number's text, with fixed decimals and, as in the papers, no mark between thousands."""
    return "" if value is None else format_cell(float(value), decimals)


def show_measured(cell: TableCell, decimals: int) -> str:
    """Return the text of what was measured for a cell: a number, or several as the papers print them."""
    return "/ ".join(show(value, decimals) for value in cell.several or (cell.measured,))


def show_difference(value: float | None, decimals: int) -> str:
    """Return a difference with its sign (a true minus), or ``=`` if nothing is left of it in print."""
    if value is None:
        return ""
    text = show(abs(value), decimals)
    if not text.strip("0."):
        return "="
    return ("+" if value > 0 else "−") + text


@dataclass(frozen=True, kw_only=True)
class TableDeclaration:
    """One printed table; what each field means is said in ``tables.yaml``."""

    paper: str
    number: str
    title: str
    rows: tuple[str, ...] = ("system", "version", "setting", "metric")
    column: str = "column"
    head: str = ""
    reads: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    measured: Mapping[str, Any] = field(default_factory=dict)
    whole: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    noted: bool | tuple[str, ...] = True
    remark: str = ""

    def prints_all_splits(self, column: str, benchmark: str) -> bool:
        """Tell whether a printed number is of all splits of a benchmark."""
        return column in self.whole and (not self.whole[column] or benchmark in self.whole[column])


@dataclass(frozen=True)
class Figure:
    """One figure: its file name without suffix, its title, what it shows in words, and the table that it belongs to."""

    name: str
    title: str
    text: str
    table: str = ""


_DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("tables.yaml"))
PAPERS: list[str] = _DECLARED["papers"]
"""Order of the papers in the report; others follow by name."""

TABLES: dict[tuple[str, str], TableDeclaration] = {
    (table.paper, table.number): table
    for table in TypeAdapter(list[TableDeclaration]).validate_python(_DECLARED["tables"])
}
FIGURES = TypeAdapter(list[Figure]).validate_python(_DECLARED["figures"])
KINDS: dict[str, Kind] = {
    name: kind for kind, names in _DECLARED["kinds"].items() for name in names
}
HEADS: dict[str, str] = _DECLARED["heads"]
LEARNERS: dict[str, str] = _DECLARED["learners"]
WORDS: dict[str, str] = {**TITLES, **_DECLARED["words"]}

LEADING = "shortcuts"
"""The figure of the report's first screen."""

FIRST = ("ladder", LEADING, "leak")
"""The figures that stand among the findings, before the tables."""

CONSTANTS: dict[str, Status] = {"options": "design", "random_probability": "arithmetic"}
"""Measures that the design of a benchmark fixes: to find them again reproduces nothing."""

COUNTS: frozenset[str] = frozenset(_DECLARED["counts"])
"""Measures that are counts of the rows and sentences of the data: to find them again is to have the same data."""


def declaration_of(table: PrintedTable) -> TableDeclaration:
    """Return the declaration of a printed table; one that nobody declares is shown as published."""
    known = TABLES.get((table.paper, table.number))
    if known:
        return known
    found = TableDeclaration(paper=table.paper, number=table.number, title=table.place)
    of_benchmarks = "benchmark" in table.cells[0].keys
    return replace(found, rows=("benchmark",), column="measure") if of_benchmarks else found


def name_of(table: PrintedTable) -> str:
    """Return a table's file name: ``divlogiceval_table4``, ``justlogic_natural_language_complexity``."""
    number = re.sub(r"^Table ", "table", table.number)
    return re.sub(r"[^a-z0-9]+", "_", f"{table.paper} {number}".casefold()).strip("_")


def file_names(published: Path) -> list[str]:
    """Return the file names of the report's tables, in its order."""
    return [name_of(table) for table in sorted(read_published(published).tables(), key=order_of)]


def order_of(table: PrintedTable) -> tuple[int, str, int, int]:
    """Return the sorting key of a table: by paper, numbered tables first."""
    paper = PAPERS.index(table.paper) if table.paper in PAPERS else len(PAPERS)
    number = re.fullmatch(r"Table (\d+)", table.number)
    return (paper, table.paper, 0 if number else 1, int(number[1]) if number else 0)
