"""Answers of models that the repository ships, to rotated instances and to JustLogic, and how they come into it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from divlogic.evaluation.justlogic import justlogic_questions, prompts_of
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.rotations import RotationRow, first_rotation, read_rotations
from divlogic.io.files import write_json
from divlogic.io.log import say
from divlogic.models.asking import ClosedQuestion, blank_prediction
from divlogic.models.gguf import is_served
from divlogic.models.parameters import SamplingParameters, model_named
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings.model_answers import AskedQuestion, Table, read_recorded, write_recorded
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import fingerprint_of, label_of

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

    _read_all(folders, KIND, questions, _blank, out, report)


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

    _read_all(folders, LABELS, questions, blank_prediction, out, report)


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
    about: dict[str, Any] = {
        "name": model.name,
        "args": model.args,
        "sampling": sampling.model_dump(exclude_none=True),
    }
    if is_served(model.name):
        about["file"] = fingerprint_of(model)
    answers = (row for path in predictions for row in read_predictions(path))
    label = label_of(model)
    return write_recorded(folder, kind, model=label, about=about, questions=questions, predictions=answers)


def _read_all(
    folders: Sequence[Path],
    kind: str,
    questions: Callable[[Table], Sequence[AskedQuestion]],
    blank: Callable[[Any, str], Prediction],
    out: Path,
    report: Path,
) -> None:
    found: list[Prediction] = []
    reports: list[Report] = []
    for folder in folders:
        answers, met = read_recorded(folder, kind, questions, blank)
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
        choices=row.choices,
    )
