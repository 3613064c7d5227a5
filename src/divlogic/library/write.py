"""``divlogic create``: a fresh set of one generator in a folder of its own."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import click
import orjson

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path, filling, write_json, write_text
from divlogic.io.log import say, track
from divlogic.library.dataset import DataSet, create
from divlogic.library.sources import temporary_folder

Settings = Annotated[
    tuple[str, ...], "--set", "KEY=VALUE of the generator (VALUE as JSON); repeatable."
]


def create_files(
    name: Annotated[str, ARGUMENT, "NAME"],
    *,
    size: Annotated[int, click.IntRange(1), "Number of items."] = 500,
    seed: Annotated[int, click.IntRange(0), "Seed; two seeds share no item."] = 0,
    level: Annotated[int | None, "Level of difficulty, from 1."] = None,
    depth: Annotated[
        int | None, "Depth of the proofs, in place of a level (LogicNLI, JustLogic)."
    ] = None,
    settings: Settings = (),
    form: Annotated[Literal["jsonl", "parquet"], "--format", "Form of the items."] = "jsonl",
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Draw a fresh set of the generator NAME: its items, records with formulas, a card and Z3's report."""
    _check_empty(out)
    data = create(
        name, size=size, seed=seed, level=level, depth=depth, **dict(map(setting, settings))
    )
    say(f"{name}: drawing {size:,} items; each label is confirmed by a solver")
    items: list[Any] = []
    records: list[Any] = []
    objections: list[str] = []
    for index in track(range(size), f"{name}: items", total=size, lines=True):
        record = data.record(index)
        items.append(data[index])
        records.append(record.to_json())
        objections += [f"{record.id}: {problem}" for problem in data.problems(record)]
    if objections:
        shown = "; ".join(objections[:10])
        raise DivLogicError(f"{name}: a solver does not confirm {len(objections)} labels: {shown}.")
    groups = len({item["metadata"]["group_id"] for item in items})
    with whole_folder(out) as folder:
        write_items = write_parquet if form == "parquet" else write_rows
        write_items(folder / f"items.{form}", items)
        write_rows(folder / "records.jsonl", records)
        report = {"instances": len(items), "groups": groups, "disagreements": 0}
        write_json(folder / "z3.json", report)
        write_text(folder / "README.md", _card(data, form))
    drawn = f"{len(items):,} items of {name} in {groups:,} groups"
    click.echo(f"{out}: {drawn}, all labels confirmed by a solver")


def _check_empty(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()):
        raise DivLogicError(f"{out}: the folder is not empty; name a new one.")


@contextlib.contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """Yield the folder to fill: a temporary one that becomes ``out`` once all is written.

    An empty folder that is there stays the same one, as it may be the current one or a mounted one: it is filled from a
    folder in it, file by file.
    """
    if not out.exists():
        with filling(out) as folder, _named(folder, out):
            yield folder
        return
    _check_empty(out)  # others may have written while this was drawn
    inner = out / ".drawn"
    try:
        with filling(inner) as folder, _named(folder, out):
            yield folder
        for path in sorted(inner.iterdir()):
            path.rename(out / path.name)
    finally:
        shutil.rmtree(inner, ignore_errors=True)


@contextlib.contextmanager
def _named(temporary: Path, out: Path) -> Iterator[None]:
    """Let an error name the folder that was asked for, and not the temporary one."""
    try:
        yield
    except DivLogicError as error:
        raise DivLogicError(str(error).replace(str(temporary), str(out))) from error


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
    write_text(path, "".join(orjson.dumps(row).decode() + "\n" for row in rows))


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


def _card(data: DataSet, form: str) -> str:
    """Return the card of a drawn set; its head tells `datasets.load_dataset` which file holds the items."""
    config = orjson.dumps(
        data.parameters.model_dump(mode="json"), option=orjson.OPT_INDENT_2
    ).decode()
    level = "" if data.level is None else f", level {data.level}"
    return (
        f"---\nconfigs:\n- config_name: default\n  data_files:\n  - split: test\n    path: items.{form}\n---\n\n"
        f"# {data.name}: {len(data):,} items, seed {data.seed}{level}\n\n"
        "Drawn by `divlogic create`; every label is confirmed by a solver from the formulas of its record.\n\n"
        "| file | content |\n| --- | --- |\n"
        "| `items.jsonl` or `items.parquet` | question, answer, metadata |\n"
        "| `records.jsonl` | the records with formulas and sentences |\n"
        "| `z3.json` | the solver's report |\n\n"
        f"Generator version {data.version}, with this configuration:\n\n```json\n{config}\n```\n"
    )
