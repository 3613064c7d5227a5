"""Label audit: labels derived again from the symbolic form that a benchmark carries, and their summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.benchmarks.registry import audits
from divlogic.benchmarks.spec import Audit
from divlogic.benchmarks.verdict import Verdict
from divlogic.config.command import FOLDER
from divlogic.io.files import write_csv, write_json
from divlogic.io.imports import load
from divlogic.io.log import say, track
from divlogic.records import Record

OF_OPTIONS = "benchmarks.divlogiceval.check:audit_choices"


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """The audit of one benchmark in numbers.

    Attributes:
        labels: records with a label.
        derived: labels that could be derived again.
        agreeing: of these, the ones that are the published label.
        kinds: number of findings by class.
    """

    benchmark: str
    labels: int
    derived: int
    agreeing: int
    kinds: dict[str, int]

    @property
    def agreement(self) -> float | None:
        """Return the share of derived labels that agree, ``None`` if none was derived."""
        return self.agreeing / self.derived if self.derived else None


def audit_records(benchmark: str, records: Iterable[Record], *, seconds: float = 2.0) -> Iterator[Verdict]:
    """Yield a verdict for every record that carries a symbolic form and a label."""
    audit = _audit(benchmark, seconds)
    for record in track(records, f"Auditing {benchmark}"):
        if record.answer is None:
            continue
        verdict = audit(record)
        if verdict is not None:
            yield verdict


def summarise(benchmark: str, verdicts: Iterable[Verdict]) -> tuple[AuditSummary, list[Verdict]]:
    """Count verdicts; return the summary and the findings (everything that does not agree)."""
    labels = derived = agreeing = 0
    kinds: Counter[str] = Counter()
    findings = []
    for verdict in verdicts:
        labels += 1
        derived += verdict.derived is not None
        agreeing += verdict.agrees
        if not verdict.agrees:
            kinds[verdict.kind] += 1
            findings.append(verdict)
    return AuditSummary(benchmark, labels, derived, agreeing, dict(sorted(kinds.items()))), findings


def _audit(benchmark: str, seconds: float) -> Audit:
    """Return the audit of a registered benchmark; a user's own data set is audited by the formulas of its options."""
    entry = audits().get(benchmark, OF_OPTIONS)
    if not entry:
        return lambda record: None
    audit: Any = load(entry)
    return partial(audit, seconds=seconds) if "seconds" in signature(audit).parameters else audit


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
    for one in load_collection(collection, views=True):
        if not one.available:
            continue
        records = collected_records(collection, one.stem)
        summary, found = summarise(one.benchmark, audit_records(one.benchmark, records, seconds=seconds))
        if summary.labels:
            summaries.append(summary)
            rows += [[one.benchmark, v.id, v.published, v.derived, v.kind, v.reason] for v in found]
            say(f"{one.benchmark}: {summary.agreeing:,} of {summary.derived:,} labels confirmed")
    write_csv(findings, FINDINGS, rows)
    write_json(out, [asdict(summary) for summary in summaries])
