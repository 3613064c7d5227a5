"""``divlogic audit FILE``: one page about a data set, without a workflow or its parameters."""

from __future__ import annotations

import contextlib
import io
import logging
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, read_jsonl, write_text
from divlogic.io.templates import render

REFERENCE = Path("data/embedded/encyclopedia/articles.jsonl")
PROFILES = Path("data/profiles")


def audit(
    source: Annotated[str, ARGUMENT, "FILE"],
    out: Annotated[
        Path | None, FOLDER, "Folder to write to, new or empty.  [default: FILE's name + -audit]"
    ] = None,
    name: Annotated[str | None, "Name of the data set; of the file if left out."] = None,
    columns: Annotated[tuple[str, ...], "FIELD=COLUMN, such as context=Kontext; repeatable."] = (),
    root: Annotated[Path, FOLDER, "Checkout of DivLogic, whose word counts are compared with."] = Path(),
) -> None:
    """Measure the data set FILE: words, readability, shortcuts, answers without contexts; write one page.

    FILE is what `divlogic benchmarks import` reads, an address too. audit.html is the page; the tables behind it lie
    next to it.
    """
    from divlogic.benchmarks.readers.importing import fetched
    from divlogic.diversity.shipped import reference_title

    file, called = fetched(source)
    # What was downloaded lies among the downloads; its page does not.
    out = out or (file.with_name(f"{file.stem}-audit") if file == Path(source) else Path(f"{called}-audit"))
    if out.exists() and any(out.iterdir()):
        raise DivLogicError(f"{out} is not empty; name another folder with --out.")
    if not (root / REFERENCE).is_file():
        raise DivLogicError(f"there are no word counts at {root / PROFILES}; name a checkout with --root.")
    name = name or called
    records, collection, profiles = out / f"{name}.jsonl.gz", out / "collection", out / "profiles"
    named = ("--name", name, *(f"--columns={one}" for one in columns))
    said = _run("benchmarks import", file, *named, "--out", records)
    click.echo(said.strip())
    _run("benchmarks collect", "--imported", records, "--out", collection)
    given = ("--in", collection, "--params", "{}")
    reference = ("--reference", root / REFERENCE)
    _run("diversity profile", *given, *reference, "--shipped", root / PROFILES, "--out", profiles)
    _run("diversity divergence", *given, *reference, "--profiles", profiles, "--out", out / "divergence.json")
    _run("diversity readability", *given, "--profiles", profiles, "--out", out / "readability.json")
    _run("prior_knowledge probe-collection", *given, "--out", out / "probe.jsonl")
    found = ("--probe", out / "probe.jsonl", "--out", out / "probes.jsonl")
    _run("prior_knowledge shortcuts-benchmarks", *given, *found)
    tables = ("--out", out / "shortcuts", "--summary", out / "summary.json", "--ladder", out / "ladder")
    _run("prior_knowledge shortcuts", out / "probes.jsonl", *tables, "--params", "{}")
    facts = {
        "name": name,
        "read": said,
        "leaks": _run("prior_knowledge leaks", records),
        "places": _places(records),
        "reference": reference_title(profiles, "wikipedia"),
        "divergence": [row for row in read_json(out / "divergence.json") if row["preset"] == "as_published"],
        "readability": read_json(out / "readability.json"),
        "shortcuts": read_json(out / "summary.json")["benchmarks"],
        "probes": [row for _, row in read_jsonl(out / "probes.jsonl")],
    }
    here = Path(__file__).parent
    css = (here / "paper/page/page.css").read_text(encoding="utf-8")
    write_text(out / "audit.html", render(here / "audit.html.j2", {**facts, "css": css}), note=False)
    if not facts["shortcuts"]:
        click.echo("no probe was trained: too few instances have an answer")
    line = "worst probe: {sees}: {accuracy} ({low} to {high}), chance {chance}"
    for shortcut in facts["shortcuts"]:
        click.echo(line.format_map(shortcut["worst"]))
    click.echo(f"look at {out / 'audit.html'}")


def _run(command: str, *arguments: str | Path) -> str:
    """Run one of the commands that the workflow runs, and return what it said."""
    from divlogic.cli import cli

    logging.disable(logging.INFO)
    try:
        with contextlib.redirect_stdout(io.StringIO()) as said:
            cli.main([*command.split(), *map(str, arguments)], standalone_mode=False)
    finally:
        logging.disable(logging.NOTSET)
    return said.getvalue()


def _places(records: Path) -> dict[str, Any]:
    """Return what is counted in the records alone: sizes, places of the answers, texts that stand twice."""
    rows = [row for _, row in read_jsonl(records)]
    questions = Counter((row["context"], row["question"], *row["options"]) for row in rows)
    return {
        "instances": len(rows),
        "options": sorted({len(row["options"]) for row in rows}),
        "answers": sorted(Counter(row["answer"] for row in rows if row["answer"] is not None).items()),
        "unlabelled": sum(row["answer"] is None for row in rows),
        "doubled": sum(count - 1 for count in questions.values()),
    }
