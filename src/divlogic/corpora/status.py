"""What corpora there are and what of them is here, as tables: on a terminal, as plain text, JSON or CSV."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from divlogic.corpora.manifest import MANIFEST, problems, read_manifest
from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError
from divlogic.io.tables import write_listing

Format = Literal["table", "json", "csv"]
Row = dict[str, Any]

SUMMARY = ("corpus", "role", "source", "part", "files", "bytes", "rows", "licence", "sha256")
"""Columns of results/corpora/corpora.csv."""


def registry_rows(registry: dict[str, Corpus]) -> list[Row]:
    """Return one row for every corpus of the registry."""
    return [
        {
            "name": name,
            "title": corpus.title,
            "roles": "+".join(corpus.roles),
            "source": corpus.source,
            "rows": corpus.rows,
            "bytes": corpus.bytes,
            "licence": corpus.licence.name,
            "access": "gated" if corpus.gated else ("in the repository" if corpus.embedded else "open"),
        }
        for name, corpus in registry.items()
    ]


def status_rows(raw: Path, *, checksums: bool = False) -> list[Row]:
    """Return one row for every corpus folder below ``raw`` (data/raw), in the order of their paths.

    Args:
        raw: the folder that holds ``<source>/<corpus>/MANIFEST.json``.
        checksums: also compare the checksum of every file (otherwise its presence and size).
    """
    rows: list[Row] = []
    for path in sorted(Path(raw).glob(f"*/*/{MANIFEST}")):
        folder = path.parent
        if folder.name.startswith("."):
            continue
        try:
            manifest = read_manifest(folder)
        except DivLogicError as error:
            rows.append({"name": folder.name, "folder": str(folder), "state": f"damaged: {error}"})
            continue
        wrong = problems(folder, manifest, checksums=checksums)
        rows.append(
            {
                "name": manifest.corpus,
                "folder": str(folder),
                "files": len(manifest.files),
                "rows": manifest.rows,
                "bytes": manifest.bytes,
                "origin": manifest.origin,
                "licence": manifest.licence,
                "state": f"damaged: {'; '.join(wrong)}" if wrong else manifest.part,
            }
        )
    return rows


def summarise(folders: list[Path], out: Path) -> None:
    """Write results/corpora/corpora.{csv,json}: one row for every corpus folder, in the order given.

    Raises:
        DivLogicError: a folder has no manifest.
    """
    rows = []
    for folder in folders:
        manifest = read_manifest(folder)
        cells = (
            manifest.corpus,
            "+".join(manifest.roles),
            manifest.source,
            manifest.part,
            len(manifest.files),
        )
        rows.append((*cells, manifest.bytes, manifest.rows, manifest.licence, manifest.sha256))
    write_listing(out.with_suffix(""), SUMMARY, [dict(zip(SUMMARY, row, strict=True)) for row in rows])


def render(rows: list[Row], columns: dict[str, str], form: Format = "table") -> str:
    """Return rows as text: aligned columns (boxed on a terminal), JSON with every field, or CSV.

    Args:
        rows: the rows; fields that a row lacks are left empty.
        columns: field → heading, in order; sizes and counts are set to the right.
        form: which text.
    """
    if form == "json":
        import orjson

        return orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    if form == "csv":
        import csv

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([row.get(field) for field in columns] for row in rows)
        return text.getvalue()
    cells = [[_cell(field, row.get(field)) for field in columns] for row in rows]
    right = [field in ("bytes", "rows", "files") for field in columns]
    return _boxed(columns, cells, right) if sys.stdout.isatty() else _aligned(columns.values(), cells, right)


def _cell(field: str, value: Any) -> str:
    """Format one cell for reading."""
    if value is None:
        return "-"
    if field == "bytes":
        return _size(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _size(count: int) -> str:
    """Return a number of bytes with a unit."""
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _aligned(headings: Iterable[str], cells: list[list[str]], right: list[bool]) -> str:
    """Return a plain table with aligned columns."""
    lines = [list(headings), *cells]
    widths = [max(len(line[column]) for line in lines) for column in range(len(right))]
    text = []
    for line in lines:
        padded = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        )
        text.append("  ".join(padded).rstrip() + "\n")
    return "".join(text)


def _boxed(columns: dict[str, str], cells: list[list[str]], right: list[bool]) -> str:
    """Return a table for the terminal, as wide as that is."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for heading, to_right in zip(columns.values(), right, strict=True):
        table.add_column(heading, justify="right" if to_right else "left", overflow="fold")
    for line in cells:
        table.add_row(*map(Text, line))
    console = Console()
    with console.capture() as text:
        console.print(table)
    return text.get()
