"""The printed cells of ``data/published``, in the order of print.

A file lists either measures of benchmarks (``benchmark``, ``measure``) or scores of systems (``system``, ``version``,
``setting``, ``metric``, ``column``). Both become :class:`PrintedCell`.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import read_lines

MEASURES = ("benchmark", "measure")
SCORES = ("system", "version", "setting", "metric", "column")
COLUMNS = {
    MEASURES: ("paper", "table", "place", *MEASURES, "printed", "value", "note"),
    SCORES: ("paper", "table", "place", *SCORES, "printed", "note"),
}
"""The header of a file of each form."""

SLACK = 1e-9
"""What binary fractions may be off."""


@dataclass(frozen=True)
class PrintedCell:
    """One printed cell.

    Attributes:
        paper, table, place: where it is printed.
        setting: prompt, run or benchmark: all that the table distinguishes by row.
        metric: ACC, CIR, PC or the table's own word.
        column, printed: the column head and the text as printed, sign included.
        note: what the paper adds to it.
        benchmark, measure: what was measured, in a file of measures; there the five words of a score are empty.
        is_text: whether the cell is no number although it may look like one (``1`` domain).
        file, row: where it stands in data/published; row 1 is the header.
    """

    paper: str
    table: str
    place: str
    system: str = ""
    version: str = ""
    setting: str = ""
    metric: str = ""
    column: str = ""
    printed: str = ""
    note: str = ""
    benchmark: str = ""
    measure: str = ""
    is_text: bool = False
    file: str = ""
    row: int = 0

    @property
    def keys(self) -> dict[str, str]:
        """The words that find the cell in its table."""
        return {name: getattr(self, name) for name in (MEASURES if self.measure else SCORES)}

    @property
    def value(self) -> float:
        """The printed number, ``k`` read as thousands."""
        number = _number(self.printed)
        if number is None:
            raise DivLogicError(
                f"{self.file}, row {self.row}: {self.printed!r} is not a printed number; fix that row."
            )
        return number

    @property
    def is_number(self) -> bool:
        return _number(self.printed) is not None

    @property
    def decimals(self) -> int:
        """Decimals of the printed number."""
        return len(self.printed.partition(".")[2])

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit: how far the unrounded number may lie away (0 for a whole number)."""
        if self.printed.endswith("k"):
            return 500.0
        return 0.5 * 10.0**-self.decimals if self.decimals else 0.0

    @property
    def is_subset(self) -> bool:
        """Whether it rests on part of the test set: then its note begins so."""
        return self.note.startswith("subset")


@dataclass(frozen=True)
class BrokenRule:
    """A printed cell that breaks a rule; ``expected`` says what the rule would allow."""

    cell: PrintedCell
    rule: str
    expected: str


def folded_name(system: str) -> str:
    """Return a system's name without provider, remark in brackets, case and punctuation.

    >>> folded_name("openai/GPT-4 (recorded)")
    'gpt4'
    """
    return re.sub(r"[^a-z0-9]", "", system.partition("(")[0].rpartition("/")[2].casefold())


def differ(first: PrintedCell, second: PrintedCell) -> bool:
    """Return whether two cells do not print the same quantity, however they were rounded."""
    return abs(first.value - second.value) > first.half_unit + second.half_unit + SLACK


def no_whole_number(cell: PrintedCell, size: int | float, *, decimals: int) -> str:
    """Return the nearest shares in percent of a whole number over ``size``; nothing if the cell rounds one of them."""
    low = math.floor(cell.value * size / 100)
    shares = [100 * count / size for count in (low, low + 1)]
    if any(abs(share - cell.value) <= cell.half_unit + SLACK for share in shares):
        return ""
    return " or ".join(f"{share:.{decimals}f}" for share in shares)


@dataclass(frozen=True)
class PrintedTable:
    """All cells of one table of one paper; cells that stand in the text form a table per section."""

    paper: str
    number: str
    place: str
    cells: tuple[PrintedCell, ...]


@dataclass(frozen=True)
class PrintedNumbers:
    """Every printed cell, by file."""

    folder: Path
    files: dict[str, tuple[PrintedCell, ...]]

    def cells(self, name: str) -> tuple[PrintedCell, ...]:
        """Return the cells of one file, named without its suffix."""
        if name not in self.files:
            raise DivLogicError(
                f"{self.folder / name}.csv: there is no such file; it belongs to the repository, check it out again."
            )
        return self.files[name]

    def scores(self, names: Iterable[str]) -> dict[str, list[PrintedCell]]:
        """Return the cells of files that hold scores of systems."""
        found = {name: list(self.cells(name)) for name in names}
        for cell in chain.from_iterable(found.values()):
            _ = cell.value
        return found

    def numbers(self, name: str) -> dict[str, dict[str, float]]:
        """Return the numbers of a file of measures: benchmark → measure → number."""
        found: dict[str, dict[str, float]] = {cell.benchmark: {} for cell in self.cells(name)}
        for cell in self.cells(name):
            if not cell.is_text:
                found[cell.benchmark][cell.measure] = cell.value
        return found

    def tables(self) -> list[PrintedTable]:
        """Return every table of the papers."""
        groups: dict[tuple[str, str, str], list[PrintedCell]] = {}
        # The people of human.csv stand in tables of models, after them.
        for name in sorted(self.files, key=lambda name: (name == "human", name)):
            for cell in self.files[name]:
                number = cell.table if cell.table.startswith("Table") else cell.place
                groups.setdefault((cell.paper, number, cell.place), []).append(cell)
        return [PrintedTable(*key, tuple(cells)) for key, cells in groups.items()]


def read_published(folder: Path) -> PrintedNumbers:
    """Read every printed cell."""
    folder = Path(folder)
    files = {path.stem: _read(path) for path in sorted(folder.glob("*.csv"))}
    if not files:
        raise DivLogicError(
            f"{folder}: no printed tables there; they belong to the repository, check it out again."
        )
    return PrintedNumbers(folder, files)


def _read(path: Path) -> tuple[PrintedCell, ...]:
    reader = csv.DictReader(line for _, line in read_lines(path))
    if tuple(reader.fieldnames or ()) not in COLUMNS.values():
        forms = " or ".join(", ".join(columns) for columns in COLUMNS.values())
        raise DivLogicError(f"{path}: expected the columns {forms}; fix the header.")
    cells = []
    for number, row in enumerate(reader, start=2):
        if None in row or None in row.values():
            raise DivLogicError(
                f"{path}, row {number}: not as many cells as the header has; fix that row."
            )
        value = row.pop("value", row["printed"])
        if value and _number(value) != _number(row["printed"]):
            raise DivLogicError(
                f"{path}, row {number}: the value {value!r} is not the printed {row['printed']!r}; fix that row."
            )
        cells.append(PrintedCell(**row, is_text=not value, file=path.name, row=number))
    return tuple(cells)


def _number(text: str) -> float | None:
    text = text.replace(",", "")
    try:
        return float(text[:-1]) * 1000 if text.endswith("k") else float(text)
    except ValueError:
        return None
