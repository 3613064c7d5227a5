"""Shards of records, put together into the splits of a benchmark in the order of its instances."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.spec import Benchmark
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.io.merging import merge_sorted
from divlogic.records import Record, read_records


def write_split(benchmark: Benchmark, realised: Sequence[Path], split: str, out: Path) -> int:
    """Write the records of one split, in the order of the instances; return their number.

    Args:
        benchmark: whose records they are.
        realised: what `divlogic benchmarks realise` wrote for each shard, in order.
        split: name of the split.
        out: the split (JSON Lines).

    Raises:
        DivLogicError: a file is missing, a record is not one of this benchmark, or it has no such split.
    """
    if split not in benchmark.splits:
        raise DivLogicError(
            f"{benchmark.title} has no split '{split}'; its splits are {', '.join(benchmark.splits)}."
        )

    def rows() -> Iterator[dict[str, Any]]:
        for path, record in _read(realised, benchmark.generator.order if benchmark.generator else None):
            known = record.benchmark == benchmark.generated_name and record.split in benchmark.splits
            if not known or record.answer is None:
                raise DivLogicError(
                    f"{path}, record {record.id}: not a realised record of {benchmark.title}; give the files of"
                    f" `divlogic benchmarks realise {benchmark.name}`."
                )
            if record.split == split:
                yield record.to_json()

    return write_jsonl(out, rows())


def _read(
    realised: Sequence[Path], order: Callable[[Mapping[str, Any]], Any] | None
) -> Iterator[tuple[Path, Record]]:
    """Yield the records of all shards, each with its file."""
    if order is None:
        for path in realised:
            for record in read_records(path):
                yield path, record
        return

    def checked(row: dict[str, Any]) -> dict[str, Any]:
        Record.from_json(row)
        order(row)
        return row

    for path, row in merge_sorted(realised, checked, "a realised record", order):
        yield path, Record.from_json(row)
