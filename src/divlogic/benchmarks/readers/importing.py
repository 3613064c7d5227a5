"""Bring a data set of one's own, or a published one, into the form that every analysis reads."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import click

from divlogic.benchmarks.columns import NAMES, looks_like_context
from divlogic.benchmarks.readers import formats
from divlogic.benchmarks.readers.generic import columns_of, label_options
from divlogic.benchmarks.registry import TITLES, generated_names
from divlogic.benchmarks.source import Problem
from divlogic.config.command import ARGUMENT
from divlogic.corpora.download import Expected, UnobtainableError, download
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_jsonl
from divlogic.records import Record

ADDRESSES = Path(".divlogic/downloads/addresses")
HUB = "https://huggingface.co"
_WRITTEN = {"id", "benchmark", "split", "context"}
_NAMED = 3
_LOOKED_AT = 50
_KNOWN = frozenset(("benchmark", "formulas", "sentences", "metadata", "forms"))
OWN_DATA = ("csv", "jsonl")
"""Formats of a user's own data set."""

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
    """What an import did: the format read, records written, the malformed rows, and which column became what."""

    format: str
    records: int
    malformed: int
    problems: str
    columns: str = ""


def import_records(
    path: Path,
    out: Path,
    *,
    format: str | None = None,
    name: str | None = None,
    split: str | None = None,
    strict: bool = False,
    columns: Mapping[str, str] | None = None,
) -> ImportReport:
    """Read ``path`` and write its records as jsonl (compressed if ``out`` ends in ``.gz``).

    Args:
        name: benchmark name to give the records instead of the source's own.
        strict: fail on the first malformed row instead of leaving it out.
        columns: field of a record -> the column that holds it, in a user's own table; ``context: none`` says that no
            column is a context.
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
    chosen = format or formats.detect_format(path, columns).name
    mapping = _mapping(path, columns or {}) if chosen in OWN_DATA else ""
    log = ProblemLog()
    rows = formats.read_benchmark(path, chosen, on_problem=None if strict else log, columns=columns)
    records = _checked(rows, path, name, split, chosen in OWN_DATA)
    first = next(records, None)
    if first is None:
        why = log.summary() or "the file is empty"
        raise DivLogicError(f"{path}: no usable row in the format '{chosen}'; {why}.")
    count = write_jsonl(out, (record.to_json() for record in chain([first], records)))
    return ImportReport(chosen, count, log.count, log.summary(), mapping)


def _mapping(path: Path, given: Mapping[str, str]) -> str:
    """Return which column became which field; empty for records as this workflow writes them."""
    for file in formats.named_files(path, given):
        first = formats.first_rows(file, _LOOKED_AT)
        found = columns_of(first[0], file) if first else None
        if found is None or set(Record.__slots__) >= first[0].keys() >= _WRITTEN:
            continue
        missing = [column for field, column in given.items() if column != "none" and field not in first[0]]
        if missing:
            there = ", ".join(first[0])
            raise DivLogicError(f"{file}: there is no column '{missing[0]}'; its columns are {there}.")
        if given.get("context", "none") != "none" and "context" not in found.fields:
            raise DivLogicError(f"{file}: no column is a question; name it, too: --columns question=COLUMN.")
        texts = {name: [str(row.get(name) or "") for row in first] for name in first[0]}
        unused = [name for name in first[0] if name not in found.used and name not in _KNOWN]
        doubtful = [name for name in unused if looks_like_context(name, texts[name])]
        if doubtful and "context" not in found.fields and "context" not in given:
            raise DivLogicError(
                f"{file}: the column '{doubtful[0]}' may hold the contexts. Say so with"
                f" --columns context={doubtful[0]}, or, if it does not, with --columns context=none."
            )
        bare = not found.options and "options" not in found.fields
        return found.sentence(first[0], given, label_options(file, found) if bare else None)
    return ""


def import_data_set(
    source: Annotated[str, ARGUMENT],
    *,
    format: Annotated[
        str | None,
        "--format",
        click.Choice(list(formats.FORMATS)),
        "Format of the source; recognised from its first row if left out.",
    ] = None,
    name: Annotated[str | None, "Benchmark name to give the records (lower-case letters, digits, _)."] = None,
    split: Annotated[str | None, "Split to give the records."] = None,
    columns: Annotated[
        tuple[str, ...],
        "--columns",
        "FIELD=COLUMN of your table, such as context=Kontext or context=none; repeatable.",
    ] = (),
    out: Annotated[Path | None, "Records to write [default: data/imported/NAME.jsonl.gz]."] = None,
    strict: Annotated[bool, "Fail if any row is malformed instead of leaving it out."] = False,
) -> None:
    """Turn SOURCE (file, folder, zip, address of a file, hf:owner/name) into records that every analysis includes."""
    path, called = fetched(source)
    named = dict(text.partition("=")[::2] for text in columns)
    for part, column in named.items():
        if part not in NAMES or not column:
            fields = ", ".join(NAMES)
            raise DivLogicError(f"--columns {part}: give FIELD=COLUMN, where FIELD is one of {fields}.")
    target = out or Path("data/imported") / f"{name or called}.jsonl.gz"
    if source.startswith("hf:"):
        name = name or called
    report = import_records(path, target, format=format, name=name, split=split, strict=strict, columns=named)
    how = "a table" if report.format == "csv" else f"'{report.format}'"
    click.echo(f"{target}: {report.records:,} records read as {how}")
    if report.columns:
        click.echo(f"columns: {report.columns}")
    if report.malformed:
        click.echo(f"warning: {report.problems}", err=True)


def fetched(source: str) -> tuple[Path, str]:
    """Return the file of a source, and what its data set may be called; what an address names is downloaded once."""
    if source.startswith("hf:"):
        return _of_hub(source)
    path = Path(source)
    if source.startswith(("https://", "http://")):
        path = ADDRESSES / sha256(source.encode()).hexdigest()[:12] / Path(urlsplit(source).path).name
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
            raise DivLogicError(f"{source}: name one of {there} (hf:OWNER/NAME/CONFIGURATION/SPLIT).")
        found = found[key]
    if len(found) > 1:
        raise DivLogicError(f"{source}: it lies in {len(found)} files; import one: {', '.join(found)}")
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
        name = name or benchmark_name(record.benchmark)  # one name for the whole set: the first record's
        if not seen and (name in generated_names() or (own and name in RESERVED)):
            raise DivLogicError(
                f"{path}: the name '{name}' belongs to {TITLES.get(name, 'the workflow')}; choose another with --name."
            )
        if record.id in seen:
            raise DivLogicError(f"{path}: two records have the id '{record.id}'; give each its own.")
        seen.add(record.id)
        yield replace(record, benchmark=name, split=split or record.split)
