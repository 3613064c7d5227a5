"""Write the item browser: one page, and per benchmark a file of instances that the page loads when it is asked for."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from divlogic.io.files import atomic_path, write_json, write_text
from divlogic.paper.browser.collect import Shelf

FOLDER = Path(__file__).parent
PAGE, STYLE, SCRIPT = "items.html.j2", "items.css", "items.js"


def write_browser(out: Path, data: Path, shelves: Sequence[Shelf]) -> None:
    """Write the page and its data.

    Args:
        out: the page; it needs nothing but the folder ``data``.
        data: folder next to the page, for ``<benchmark>.js``.
        shelves: what is shown.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    page = environment.get_template(PAGE).render(
        css=(FOLDER / STYLE).read_text(encoding="utf-8"),
        script=(FOLDER / SCRIPT).read_text(encoding="utf-8"),
        shelves=[
            {"name": one.name, "title": one.title, "total": one.total, "shown": len(one.rows)}
            for one in shelves
        ],
        folder=data.name,
    )
    data.mkdir(parents=True, exist_ok=True)
    wanted = {f"{one.name}.js" for one in shelves}
    for stale in data.glob("*.js"):
        if stale.name not in wanted:
            stale.unlink()
    for one in shelves:
        with atomic_path(data / f"{one.name}.js") as temporary:
            temporary.write_bytes(packed(one))
    write_text(out, page)


def packed(shelf: Shelf) -> bytes:
    """Return a script that hands the instances to the page.

    A page opened from a folder may load scripts but read no files, hence a script; the browser unpacks it by itself.
    """
    rows = zlib.compress(orjson.dumps(shelf.rows), 6)
    return (
        f"received({orjson.dumps(shelf.name).decode()},".encode() + b'"' + base64.b64encode(rows) + b'");\n'
    )


def write_counts(path: Path, shelves: Sequence[Shelf]) -> None:
    """Write how many instances of each benchmark and split there are, and one of them as an example."""
    benchmarks: list[dict[str, Any]] = [
        {"name": one.name, "title": one.title, "splits": dict(one.splits), "total": one.total}
        for one in shelves
    ]
    write_json(path, {"benchmarks": benchmarks, "example": _example(shelves)})


def _example(shelves: Sequence[Shelf]) -> dict[str, Any] | None:
    """Return the shortest instance of the first benchmark, for the report's first screen."""
    rows = shelves[0].rows if shelves else []
    whole = [row for row in rows if row.get("context") and row.get("options")]
    if not whole:
        return None
    chosen = min(whole, key=lambda row: (len(row["context"]) + sum(map(len, row["options"])), row["id"]))
    return {"benchmark": shelves[0].name, **chosen}
