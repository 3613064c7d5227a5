"""``divlogic create``: a fresh set of one generator in a folder of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import orjson

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, write_json, write_text
from divlogic.io.log import track
from divlogic.library.dataset import DataSet, create
from divlogic.library.sources import temporary_folder

Settings = Annotated[tuple[str, ...], "--set", "KEY=VALUE of the generator (VALUE as JSON); repeatable."]


def create_files(
    name: Annotated[str, ARGUMENT, "NAME"],
    *,
    size: Annotated[int, click.IntRange(1), "Number of items."] = 500,
    seed: Annotated[int, click.IntRange(0), "Seed; two seeds share no item."] = 0,
    level: Annotated[
        int | None, "--level", "--depth", "Level of difficulty (the depth of a proof), from 1."
    ] = None,
    settings: Settings = (),
    form: Annotated[Literal["jsonl", "parquet"], "--format", "Form of the items."] = "jsonl",
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Draw a fresh set of the generator NAME: its items, records with formulas, a card and Z3's report."""
    if out.is_dir() and any(out.iterdir()):
        raise DivLogicError(f"{out}: the folder is not empty; name a new one.")
    data = create(name, size=size, seed=seed, level=level, **dict(map(setting, settings)))
    records, objections = [], []
    for record in track(data.records(), f"{name}: items drawn, worded and confirmed", total=size):
        records.append(record.to_json())
        objections += [f"{record.id}: {problem}" for problem in data.problems(record)]
    if objections:
        shown = "; ".join(objections[:10])
        raise DivLogicError(f"{name}: a solver does not confirm {len(objections)} labels: {shown}.")
    items: list[Any] = list(data)
    groups = len({item["metadata"]["group"] for item in items})
    report = {"instances": len(items), "groups": groups, "disagreements": 0}
    written = [out / name for name in (f"items.{form}", "records.jsonl", "z3.json", "README.md")]
    try:
        (write_parquet if form == "parquet" else write_rows)(written[0], items)
        write_rows(written[1], records)
        write_json(written[2], report, note=False)
        write_text(written[3], _card(data))
    except BaseException:
        # The folder is not filled under another name: it may be the current one, or a mounted one. It may hold
        # others' files by now, so that only those written here go.
        with contextlib.suppress(OSError):
            for path in written:
                path.unlink(missing_ok=True)
            out.rmdir()
        raise
    drawn = f"{len(items):,} items of {name} in {groups:,} groups"
    click.echo(f"{out}: {drawn}, all labels confirmed by a solver")


def drawn_file(name: str, data: str, *, size: int | None, seed: int, level: int | None) -> str:
    """Return a file of the records of a fresh set, which ends with the process; ``data`` without size and level."""
    if not size and not level:
        return data
    path = temporary_folder() / "drawn.jsonl"
    records = create(name, size=size, seed=seed, level=level).records()
    write_rows(path, (record.to_json() for record in records))
    return str(path)


def write_rows(path: Path, rows: Iterable[Any]) -> None:
    """Write JSON lines that leave the workflow, so that they need no checksum note."""
    write_text(path, "".join(orjson.dumps(row).decode() + "\n" for row in rows), note=False)


def write_parquet(path: Path, items: Iterable[Mapping[str, Any]]) -> None:
    """Write items as a table, their metadata as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{**item, "metadata": orjson.dumps(item["metadata"]).decode()} for item in items]
    with atomic_path(path) as temporary:
        pq.write_table(pa.Table.from_pylist(rows), temporary)


def setting(text: str) -> tuple[str, Any]:
    """Return the key and the value of ``--set KEY=VALUE``; a value that is no JSON is a text."""
    key, mark, value = text.partition("=")
    if not mark:
        raise DivLogicError(f"--set {text}: give KEY=VALUE.")
    try:
        return key, orjson.loads(value)
    except orjson.JSONDecodeError:
        return key, value


def _card(data: DataSet) -> str:
    config = orjson.dumps(data.parameters.model_dump(mode="json"), option=orjson.OPT_INDENT_2).decode()
    level = "" if data.level is None else f", level {data.level}"
    return (
        f"# {data.name}: {len(data):,} items, seed {data.seed}{level}\n\n"
        "Drawn by `divlogic create`; every label is confirmed by a solver from the formulas of its record.\n\n"
        "| file | content |\n| --- | --- |\n"
        "| `items.jsonl` or `items.parquet` | question, answer, metadata |\n"
        "| `records.jsonl` | the records with formulas and sentences |\n"
        "| `z3.json` | the solver's report |\n\n"
        f"Generator version {data.version}, with this configuration:\n\n```json\n{config}\n```\n"
    )
