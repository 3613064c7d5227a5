"""JustLogic's table of systems: the printed rows, and measured ones next to them."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.tables import declared_tables
from divlogic.models.labels import in_label_preset, label_score, presets_of_labels
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.reading import note_of
from divlogic.published import read_published

_TABLE = declared_tables(Path(__file__).with_name("tables.yaml"))["accuracy"]


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
    _TABLE.write(out, rows, note_of(recordings))


def _system(prediction: Prediction) -> tuple[str, str, str]:
    return prediction.source, prediction.model, prediction.prompt
