"""What models answered to this workflow's own questions, as the repository ships it.

A folder per model holds one file of predictions. It has neither questions nor answers in words: each row has the answer
that was read, the log-probabilities of the letters, and the digest of what was shown. A row counts only for the very
question that was asked, wording and order of the options included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.log import say
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import ClosedQuestion
from divlogic.records import grouped

STORE = "predictions.jsonl.gz"
"""Name of the file of predictions in a model's folder."""

ANOTHER_VERSION = "recorded on another version"
SUFFIX = " (recorded)"
"""What follows the name of a model whose answers were recorded earlier."""

UNREADABLE = "?"
"""Stands for an answer in words that names none of the possible ones; an empty text stands for none at all."""


class RecordedPart(NamedTuple):
    """What a model was asked of a benchmark in one prompt style, in all rotations or with one prompt per record."""

    benchmark: str
    prompt: str
    rotated: bool


Questions = Callable[[RecordedPart], Iterable[ClosedQuestion]]
"""Returns the questions of a run that a part may answer; none if the part is none of this run's."""


@dataclass(frozen=True)
class RecordedOptions:
    """Options of every step that reads recorded answers back."""

    out: Annotated[Path, "Predictions (jsonl)."]
    report: Annotated[Path, "What was met in each part (json), for notes."]
    folders: Annotated[
        tuple[Path, ...], "--from", FOLDER, "Folder of a recorded model; repeatable."
    ] = ()


def record_answers(
    predictions: Annotated[tuple[Path, ...], ARGUMENT],
    name: Annotated[str, "--model", "Name of the model in these files."],
    folder: Annotated[Path, "--out", FOLDER, "The model's folder in data/recorded."],
) -> None:
    """Record what a model answered in PREDICTIONS, so that later runs show it while the questions are the same.

    Of several runs the first is kept. What the folder has of a benchmark and prompt style is replaced if these files
    have answers to it.
    """
    rows = [row for path in predictions for row in read_predictions(path)]
    own = [row for row in rows if row.model == name and row.run == 0]
    if not own:
        named = ", ".join(sorted({row.model for row in rows})) or "no model"
        raise DivLogicError(
            f"{', '.join(map(str, predictions))}: there is no answer of '{name}' to be recorded, but of {named}; ask it"
            " first (make model)."
        )
    for row in own:
        if not row.question:
            raise DivLogicError(
                f"the answer of '{name}' to {row.instance!r} does not say which question was shown (the field"
                " 'question'); only answers that this program asked for can be recorded."
            )
    store = folder / STORE
    former = list(read_predictions(store)) if store.is_file() else []
    for row in former:
        if row.model != name:
            raise DivLogicError(
                f"{store}: it holds the answers of '{row.model}'; record those of '{name}' in a folder of their own."
            )
    parts = {part_of(row) for row in own}
    kept = [row for row in former if part_of(row) not in parts]
    # Sorted, so that the same answers make the same bytes in whatever order they came.
    ordered = sorted([*kept, *map(without_words, own)], key=_order)
    write_predictions(store, ordered)
    for part, answers in grouped(ordered, part_of).items():
        click.echo(f"{store}: {len(answers):,} answers ({part.benchmark}, {part.prompt})")


def without_words(row: Prediction) -> Prediction:
    """Return a prediction with what was read of its answer in the place of the answer."""
    said = row.predicted or (UNREADABLE if row.answered else "")
    return replace(row, answer=said)


def recorded(given: RecordedOptions, questions: Questions) -> None:
    """Write the recorded answers of all models to the questions of this run, and what was met in each part.

    A part is taken whole or not at all: what is left of one whose questions changed would be a choice of them.
    """
    found: list[Prediction] = []
    reports: list[Report] = []
    for folder in given.folders:
        parts = grouped(read_predictions(folder / STORE), part_of)
        for part, rows in parts.items():
            asked = list(questions(part))
            if not asked:
                continue
            report = Report(f"{folder.name}: {part.benchmark}, {part.prompt}")
            answers = answers_to(asked, rows)
            if answers is None:
                report.error = ANOTHER_VERSION
                say(report.sentence())
            else:
                report.rows = len(answers)
                found += [replace(row, model=row.model + SUFFIX) for row in answers]
            reports.append(report)
    write_predictions(given.out, found)
    write_json(given.report, [asdict(report) for report in reports])


def answers_to(
    asked: Sequence[ClosedQuestion], rows: Sequence[Prediction]
) -> list[Prediction] | None:
    """Return the answers to the questions in their order; ``None`` if one of the rows answers another question."""
    by_digest = {row.question: row for row in rows}
    ordered = [by_digest[one.digest] for one in asked if one.digest in by_digest]
    return ordered if len(ordered) == len(rows) else None


def part_of(row: Prediction) -> RecordedPart:
    """Return the part that a prediction belongs to; rotated questions are those whose answers name no source."""
    return RecordedPart(row.benchmark, row.prompt, not row.source)


def _order(row: Prediction) -> tuple[str, str, bool, str, int]:
    return (*part_of(row), row.instance, row.rotation)
