"""ILogicEval's splits, cut from DivLogicEval's instances."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import orjson

from divlogic.benchmarks.divlogiceval.build import SPLITS
from divlogic.benchmarks.divlogiceval.sizes import whole_rounds
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.io.files import atomic_writer
from divlogic.io.log import say
from divlogic.records import read_records


def write_ilogiceval(benchmark: Path, out: Path, parameters: BenchmarksRun) -> dict[str, int]:
    """Cut the same instances into ILogicEval's splits (ILogicEval, Section 3.2).

    Its test split is DivLogicEval's; validation takes the first unpolished instances, but half of them at most, and
    training the others.

    Returns:
        Number of records per split.
    """
    wanted = parameters.benchmarks.ilogiceval.validation
    unpolished = sum(1 for _ in read_records(benchmark / "unpolished.jsonl"))
    # Where sentences ran short, validation must not leave training empty; quartets stay whole.
    validation = min(wanted, whole_rounds(unpolished // 2))
    if validation < wanted:
        say(
            f"ilogiceval: {validation:,} validation instances instead of {wanted:,}, half of the unpolished ones."
        )
    sizes = {"train": 0, "validation": 0, "test": 0}
    with ExitStack() as stack:
        files = {split: stack.enter_context(atomic_writer(out / f"{split}.jsonl")) for split in sizes}
        for source in SPLITS:
            for record in read_records(benchmark / f"{source}.jsonl"):
                split = (
                    "test"
                    if source == "test"
                    else "validation"
                    if sizes["validation"] < validation
                    else "train"
                )
                row = record.to_json() | {
                    "id": f"ilogiceval-{split}-{sizes[split]:06d}",
                    "benchmark": "ilogiceval",
                    "split": split,
                }
                files[split].write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
                sizes[split] += 1
    return sizes
