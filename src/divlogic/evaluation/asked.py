"""Benchmarks that models are asked with one prompt per record: their questions, asking, recording and reading back.

What differs between them stands in their specs (:class:`divlogic.benchmarks.spec.Asked`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.answers import answer_format, offer_baselines
from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named
from divlogic.benchmarks.spec import Asked
from divlogic.config.command import ARGUMENT
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.models.asking import AskingOptions, ask, predictions_of, read_questions
from divlogic.models.baselines import files_read
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import write_predictions
from divlogic.models.recordings import model_answers
from divlogic.models.requests import ClosedQuestion


@dataclass(frozen=True)
class AskedRecords:
    """What is asked of a benchmark."""

    benchmark: Annotated[str, ARGUMENT, click.Choice([one.name for one in BENCHMARKS if one.asked])]
    records: Annotated[Path, "--in", "Records that are asked (jsonl)."]
    pool: Annotated[Path, "Training split, for prompts with solved examples (jsonl)."]

    def questions(self, prompts: Sequence[str], number: int | None, seed: int) -> list[ClosedQuestion]:
        """Return the questions in some prompt styles, as they are put to models.

        Args:
            prompts: names of the styles.
            number: number of records, or of groups of records; ``None`` for all.
            seed: of the draw of examples.

        Raises:
            DivLogicError: there is nothing to ask, or nothing to draw examples from.
        """
        return read_questions(
            self.records,
            self.pool,
            prompts=prompts,
            instances=number,
            seed=seed,
            form_of=answer_format,
            choose=asked_of(self.benchmark).choose,
        )

    def of_model(self, model: ModelParameters, params: EvaluationRun) -> list[ClosedQuestion]:
        """Return the questions that the parameters put to a model."""
        section = section_of(self.benchmark, params.evaluation)
        prompts = prompts_of(self.benchmark, model, params.evaluation)
        return self.questions(prompts, getattr(section, asked_of(self.benchmark).number), params.seed)


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


def asked_as(benchmark: str, model: ModelParameters, parameters: EvaluationParameters) -> ModelParameters:
    """Return a model with the numbers of runs and instances that count for a benchmark."""
    spec = asked_of(benchmark)
    if spec.once:
        own: dict[str, Any] = {"runs": 1, "instances": None, "prompt_instances": {}}
    else:
        # The number of the section, evenly spaced, counts in place of the model's, which are the first ones.
        own = {"runs": model.runs or parameters.runs}
        if getattr(section_of(benchmark, parameters), spec.number) is not None:
            own |= {"instances": None, "prompt_instances": {}}
    return model.model_copy(update=own)


def ask_benchmark(
    asked: AskedRecords,
    given: AskingOptions,
    out: Annotated[Path, "Predictions (jsonl)."],
    params: EvaluationRun,
) -> None:
    """Ask a model the questions of BENCHMARK, with their context, to which the store has no answer.

    Raises:
        DivLogicError: there is nothing to ask, the model cannot be used, or answers are still missing at the end.
    """
    section = section_of(asked.benchmark, params.evaluation)
    model = given.model(params.evaluation.models)
    questions = asked.of_model(model, params)
    limits = given.limits(params.evaluation.limits)
    model = asked_as(asked.benchmark, model, params.evaluation)
    answers = ask(
        [questions], given.store, model=model, sampling=section.sampling, limits=limits, seed=params.seed
    )
    write_predictions(out, predictions_of(answers, model))


def record_benchmark(asked: AskedRecords, given: model_answers.RecordOptions, params: EvaluationRun) -> None:
    """Record a model's answers to the questions of BENCHMARK for later runs."""
    model_answers.record(
        given,
        asked.benchmark,
        lambda model: asked.of_model(model, params),
        params.evaluation.models,
        section_of(asked.benchmark, params.evaluation).sampling,
    )


def recorded_benchmark(
    asked: AskedRecords, given: model_answers.RecordedOptions, params: EvaluationRun
) -> None:
    """Write the recorded answers of models to the questions of BENCHMARK; those to other versions are left out."""
    prompts = section_of(asked.benchmark, params.evaluation).prompts

    def questions(table: model_answers.RecordedTable) -> list[ClosedQuestion]:
        return asked.questions([table.prompt], None, params.seed) if table.prompt in prompts else []

    model_answers.recorded(given, asked.benchmark, questions)
