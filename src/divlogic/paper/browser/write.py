"""Write the item browser: one page, and per benchmark a file of instances that the page loads when it is asked for."""

from __future__ import annotations

import base64
import gc
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, write_json, write_text
from divlogic.io.templates import render
from divlogic.paper.browser.collect import Shelf, read_shelves
from divlogic.paper.parameters import PaperRun

TEMPLATES = Path(__file__).parent
SCRIPT = "items.js"


def write_items(
    records: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    imported: Annotated[
        Path | None, FOLDER, "Folder of imported data sets (jsonl, jsonl.gz), shown after RECORDS."
    ] = None,
    predictions: Annotated[tuple[Path, ...], "Answers to show (jsonl); repeatable."] = (),
    outcomes: Annotated[
        tuple[Path, ...], "What replies to LLMEval-Logic are worth (jsonl); repeatable."
    ] = (),
    out: Annotated[Path, "Where the page goes (html)."],
    data: Annotated[Path, FOLDER, "Folder of the page's data, next to it."],
    counts: Annotated[Path, "Instances per benchmark and split (json)."],
    params: PaperRun,
) -> None:
    """Write a page that shows every instance of RECORDS with its symbolic form and what was answered."""
    if imported and not imported.is_dir():
        raise DivLogicError(
            f"{imported}: there is no such folder; --imported names the folder of imported data sets."
        )
    # Next to each data set lies its hidden checksum.
    there = imported.iterdir() if imported else ()
    own = [path for path in there if path.name.endswith((".jsonl", ".jsonl.gz"))]
    # A million objects without a cycle, which stay to the end: to look through them costs a sixth of the time.
    gc.disable()
    try:
        most = params.paper.items.most_instances
        shelves = read_shelves([*records, *sorted(own)], predictions, most, outcomes=outcomes)
    finally:
        gc.enable()
    write_browser(out, data, shelves)
    write_counts(counts, shelves)


def write_browser(out: Path, data: Path, shelves: Sequence[Shelf]) -> None:
    """Write the page and its data.

    Args:
        out: the page; it needs nothing but the folder ``data``.
        data: folder next to the page, for ``<benchmark>.js``.
        shelves: what is shown.
    """
    page = render(
        TEMPLATES / "items.html.j2",
        {
            "css": (TEMPLATES / "items.css").read_text(encoding="utf-8"),
            "script": (TEMPLATES / SCRIPT).read_text(encoding="utf-8"),
            "shelves": shelves,
            "folder": data.name,
        },
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
