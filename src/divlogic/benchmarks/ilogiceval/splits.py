"""ILogicEval's splits, cut from DivLogicEval's instances."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import orjson

from divlogic.benchmarks.divlogiceval.build import SPLITS
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalRun
from divlogic.benchmarks.divlogiceval.sizes import whole_rounds
from divlogic.config.option import FOLDER
from divlogic.io.files import atomic_writer
from divlogic.io.log import say
from divlogic.records import read_records


def write_ilogiceval(
    benchmark: Annotated[Path, "--in", FOLDER, "Folder of DivLogicEval's splits."],
    out: Annotated[Path, FOLDER, "Folder of ILogicEval's splits."],
    parameters: DivLogicEvalRun,
) -> dict[str, int]:
    """Cut the same instances into ILogicEval's train, validation and test splits.

    Source: ILogicEval, Section 3.2. Its test split is DivLogicEval's: one data set under two names. Validation takes
    the first unpolished quartets, half of the instances at most, and training the others.

    Returns:
        Number of records per split.
    """
    wanted = parameters.benchmarks.ilogiceval.validation
    # Quartets stay whole: their members stand apart in the file.
    together: dict[Any, list[str]] = {}
    for record in read_records(benchmark / "unpolished.jsonl"):
        key = record.question_type, record.metadata.get("quartet", record.id)
        together.setdefault(key, []).append(record.id)
    unpolished = sum(map(len, together.values()))
    # Where sentences ran short, validation must not leave training empty.
    validation = min(wanted, whole_rounds(unpolished // 2))
    if validation < wanted:
        say(
            f"ilogiceval: {validation:,} validation instances instead of {wanted:,}, half of the unpolished ones."
        )
    kinds = {kind for kind, _ in together}
    left = dict.fromkeys(kinds, validation // max(1, len(kinds)))
    validating: set[str] = set()
    for (kind, _), ids in together.items():
        if left[kind] > 0:
            left[kind] -= len(ids)
            validating.update(ids)
    sizes = {"train": 0, "validation": 0, "test": 0}
    with ExitStack() as stack:
        files = {split: stack.enter_context(atomic_writer(out / f"{split}.jsonl")) for split in sizes}
        for source in SPLITS:
            for record in read_records(benchmark / f"{source}.jsonl"):
                split = "test" if source == "test" else "validation" if record.id in validating else "train"
                row = record.to_json() | {
                    "id": f"ilogiceval-{split}-{sizes[split]:06d}",
                    "benchmark": "ilogiceval",
                    "split": split,
                }
                files[split].write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
                sizes[split] += 1
    return sizes
