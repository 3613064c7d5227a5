"""Accuracy of every benchmark that models are asked with one prompt per record, in one table.

Which these are, their names and their order follow from the registry; a benchmark has no table of its own to write.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.registry import TITLES
from divlogic.io.tables import units_of, write_table
from divlogic.models.labels import label_score
from divlogic.models.predictions import Prediction
from divlogic.models.recordings.reading import note_of

COLUMNS = (
    "benchmark", "system", "setting", "source", "instances", "rows", "unread", "correct", "accuracy", "accuracy_low",
    "accuracy_high", "random_probability",
)  # fmt: skip
NOTE = (
    "Every benchmark that is asked with one prompt per record, in percent of the rows: one row per instance and run. An"
    " answer that names none of the options is unread and counts as wrong. Intervals: 95 %, bootstrap over instances."
    " random_probability: that of guessing among the options."
)


def write_answers(
    predictions: Iterable[Prediction],
    base: Path,
    *,
    seed: int,
    resamples: int,
    recordings: Sequence[Path] = (),
) -> list[dict[str, Any]]:
    """Write one row per benchmark, system and prompt style; return the rows.

    Args:
        predictions: answers to instances with their context; rows that were never asked are left out.
        base: the table, without its suffix.
        seed, resamples: of the bootstrap.
        recordings: reports on recordings, for the note.
    """
    groups: dict[tuple[int, str, str, str, str], list[Prediction]] = defaultdict(list)
    order = list(TITLES)
    for one in predictions:
        if one.asked:
            place = order.index(one.benchmark) if one.benchmark in order else len(order)
            groups[place, one.benchmark, one.source, one.model, one.prompt].append(one)
    rows = []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(group, preset="corrected", seed=seed, resamples=resamples)
        rows.append(
            {
                "benchmark": TITLES.get(benchmark, benchmark),
                "system": system,
                "setting": setting,
                "source": source,
                "instances": len({one.instance for one in group}),
                "rows": score.rows,
                "unread": sum(one.predicted is None for one in group),
                "correct": score.correct,
                "accuracy": 100 * score.accuracy.value,
                "accuracy_low": 100 * score.accuracy.low,
                "accuracy_high": 100 * score.accuracy.high,
                "random_probability": 100 * score.random_probability,
            }
        )
    write_table(
        base,
        COLUMNS,
        rows,
        note=NOTE + note_of(recordings),
        floats=1,
        units=units_of(COLUMNS, accuracy="percent", random_probability="percent"),
    )
    return rows
