"""Label audit: labels derived again from the symbolic form that a benchmark carries, and their summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from inspect import signature
from typing import Any

from divlogic.benchmarks.registry import audits
from divlogic.benchmarks.spec import Audit
from divlogic.benchmarks.verdict import Verdict
from divlogic.io.imports import load
from divlogic.io.log import track
from divlogic.records import Record

OF_OPTIONS = "benchmarks.divlogiceval.facts:audit_choices"

__all__ = ["AuditSummary", "Verdict", "audit_records", "summarise"]


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
