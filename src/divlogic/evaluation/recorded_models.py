"""Answers of models to rotated instances that the repository ships, and how they come into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import RotationRow, first_rotation, read_rotations
from divlogic.io.files import write_json
from divlogic.io.log import say
from divlogic.models.parameters import model_named
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings.model_answers import Table, read_recorded, write_recorded
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import label_of

KIND = "rotations"


def record_rotations(
    rotations: Sequence[Path],
    predictions: Sequence[Path],
    folder: Path,
    *,
    name: str,
    parameters: EvaluationParameters,
) -> list[Table]:
    """Write a model's answers to rotated instances as the repository ships them.

    Args:
        rotations: files of what was asked.
        predictions: files of what was answered, by any models.
        folder: the model's folder.
        name: label or name of the model.
        parameters: how it was asked.

    Raises:
        DivLogicError: the model is unknown, or has no answer to any rotation.
    """
    model = model_named(parameters.models, name, None)
    label = label_of(model)
    about = {
        "name": model.name,
        "args": model.args,
        "sampling": parameters.sampling.model_dump(exclude_none=True),
    }
    return write_recorded(
        folder,
        KIND,
        model=label,
        about=about,
        questions=[row for path in rotations for row in read_rotations(path)],
        predictions=(row for path in predictions for row in read_predictions(path)),
    )


def write_recorded_predictions(
    rotations: Sequence[Path], folders: Sequence[Path], out: Path, report: Path
) -> None:
    """Write what models answered when they were recorded, as far as the rotations are still the same.

    Args:
        rotations: the run's rotation files.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.

    Raises:
        DivLogicError: a manifest is missing or malformed.
    """
    by_style = {}
    for path in rotations if folders else ():
        first = first_rotation(path)
        by_style[first.benchmark, first.prompt] = path

    def questions(table: Table) -> list[RotationRow]:
        path = by_style.get((table.benchmark, table.prompt))
        return read_rotations(path) if path else []

    found: list[Prediction] = []
    reports: list[Report] = []
    for folder in folders:
        answers, met = read_recorded(folder, KIND, questions, _blank)
        found += answers
        reports += met
    for one in reports:
        if sentence := one.sentence():
            say(sentence)
    write_predictions(out, found)
    write_json(report, [asdict(one) for one in reports])


def _blank(row: RotationRow, model: str) -> Prediction:
    return Prediction(
        row.benchmark,
        model,
        row.prompt,
        row.instance,
        row.gold,
        None,
        rotation=row.rotation,
        question_type=row.question_type,
    )
