"""Answers of models to rotated instances that the repository ships, and how they come into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import RotationRow, first_rotation, read_rotations, rotation_rows
from divlogic.models.parameters import model_named
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.model_answers import Table, described, read_all, write_recorded
from divlogic.models.requests import label_of
from divlogic.models.styles import ROTATED, PromptStyle
from divlogic.records import read_records

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
    return write_recorded(
        folder,
        KIND,
        model=label_of(model),
        about=described(model, parameters.sampling),
        questions=[row for path in rotations for row in read_rotations(path)],
        predictions=(row for path in predictions for row in read_predictions(path)),
    )


def write_recorded_predictions(
    rotations: Sequence[Path],
    folders: Sequence[Path],
    out: Path,
    report: Path,
    *,
    benchmarks: Path | None = None,
    seed: int = 0,
) -> None:
    """Write what models answered when they were recorded, as far as the rotations are still the same.

    Args:
        rotations: the run's rotation files.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.
        benchmarks: folder of the benchmarks of the rotation files; from it come the rotations in prompt styles that
            the run does not ask itself.
        seed: of the draw of examples.

    Raises:
        DivLogicError: a manifest is missing or malformed, or a benchmark has no file.
    """
    by_style = {}
    for path in rotations if folders else ():
        first = first_rotation(path)
        by_style[first.benchmark, first.prompt] = path
    known = {benchmark for benchmark, _ in by_style}

    def questions(table: Table) -> list[RotationRow]:
        path = by_style.get((table.benchmark, table.prompt))
        if path:
            return read_rotations(path)
        if benchmarks is None or table.benchmark not in known or table.prompt not in ROTATED:
            return []
        return list(_rotated(benchmarks / table.benchmark, ROTATED[table.prompt], seed))

    read_all(folders, KIND, questions, out, report, _blank)


def _rotated(folder: Path, style: PromptStyle, seed: int) -> Iterator[RotationRow]:
    """Yield the rotations of a benchmark's test set in a style."""
    pool = list(read_records(folder / "unpolished.jsonl")) if style.has_examples else []
    return rotation_rows(read_records(folder / "test.jsonl"), style, pool=pool, seed=seed)


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
        choices=row.choices,
    )
