"""Language models on LogicNLI's Test-A: asking them, and what they answered when they were recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.evaluation.logicnli.questions import asked_questions
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.models.asking import ClosedQuestion, ask
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import read_predictions, write_predictions
from divlogic.models.recordings.model_answers import Table, described, read_all, write_recorded
from divlogic.models.requests import label_of

BENCHMARK = "logicnli"
KIND = "logicnli"


def is_asked(model: ModelParameters, parameters: EvaluationParameters) -> bool:
    """Tell whether a model answers LogicNLI's statements: whether it names them among its benchmarks."""
    return BENCHMARK in (model.benchmarks or ()) and bool(prompts_of(model, parameters))


def prompts_of(model: ModelParameters, parameters: EvaluationParameters) -> list[str]:
    """Return the prompt styles of LogicNLI's statements that are put to a model."""
    own = model.prompts
    return [name for name in parameters.logicnli.prompts if own is None or name in own]


def statements(
    source: Path, pool: Path, prompts: Sequence[str], *, quartets: int | None, seed: int
) -> list[ClosedQuestion]:
    """Return LogicNLI's statements in some prompt styles, as they are put to models.

    Args:
        source: the set (jsonl).
        pool: training set, for prompts with solved examples.
        prompts: names of the styles.
        quartets: number of quartets, evenly spaced over the depths; ``None`` for all.
        seed: of the draw of examples.

    Raises:
        DivLogicError: a file is missing or malformed, or there is no such style.
    """
    return [
        question
        for prompt in prompts
        for question in asked_questions(source, pool, prompt=prompt, quartets=quartets, seed=seed)
    ]


def ask_logicnli(
    source: Path,
    pool: Path,
    store: Path,
    out: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
    seed: int,
) -> int:
    """Ask a model the statements that the store holds no answer to; write all its answers, return their number.

    Args:
        source: the set (jsonl).
        pool: training set, for prompts with solved examples.
        store: response store of the model.
        out: the answers, in the order of prompts and statements.
        model, parameters, seed: who is asked, and how.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still missing at the end.
    """
    asked = _of_model(source, pool, model, parameters, seed)
    # Whole quartets, whatever the model's number of instances; one run: a system has one answer to a statement.
    model = model.model_copy(update={"runs": 1, "instances": None})
    section = parameters.logicnli
    found = ask(asked, store, model=model, sampling=section.sampling, limits=parameters.limits, seed=seed)
    return write_predictions(out, found)


def record_logicnli(
    source: Path,
    pool: Path,
    predictions: Sequence[Path],
    folder: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
    seed: int,
) -> list[Table]:
    """Write a model's answers to LogicNLI's statements as the repository ships them.

    Args:
        source: the set (jsonl).
        pool: training set, for prompts with solved examples.
        predictions: files of what was answered, by any models.
        folder: the model's folder.
        model, parameters, seed: who was asked, and how.

    Raises:
        DivLogicError: the model has no answer to any statement.
    """
    return write_recorded(
        folder,
        KIND,
        model=label_of(model),
        about=described(model, parameters.logicnli.sampling),
        questions=_of_model(source, pool, model, parameters, seed),
        predictions=(row for path in predictions for row in read_predictions(path)),
    )


def write_recorded_statements(
    source: Path, pool: Path, folders: Sequence[Path], out: Path, report: Path, *, seed: int
) -> None:
    """Write what models answered when they were recorded, as far as the statements are still the same.

    Args:
        source: the set (jsonl).
        pool: training set, for prompts with solved examples.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.
        seed: of the draw of examples.

    Raises:
        DivLogicError: a manifest is missing or malformed, or there are no statements.
    """

    def questions(table: Table) -> list[ClosedQuestion]:
        return statements(source, pool, [table.prompt], quartets=None, seed=seed)

    read_all(folders, KIND, questions, out, report)


def _of_model(
    source: Path, pool: Path, model: ModelParameters, parameters: EvaluationParameters, seed: int
) -> list[ClosedQuestion]:
    quartets = parameters.logicnli.quartets
    return statements(source, pool, prompts_of(model, parameters), quartets=quartets, seed=seed)
