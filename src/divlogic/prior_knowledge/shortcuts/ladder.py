"""The ladder: accuracy of readers, probes, baselines and models by the number of steps that instances need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from divlogic.config.command import ARGUMENT, BASE
from divlogic.io.files import read_jsonl
from divlogic.io.tables import read_note, read_table, write_table
from divlogic.prior_knowledge.shortcuts.figures import draw_ladder
from divlogic.prior_knowledge.shortcuts.learners import interval
from divlogic.prior_knowledge.shortcuts.measure import Shortcut, cluster_of
from divlogic.prior_knowledge.shortcuts.probes import construction_of, depth_of
from divlogic.prior_knowledge.shortcuts.table import DECIMALS, LADDER_COLUMNS, table_row
from divlogic.records import read_records

_PROMPTS = ("zero_shot", "likelihood")
_LEAST = 20
"""Smallest number of instances of a depth."""


def write_with_models(
    ladder: Annotated[Path, ARGUMENT, BASE],
    *,
    predictions: Annotated[Path, "Answers of the evaluation's models (jsonl)."],
    asked: Annotated[tuple[Path, ...], "Benchmark that these models were asked (jsonl); repeatable."] = (),
    out: Annotated[Path, BASE, "Table and figure, without their suffix."],
) -> None:
    """Write the LADDER of `shortcuts` (without its suffix) with the evaluation's models among its rows, and draw it."""
    rows = [*read_table(ladder), *map(table_row, of_models(predictions, asked))]
    rows.sort(key=lambda row: (row["benchmark"], row["construction"], row["depth"]))
    write_table(out, LADDER_COLUMNS, rows, read_note(ladder), floats=DECIMALS)
    draw_ladder(out, out)


def of_models(predictions: Path, splits: Sequence[Path]) -> Iterator[Shortcut]:
    """Yield the accuracy of the evaluation's models and baselines by depth and construction, rotation 0 of run 0.

    Args:
        predictions: the evaluation's answers (jsonl).
        splits: the benchmarks that were asked.
    """
    records = {(record.benchmark, record.id): record for path in splits for record in read_records(path)}
    groups: dict[tuple[Any, ...], list[tuple[float, Any]]] = defaultdict(list)
    for _, row in read_jsonl(predictions):
        record = records.get((row["benchmark"], row["instance"]))
        if record is None or row["prompt"] not in _PROMPTS or row["rotation"] or row["run"]:
            continue
        depth = depth_of(record)
        if depth is not None and record.answer is not None:
            name = row["model"] if row["prompt"] == "zero_shot" else f"{row['model']}, by likelihood"
            key = (record.benchmark, construction_of(record), name, depth, len(record.options))
            groups[key].append((float(row["predicted"] == row["gold"]), cluster_of(record)))
    for (benchmark, construction, name, depth, options), answers in groups.items():
        if len(answers) >= _LEAST:
            right, clusters = zip(*answers, strict=True)
            measured = (len(answers), *interval(np.array(right), clusters), 1 / options)
            yield Shortcut(benchmark, construction, "text", "all", name, *measured, depth)
