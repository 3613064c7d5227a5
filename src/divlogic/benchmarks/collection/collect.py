"""Gather every benchmark that is here as records, and say of each which part it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from divlogic.benchmarks.collection.comparators import COMPARATORS, TITLES
from divlogic.benchmarks.readers import ProblemLog, read_benchmark
from divlogic.errors import DivLogicError
from divlogic.files import write_json, write_jsonl
from divlogic.progress import say
from divlogic.records import Record, read_records

INDEX = "collection.json"


@dataclass(frozen=True, slots=True)
class Collected:
    """One benchmark of a collection.

    Attributes:
        benchmark: its name, also the stem of its records file.
        title: as the papers write it.
        part: which part was read; empty if nothing is here.
        rows: records read.
        expected: records of the whole part, if known.
        exact: whether the part is the test set that the papers measured.
        origin: `published`, `generated` or `imported`.
        problems: the malformed rows, counted and named; empty if there was none.
    """

    benchmark: str
    title: str
    part: str
    rows: int
    expected: int | None
    exact: bool
    origin: str
    problems: str = ""

    @property
    def available(self) -> bool:
        """Tell whether there is anything to measure."""
        return self.rows > 0


def collect(roots: list[Path], generated: list[Path], imported: list[Path], out: Path) -> list[Collected]:
    """Write `<benchmark>.jsonl.gz` for every benchmark that is here, and the index `collection.json`.

    Args:
        roots: folders with one subfolder per corpus; an earlier one wins over a later one. May be missing.
        generated: records files of this project's own benchmarks.
        imported: records files of the user's own data sets.
        out: folder of the collection.

    Raises:
        DivLogicError: two sources have the same benchmark name, or a records file is malformed.
    """
    found = [_published(one.name, roots, out) for one in COMPARATORS]
    for origin, paths in (("generated", generated), ("imported", imported)):
        found += [_own(path, origin, out) for path in paths]
    names = [one.benchmark for one in found]
    for name in names:
        if names.count(name) > 1:
            raise DivLogicError(
                f"two sources hold the benchmark '{name}'; import one of them under another name."
            )
    write_json(out / INDEX, [asdict(one) for one in found])
    return found


def load_collection(folder: Path) -> list[Collected]:
    """Return what a folder written by :func:`collect` holds.

    Raises:
        DivLogicError: there is no index.
    """
    import orjson

    path = folder / INDEX
    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no such file; run the step `divlogic benchmarks collect` first."
        )
    return [Collected(**row) for row in orjson.loads(path.read_bytes())]


def collected_records(folder: Path, benchmark: str) -> Iterator[Record]:
    """Yield the records of one benchmark of a collection."""
    return read_records(folder / f"{benchmark}.jsonl.gz")


def _published(name: str, roots: list[Path], out: Path) -> Collected:
    comparator = next(one for one in COMPARATORS if one.name == name)
    found = comparator.find(roots)
    if found is None:
        return Collected(name, comparator.title, "", 0, None, False, "published")
    choice, paths = found
    log = ProblemLog()
    records = (record for path in paths for record in read_benchmark(path, choice.format, on_problem=log))
    rows = write_jsonl(out / f"{name}.jsonl.gz", (record.to_json() for record in records))
    _say(name, rows, choice.part, log)
    part = choice.part
    if name == "ruletaker":
        part = "test of " + ", ".join(path.parent.name for path in paths)
    return Collected(
        name, comparator.title, part, rows, choice.expected, choice.exact, "published", log.summary()
    )


def _own(path: Path, origin: str, out: Path) -> Collected:
    first = next(read_records(path), None)
    if first is None:
        raise DivLogicError(f"{path}: holds no record; generate or import the benchmark again.")
    rows = write_jsonl(
        out / f"{first.benchmark}.jsonl.gz", (record.to_json() for record in read_records(path))
    )
    say(f"{first.benchmark}: {rows:,} records ({origin})")
    title = TITLES.get(first.benchmark, first.benchmark)
    return Collected(first.benchmark, title, first.split, rows, rows, origin == "generated", origin)


def _say(name: str, rows: int, part: str, log: ProblemLog) -> None:
    say(f"{name}: {rows:,} records ({part})" + (f"; {log.summary()}" if log.count else ""))
