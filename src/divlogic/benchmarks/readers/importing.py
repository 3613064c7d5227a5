"""Bring a data set of one's own, or a published one, into the form that every analysis reads."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import click

from divlogic.benchmarks.columns import FEWEST, INFERENCE, MOST, NAMES
from divlogic.benchmarks.encodings import UTF8
from divlogic.benchmarks.readers import formats
from divlogic.benchmarks.readers.formats import OWN_DATA
from divlogic.benchmarks.readers.keys import CHOICES, said_of
from divlogic.benchmarks.readers.layout import layout_of
from divlogic.benchmarks.registry import TITLES, generated_names
from divlogic.benchmarks.source import NOTHING_SAID, Problem, Said, encoding_of, is_binary
from divlogic.benchmarks.spec import Format
from divlogic.config.command import ARGUMENT
from divlogic.corpora.download import Expected, UnobtainableError, download
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_jsonl
from divlogic.records import Record

ADDRESSES = Path(".divlogic/downloads/addresses")
HUB = "https://huggingface.co"
_NAMED = 3
RESERVED = frozenset((*TITLES, "wikipedia", "all"))
"""Names that a user's own data set may not have: the tables and figures know them as something else."""


@dataclass
class ProblemLog:
    """Counts malformed rows and remembers them; use it as ``on_problem``."""

    problems: list[Problem] = field(default_factory=list)
    count: int = 0
    limit: int = 1000

    def __call__(self, problem: Problem) -> None:
        self.count += 1
        if len(self.problems) < self.limit:
            self.problems.append(problem)

    def summary(self) -> str:
        """Say how many rows were left out and name the first of them; empty if none was."""
        if not self.count:
            return ""
        rows = ((Path(one.path).name, one.row, one.reason) for one in self.problems[:_NAMED])
        named = "; ".join(f"{name} row {row}: {reason}" for name, row, reason in rows)
        more = f"; and {self.count - _NAMED} more" if self.count > _NAMED else ""
        return f"{self.count} malformed row{'s' if self.count > 1 else ''} left out ({named}{more})"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        format: the format read.
        records: number of records written.
        malformed: number of rows left out.
        problems: the first of them, in a sentence.
        columns: which column became what; empty for a published format.
        keys: how many records have an answer, how answers were read, and an example.
        encoding: how the texts were read, if not as UTF-8.
    """

    format: str
    records: int
    malformed: int
    problems: str
    columns: str = ""
    keys: str = ""
    encoding: str = ""


def import_records(
    path: Path,
    out: Path,
    *,
    format: str | None = None,
    name: str | None = None,
    split: str | None = None,
    strict: bool = False,
    said: Said = NOTHING_SAID,
) -> ImportReport:
    """Read ``path`` and write its records as jsonl (compressed if ``out`` ends in ``.gz``).

    Args:
        name: benchmark name to give the records instead of the source's own.
        strict: fail on the first malformed row instead of leaving it out.
        said: what the user says of their own table: columns, keys, labels, encoding.
    """
    if name is not None and not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name):
        raise DivLogicError(
            f"the benchmark name {name[:80]!r} may hold lower-case letters, digits and underscores only, letter first,"
            " and 64 of them at most."
        )
    if Path(path).suffix in (".xls", ".xlsm", ".xlsb", ".ods", ".numbers"):
        raise DivLogicError(
            f"{path}: of spreadsheets only xlsx is read; save it as xlsx or csv (UTF-8) there, and import that."
        )
    if Path(path).suffix in (".bz2", ".xz", ".7z", ".rar", ".tar", ".tgz"):
        raise DivLogicError(
            f"{path}: of packed files gz, zst and zip are read; unpack it, and import what it holds."
        )
    chosen = formats.FORMATS[format] if format else formats.detect_format(path, said)
    log = ProblemLog()
    rows = formats.read_benchmark(path, chosen.name, on_problem=None if strict else log, said=said)
    own = chosen.name in OWN_DATA
    counted = _Counted()
    records = counted.of(_checked(rows, path, name, split, own))
    first = next(records, None)
    if first is None:
        why = log.summary() or "the file is empty"
        raise DivLogicError(f"{path}: no usable row in the format '{chosen.name}'; {why}.")
    columns, read_as, encoding = _how_it_was_read(path, chosen, said) if own else ("", "", "")
    count = write_jsonl(out, (record.to_json() for record in chain([first], records)))
    return ImportReport(
        format=chosen.name,
        records=count,
        malformed=log.count,
        problems=log.summary(),
        columns=columns,
        keys=counted.sentence(read_as),
        encoding=encoding,
    )


class _Counted:
    """Counts records and those with an answer, and keeps the first of these as an example."""

    def __init__(self) -> None:
        self.records = 0
        self.answered = 0
        self.example: Record | None = None

    def of(self, records: Iterator[Record]) -> Iterator[Record]:
        """Yield the records, counted."""
        for record in records:
            self.records += 1
            if record.answer is not None:
                self.answered += 1
                self.example = self.example or record
            yield record

    def sentence(self, read_as: str) -> str:
        """Return how many records have an answer, how it was read, and what the first one is."""
        parts = [f"{self.answered:,} of {self.records:,}"]
        if read_as:
            parts.append(read_as)
        if self.example is None or self.example.answer is None:
            return ", ".join(parts)
        place = self.example.answer
        text = " ".join(self.example.options[place].split())
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        named = string.ascii_uppercase[place] if place < MOST else str(place + 1)
        return f"{', '.join(parts)}; {self.example.id} → option {named} ‘{shown}’"


def _how_it_was_read(path: Path, chosen: Format, said: Said) -> tuple[str, str, str]:
    """Return in words how the columns, the keys and the texts of the first file were read."""
    file = formats.files_of(path, chosen, said)[0]
    layout = layout_of(file)
    if layout.is_record:
        return "", "", ""
    encoding = "" if is_binary(file) else encoding_of(file)
    shown = "" if encoding in ("", UTF8, "utf-8") else encoding
    how = said_of(layout.keys) if "answer" in layout.columns.fields else ""
    if layout.labels == INFERENCE and layout.in_usual_order:
        how = (
            "0, 1 and 2 taken as entailment, neutral and contradiction, as usual (if not: --labels)"
        )
    if layout.distractors:
        how = "the right options among the wrong ones in an order that their texts decide"
    return layout.sentence(), how, shown


def import_data_set(
    source: Annotated[str, ARGUMENT],
    *,
    format: Annotated[
        str | None,
        "--format",
        click.Choice(list(formats.FORMATS)),
        "Format of the source; recognised from its first row if left out.",
    ] = None,
    name: Annotated[
        str | None, "Benchmark name to give the records (lower-case letters, digits, _)."
    ] = None,
    split: Annotated[str | None, "Split to give the records."] = None,
    columns: Annotated[
        tuple[str, ...],
        "--columns",
        "FIELD=COLUMN of your table, such as context=Kontext, context=none or options=opa,opb,opc; repeatable.",
    ] = (),
    keys: Annotated[
        str | None,
        click.Choice(list(CHOICES)),
        "How answers name options, where the file does not decide.",
    ] = None,
    labels: Annotated[
        str | None,
        "Options of questions without options, in the order of their numbers, such as False,True.",
    ] = None,
    encoding: Annotated[str | None, "Encoding of the texts, such as gb18030."] = None,
    out: Annotated[Path | None, "Records to write [default: data/imported/NAME.jsonl.gz]."] = None,
    strict: Annotated[bool, "Fail if any row is malformed instead of leaving it out."] = False,
) -> None:
    """Turn SOURCE (file, folder, zip, address of a file, hf:owner/name) into records that every analysis includes."""
    path, called = fetched(source)
    said = said_by_user(columns, keys, labels, encoding)
    target = out or Path("data/imported") / f"{name or called}.jsonl.gz"
    if source.startswith("hf:"):
        name = name or called
    report = import_records(
        path, target, format=format, name=name, split=split, strict=strict, said=said
    )
    how = "a table" if report.format == "csv" else f"'{report.format}'"
    click.echo(f"{target}: {report.records:,} records read as {how}")
    if report.columns:
        click.echo(f"columns: {report.columns}")
    click.echo(f"keys: {report.keys}")
    if report.encoding:
        click.echo(
            f"encoding: {report.encoding}; if the text above reads wrong, name another with --encoding"
        )
    if out is None:
        click.echo(
            "its rows: `snakemake --cores 2 diversity` writes them to results/diversity/table4.md (distance of words"
            " to Wikipedia) and results/diversity/complexity.md (vocabulary, readability)"
        )
    if report.malformed:
        click.echo(f"warning: {report.problems}", err=True)


def said_by_user(
    columns: Sequence[str], keys: str | None, labels: str | None, encoding: str | None
) -> Said:
    """Return what the options of the command say of a file.

    Raises:
        DivLogicError: an option is not of its form.
    """
    named: list[tuple[str, tuple[str, ...]]] = []
    for text in columns:
        field, _, column = text.partition("=")
        if field not in NAMES or not column:
            fields = ", ".join(NAMES)
            raise DivLogicError(
                f"--columns {field}: give FIELD=COLUMN, where FIELD is one of {fields}."
            )
        named.append(
            (field, () if column == "none" else tuple(one.strip() for one in column.split(",")))
        )
    options = tuple(label.strip() for label in (labels or "").split(",") if label.strip())
    if labels is not None and not FEWEST <= len(set(options)) == len(options) <= MOST:
        raise DivLogicError(
            f"--labels {labels}: give {FEWEST} to {MOST} different labels with commas between them."
        )
    return Said(columns=tuple(named), keys=keys or "", labels=options, encoding=encoding or "")


def fetched(source: str) -> tuple[Path, str]:
    """Return the file of a source, and what its data set may be called; what an address names is downloaded once."""
    if source.startswith("hf:"):
        return _of_hub(source)
    path = Path(source)
    if source.startswith(("https://", "http://")):
        path = (
            ADDRESSES / sha256(source.encode()).hexdigest()[:12] / Path(urlsplit(source).path).name
        )
        try:
            if not path.is_file():
                download(source, path, Expected())
        except UnobtainableError as error:
            raise DivLogicError(f"{error}; check the address.") from error
    return path, benchmark_name(path.name.split(".", 1)[0])


def _of_hub(source: str) -> tuple[Path, str]:
    """Return the parquet of ``hf:owner/name[/configuration[/split]]``, as the hub lists it, and the data set's name.

    The hub may be another: its address is taken from the environment variable ``HF_ENDPOINT``.
    """
    owner, _, rest = source.removeprefix("hf:").partition("/")
    name, *wanted = rest.split("/")
    base = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
    listing, _ = fetched(f"{base}/api/datasets/{owner}/{name}/parquet")
    found = read_json(listing)
    for usual, given in zip(("default", "test"), (*wanted, "", ""), strict=False):
        key = given or (usual if usual in found else min(found) if len(found) == 1 else "")
        if key not in found:
            there = ", ".join(found)
            raise DivLogicError(
                f"{source}: name one of {there} (hf:OWNER/NAME/CONFIGURATION/SPLIT)."
            )
        found = found[key]
    if len(found) > 1:
        raise DivLogicError(
            f"{source}: it lies in {len(found)} files; import one: {', '.join(found)}"
        )
    return fetched(found[0].replace(HUB, base))[0], benchmark_name(name)


def list_formats() -> None:
    """List the formats that `import` reads."""
    width = max(map(len, formats.FORMATS))
    for one in formats.FORMATS.values():
        click.echo(f"{one.name:<{width}}  {one.about}")


def benchmark_name(text: str) -> str:
    """Make a benchmark name of any text: lower-case letters, digits and underscores, letter first."""
    cleaned = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60].rstrip("_")
    return cleaned if cleaned[:1].isalpha() else f"set_{cleaned}".rstrip("_")


def _checked(
    records: Iterator[Record], path: Path, name: str | None, split: str | None, own: bool
) -> Iterator[Record]:
    seen: set[str] = set()
    for record in records:
        name = name or benchmark_name(
            record.benchmark
        )  # one name for the whole set: the first record's
        if not seen and (name in generated_names() or (own and name in RESERVED)):
            raise DivLogicError(
                f"{path}: the name '{name}' belongs to {TITLES.get(name, 'the workflow')}; choose another with --name."
            )
        if record.id in seen:
            raise DivLogicError(
                f"{path}: two records have the id '{record.id}'; give each its own, or let the rows be numbered:"
                " --columns id=none."
            )
        seen.add(record.id)
        yield replace(record, benchmark=name, split=split or record.split)
