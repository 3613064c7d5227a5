"""Numbers that the papers print, from data/published."""

from __future__ import annotations

import csv
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.files import read_lines

FILES = {
    "table4": "divlogiceval_table4.csv",
    "table7": "divlogiceval_table7.csv",
    "complexity": "justlogic_complexity.csv",
    "ilogiceval": "ilogiceval_table5.csv",
}


def published_numbers(folder: Path, table: str) -> dict[str, dict[str, float]]:
    """Return the numeric cells of a printed table: benchmark → measure → value.

    Raises:
        DivLogicError: the file is missing or a value is no number.
    """
    numbers: dict[str, dict[str, float]] = {}
    for number, row in _rows(folder / FILES[table]):
        cells = numbers.setdefault(row["benchmark"], {})
        if not row["value"]:
            continue
        try:
            cells[row["measure"]] = float(row["value"])
        except ValueError as error:
            raise DivLogicError(
                f"{folder / FILES[table]}, row {number}: the value {row['value']!r} is no number; mend that cell."
            ) from error
    return numbers


def published_texts(folder: Path, table: str) -> dict[str, dict[str, str]]:
    """Return all cells of a printed table as they are printed: benchmark → measure → text."""
    texts: dict[str, dict[str, str]] = {}
    for _, row in _rows(folder / FILES[table]):
        texts.setdefault(row["benchmark"], {})[row["measure"]] = row["printed"]
    return texts


def _rows(path: Path) -> list[tuple[int, dict[str, str]]]:
    reader = csv.DictReader(line for _, line in read_lines(path))
    rows = list(enumerate(reader, start=1))
    wanted = {"benchmark", "measure", "printed", "value"}
    if not wanted <= set(reader.fieldnames or ()):
        raise DivLogicError(f"{path}: expected the columns {', '.join(sorted(wanted))} among its header.")
    return rows
