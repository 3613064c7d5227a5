"""Accuracy on benchmarks with one prompt per record: one table of all, and JustLogic's next to the printed one."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from divlogic.benchmarks.registry import TITLES
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.evaluation.parameters import EvaluationRun, Recordings
from divlogic.io.tables import declared_tables
from divlogic.models.labels import in_label_preset, label_score, presets_of_labels
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.reading import note_of
from divlogic.published import read_published

_TABLES = declared_tables(Path(__file__).with_name("tables.yaml"))


def write_answers(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
    recordings: Recordings = (),
) -> None:
    """Write one table of accuracies from the files of ANSWERS, whichever benchmarks they answer.

    A row per benchmark, in the order of the registry, system and prompt style; questions that were never asked are
    left out.
    """
    groups: dict[tuple[int, str, str, str, str], list[Prediction]] = defaultdict(list)
    order = list(TITLES)
    for one in (one for path in answers for one in read_predictions(path)):
        if one.asked:
            place = order.index(one.benchmark) if one.benchmark in order else len(order)
            groups[place, one.benchmark, one.source, one.model, one.prompt].append(one)
    table, rows = _TABLES["answers"], []
    for (_, benchmark, source, system, setting), group in sorted(groups.items()):
        score = label_score(
            group, preset="corrected", seed=params.seed, resamples=params.evaluation.resamples
        )
        unread = sum(one.predicted is None for one in group)
        counts = (len({one.instance for one in group}), score.rows, unread, score.correct)
        percent = (*score.accuracy.cells("accuracy").values(), 100 * score.random_probability)
        rows.append(
            _TABLES["answers"].row(
                TITLES.get(benchmark, benchmark), system, setting, source, *counts, *percent
            )
        )
    table.write(out, rows, note_of(recordings))


def label_accuracy(
    answers: Annotated[tuple[Path, ...], ARGUMENT] = (),
    *,
    published: Annotated[Path, FOLDER, "Folder of the printed tables."],
    recordings: Annotated[tuple[Path, ...], "Report on recordings that were read (json); repeatable."] = (),
    out: Annotated[Path, BASE, "Table, without its suffix."],
    params: EvaluationRun,
) -> None:
    """Write JustLogic's table of systems from the files of ANSWERS, next to the printed one."""
    printed = read_published(published).scores(("justlogic_accuracy", "justlogic_human"))
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, str], float] = {}
    for cell in (cell for cells in printed.values() for cell in cells):
        known[cell.system, cell.setting] = cell.value
        named = {
            "system": cell.system,
            "setting": cell.setting,
            "benchmark": "justlogic",
            "source": "published",
        }
        rows.append(named | {"accuracy": cell.value, "published": cell.value, "note": cell.note or None})
    predictions = sorted((one for path in answers for one in read_predictions(path)), key=_system)
    for (source, system, setting), own in groupby(predictions, _system):
        group = list(own)
        if not in_label_preset(group, "corrected"):
            continue
        presets = presets_of_labels(group)
        for preset in presets:
            score = label_score(group, preset=preset, seed=params.seed, resamples=params.evaluation.resamples)
            rows.append(
                {
                    "system": system,
                    "setting": setting,
                    "benchmark": group[0].benchmark,
                    "source": source,
                    "preset": preset if len(presets) > 1 or not any(p.answered for p in group) else None,
                    **score.accuracy.cells("accuracy"),
                    "correct": score.correct,
                    "rows": score.rows,
                    "recorded": score.recorded,
                    "random_probability": 100 * score.random_probability,
                    "published": known.get((system, setting)),
                }
            )
    _TABLES["label_accuracy"].write(out, rows, note_of(recordings))


def _system(prediction: Prediction) -> tuple[str, str, str]:
    return prediction.source, prediction.model, prediction.prompt
