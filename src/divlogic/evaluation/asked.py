"""Benchmarks that models are asked with one prompt per record: their questions, asking, and answers that are recorded.

What differs between them stands in their specs (:class:`divlogic.benchmarks.spec.Asked`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.baselines import offer_baselines
from divlogic.benchmarks.registry import benchmark_named
from divlogic.benchmarks.spec import Asked
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.models.asking import ClosedQuestion, ask, read_questions
from divlogic.models.baselines import files_read
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import read_predictions, write_predictions
from divlogic.models.recordings.model_answers import Table, described, read_all, write_recorded
from divlogic.models.requests import label_of


@dataclass(frozen=True, slots=True)
class Source:
    """Where the questions of a benchmark come from.

    Attributes:
        benchmark: its name in the registry.
        records: what is asked (jsonl).
        pool: records that solved examples are drawn from (jsonl).
        seed: of the draw of examples.
    """

    benchmark: str
    records: Path
    pool: Path
    seed: int

    def questions(self, prompts: Sequence[str], number: int | None) -> list[ClosedQuestion]:
        """Return the questions in some prompt styles, as they are put to models.

        Args:
            prompts: names of the styles.
            number: number of records, or of groups of records; ``None`` for all.

        Raises:
            DivLogicError: there is nothing to ask, or nothing to draw examples from.
        """
        return read_questions(
            self.records,
            self.pool,
            prompts=prompts,
            instances=number,
            seed=self.seed,
            form_of=answer_format,
            choose=asked_of(self.benchmark).choose,
        )

    def asked_of_model(
        self, model: ModelParameters, parameters: EvaluationParameters
    ) -> list[ClosedQuestion]:
        """Return the questions that the parameters put to a model."""
        number = getattr(section_of(self.benchmark, parameters), asked_of(self.benchmark).number)
        return self.questions(prompts_of(self.benchmark, model, parameters), number)


def asked_of(benchmark: str) -> Asked:
    """Return how a benchmark is asked with one prompt per record.

    Raises:
        DivLogicError: there is no such benchmark, or it is not asked in this form.
    """
    asked = benchmark_named(benchmark).asked
    if asked is None:
        raise DivLogicError(f"the benchmark '{benchmark}' is not asked with one prompt per record.")
    return asked


def section_of(benchmark: str, parameters: EvaluationParameters) -> Any:
    """Return the section ``evaluation.<benchmark>``."""
    return getattr(parameters, benchmark)


def prompts_of(benchmark: str, model: ModelParameters, parameters: EvaluationParameters) -> list[str]:
    """Return the prompt styles in which a benchmark is put to a model."""
    own = model.prompts
    return [name for name in section_of(benchmark, parameters).prompts if own is None or name in own]


def is_asked(benchmark: str, model: ModelParameters, parameters: EvaluationParameters) -> bool:
    """Return whether a model answers a benchmark: whether it and a prompt style of it are the model's.

    Baselines that read files are left out: they are trained on another benchmark, or hold what it was made from.
    """
    named = model.benchmarks
    wanted = benchmark in named if named is not None else not asked_of(benchmark).if_named
    offer_baselines()
    return wanted and not files_read(model.name) and bool(prompts_of(benchmark, model, parameters))


def ask_benchmark(
    source: Source, store: Path, out: Path, *, model: ModelParameters, parameters: EvaluationParameters
) -> int:
    """Ask a model the questions that the store holds no answer to; write all its answers, return their number.

    Args:
        source: the questions.
        store: response store of the model.
        out: the answers, in the order of prompts and records.
        model, parameters: who is asked, and how.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still missing at the end.
    """
    asked, section = asked_of(source.benchmark), section_of(source.benchmark, parameters)
    if asked.once:
        own: dict[str, Any] = {"runs": 1, "instances": None, "prompt_instances": {}}
    else:
        # The number of the section, evenly spaced, counts in place of the model's, which are the first ones.
        own = {"runs": model.runs or parameters.runs}
        if getattr(section, asked.number) is not None:
            own |= {"instances": None, "prompt_instances": {}}
    predictions = ask(
        source.asked_of_model(model, parameters),
        store,
        model=model.model_copy(update=own),
        sampling=section.sampling,
        limits=parameters.limits,
        seed=source.seed,
    )
    return write_predictions(out, predictions)


def record_benchmark(
    source: Source,
    predictions: Sequence[Path],
    folder: Path,
    *,
    model: ModelParameters,
    parameters: EvaluationParameters,
) -> list[Table]:
    """Write a model's answers to the questions as the repository ships them.

    Args:
        source: the questions.
        predictions: files of what was answered, by any models.
        folder: the model's folder.
        model, parameters: who was asked, and how.

    Raises:
        DivLogicError: the model has no answer to any question.
    """
    return write_recorded(
        folder,
        source.benchmark,
        model=label_of(model),
        about=described(model, section_of(source.benchmark, parameters).sampling),
        questions=source.asked_of_model(model, parameters),
        predictions=(row for path in predictions for row in read_predictions(path)),
    )


def write_recorded_benchmark(
    source: Source, folders: Sequence[Path], out: Path, report: Path, *, prompts: Sequence[str]
) -> None:
    """Write what models answered when they were recorded, as far as the questions are still the same.

    Args:
        source: the questions.
        folders: the models' folders.
        out: the predictions.
        report: what was met in each table, for the notes of tables.
        prompts: the run's prompt styles.

    Raises:
        DivLogicError: a manifest is missing or malformed, or there are no questions.
    """

    def questions(table: Table) -> list[ClosedQuestion]:
        return source.questions([table.prompt], None) if table.prompt in prompts else []

    read_all(folders, source.benchmark, questions, out, report)
