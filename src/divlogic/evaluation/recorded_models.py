"""Answers of models that the repository ships, to rotated instances and to JustLogic, and how they come into it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from divlogic.evaluation.justlogic import justlogic_questions, prompts_of
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import RotationRow, first_rotation, read_rotations, rotation_rows
from divlogic.models.asking import ClosedQuestion
from divlogic.models.parameters import SamplingParameters, model_named
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.model_answers import (
    AskedQuestion,
    Table,
    described,
    read_all,
    write_recorded,
)
from divlogic.models.requests import label_of
from divlogic.models.styles import ROTATED, PromptStyle
from divlogic.records import read_records

KIND = "rotations"
LABELS = "justlogic"


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
    return _record(
        folder,
        KIND,
        name,
        parameters,
        parameters.sampling,
        [row for path in rotations for row in read_rotations(path)],
        predictions,
    )


def record_justlogic(
    source: Path,
    pool: Path,
    predictions: Sequence[Path],
    folder: Path,
    *,
    name: str,
    parameters: EvaluationParameters,
    seed: int,
) -> list[Table]:
    """Write a model's answers to JustLogic's questions as the repository ships them.

    Args:
        source: the questions.
        pool: training part, for prompts with solved examples.
        predictions: files of what was answered, by any models.
        folder: the model's folder.
        name: label or name of the model.
        parameters, seed: how it was asked.

    Raises:
        DivLogicError: the model is unknown, or has no answer to any question.
    """
    most, sampling = parameters.justlogic.instances, parameters.justlogic.sampling
    questions: list[AskedQuestion] = []
    for prompt in prompts_of(model_named(parameters.models, name, None), parameters):
        questions += justlogic_questions(source, pool, [prompt], instances=most, seed=seed)
    return _record(folder, LABELS, name, parameters, sampling, questions, predictions)


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


def write_recorded_labels(
    source: Path,
    pool: Path,
    folders: Sequence[Path],
    out: Path,
    report: Path,
    *,
    prompts: Sequence[str],
    seed: int,
) -> None:
    """Write what models answered to JustLogic when they were recorded, as far as the questions are still the same.

    Args:
        source: the questions.
        pool: training part, for prompts with solved examples.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.
        prompts: the run's prompt styles.
        seed: of the draw of examples.

    Raises:
        DivLogicError: a manifest is missing or malformed, or there are no questions.
    """

    def questions(table: Table) -> list[ClosedQuestion]:
        asked = [table.prompt] if table.prompt in prompts else []
        return justlogic_questions(source, pool, asked, instances=None, seed=seed) if asked else []

    read_all(folders, LABELS, questions, out, report)


def _record(
    folder: Path,
    kind: str,
    name: str,
    parameters: EvaluationParameters,
    sampling: SamplingParameters,
    questions: Sequence[AskedQuestion],
    predictions: Sequence[Path],
) -> list[Table]:
    model = model_named(parameters.models, name, None)
    about = described(model, sampling)
    answers = (row for path in predictions for row in read_predictions(path))
    label = label_of(model)
    return write_recorded(folder, kind, model=label, about=about, questions=questions, predictions=answers)


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
