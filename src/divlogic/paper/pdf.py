"""The report as a PDF, set by Typst from the same tables as the page, with the fonts that Typst brings."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, write_json
from divlogic.paper.figures import list_figures
from divlogic.paper.model import OTHER_MARK, Cell, Column, Table, read_tables_json, show, show_difference
from divlogic.paper.provenance import Provenance, read_provenance
from divlogic.paper.scoreboard import Score, read_scoreboard, total_of

TEMPLATE = Path(__file__).with_name("paper.typ")


def write_pdf(out: Path, tables: Path, scoreboard: Path, figures: Path, provenance: Path) -> None:
    """Set the report; the same inputs give the same bytes (no date in it, no fonts of the machine).

    Raises:
        DivLogicError: an input is missing or malformed, or a figure cannot be set.
    """
    import typst

    view = {
        "scores": _scores(read_scoreboard(scoreboard)),
        "tables": [_table(table) for table in read_tables_json(tables)],
        "figures": [
            {"file": f"{figure.name}.svg", "title": figure.title, "text": figure.text}
            for figure in list_figures(figures)
        ],
        "provenance": _provenance(read_provenance(provenance)),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copyfile(TEMPLATE, folder / "paper.typ")
        write_json(folder / "report.json", view)
        for figure in view["figures"]:
            shutil.copyfile(figures / figure["file"], folder / figure["file"])
        try:
            pdf = typst.compile(folder / "paper.typ", root=folder, ignore_system_fonts=True, timestamp=0)
        except typst.TypstError as error:
            raise DivLogicError(f"{out}: Typst could not set the report ({error}).") from error
    with atomic_path(out) as temporary:
        temporary.write_bytes(pdf)


def _scores(scores: list[Score]) -> dict[str, Any]:
    names = ("reproduced", "off", "published_only", "unavailable", "other_data")
    rows = [
        [f"{score.paper}, {score.title}", *(str(getattr(score, name) or "·") for name in names)]
        for score in scores
    ]
    total = total_of(scores)
    return {"rows": rows, "total": ["All", *(str(total[name]) for name in names)], "counts": total}


def _table(table: Table) -> dict[str, Any]:
    """Return a table as texts: heads, and per row its words and its cells with a look each."""
    compared = [table.is_compared(place) for place in range(len(table.columns))]
    # The version stands behind the system's name, so that there is room for the numbers.
    below = table.heads.index("Version") if "Version" in table.heads else None
    heads = [head for place, head in enumerate(table.heads) if place != below]
    left = list(range(len(heads)))
    for column, both in zip(table.columns, compared, strict=True):
        left += [len(heads)] if column.kind == "text" else []
        heads += [column.name, "here"] if both else [column.name]
    rows = []
    system: tuple[str, ...] = ()
    for row in table.rows:
        cells: list[dict[str, str]] = []
        for column, cell, both in zip(table.columns, row.cells, compared, strict=True):
            cells.append(
                {"text": _plain(cell.printed) + ("*" if cell.note else ""), "look": "paper", "more": ""}
            )
            if both:
                cells.append(_measured(column, cell))
        version = row.heads[below] if below and system != row.heads[:2] else ""
        system = row.heads[:2]
        words = [text for place, text in enumerate(row.heads) if place != below]
        own = not any(cell.printed for cell in row.cells)
        rows.append({"heads": words, "version": version, "cells": cells, "own": own})
    return {
        "title": f"{table.paper}, {table.number}: {table.title}"
        if table.number
        else f"{table.paper}: {table.title}",
        "heads": heads,
        "left": left,
        "rows": rows,
        "notes": [note.replace("`", "") for note in table.notes],
    }


def _plain(text: str) -> str:
    """Return a printed cell in letters that Typst's own fonts have."""
    return text.replace("✖", "×")


def _measured(column: Column, cell: Cell) -> dict[str, str]:
    if cell.measured is None:
        text = "n/a" if cell.status == "unavailable" else "–" if cell.printed else ""
        return {"text": text, "look": "none", "more": ""}
    mark = OTHER_MARK if cell.other and cell.printed else ""
    look = "near" if cell.near else "here" if cell.difference is None else cell.status
    return {
        "text": show(cell.measured, column.decimals) + mark,
        "look": look,
        "more": show_difference(cell.difference, column.decimals),
    }


def _provenance(provenance: Provenance) -> dict[str, Any]:
    names = ("corpus", "part", "rows", "licence")
    return {
        "source": provenance.corpus_source,
        "corpora": [
            [*(row.get(name, "") for name in names), row["sha256"][:16]] for row in provenance.corpora
        ],
        "parameters": [f"{name}: {value}" for name, value in provenance.parameters],
        "tolerances": [f"{kind} {text}" for kind, text in provenance.tolerances],
    }
