"""How a table is laid out on the page and in the PDF: which columns it has and what each cell shows, as text."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import groupby, product
from typing import Literal

from divlogic.paper import model

Look = Literal["printed", "reproduced", "counted", "near", "off", "design", "measured", "none"]
"""A printed number alone; a measured one by its distance from the printed one; one that no paper prints; nothing."""

METRIC = "Metric"
WIDEST = 12
"""Columns up to which the metrics of one system stand in one row."""
DENSE = 8
"""Columns above which intervals do not stand below the numbers."""
GUESS = "baseline/uniform"
VARIATION = "CV"
"""Column of the coefficient of variation, which is no run."""
NOTHING_MORE = 5.0
"""Percentage points above guessing up to which a baseline says nothing more than it."""


@dataclass(frozen=True)
class ColumnHead:
    """The head of one column; ``group`` is what it has in common with its neighbours."""

    text: str
    numeric: bool
    group: str = ""


@dataclass(frozen=True)
class CellView:
    """One cell as texts.

    Attributes:
        look: where the number stands.
        printed: the paper's number with its mark.
        measured: ours with its marks; ``n/a`` where its corpus is not here; ``value``: the same as a number, else 0.
        numeric: it stands on the right.
        difference: measured minus printed, with its sign.
        interval: the confidence interval of a number that has no printed one.
        note: what the paper's number needs to be read with; ``why``: why ours is not on its data, or not there.
    """

    look: Look
    printed: str = ""
    measured: str = ""
    value: float = 0.0
    numeric: bool = True
    difference: str = ""
    interval: str = ""
    note: str = ""
    why: str = ""


@dataclass(frozen=True)
class RowView:
    """One row: its words, the version of its system (if it differs from the row above), and its numbers."""

    words: tuple[str, ...]
    version: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True)
class TableView:
    """A table as it is shown.

    Attributes:
        words: heads of the columns of words; ``heads`` those of the numbers.
        lines: the paper's rows; ``own`` those measured here only.
        folded: baselines that say nothing more than guessing; ``guessing`` says it in a few numbers.
    """

    words: tuple[str, ...]
    heads: tuple[ColumnHead, ...]
    lines: tuple[RowView, ...]
    own: tuple[RowView, ...]
    folded: tuple[RowView, ...] = ()
    guessing: str = ""

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.words) + len(self.heads)

    @property
    def printed_only(self) -> bool:
        """Return whether it shows no number of this workflow's."""
        return not any(
            cell.measured for row in (*self.lines, *self.own, *self.folded) for cell in row.cells
        )

    @property
    def dense(self) -> bool:
        """Return whether it has too many columns to show more than the numbers."""
        return len(self.heads) > DENSE

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Heads above the heads, each with the number of its columns; empty if there are none."""
        found = [
            (name, len([*heads])) for name, heads in groupby(self.heads, lambda head: head.group)
        ]
        return found if any(name for name, _ in found) else []


Words = tuple[str, ...]
Rows = list[tuple[Words, tuple[CellView, ...], bool]]
"""Rows by their words, their cells, and whether they are measured here only."""


def lay_out(table: model.ReportTable) -> TableView:
    """Return the layout of a table.

    The metrics of one system stand in one row where there is room. The version of a system stands with its name.
    """
    words, heads = (
        table.heads,
        tuple(ColumnHead(each.name, each.kind != "text") for each in table.columns),
    )
    rows = [
        (
            row.heads,
            tuple(map(_shown, table.columns, row.cells)),
            not any(cell.printed for cell in row.cells),
        )
        for row in table.rows
    ]
    if METRIC in table.heads:
        metrics = list(dict.fromkeys(row.heads[table.heads.index(METRIC)] for row in table.rows))
        if len(heads) * len(metrics) <= WIDEST:
            words, heads, rows = _in_one_row(table.heads, heads, rows, metrics)
    version = words.index("Version") if "Version" in words else None
    lines: dict[bool, list[RowView]] = {False: [], True: []}
    above: Words = ()
    for texts, cells, own in rows:
        shown = texts[version] if version is not None and texts[:2] != above else ""
        above = texts[:2]
        lines[own].append(RowView(_without(texts, version), shown, cells))
    folded, words = _no_better_than_guessing(lines[True]), _without(words, version)
    own_lines = tuple(line for line in lines[True] if line not in folded)
    return TableView(
        words, heads, tuple(lines[False]), own_lines, folded, _guessing(words, heads, folded)
    )


def _in_one_row(
    words: Words, heads: tuple[ColumnHead, ...], rows: Rows, metrics: list[str]
) -> tuple[Words, tuple[ColumnHead, ...], Rows]:
    """Turn a row per metric into a column per metric."""
    place = words.index(METRIC)
    found: dict[tuple[Words, bool], dict[str, tuple[CellView, ...]]] = defaultdict(dict)
    for texts, cells, own in rows:
        found[_without(texts, place), own][texts[place]] = cells
    nothing = tuple(CellView("none") for _ in heads)
    pairs = list(product(range(len(heads)), metrics))
    columns = tuple(
        ColumnHead(
            metric or heads[at].text, True, heads[at].text if len(heads) > 1 and metric else ""
        )
        for at, metric in pairs
    )
    turned = [
        (texts, tuple(by.get(metric, nothing)[at] for at, metric in pairs), own)
        for (texts, own), by in found.items()
    ]
    return _without(words, place), columns, turned


def _without(words: Words, place: int | None) -> Words:
    return tuple(word for at, word in enumerate(words) if at != place)


def _shown(column: model.Column, cell: model.TableCell) -> CellView:
    alone = CellView("printed" if cell.printed else "none", cell.printed + "*" * bool(cell.note))
    alone = replace(alone, numeric=column.kind != "text", note=cell.note)
    if cell.status == "unavailable":
        return replace(alone, measured="n/a", why=cell.need)
    if cell.measured is None:
        return replace(alone, why=cell.need)
    marks = (model.OTHER_MARK if cell.other and cell.printed else "") + model.VIA_MARKS.get(
        cell.via, ""
    )
    text, value = (
        model.show_measured(cell, column.decimals),
        float(model.show(cell.measured, column.decimals)),
    )
    here = replace(alone, measured=text + marks, value=value, why=cell.other)
    if cell.difference is None:
        bounds = [
            model.show(bound, column.decimals)
            for bound in (cell.low, cell.high)
            if bound is not None
        ]
        return replace(
            here, look="measured", interval=" to ".join(bounds) if len(bounds) == 2 else ""
        )
    if cell.status in ("design", "arithmetic"):
        return replace(here, look="design")
    look: Look = "measured" if cell.status == "generated" else cell.status  # type: ignore[assignment]
    return replace(
        here, look=look, difference=model.show_difference(cell.difference, column.decimals)
    )


def _no_better_than_guessing(own: list[RowView]) -> tuple[RowView, ...]:
    """Return the baselines of which no number is much above that of guessing in the same setting."""
    guesses = {_setting(line): line.cells for line in own if _system(line) == GUESS}
    baselines = [
        line for line in own if line.words[0].startswith("baseline/") and _setting(line) in guesses
    ]

    def says_nothing_more(line: RowView) -> bool:
        pairs = zip(line.cells, guesses[_setting(line)], strict=True)
        return all(
            cell.value <= guess.value + NOTHING_MORE for cell, guess in pairs if cell.measured
        )

    return tuple(filter(says_nothing_more, baselines))


def _system(line: RowView) -> str:
    return line.words[0].partition(", ")[0]


def _setting(line: RowView) -> tuple[str, ...]:
    return line.words[0].partition(", ")[2:] + line.words[1:]


def _guessing(
    words: tuple[str, ...], heads: tuple[ColumnHead, ...], folded: tuple[RowView, ...]
) -> str:
    """Return the first numbers of guessing, each with its name: ``ACC 25.0 / CIR 0.4 / PC 8.3``.

    Where each metric has a row, its number is the mean over the runs of that row.
    """
    guesses = [line for line in folded if _system(line) == GUESS]
    if not guesses:
        return ""
    if METRIC in words:
        place = words.index(METRIC)
        found: dict[str, float] = {}
        for line in guesses:
            cells = zip(heads, line.cells, strict=True)
            runs = [cell.value for head, cell in cells if cell.measured and head.text != VARIATION]
            found.setdefault(line.words[place], sum(runs) / max(len(runs), 1))
    else:
        numbers = zip(heads, guesses[0].cells, strict=True)
        found = {head.text: cell.value for head, cell in list(numbers)[:3] if cell.measured}
    return " / ".join(f"{name} {value:.1f}" for name, value in found.items())
