"""JustLogic's table of systems: the printed rows, and measured ones beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from divlogic.evaluation.published import read_published
from divlogic.models.closed_answers import Answer
from divlogic.models.labels import PRESETS, LabelPrediction, label_score
from divlogic.tables import write_table

COLUMNS = (
    "system", "setting", "benchmark", "source", "preset", "accuracy", "accuracy_low", "accuracy_high", "correct",
    "rows", "recorded", "random_probability", "published", "note",
)  # fmt: skip
NOTE = (
    "Accuracy on JustLogic, in percent; benchmark: justlogic is the authors' test set, justlogic_generated this"
    " workflow's. published: as printed; recorded: answers that the authors recorded, and model, baseline: answers to"
    " our own prompts, both scored here. as_published leaves rows without an answer out, corrected counts them as"
    " wrong; one row where both agree. Intervals: bootstrap over instances. The printed o1 and o1-preview rest on 42"
    " questions."
)


def write_accuracy(
    answers: Sequence[Answer], published: Path, base: Path, *, seed: int, resamples: int
) -> list[dict[str, Any]]:
    """Write the table of systems: the printed rows, and ours beside them, in both presets; return the rows.

    Args:
        answers: answers to instances with their context.
        published: folder of the printed tables.
        base: the table, without its suffix.
        seed, resamples: of the bootstrap.
    """
    printed = read_published(published, ("justlogic_accuracy", "justlogic_human"))
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, str], float] = {}
    for cell in (cell for cells in printed.values() for cell in cells):
        known[cell.system, cell.setting] = cell.value
        rows.append(
            {
                "system": cell.system,
                "setting": cell.setting,
                "benchmark": "justlogic",
                "source": "published",
                "accuracy": cell.value,
                "published": cell.value,
                "note": cell.note or None,
            }
        )
    for (source, system, setting), group in _by_system(answers).items():
        predictions = [
            LabelPrediction(a.instance, a.label.casefold(), None if a.said is None else a.said.casefold())
            for a in group
        ]
        given = [prediction.said is not None for prediction in predictions]
        # Where every row has an answer both presets are the same; where none has, only one can be scored.
        for preset in PRESETS if any(given) and not all(given) else PRESETS[1:]:
            score = label_score(
                predictions,
                preset=preset,
                random_probability=1 / group[0].choices,
                seed=seed,
                resamples=resamples,
            )
            rows.append(
                {
                    "system": system,
                    "setting": setting,
                    "benchmark": group[0].benchmark,
                    "source": source,
                    "preset": None if all(given) else preset,
                    "accuracy": 100 * score.accuracy.value,
                    "accuracy_low": 100 * score.accuracy.low,
                    "accuracy_high": 100 * score.accuracy.high,
                    "correct": score.correct,
                    "rows": score.rows,
                    "recorded": score.recorded,
                    "random_probability": 100 * score.random_probability,
                    "published": known.get((system, setting)),
                }
            )
    write_table(base, COLUMNS, rows, note=NOTE, floats=1)
    return rows


def _by_system(answers: Iterable[Answer]) -> dict[tuple[str, str, str], list[Answer]]:
    groups: dict[tuple[str, str, str], list[Answer]] = defaultdict(list)
    for answer in answers:
        groups[answer.source, answer.system, answer.prompt].append(answer)
    return {key: groups[key] for key in sorted(groups)}
