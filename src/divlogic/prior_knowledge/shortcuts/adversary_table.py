"""The step and the table of the adversary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import ARGUMENT, BASE
from divlogic.io.log import say
from divlogic.io.tables import declared_tables
from divlogic.prior_knowledge.parameters import PriorKnowledgeRun
from divlogic.prior_knowledge.shortcuts.adversary import Finding, Verdict, attack, verdicts
from divlogic.records import Record, read_records

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))


def write_adversary(
    sources: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: PriorKnowledgeRun,
) -> None:
    """Let the adversary loose on SOURCES, records with formulas, and tabulate what it finds."""
    findings: list[Finding] = []
    for benchmark in _by_benchmark(sources):
        findings += attack(benchmark, params.prior_knowledge.adversary, params.seed)
    found = verdicts(findings)
    for verdict in found:
        if verdict.found:
            say(sentence(verdict))
    _TABLES["adversary"].write(out, list(_rows(findings, found)))


def sentence(verdict: Verdict) -> str:
    """Return in words what the highest view of a sample tells."""
    one = verdict.highest
    sample = ", ".join(filter(None, (one.benchmark, one.construction, one.type)))
    return (
        f"{sample}: '{one.view}' with {one.rounds} rounds of derivation answers {100 * one.accuracy:.1f} % of"
        f" {one.instances} instances that need more; guessing {100 * one.chance:.1f} %. The highest of"
        f" {verdict.views} guessers is {100 * verdict.alarm:.1f} points above it in one run of 1,000."
    )


def _by_benchmark(sources: Iterable[Path]) -> Iterator[list[Record]]:
    """Yield the records of each benchmark: those of neighbouring files that carry its name."""
    records: list[Record] = []
    for record in (record for path in sources for record in read_records(path)):
        if records and records[0].benchmark != record.benchmark:
            yield records
            records = []
        records.append(record)
    yield records


def _rows(findings: Iterable[Finding], found: Iterable[Verdict]) -> Iterator[dict[str, Any]]:
    """Yield rows of the table, shares in percent."""
    highest = {id(verdict.highest): verdict for verdict in found}
    for one in findings:
        verdict = highest.get(id(one))
        yield {
            "benchmark": one.benchmark,
            "construction": one.construction,
            "type": one.type,
            "view": one.view,
            "rounds": one.rounds,
            "beyond": one.beyond,
            "instances": one.instances,
            "counts": one.counts,
            "repeats": one.repeats,
            "accuracy": 100 * one.accuracy,
            "accuracy_low": 100 * one.low,
            "accuracy_high": 100 * one.high,
            "chance": 100 * one.chance,
            "highest": verdict is not None,
            "views": verdict.views if verdict else None,
            "by_chance": 100 * verdict.by_chance if verdict else None,
            "alarm": 100 * verdict.alarm if verdict else None,
            "found": verdict.found if verdict else None,
        }
