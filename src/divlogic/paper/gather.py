"""Put printed and measured numbers into one table each, and write them as csv, md and tex."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from divlogic.io.tables import read_note, read_table, write_table
from divlogic.paper.catalogue import (
    COLUMN_HEADS,
    CONSTANTS,
    HEADS,
    KINDS,
    SETTINGS,
    Layout,
    layout_of,
    name_of,
    order_of,
    title_of,
)
from divlogic.paper.cell_notes import Doubt, Place, cell_notes
from divlogic.paper.measured import Measured, Source
from divlogic.paper.model import OTHER_MARK, WORDS, Cell, Column, Kind, Row, Table, show, show_difference
from divlogic.paper.parameters import PaperParameters
from divlogic.published import Cell as PrintedCell
from divlogic.published import PrintedTable, read_published

AUDIT = "evaluation/published_audit"
_AUDIT_KEYS = ("system", "version", "setting", "metric", "column")


def gather_tables(results: Path, published: Path, parameters: PaperParameters) -> list[Table]:
    """Return every table of the papers with our numbers beside the printed ones.

    Raises:
        DivLogicError: a table of the results or of the printed numbers is missing or malformed.
    """
    printed = sorted(read_published(published).tables(), key=order_of)
    instances = _test_size(printed)
    broken = _broken(results / AUDIT)
    return [
        _gathered(table, layout_of(table), results, published, instances, broken, parameters)
        for table in printed
    ]


def write_tables(tables: Sequence[Table], out: Path) -> list[Path]:
    """Write each table as csv, md and tex into a folder: per column the printed number, ours and where it stands."""
    paths: list[Path] = []
    for table in tables:
        names = [*table.heads]
        for place, column in enumerate(table.columns):
            names += [column.name]
            if table.is_compared(place):
                names += [f"{column.name}, here", f"{column.name}, difference", f"{column.name}, status"]
        rows = [_flat(table, row) for row in table.rows]
        shown = [name for name in names if not name.endswith(", status")]
        paths += write_table(out / table.name, names, rows, " ".join(table.notes), shown=shown)
    return paths


def compare(cell: PrintedCell, measured: Measured, column: Column, parameters: PaperParameters) -> Cell:
    """Return a cell with both numbers: reproduced if they differ by no more than the tolerance of their kind."""
    difference = measured.value - cell.value
    tolerance = getattr(parameters.tolerances, column.kind).allowed(cell.value) + cell.half_unit
    # A difference of exactly the tolerance is within it, whatever its binary fraction.
    within, near = (abs(difference) <= factor * tolerance + 1e-9 for factor in (1, parameters.near_factor))
    return Cell(
        status="reproduced" if within else "off",
        printed=cell.printed,
        measured=measured.value,
        low=measured.low,
        high=measured.high,
        difference=difference,
        near=near and not within,
        other=measured.other,
        via=measured.via,
    )


def _gathered(
    table: PrintedTable,
    layout: Layout,
    results: Path,
    published: Path,
    instances: int | None,
    broken: dict[tuple[str, ...], list[Doubt]],
    parameters: PaperParameters,
) -> Table:
    source = layout.source(results, instances) if layout.source else None
    names = list(dict.fromkeys(cell.keys[layout.column] for cell in table.cells))
    columns = {name: _column(name, layout, table) for name in names}
    rows: dict[tuple[str, ...], dict[str, Cell]] = {}
    said: list[tuple[Place, list[Doubt]]] = []
    for cell in table.cells:
        heads = tuple(_word(key, cell.keys[key]) for key in layout.rows)
        name = cell.keys[layout.column]
        doubts = [Doubt(cell.note)] if cell.note else []
        doubts += broken.get(_audit_key(table, cell.keys), [])
        said.append((Place(dict(zip(layout.rows, heads, strict=True)), columns[name].name), doubts))
        note = "; ".join(doubt.alone for doubt in doubts)
        made = _cell(cell, name, columns[name], source, parameters)
        rows.setdefault(heads, {})[name] = replace(made, note=note)
    both = [Row(heads, tuple(cells.get(name, Cell()) for name in names)) for heads, cells in rows.items()]
    for keys, numbers in source.extra() if source else ():
        heads = tuple(_word(key, keys.get(key, "")) for key in layout.rows)
        both.append(Row(heads, tuple(_only_here(numbers.get(name)) for name in names)))
    notes = tuple(note for path in layout.notes if (note := read_note(results / path)))
    used = sorted({f"{published.name}/{cell.file}" for cell in table.cells})
    files = [f"data/{name}" for name in used] + [
        f"results/{name}" for name in (source.files if source else ())
    ]
    # A column of row heads that says nothing (all rows empty) only takes room.
    kept = [place for place, _ in enumerate(layout.rows) if any(row.heads[place] for row in both)]
    return Table(
        name=name_of(table),
        paper=table.paper,
        number=table.number if table.number.startswith("Table") else "",
        title=layout.title if layout.title != table.place else table.place,
        heads=tuple((not place and layout.head) or HEADS[layout.rows[place]] for place in kept),
        columns=tuple(columns.values()),
        rows=tuple(Row(tuple(row.heads[place] for place in kept), row.cells) for row in both),
        notes=(
            *([layout.remark] if layout.remark else []),
            *notes,
            *_other_notes(both, kept),
            *cell_notes(said),
        ),
        files=tuple(files),
    )


def _cell(
    cell: PrintedCell, name: str, column: Column, source: Source | None, parameters: PaperParameters
) -> Cell:
    if column.kind == "text" or not cell.is_number:
        return Cell("text", cell.printed)
    if source is None or not source.measures(cell.keys, name):
        return Cell("not_measured", cell.printed)
    measured = source.find(cell.keys, name)
    if measured is not None:
        made = compare(cell, measured, column, parameters)
        # That a benchmark with four options has four options is no finding.
        return replace(made, status="design") if name in CONSTANTS and made.status == "reproduced" else made
    # A score that is not here needs a model that was not run; a measure that is not here lacks its corpus.
    return Cell("not_asked" if "system" in cell.keys else "unavailable", cell.printed)


def _only_here(number: Measured | None) -> Cell:
    if number is None:
        return Cell()
    return Cell(
        "measured_only",
        measured=number.value,
        low=number.low,
        high=number.high,
        other=number.other,
        via=number.via,
    )


def _column(name: str, layout: Layout, table: PrintedTable) -> Column:
    cells = [cell for cell in table.cells if cell.keys[layout.column] == name]
    decimals = max(cell.decimals if cell.is_number else 0 for cell in cells)
    if layout.column == "measure":
        by_look: Kind = "count" if decimals == 0 else "percent"
        words = not any(cell.is_number for cell in cells)
        kind = KINDS.get(name, "text" if words else by_look)
        head = COLUMN_HEADS.get(name, name[:1].upper() + name[1:].replace("_", " "))
    else:
        kind, head = "percent", COLUMN_HEADS.get(name, name)
    # One decimal more than is printed; of percentages, whose intervals are far wider, two at most.
    more = min(decimals + 1, 2) if kind == "percent" else decimals + 1
    return Column(head, kind, 0 if kind in ("count", "text") else more)


def _word(key: str, text: str) -> str:
    if key == "benchmark" or key == "setting":
        return SETTINGS.get(text) or title_of(text)
    return text


def _flat(table: Table, row: Row) -> dict[str, Any]:
    flat: dict[str, Any] = dict(zip(table.heads, row.heads, strict=True))
    for column, cell in zip(table.columns, row.cells, strict=True):
        flat[column.name] = cell.printed or None
        flat[f"{column.name}, here"] = show(cell.measured, column.decimals) or None
        # A plain hyphen and zero, since the csv is for programs.
        difference = show_difference(cell.difference, column.decimals)
        flat[f"{column.name}, difference"] = difference.replace("−", "-").replace("=", "0") or None
        flat[f"{column.name}, status"] = WORDS[cell.status] or None
    return flat


def _other_notes(rows: list[Row], kept: list[int]) -> list[str]:
    """Return one sentence that says for each row measured on other data what those are."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        for reason in dict.fromkeys(cell.other for cell in row.cells if cell.other and cell.printed):
            words = " ".join(row.heads[place] for place in kept[:1])
            names = reasons.setdefault(reason, [])
            names += [words] if words not in names else []
    if not reasons:
        return []
    parts = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in reasons.items())
    return [f"{OTHER_MARK} Not measured on the paper's data. {parts}."]


def _broken(path: Path) -> dict[tuple[str, ...], list[Doubt]]:
    """Return why a printed cell cannot be right, by paper, table and keys."""
    found: dict[tuple[str, ...], list[Doubt]] = {}
    for row in read_table(path):
        key = (row["paper"], row["table"], *(row[name] for name in _AUDIT_KEYS))
        found.setdefault(key, []).append(Doubt(row["reason"], str(row["printed"]), str(row["expected"])))
    return found


def _audit_key(table: PrintedTable, keys: dict[str, str]) -> tuple[str, ...]:
    # The audit puts the cell of a table of measures under its benchmark and measure.
    known = {"system": keys.get("benchmark", ""), "column": keys.get("measure", ""), **keys}
    return (table.paper, table.number, *(known.get(name, "") for name in _AUDIT_KEYS))


def _test_size(printed: list[PrintedTable]) -> int | None:
    """Return the number of test instances that ILogicEval prints."""
    for table in printed:
        for cell in table.cells:
            found = (table.paper, cell.keys.get("benchmark"), cell.keys.get("measure"))
            if found == ("ILogicEval", "ilogiceval", "test") and cell.is_number:
                return int(cell.value)
    return None
