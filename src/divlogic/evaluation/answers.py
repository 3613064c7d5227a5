"""Accuracy of every benchmark that models are asked with one prompt per record, in one table.

Which these are, their names and their order follow from the registry; a benchmark has no table of its own to write.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.io.tables import declared_tables
from divlogic.models.labels import label_score
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.reading import note_of

_TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["answers"]


def write_answers(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
    recordings: Recordings = (),
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whichever benchmarks they answer.

    A row per benchmark, system and prompt style; questions that were never asked are left out.
    """
    groups: dict[tuple[int, str, str, str, str], list[Prediction]] = defaultdict(list)
    order = list(TITLES)
    for one in (one for path in answers for one in read_predictions(path)):
        if one.asked:
            place = order.index(one.benchmark) if one.benchmark in order else len(order)
            groups[place, one.benchmark, one.source, one.model, one.prompt].append(one)
    rows = []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(
            group, preset="corrected", seed=params.seed, resamples=params.evaluation.resamples
        )
        unread = sum(one.predicted is None for one in group)
        counts = (len({one.instance for one in group}), score.rows, unread, score.correct)
        percent = (*score.accuracy.cells("accuracy").values(), 100 * score.random_probability)
        rows.append(_TABLE.row(TITLES.get(benchmark, benchmark), system, setting, source, *counts, *percent))
    _TABLE.write(out, rows, note_of(recordings))
