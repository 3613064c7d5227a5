"""The notes under a table on single cells of it: each reason once, the cells gathered by row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

_NOT_NAMED = ("version", "metric")
"""Keys that are no part of a row's name in a note: the version says nothing more, the metric stands with the column."""


@dataclass(frozen=True, slots=True)
class CellRemark:
    """What is said of a printed cell: a remark, or a rule that it breaks with the number printed and those expected."""

    reason: str
    printed: str = ""
    expected: str = ""

    @property
    def alone(self) -> str:
        """Return it as it stands at the cell."""
        return self.reason + (f" (printed {self.printed}, expected {self.expected})" if self.expected else "")


@dataclass(frozen=True, slots=True)
class CellKey:
    """A cell's place: the words of its row by key, and its column."""

    row: Mapping[str, str]
    column: str

    def name(self, versions: bool) -> str:
        """Return how a note names the row."""
        left_out = _NOT_NAMED[1:] if versions else _NOT_NAMED
        return " ".join(word for key, word in self.row.items() if word and key not in left_out)

    @property
    def cell(self) -> str:
        """Return how a note names the cell within its row."""
        return " ".join(word for word in (self.row.get("metric", ""), self.column) if word)


def cell_notes(cells: Sequence[tuple[CellKey, Sequence[CellRemark]]]) -> list[str]:
    """Return a note for each reason: the rows that it concerns, with those of their cells, unless it is all of them.

    Args:
        cells: the printed cells of a table with what is said of each.
    """
    # Where a table has a system in two versions, they distinguish the rows.
    by_name: dict[tuple[str, str], set[str]] = defaultdict(set)
    for place, _ in cells:
        by_name[place.name(versions=False), place.cell].add(place.row.get("version", ""))
    versions = any(len(found) > 1 for found in by_name.values())
    size = Counter(place.name(versions) for place, _ in cells)
    found: dict[str, dict[str, list[tuple[str, CellRemark]]]] = {}
    for place, doubts in cells:
        for doubt in doubts:
            rows = found.setdefault(doubt.reason, {})
            rows.setdefault(place.name(versions), []).append((place.cell, doubt))
    return [_note(reason, rows, size) for reason, rows in found.items()]


def _note(reason: str, rows: Mapping[str, Iterable[tuple[str, CellRemark]]], size: Mapping[str, int]) -> str:
    numbers = any(doubt.expected for own in rows.values() for _, doubt in own)
    head = f"* {reason[:1].upper()}{reason[1:]}" + (". Printed [expected]" if numbers else "")
    return f"{head}: {'; '.join(_row(name, list(own), size[name]) for name, own in rows.items())}."


def _row(name: str, cells: Sequence[tuple[str, CellRemark]], size: int) -> str:
    if len(cells) == size and not any(doubt.expected for _, doubt in cells):
        return name
    texts = [
        f"{cell} {doubt.printed} [{doubt.expected}]" if doubt.expected else cell for cell, doubt in cells
    ]
    return f"{name}: {', '.join(texts)}" if name else ", ".join(texts)
