"""What corpora there are and what of them is here, as tables: on a terminal, as plain text, JSON or CSV."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import orjson

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.manifest import MANIFEST, problems, read_manifest
from divlogic.corpora.obtain import Registry
from divlogic.corpora.registry import REGISTRY, load_registry
from divlogic.errors import DivLogicError
from divlogic.io.tables import write_listing

Row = dict[str, Any]
Format = Annotated[
    Literal["table", "json", "csv"], "--format", "A table to read, or rows for another program."
]

SUMMARY = ("corpus", "role", "source", "part", "files", "bytes", "rows", "licence", "sha256")
"""Columns of results/corpora/corpora.csv."""

_HEADINGS = {
    "name": "corpus",
    "roles": "feeds",
    "source": "run",
    "bytes": "size",
    "origin": "from",
    "state": "part",
}
"""Headings of columns that are not called as their fields."""

LISTED = ("name", "roles", "source", "rows", "bytes", "licence", "access", "title")
HERE = ("name", "files", "rows", "bytes", "origin", "folder", "state")


def list_corpora(registry: Registry = REGISTRY, form: Format = "table") -> None:
    """List every corpus of the registry: what it feeds, its size and licence, and who may have it."""
    rows = [
        {
            "name": name,
            "title": corpus.title,
            "roles": "+".join(corpus.roles),
            "source": corpus.source,
            "rows": corpus.rows,
            "bytes": corpus.bytes,
            "licence": corpus.licence.name,
            "access": "gated"
            if corpus.gated
            else ("in the repository" if corpus.embedded else "open"),
        }
        for name, corpus in load_registry(registry).items()
    ]
    click.echo(render(rows, LISTED, form), nl=False)


def show_status(
    registry: Registry = REGISTRY,
    raw: Annotated[Path, FOLDER, "Folder of the corpora."] = Path("data/raw"),
    checksums: Annotated[bool, "Compare every file's checksum too, not only its size."] = False,
    form: Format = "table",
) -> None:
    """Show what is here: which corpora, whole or in part, where from."""
    rows = status_rows(raw, checksums=checksums)
    click.echo(render(rows, HERE, form), nl=False)
    if form == "table":
        here = {row["name"] for row in rows}
        absent = [name for name in load_registry(registry) if name not in here]
        if absent:
            click.echo(
                f"\nnot here: {', '.join(absent)}\n`divlogic corpora fetch NAME` brings one here."
            )


def status_rows(raw: Path, *, checksums: bool = False) -> list[Row]:
    """Return one row for every corpus folder ``<source>/<corpus>`` below ``raw`` (data/raw), in order.

    Presence and size of every file are compared with the manifest, and its checksum if asked for.
    """
    rows: list[Row] = []
    for folder in (path.parent for path in sorted(Path(raw).glob(f"*/*/{MANIFEST}"))):
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


def summarise(
    folders: Annotated[tuple[Path, ...], ARGUMENT, FOLDER, "FOLDER..."],
    *,
    out: Annotated[Path, "The CSV file to write."],
) -> None:
    """Write the table of the corpora that a run used."""
    rows: list[Row] = []
    for manifest in map(read_manifest, folders):
        summed = {"role": "+".join(manifest.roles), "files": len(manifest.files)}
        rows.append({name: getattr(manifest, name, None) for name in SUMMARY} | summed)
    write_listing(out.with_suffix(""), SUMMARY, rows)


def render(rows: list[Row], columns: Sequence[str], form: str = "table") -> str:
    """Return rows as text: aligned columns (boxed on a terminal), JSON with every field, or CSV."""
    if form == "json":
        return orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    if form == "csv":
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            [columns, *([row.get(field) for field in columns] for row in rows)]
        )
        return text.getvalue()
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = sys.stdout.isatty()
    padding = (0, 1) if shown else (0, 2, 0, 0)
    table = Table(box=box.HEAVY_HEAD if shown else None, pad_edge=shown, padding=padding)
    for field in columns:
        right = field in ("bytes", "rows", "files")
        table.add_column(
            _HEADINGS.get(field, field), justify="right" if right else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(Text(_cell(field, row.get(field))) for field in columns))
    console = Console(width=None if shown else 10_000)
    with console.capture() as captured:
        console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in captured.get().splitlines())


def _cell(field: str, value: Any) -> str:
    """Format one cell for reading; a size has a unit."""
    from rich import filesize

    if value is None:
        return "-"
    if field == "bytes":
        return filesize.decimal(value)
    return f"{value:,}" if isinstance(value, int) else str(value)
