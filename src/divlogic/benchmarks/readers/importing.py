"""Bring a data set of one's own, or a published one, into the form that every analysis reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from divlogic.benchmarks.readers.formats import detect_format, read_benchmark
from divlogic.benchmarks.registry import TITLES, generated_names
from divlogic.benchmarks.source import Problem
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.records import Record

_NAMED = 3
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
        named = "; ".join(
            f"{Path(problem.path).name} row {problem.row}: {problem.reason}"
            for problem in self.problems[:_NAMED]
        )
        more = f"; and {self.count - _NAMED} more" if self.count > _NAMED else ""
        return f"{self.count} malformed row{'s' if self.count > 1 else ''} left out ({named}{more})"


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did: the format read, records written, and the malformed rows."""

    format: str
    records: int
    malformed: int
    problems: str


def import_records(
    path: Path,
    out: Path,
    *,
    format: str | None = None,
    name: str | None = None,
    split: str | None = None,
    strict: bool = False,
) -> ImportReport:
    """Read ``path`` and write its records as jsonl (compressed if ``out`` ends in ``.gz``).

    Args:
        path: file, folder or zip archive in one of the known formats.
        out: the records, in source order.
        format: sniffed if left out.
        name: benchmark name to give the records instead of the source's own.
        split: split to give the records instead of the source's own.
        strict: fail on the first malformed row instead of leaving it out.

    Raises:
        DivLogicError: the format is unknown, no row is usable, two records share an id, or a name is not
            made of lower-case letters, digits and underscores.
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
    chosen = format or detect_format(path).name
    log = ProblemLog()
    rows = read_benchmark(path, chosen, on_problem=None if strict else log)
    records = _checked(rows, path, name, split, chosen in OWN_DATA)
    first = next(records, None)
    if first is None:
        raise DivLogicError(
            f"{path}: no usable row in the format '{chosen}'; {log.summary() or 'the file is empty'}."
        )
    count = write_jsonl(out, (record.to_json() for record in _chain(first, records)))
    return ImportReport(chosen, count, log.count, log.summary())


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


def _chain(first: Record, rest: Iterator[Record]) -> Iterator[Record]:
    yield first
    yield from rest
