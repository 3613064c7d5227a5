"""``divlogic audit FILE``: one page about a data set, without a workflow or its parameters."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.field.drawing import Item, Job
from divlogic.io.files import read_json, read_jsonl, write_csv, write_jsonl, write_text
from divlogic.io.log import say
from divlogic.io.templates import render

if TYPE_CHECKING:
    from divlogic.records import Record

REFERENCE = Path("data/embedded/encyclopedia/articles.jsonl")
PROFILES = Path("data/profiles")
Drawing = tuple[Job, Sequence[Item]]
"""What was asked of an environment, and what it gave."""

NOT_OF_A_NAME = re.compile(r"[^a-z0-9_]+")
"""What the name of a data set may not have."""


_NAMED = 3
"""Rows of a fault that a sentence names; the reader finds the others by their texts."""

_SHOWN = 10
"""Rows of the page that fall to the rules; the file has all."""

_STEPS = {
    "items": "",  # what is read or drawn is said by whoever does it
    "words": "counting words",
    "divergence": "comparing the words with those of Wikipedia and of published benchmarks",
    "readability": "measuring readability",
    "contexts": "training probes that answer without contexts",
    "shortcuts": "training probes that look for shortcuts",
    "tables": "putting the probes into tables",
    "leaks": "looking for rows that tell their answers",
    "page": "writing the page",
}
"""Steps in their order, each announced with its number, so that nobody waits in the dark."""


def audit(
    source: Annotated[str | None, ARGUMENT, "[FILE]"] = None,
    out: Annotated[
        Path | None, FOLDER, "Folder to write to, new or empty.  [default: FILE's name + -audit]"
    ] = None,
    name: Annotated[str | None, "Name of the data set; of the file if left out."] = None,
    columns: Annotated[
        tuple[str, ...],
        "FIELD=COLUMN, such as context=Kontext or options=opa,opb,opc; repeatable.",
    ] = (),
    keys: Annotated[
        str | None, "How answers name options: texts, letters, from-0, from-1, …"
    ] = None,
    labels: Annotated[
        str | None, "Options of questions without options, in the order of their numbers."
    ] = None,
    encoding: Annotated[str | None, "Encoding of the texts, such as gb18030."] = None,
    root: Annotated[
        Path,
        FOLDER,
        "Checkout of DivLogic, with whose texts words are compared; without one they are not.",
    ] = Path(),
    package: Annotated[
        str | None,
        "In place of FILE: divlogic, reasoning-gym, reasoning-core, or a callable (seed, index) as module:function;"
        " --name is its environment.",
    ] = None,
    levels: Annotated[str, "Levels of the environment, such as 0,2; 0 is its default."] = "0",
    items: Annotated[int, "Items to draw of an environment."] = 400,
    seed: Annotated[int, "Seed of an environment's draw."] = 1,
    python: Annotated[
        Path | None, "Python that has the package.  [default: .venv-PACKAGE/bin/python]"
    ] = None,
) -> None:
    """Measure the data set FILE: words, readability, shortcuts, answers without contexts; write one page.

    FILE is what `divlogic benchmarks import` reads, an address too. In its place --package and --name draw items of an
    environment, a page for each level. audit.html is the page; the tables behind it lie next to it.
    """
    if (source is None) == (package is None):
        raise DivLogicError(
            "name one thing to measure: a FILE, or an environment by --package and --name."
        )
    given = _said_by_user(columns, keys, labels, encoding)
    if package is not None:
        if given:
            raise DivLogicError(
                f"{given[0].partition('=')[0]} is for a FILE; an environment needs none."
            )
        for level in _levels(levels):
            job = Job(package, name or "", level, seed, items, path=(str(Path.cwd()),))
            _audit_environment(job, out, python, root, several="," in levels)
        return
    assert source is not None
    _announce("items", f"reading {source}")
    from divlogic.benchmarks.readers.importing import fetched

    file, called = fetched(source)
    # What was downloaded lies among the downloads; its page does not.
    out = out or (
        file.with_name(f"{file.stem}-audit") if file == Path(source) else Path(f"{called}-audit")
    )
    _write_page(_Source(file, name or called, said_by_user=given, root=root), out)


def _levels(text: str) -> list[int]:
    """Return the levels that an option names."""
    if not all(one.strip().isdecimal() for one in text.split(",")):
        raise DivLogicError(
            f"--levels {text}: write whole numbers from 0 with commas between, such as 0,2."
        )
    return [int(one) for one in text.split(",")]


def _audit_environment(
    job: Job, out: Path | None, python: Path | None, root: Path, *, several: bool
) -> None:
    """Draw items of an environment and write their page."""
    from divlogic.field.commands import interpreter
    from divlogic.field.drawing import draw
    from divlogic.field.floors import LEAST, as_rows

    _announce("items", f"drawing {job.size} items of {job.package} {job.name}, level {job.level}")
    drawn = draw(job, interpreter(job.package, python))
    if drawn.fault:
        click.echo(f"after {len(drawn.items)} items it {drawn.fault}")
    rows = as_rows(drawn.items)
    if len(rows) < LEAST:
        raise DivLogicError(
            f"{job.package} {job.name}: {len(drawn.items)} items, of which {len(rows)} have an answer to choose; a page"
            f" needs {LEAST}. `divlogic field measure` says what is known of others."
        )
    called = NOT_OF_A_NAME.sub("_", f"{job.package}_{job.name}_{job.level}".lower())[:64]
    folder = out or Path(f"{called}-audit")
    with tempfile.TemporaryDirectory() as beside:
        file = Path(beside) / f"{called}.jsonl"
        write_jsonl(file, rows)
        target = folder / str(job.level) if out and several else folder
        # An answer is the text of an option, though it be a number.
        source = _Source(
            file, called, said_by_user=["--keys=texts"], root=root, drawn=(job, drawn.items)
        )
        _write_page(source, target)


def _said_by_user(
    columns: tuple[str, ...], keys: str | None, labels: str | None, encoding: str | None
) -> list[str]:
    """Return the options of an import that a user gave."""
    said = [f"--columns={one}" for one in columns]
    for option, value in (("keys", keys), ("labels", labels), ("encoding", encoding)):
        if value is not None:
            said.append(f"--{option}={value}")
    return said


@dataclass(frozen=True, slots=True)
class _Source:
    """A data set to measure.

    Attributes:
        file: its file; name: what it is called.
        said_by_user: options of the import that a user gave.
        root: checkout whose texts its words are compared with.
        drawn: what was asked of an environment and what it gave; ``None`` for a file of the user's own.
    """

    file: Path
    name: str
    said_by_user: Sequence[str]
    root: Path
    drawn: Drawing | None = None

    def has_reference(self) -> bool:
        """Return whether there are texts to compare words with."""
        return (self.root / REFERENCE).is_file()


def _write_page(source: _Source, out: Path) -> None:
    """Measure a data set into a folder that is new or empty."""
    from divlogic.library.write import whole_folder

    if out.exists() and any(out.iterdir()):
        raise DivLogicError(f"{out} is not empty; name another folder with --out.")
    # A run that fails leaves no half page behind, which the next one would have to refuse.
    with whole_folder(out) as folder:
        records = folder / f"{source.name}.jsonl.gz"
        said = _run(
            "benchmarks import",
            source.file,
            "--name",
            source.name,
            *source.said_by_user,
            "--out",
            records,
        )
        said = said.replace(str(folder), str(out))
        click.echo(said.strip())
        facts = {"name": source.name, "read": said, "places": _places(records)}
        facts |= _words(source, records)
        facts |= _probes(source, records)
        _announce("page")
        here = Path(__file__).parent
        css = (here / "paper/page/page.css").read_text(encoding="utf-8")
        page = render(here / "audit.html.j2", {**facts, "css": css})
        write_text(folder / "audit.html", page)
    _say_what_was_found(facts)
    click.echo(f"look at {out / 'audit.html'}")


def _words(source: _Source, records: Path) -> dict[str, Any]:
    """Count the words of a data set next to those of Wikipedia and of published benchmarks.

    Outside a checkout there is nothing to compare with, and the page says so.
    """
    from divlogic.diversity.shipped import reference_title

    folder = records.parent
    collection, profiles = folder / "collection", folder / "profiles"
    _run("benchmarks collect", "--imported", records, "--out", collection)
    if not source.has_reference():
        say("words are not compared: that takes the texts of a checkout (--root)")
        return {"reference": "", "divergence": [], "readability": []}
    given = ("--in", collection, "--params", "{}")
    reference = ("--reference", source.root / REFERENCE)
    counted = ("--profiles", profiles)
    divergence, readability = folder / "divergence.json", folder / "readability.json"
    shipped = ("--shipped", source.root / PROFILES)
    _announce("words")
    _run("diversity profile", *given, *reference, *shipped, "--out", profiles)
    _announce("divergence")
    _run("diversity divergence", *given, *reference, *counted, "--out", divergence)
    _announce("readability")
    _run("diversity readability", *given, *counted, "--out", readability)
    return {
        "reference": reference_title(profiles, "wikipedia"),
        "divergence": [row for row in read_json(divergence) if row["preset"] == "as_published"],
        "readability": read_json(readability),
    }


def _probes(source: _Source, records: Path) -> dict[str, Any]:
    """Look for answers that can be had without reasoning, and for keys that are wrong."""
    from divlogic.prior_knowledge.shortcuts.cues import (
        FALLING,
        below_guessing,
        groups_in_words,
        rows_that_fall,
        simplest,
        strongest,
    )
    from divlogic.records import read_records

    folder = records.parent
    given = ("--in", folder / "collection", "--params", "{}")
    probed, found = folder / "probe.jsonl", folder / "probes.jsonl"
    summary = folder / "summary.json"
    _announce("contexts")
    _run("prior_knowledge probe-collection", *given, "--out", probed)
    _announce("shortcuts")
    _run("prior_knowledge shortcuts-benchmarks", *given, "--probe", probed, "--out", found)
    _announce("tables")
    tables = ("--out", folder / "shortcuts", "--summary", summary, "--ladder", folder / "ladder")
    _run("prior_knowledge shortcuts", found, *tables, "--params", "{}")
    _announce("leaks")
    leaks = _run("prior_knowledge leaks", records)
    read = list(read_records(records))
    cues = strongest(read)
    falling = rows_that_fall(read, cues)
    write_csv(folder / "rows.csv", FALLING, falling)
    probes = [row for _, row in read_jsonl(found)]
    shortcuts = read_json(summary)["benchmarks"]
    # Where the best probe may be guessing there is no rule to name.
    above = [one["worst"] for one in shortcuts if one["worst"]["low"] > one["worst"]["chance"]]
    rules = [simplest(read, cues, worst["low"] / 100) for worst in above]
    return {
        "leaks": leaks,
        "shortcuts": shortcuts,
        "rules": [rule for rule in rules if rule],
        "probes": probes,
        "groups": groups_in_words(read),
        "below": below_guessing(probes),
        "cues": cues,
        "falling": falling[:_SHOWN],
        "adversary": _adversary(read),
        "labels": _labels(read, source.drawn, folder),
        "faults": _faults(read),
    }


def _say_what_was_found(facts: dict[str, Any]) -> None:
    """Print the sentences of a page."""
    if not facts["shortcuts"]:
        click.echo("no probe was trained: too few instances have an answer")
    line = "worst probe: {sees}: {accuracy} ({low} to {high}), chance {chance}"
    for shortcut in facts["shortcuts"]:
        click.echo(line.format_map(shortcut["worst"]))
    for kind in ("rules", "below", "adversary", "labels", "faults"):
        for sentence in facts[kind]:
            click.echo(sentence)


def _announce(step: str, what: str = "") -> None:
    """Say on standard error which step begins, before what it needs is loaded."""
    number = list(_STEPS).index(step) + 1
    say(f"{number} of {len(_STEPS)}: {what or _STEPS[step]} …")


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


def _adversary(records: Sequence[Record]) -> list[str]:
    """Return what the adversary says of records that have formulas; nothing of others."""
    from divlogic.prior_knowledge.parameters import AdversaryParameters
    from divlogic.prior_knowledge.shortcuts.adversary import attack, verdicts
    from divlogic.prior_knowledge.shortcuts.adversary_table import sentence

    return [sentence(one) for one in verdicts(list(attack(records, AdversaryParameters(), 0)))]


def _labels(records: Sequence[Record], drawn: Drawing | None, folder: Path) -> list[str]:
    """Check the labels that texts decide; write the wrong ones to a file and return what there is to say."""
    from divlogic.field.labels import WRONG, wrong_rows
    from divlogic.field.table import check_labels, items_of

    job, items = drawn or (None, items_of(records))
    counts = check_labels(items, job)
    if not counts:
        return ["Labels were not checked: no check reads these texts."]
    write_csv(folder / "labels.csv", WRONG, wrong_rows(items, job))
    return [
        "{wrong} of {checked} labels that the texts decide ({form}) are wrong in every reading ({wrong_low} to"
        " {wrong_high} %); wrong by reading: {readings}.".format_map(counts)
    ]


def _faults(records: Sequence[Record]) -> list[str]:
    """Return a sentence for each fault of keys that texts alone show, with the first rows."""

    def plain(text: str) -> str:
        return " ".join(text.split()).casefold()

    asked = [one for one in records if one.answer is not None and len(one.options) > 1]
    same: dict[tuple[Any, ...], list[Record]] = {}
    twice = []
    for one in asked:
        options = [plain(option) for option in one.options]
        same.setdefault((plain(one.context), plain(one.question), *sorted(options)), []).append(one)
        if options.count(options[one.answer or 0]) > 1:
            twice.append(one.id)
    clashing = [
        own
        for own in same.values()
        if len({plain(one.options[one.answer or 0]) for one in own}) > 1
    ]
    said = []
    if clashing:
        rows = ", ".join(" and ".join(one.id for one in own[:2]) for own in clashing[:_NAMED])
        said.append(
            f"Questions that stand several times with different keys: {len(clashing)} (first rows: {rows})."
        )
    if twice:
        rows = ", ".join(twice[:_NAMED])
        said.append(
            f"Rows with two identical options, one of which is the key: {len(twice)} (first rows: {rows})."
        )
    return said


def _places(records: Path) -> dict[str, Any]:
    """Return what is counted in the records alone: sizes, places of the answers, texts that stand twice."""
    rows = [row for _, row in read_jsonl(records)]
    questions = Counter((row["context"], row["question"], *row["options"]) for row in rows)
    return {
        "instances": len(rows),
        "options": sorted({len(row["options"]) for row in rows}),
        "answers": sorted(
            Counter(row["answer"] for row in rows if row["answer"] is not None).items()
        ),
        "unlabelled": sum(row["answer"] is None for row in rows),
        "doubled": sum(count - 1 for count in questions.values()),
    }
