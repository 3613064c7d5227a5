"""The label audit of a whole collection."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.audit import AuditSummary, audit_records, summarise
from divlogic.benchmarks.collection.collect import collected_records, load_collection
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.command import FOLDER
from divlogic.io.files import write_csv, write_json
from divlogic.io.log import say

FINDINGS = ("benchmark", "id", "published", "derived", "class", "reason")


def audit(
    collection: Annotated[Path, "--in", FOLDER, "Folder that `divlogic benchmarks collect` wrote."],
    *,
    findings: Annotated[Path, "CSV with every label that is not confirmed."],
    out: Annotated[Path, "Summary per benchmark (json)."],
    params: BenchmarksRun,
) -> None:
    """Derive labels again from the symbolic forms that benchmarks carry, and list the disagreements."""
    write_audit(collection, out, findings, seconds=params.benchmarks.audit.solver_seconds)


def write_audit(collection: Path, out: Path, findings: Path, *, seconds: float) -> list[AuditSummary]:
    """Audit every benchmark of a collection; write the summaries, and every label that is not confirmed.

    Args:
        collection: folder that ``collect`` wrote.
        out: summaries (JSON).
        findings: labels that are not confirmed, each with its reason (CSV).
        seconds: time limit of the solver for one label.
    """
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
    return summaries
