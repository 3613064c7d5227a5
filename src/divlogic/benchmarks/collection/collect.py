"""Gather every benchmark that is here as records, say which part of it this is, and derive its labels again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

from pydantic import TypeAdapter

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.benchmarks.readers.formats import read_benchmark
from divlogic.benchmarks.readers.importing import ProblemLog
from divlogic.benchmarks.registry import TITLES, audits, published_sets
from divlogic.benchmarks.spec import PaperTable, Part, Published
from divlogic.benchmarks.verdict import Verdict
from divlogic.config.command import BASE, FOLDER
from divlogic.corpora.manifest import ManifestFile, read_manifest
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_csv, write_json, write_jsonl
from divlogic.io.imports import load
from divlogic.io.log import say, track
from divlogic.records import Record, harm, read_records

INDEX = "collection.json.gz"


@dataclass(frozen=True, slots=True)
class Collected:
    """One benchmark of a collection.

    Attributes:
        part: which part was read; empty if nothing is here.
        expected: records of the whole part, if known.
        exact: whether the part is the test set that the papers measured.
        origin: `published`, `generated` or `imported`.
        problems: the malformed rows, counted and named; empty if there was none.
        tables: the printed tables (``paper: number``) that only this part of the benchmark stands in; empty for the
            part that stands in all others.
        file: stem of its records file, where that is not the benchmark's name.
        corpus: name of the corpus in data/registry.yaml; empty if it was generated or imported.
        sources: the files that were read, as ``<SHA-256>  <path in the corpus folder>``.
        view: whether its texts stand in the collection in another form, too.
    """

    benchmark: str
    title: str
    part: str
    rows: int
    expected: int | None
    exact: bool
    origin: str
    problems: str = ""
    tables: tuple[str, ...] = ()
    file: str = ""
    corpus: str = ""
    sources: tuple[str, ...] = ()
    view: bool = False

    @property
    def stem(self) -> str:
        """Return the stem of its records file."""
        return self.file or self.benchmark

    @property
    def available(self) -> bool:
        """Return whether there is anything to measure."""
        return self.rows > 0


def collect(
    roots: list[Path], generated: list[Path], imported: list[Path], out: Path
) -> list[Collected]:
    """Write `<benchmark>.jsonl.gz` for every benchmark that is here, and the index `collection.json.gz`.

    ``roots`` hold one subfolder per corpus; an earlier one wins over a later one.
    """
    published = [_published(one, roots, out) for one in published_sets()]
    found = [best for best, *_ in published]
    for origin, paths in (("generated", generated), ("imported", imported)):
        found += [_own(path, origin, out) for path in paths]
    names = [one.benchmark for one in found]
    for name in names:
        if names.count(name) > 1:
            raise DivLogicError(
                f"two sources hold the benchmark '{name}'; import one under another name."
            )
    further = [one for _, *more in published for one in more]
    write_json(out / INDEX, [asdict(one) for one in (*found, *further)])
    return found


def load_collection(
    folder: Path, table: PaperTable | None = None, *, further: bool = False, views: bool = False
) -> list[Collected]:
    """Return what a folder written by :func:`collect` holds: each benchmark once, in the part that a table rests on.

    Args:
        table: a printed table; a benchmark whose paper measured another part than the best one here gives that part.
        further: return every part of a benchmark, those for single tables last.
        views: return other forms of the same texts, too.
    """
    entries = TypeAdapter(list[Collected]).validate_python(read_json(folder / INDEX))
    rows = [one for one in entries if views or not one.view]
    return rows if further else parts_for(rows, table)


def parts_for(rows: list[Collected], table: PaperTable | None) -> list[Collected]:
    """Return each benchmark once, in the part that a printed table rests on (``None``: the best part)."""
    special = {
        one.benchmark: one for one in rows if table is not None and _key(table) in one.tables
    }
    return [special.get(one.benchmark, one) for one in rows if not one.tables]


def collected_records(folder: Path, stem: str) -> Iterator[Record]:
    """Yield the records of one entry of a collection (:attr:`Collected.stem`)."""
    return read_records(folder / f"{stem}.jsonl.gz")


def _published(one: Published, roots: list[Path], out: Path) -> list[Collected]:
    """Collect a published benchmark: the best part that is here, then those that single tables rest on."""
    here = [(part, *found) for part in one.parts if (found := _find(part, roots))]
    if not here:
        return [Collected(one.name, one.title, "", 0, None, False, "published", view=one.view)]
    best, *others = here
    further = [found for found in others if found[0].tables]
    return [_read(one, *best, out), *(_read(one, *found, out, further=True) for found in further)]


def _find(part: Part, roots: list[Path]) -> tuple[Path, list[ManifestFile]] | None:
    """Return the corpus folder of a part, the first one that has any of its files, and those files."""
    for root in roots:
        folder = root / part.corpus
        files = read_manifest(folder).files if folder.is_dir() else ()
        if here := sorted(
            (file for file in files if file.name in part.files), key=lambda file: file.name
        ):
            return folder, here
    return None


def _read(
    one: Published,
    part: Part,
    folder: Path,
    files: list[ManifestFile],
    out: Path,
    further: bool = False,
) -> Collected:
    """Read the files of a part into records, each by the reader that the registry names."""
    log = ProblemLog()
    readers = ((folder / entry.name, part.reader or _format(folder, entry)) for entry in files)
    records = (record for reader in readers for record in read_benchmark(*reader, on_problem=log))
    stem = f"{one.name}.{Path(files[0].name).stem}" if further else one.name
    rows = write_jsonl(out / f"{stem}.jsonl.gz", (record.to_json() for record in records))
    described = part.described(entry.name for entry in files)
    say(f"{stem}: {rows:,} records ({described})" + (f"; {log.summary()}" if log.count else ""))
    tables = tuple(map(_key, part.tables)) if further else ()
    sources = tuple(f"{entry.sha256}  {entry.name}" for entry in files)
    return Collected(
        benchmark=one.name,
        title=one.title,
        part=described,
        rows=rows,
        expected=part.expected,
        exact=part.exact,
        origin="published",
        problems=log.summary(),
        tables=tables,
        file=stem if further else "",
        corpus=part.corpus,
        sources=sources,
        view=one.view,
    )


def _format(folder: Path, entry: ManifestFile) -> str:
    """Return the format that the registry gives a file."""
    kind, _, name = (entry.reader or "").partition(":")
    if kind != "benchmark" or not name:
        raise DivLogicError(
            f"{folder / entry.name}: its reader is {entry.reader or 'not named'}, not benchmark:FORMAT; correct the"
            " entry in data/registry.yaml and fetch the corpus again."
        )
    return name


def _key(table: PaperTable) -> str:
    return f"{table.paper}: {table.number}"


def _own(path: Path, origin: str, out: Path) -> Collected:
    first = next(read_records(path), None)
    if first is None:
        raise DivLogicError(f"{path}: holds no record; generate or import the benchmark again.")
    if not first.benchmark:
        raise DivLogicError(f"{path}: its records name no benchmark; import it again with a name.")
    records = read_records(path)
    if origin == "imported":
        records = _one_set(path, records, first.benchmark)
    rows = write_jsonl(
        out / f"{first.benchmark}.jsonl.gz", (record.to_json() for record in records)
    )
    say(f"{first.benchmark}: {rows:,} records ({origin})")
    title = TITLES.get(first.benchmark, first.benchmark)
    return Collected(first.benchmark, title, first.split, rows, rows, origin == "generated", origin)


def _one_set(path: Path, records: Iterator[Record], name: str) -> Iterator[Record]:
    """Pass the records of a user's file on, as long as they are of one benchmark and no two have one id."""
    seen: set[str] = set()
    for number, record in enumerate(records, start=1):
        if record.benchmark != name:
            raise DivLogicError(
                f"{path}, row {number}: of the benchmark '{record.benchmark}', and the file begins with '{name}'; give"
                " each benchmark a file of its own."
            )
        if problem := harm(record):
            raise DivLogicError(f"{path}, row {number}: {problem}; fix or delete that row.")
        if record.id in seen:
            raise DivLogicError(
                f"{path}, row {number}: a second record with the id '{record.id}'; delete it, or give it its own."
            )
        seen.add(record.id)
        yield record


def collect_sources(
    *,
    roots: Annotated[
        tuple[Path, ...], "--in", FOLDER, "Folder with one subfolder per corpus; repeatable."
    ] = (),
    generated: Annotated[
        tuple[Path, ...], "Records of this project's benchmarks; repeatable."
    ] = (),
    imported: Annotated[
        tuple[Path, ...],
        BASE,
        "Records of your own data sets (`divlogic benchmarks import`), or a folder of them; repeatable.",
    ] = (),
    out: Annotated[Path, FOLDER, "Folder to write to."],
) -> None:
    """Read every benchmark that is here into records, and write an index of what was found."""
    own: list[Path] = []
    for path in imported:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        own += [
            file for file in files if file == path or file.name.endswith((".jsonl", ".jsonl.gz"))
        ]
    found = collect(list(roots), list(generated), own, out)
    here = [one for one in found if one.available]
    absent = ", ".join(one.title for one in found if not one.available)
    say(f"{len(here)} benchmarks collected" + (f"; not here: {absent}" if absent else ""))


OF_OPTIONS = "benchmarks.divlogiceval.check:audit_choices"


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """The audit of one benchmark: records with a label, labels derived again, those that agree, findings by class."""

    benchmark: str
    labels: int
    derived: int
    agreeing: int
    kinds: dict[str, int]

    @property
    def agreement(self) -> float | None:
        """Return the share of derived labels that agree, ``None`` if none was derived."""
        return self.agreeing / self.derived if self.derived else None


def audit_records(
    benchmark: str, records: Iterable[Record], *, seconds: float = 2.0
) -> Iterator[Verdict]:
    """Yield a verdict for every record that carries a symbolic form and a label.

    Each registered benchmark has its audit; a user's own data set is audited by the formulas of its options.
    """
    entry = audits().get(benchmark, OF_OPTIONS)
    if not entry:
        return
    audit: Any = load(entry)
    if "seconds" in signature(audit).parameters:
        audit = partial(audit, seconds=seconds)
    labelled = (
        record for record in track(records, f"Auditing {benchmark}") if record.answer is not None
    )
    yield from filter(None, map(audit, labelled))


def summarise(benchmark: str, verdicts: Iterable[Verdict]) -> tuple[AuditSummary, list[Verdict]]:
    """Count verdicts; return the summary and the findings (everything that does not agree)."""
    counts: Counter[str] = Counter()
    findings = []
    for verdict in verdicts:
        counts.update(
            labels=1, derived=int(verdict.derived is not None), agreeing=int(verdict.agrees)
        )
        if not verdict.agrees:
            findings.append(verdict)
    kinds = dict(sorted(Counter(verdict.kind for verdict in findings).items()))
    return AuditSummary(
        benchmark, counts["labels"], counts["derived"], counts["agreeing"], kinds
    ), findings


FINDINGS = ("benchmark", "id", "published", "derived", "class", "reason")


def audit(
    collection: Annotated[Path, "--in", FOLDER, "Folder that `divlogic benchmarks collect` wrote."],
    *,
    findings: Annotated[Path, "CSV with every label that is not confirmed."],
    out: Annotated[Path, "Summary per benchmark (json)."],
    params: BenchmarksRun,
) -> None:
    """Derive labels again from the symbolic forms that benchmarks carry, and list the disagreements."""
    seconds = params.benchmarks.audit.solver_seconds
    summaries: list[AuditSummary] = []
    rows: list[list[Any]] = []
    for one in (one for one in load_collection(collection, views=True) if one.available):
        records = collected_records(collection, one.stem)
        summary, found = summarise(
            one.benchmark, audit_records(one.benchmark, records, seconds=seconds)
        )
        if summary.labels:
            summaries.append(summary)
            rows += [[one.benchmark, v.id, v.published, v.derived, v.kind, v.reason] for v in found]
            say(f"{one.benchmark}: {summary.agreeing:,} of {summary.derived:,} labels confirmed")
    write_csv(findings, FINDINGS, rows)
    write_json(out, [asdict(summary) for summary in summaries])
