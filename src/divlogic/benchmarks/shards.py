"""Shards of records, put together into the splits of a benchmark in the order of its instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    return write_jsonl(
        out, (record.to_json() for record in _read(realised, benchmark) if record.split == split)
    )


def _read(realised: Sequence[Path], benchmark: Benchmark) -> Iterator[Record]:
    """Yield the records of all shards."""
    order = benchmark.generator.order if benchmark.generator else None
    if order is None:
        for path in realised:
            for record in read_records(path):
                if not _is_realised(record, benchmark):
                    raise DivLogicError(
                        f"{path}, record {record.id}: not a realised record of {benchmark.title}; give the files of"
                        f" `divlogic benchmarks realise {benchmark.name}`."
                    )
                yield record
        return

    def checked(row: dict[str, Any]) -> dict[str, Any]:
        if not _is_realised(Record.from_json(row), benchmark):
            raise ValueError(f"give the files of `divlogic benchmarks realise {benchmark.name}`")
        order(row)
        return row

    for _, row in merge_sorted(realised, checked, f"a realised record of {benchmark.title}", order):
        yield Record.from_json(row)


def _is_realised(record: Record, benchmark: Benchmark) -> bool:
    known = record.benchmark == benchmark.generated_name and record.split in benchmark.splits
    return known and record.answer is not None
