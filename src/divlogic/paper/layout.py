"""How a table is laid out on the page and in the PDF: which columns it has and what each cell shows, as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from divlogic.paper.model import OTHER_MARK, Cell, Column, Row, Table, show, show_difference

Look = Literal["printed", "reproduced", "near", "off", "measured", "none"]
"""A printed number; a measured one by its distance from the printed one; one without a printed one; none at all."""


@dataclass(frozen=True)
class Head:
    """The head of one column; ``compared`` columns have both a printed and a measured number."""

    text: str
    numeric: bool
    compared: bool = False
    measured: bool = False


@dataclass(frozen=True)
class Shown:
    """One cell as texts.

    Attributes:
        text: the number with its mark.
        look: where the number stands.
        numeric: it stands on the right.
        difference: measured minus printed, with its sign.
        interval: the confidence interval of a number that has no printed one.
        note: an explanation.
    """

    text: str
    look: Look
    numeric: bool = True
    difference: str = ""
    interval: str = ""
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One row: its words, the version of its system (if it differs from the row above), and its numbers."""

    words: tuple[str, ...]
    version: str
    cells: tuple[Shown, ...]


@dataclass(frozen=True)
class Layout:
    """A table as it is shown: heads of its words and of its numbers, the paper's rows, rows measured here only."""

    words: tuple[str, ...]
    heads: tuple[Head, ...]
    lines: tuple[Line, ...]
    own: tuple[Line, ...]

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.words) + len(self.heads)


def lay_out(table: Table) -> Layout:
    """Return the layout of a table.

    A column gets a second one for the measured numbers if it has any. The version of a system stands with its name,
    which leaves room for the numbers.
    """
    compared = [table.is_compared(place) for place in range(len(table.columns))]
    version = table.heads.index("Version") if "Version" in table.heads else None
    heads: list[Head] = []
    for column, both in zip(table.columns, compared, strict=True):
        heads.append(Head(column.name, column.kind != "text", both))
        if both:
            heads.append(Head("here", True, measured=True))
    lines: list[Line] = []
    above: tuple[str, ...] = ()
    for row in table.rows:
        shown = row.heads[version] if version is not None and row.heads[:2] != above else ""
        above = row.heads[:2]
        lines.append(Line(_without(row.heads, version), shown, _cells(table.columns, row, compared)))
    first = next((place for place, row in enumerate(table.rows) if _is_own(row)), len(lines))
    return Layout(_without(table.heads, version), tuple(heads), tuple(lines[:first]), tuple(lines[first:]))


def _is_own(row: Row) -> bool:
    return not any(cell.printed for cell in row.cells)


def _without(words: tuple[str, ...], place: int | None) -> tuple[str, ...]:
    return tuple(word for at, word in enumerate(words) if at != place)


def _cells(columns: tuple[Column, ...], row: Row, compared: list[bool]) -> tuple[Shown, ...]:
    cells: list[Shown] = []
    for column, cell, both in zip(columns, row.cells, compared, strict=True):
        text = cell.printed + ("*" if cell.note else "")
        cells.append(Shown(text, "printed", column.kind != "text", note=cell.note))
        if both:
            cells.append(_measured(column, cell))
    return tuple(cells)


def _measured(column: Column, cell: Cell) -> Shown:
    if cell.status == "unavailable":
        return Shown("n/a", "none")
    if cell.measured is None:
        return Shown("–" if cell.printed else "", "none")
    text = show(cell.measured, column.decimals) + (OTHER_MARK if cell.other and cell.printed else "")
    if cell.difference is None:
        bounds = [show(bound, column.decimals) for bound in (cell.low, cell.high) if bound is not None]
        return Shown(text, "measured", interval=" to ".join(bounds) if len(bounds) == 2 else "")
    look: Look = "near" if cell.near else "reproduced" if cell.status == "reproduced" else "off"
    return Shown(text, look, difference=show_difference(cell.difference, column.decimals), note=cell.other)
