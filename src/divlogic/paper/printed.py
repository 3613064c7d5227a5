"""The papers' tables, from the cells in data/published."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.files import read_lines

_COMMON = {"paper", "table", "place", "printed", "note"}
_FORMS = ({"benchmark", "measure"}, {"system", "version", "setting", "metric", "column"})
"""A file lists either measures of benchmarks or scores of systems."""


@dataclass(frozen=True)
class PrintedCell:
    """One printed cell: the words that find it (of its file's columns), its text, what the paper adds to it."""

    keys: dict[str, str]
    text: str
    note: str
    file: str

    @property
    def value(self) -> float | None:
        """The number, ``k`` read as thousands; ``None`` for words."""
        text = self.text.replace(",", "")
        try:
            return float(text[:-1]) * 1000 if text.endswith("k") else float(text)
        except ValueError:
            return None

    @property
    def decimals(self) -> int:
        """Decimals of the printed number."""
        return len(self.text.partition(".")[2])

    @property
    def half_unit(self) -> float:
        """Half a unit of the last printed digit."""
        return 500.0 if self.text.endswith("k") else 0.5 * 10.0**-self.decimals if self.decimals else 0.0


@dataclass(frozen=True)
class PrintedTable:
    """All cells of one table of one paper, in the order of print."""

    paper: str
    number: str
    place: str
    cells: tuple[PrintedCell, ...]


def read_printed(folder: Path) -> list[PrintedTable]:
    """Read every table of the papers; cells that stand in the text form a table per section.

    Raises:
        DivLogicError: the folder holds no tables, or a file has columns that are not known.
    """
    groups: dict[tuple[str, str, str], list[PrintedCell]] = {}
    # The people of human.csv stand in tables of models, after them.
    files = sorted(Path(folder).glob("*.csv"), key=lambda path: (path.stem == "human", path.name))
    if not files:
        raise DivLogicError(
            f"{folder}: no printed tables there; they belong to the repository, check it out again."
        )
    for path in files:
        reader = csv.DictReader(line for _, line in read_lines(path))
        names = set(reader.fieldnames or ())
        if not names >= _COMMON or not any(form <= names for form in _FORMS):
            raise DivLogicError(
                f"{path}: the columns of its header are not those of a printed table; mend it."
            )
        for row in reader:
            number = row["table"] if row["table"].startswith("Table") else row["place"]
            keys = {name: text or "" for name, text in row.items() if name not in _COMMON | {"value"}}
            cell = PrintedCell(keys, row["printed"], row["note"] or "", path.name)
            groups.setdefault((row["paper"], number, row["place"]), []).append(cell)
    return [PrintedTable(*key, tuple(cells)) for key, cells in groups.items()]
