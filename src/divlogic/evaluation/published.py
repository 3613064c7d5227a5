"""The cells printed in the papers, read from ``data/published``."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.files import read_lines

TABLES = (
    "divlogiceval_table1",
    "divlogiceval_table2",
    "divlogiceval_table3",
    "divlogiceval_table5",
    "divlogiceval_table6",
    "divlogiceval_table8",
    "ilogiceval_table2",
    "ilogiceval_table3",
    "ilogiceval_table4",
    "human",
)

COLUMNS = ("paper", "table", "place", "system", "version", "setting", "metric", "column", "printed", "note")

SUBSET = "subset"
"""A cell whose note starts with this word rests on part of the test set."""

_NUMBER = re.compile(r"[+-]?\d+\.\d+$")


@dataclass(frozen=True)
class Cell:
    """One printed number.

    Attributes:
        paper, table, place: where it is printed.
        system, version: who was measured.
        setting: prompt, run or benchmark, whatever the table sets apart by row.
        metric: ACC, CIR, PC or the table's own word.
        column: the column head as printed.
        printed: the number as printed, sign included.
        note: what the paper adds to it.
    """

    paper: str
    table: str
    place: str
    system: str
    version: str
    setting: str
    metric: str
    column: str
    printed: str
    note: str

    @property
    def value(self) -> float:
        """The printed number."""
        return float(self.printed)

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit: how far the unrounded number may lie away."""
        return 0.5 * 10.0 ** -len(self.printed.partition(".")[2])

    @property
    def is_subset(self) -> bool:
        """Whether it rests on part of the test set."""
        return self.note.startswith(SUBSET)


def read_published(folder: Path, names: tuple[str, ...] = TABLES) -> dict[str, list[Cell]]:
    """Read the printed cells of each table, in the order of print.

    Raises:
        DivLogicError: a file is missing, has other columns, or a cell is no number.
    """
    return {name: _read(Path(folder) / f"{name}.csv") for name in names}


def _read(path: Path) -> list[Cell]:
    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no such file; it belongs to the repository, check it out again."
        )
    reader = csv.DictReader(line for _, line in read_lines(path))
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise DivLogicError(f"{path}: expected the columns {', '.join(COLUMNS)}; mend the header.")
    cells = []
    for number, row in enumerate(reader, start=2):
        if None in row or None in row.values() or not _NUMBER.match(row["printed"]):
            raise DivLogicError(
                f"{path}, row {number}: {row['printed']!r} is no printed number; mend that row."
            )
        cells.append(Cell(**row))
    return cells
