"""Fresh worded instances for the probes that look for shortcuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from divlogic.benchmarks.justlogic.build import worded
from divlogic.benchmarks.justlogic.parameters import FRESH, JustLogicParameters
from divlogic.benchmarks.justlogic.symbolic import shard_instances
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.io.files import write_jsonl
from divlogic.io.log import track
from divlogic.records import Record

_OTHER_SEED = 1


def write_fresh(statements: Path, out: Path, parameters: BenchmarksRun) -> int:
    """Write instances that a run with another seed could have made of the same statements; return their number.

    Uncertain queries are open, whatever the run's own are.

    Args:
        statements: the table of statements.
        out: the instances.
        parameters: the run's.
    """
    settings = parameters.benchmarks.justlogic
    count = FRESH[parameters.corpus_source] if settings.fresh is None else settings.fresh
    rows = fresh_records(statements, settings, parameters.seed + _OTHER_SEED, count)
    return write_jsonl(out, (record.to_json() for record in track(rows, "fresh instances")))


def fresh_records(statements: Path, settings: JustLogicParameters, seed: int, count: int) -> Iterator[Record]:
    """Yield ``count`` worded instances of each depth, with ``uncertain_query: open``.

    Raises:
        DivLogicError: the file of statements is missing or malformed, or there are too few.
    """
    drawn_with = settings.model_copy(update={"uncertain_query": "open", "polarity": "query"})
    instances = shard_instances(seed, 0, 1, drawn_with, count)
    for record in worded(instances, statements, seed, drawn_with):
        yield replace(record, metadata={**record.metadata, "preset": "balanced"})
