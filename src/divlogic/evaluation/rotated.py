"""Rotated questions put to models: running, planning, exporting, recording and reading back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from divlogic.benchmarks.answers import offer_baselines
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.config.option import read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import (
    first_rotation,
    hold_out,
    pool_of,
    read_rotations,
    rotation_rows,
    source_of,
    style_named,
)
from divlogic.io.log import say
from divlogic.models.asking import AskingOptions, ask, predictions_of, stored_predictions
from divlogic.models.baselines import files_lacking, files_read
from divlogic.models.parameters import ModelParameters, SamplingParameters, model_named
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings import model_answers
from divlogic.models.requests import ClosedQuestion, label_of, requests_of
from divlogic.models.store import Response, read_responses
from divlogic.models.styles import ROTATED
from divlogic.records import read_records

KIND = "rotations"

CHARACTERS_PER_TOKEN = 4.0
"""Rule of thumb for English where no answer of the model has shown its own number."""

Rotations = Annotated[tuple[Path, ...], ARGUMENT]


@dataclass(frozen=True)
class BaselineFiles:
    """What baselines read."""

    train: Annotated[Path | None, "Records that trained baselines learn from."] = None
    records: Annotated[tuple[Path, ...], "Records that the symbolic reader reads; repeatable."] = ()
    groups: Annotated[Path | None, "Sentence groups with negations, for the symbolic reader."] = None

    def given_to(self, model: ModelParameters) -> ModelParameters:
        """Give a baseline the files that it reads, unless its own arguments name them."""
        offer_baselines()
        files = {"train": self.train, "records": self.records, "groups": self.groups}
        given = {
            name: [str(path) for path in paths] if isinstance(paths, tuple) else str(paths)
            for name in files_read(model.name)
            if (paths := files.get(name))
        }
        return model.model_copy(update={"args": {**given, **model.args}}) if given else model


PromptPrice = Annotated[float | None, click.FloatRange(min=0), "Price of a million tokens of prompts."]
AnswerPrice = Annotated[float | None, click.FloatRange(min=0), "Price of a million tokens of answers."]


def wanted(
    rotations: Sequence[Path], model: ModelParameters, parameters: EvaluationParameters
) -> Iterator[list[ClosedQuestion]]:
    """Yield, of each rotation file, the questions that the parameters put to a model."""
    for path in rotations:
        yield [row for row in read_rotations(path) if parameters.asks(model, row.benchmark, row.prompt)]


def run(
    rotations: Rotations,
    given: AskingOptions,
    files: BaselineFiles,
    params: EvaluationRun,
    summary: Annotated[Path | None, "What the run did (json)."] = None,
    out: Annotated[Path | None, "Write the model's answers as predictions (jsonl)."] = None,
    inspect_logs: Annotated[
        Path | None, FOLDER, "Write Inspect logs into this folder, for `inspect view`."
    ] = None,
) -> None:
    """Ask a model for every answer to the ROTATIONS that the store lacks.

    Raises:
        DivLogicError: the model cannot be used, or answers are still missing at the end.
    """
    section = params.evaluation
    model = files.given_to(given.model(section.models))
    answers = ask(
        wanted(rotations, model, section),
        given.store,
        model=model,
        runs=model.runs or section.runs,
        sampling=section.sampling,
        limits=given.limits(section.limits),
        seed=params.seed,
        summary=summary,
        inspect_logs=inspect_logs,
    )
    if out:
        write_predictions(out, predictions_of(answers, model))


def plan(
    files: BaselineFiles,
    params: EvaluationRun,
    rotations: Annotated[tuple[Path, ...], ARGUMENT] = (),
    configfile: Annotated[
        Path | None, "Parameter file that is laid over the parameters, such as config/paper_models.yaml."
    ] = None,
    store: Annotated[
        Path | None, "Response store, whose answers are not paid again; none yet if left out."
    ] = None,
    names: Annotated[tuple[str, ...], "--model", "Only these models; by default all of the parameters."] = (),
    input_price: PromptPrice = None,
    output_price: AnswerPrice = None,
) -> None:
    """Say what a run on the ROTATIONS would ask: requests, tokens, and the cost at the prices given.

    Without ROTATIONS, those of the benchmarks and prompt styles of the parameters are planned, benchmark by benchmark.

    Raises:
        DivLogicError: a file is missing or malformed, or a model is unknown.
    """
    if configfile:
        params = read_params(EvaluationRun, ("params.yaml", str(configfile)))
    section = params.evaluation
    parts = {"": [read_rotations(path) for path in rotations]} if rotations else dict(_of_parameters(params))
    for model in [model_named(section.models, name, None) for name in names] or section.models:
        model = files.given_to(model) if rotations else model
        for benchmark, listed in parts.items():
            asked = [
                [row for row in part if section.asks(model, row.benchmark, row.prompt)] for part in listed
            ]
            if not rotations and not any(asked):
                continue
            planned = plan_run(
                asked,
                read_responses(store) if store else {},
                model=model,
                runs=model.runs or section.runs,
                sampling=section.sampling,
            )
            click.echo(f"{benchmark}: {planned.sentence()}" if benchmark else planned.sentence())
            prices = [
                given if own is None else own
                for own, given in ((model.input_price, input_price), (model.output_price, output_price))
            ]
            if prices != [None, None]:
                click.echo(f"{planned.model}: cost about {planned.cost(prices[0] or 0, prices[1] or 0):,.2f}")


def _of_parameters(params: EvaluationRun) -> Iterator[tuple[str, list[list[ClosedQuestion]]]]:
    """Yield the rotations of each benchmark of the parameters that is here, a list per prompt style."""
    for benchmark in params.evaluation.benchmarks:
        try:
            source = source_of(benchmark)
        except DivLogicError as error:
            say(f"not planned: {error}")
            continue
        records, path = list(read_records(source)), pool_of(source)
        asked, examples = (records, list(read_records(path))) if path else hold_out(records)
        parts = [
            list(rotation_rows(asked, style_named(prompt), pool=examples, seed=params.seed))
            for prompt in params.evaluation.prompts
        ]
        yield benchmark, parts


@dataclass(frozen=True)
class Plan:
    """The requests of a run.

    Attributes:
        model: name of the model.
        requests: answers wanted.
        stored: of these, already in the store.
        input_tokens: estimate of the prompts' tokens that are still to be paid.
        output_tokens: estimate of the answers' tokens.
        measured: whether the estimates come from stored answers of the model.
    """

    model: str
    requests: int
    stored: int
    input_tokens: int
    output_tokens: int
    measured: bool

    def cost(self, input_price: float, output_price: float) -> float:
        """Return the cost at prices per million tokens."""
        return (self.input_tokens * input_price + self.output_tokens * output_price) / 1e6

    def sentence(self) -> str:
        """Return the plan in words."""
        how = (
            "as in the stored answers"
            if self.measured
            else f"{CHARACTERS_PER_TOKEN:.0f} characters each, answers at their longest"
        )
        return (
            f"{self.model}: {self.requests:,} answers wanted, {self.stored:,} in the store,"
            f" {self.requests - self.stored:,} to ask; about {self.input_tokens:,} tokens in and"
            f" {self.output_tokens:,} out ({how})"
        )


def plan_run(
    questions: Iterable[Sequence[ClosedQuestion]],
    responses: Mapping[str, Response],
    *,
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Plan:
    """Return what a model's run on lists of questions would ask for."""
    requests = [request for part in questions for request in requests_of(part, model, runs, sampling)]
    found = [(request, request.stored(responses)) for request in requests]
    missing = [request.question for request, response in found if response is None]
    known = [(request.question.input, response) for request, response in found if response is not None]
    per_character, answer, measured = _rates(known, model.sampling_within(sampling).get("max_tokens", 0))
    characters = sum(len(question.input) for question in missing)
    out = sum(1 if question.likelihood else answer for question in missing)
    return Plan(
        label_of(model),
        len(requests),
        len(requests) - len(missing),
        round(characters * per_character),
        round(out),
        measured,
    )


def _rates(known: Sequence[tuple[str, Response]], longest: int) -> tuple[float, float, bool]:
    """Return tokens per character of a prompt, tokens per answer, and whether they were measured."""
    counted = [(len(text), r.input_tokens, r.output_tokens or 0) for text, r in known if r.input_tokens]
    if counted:
        characters, tokens, answers = (sum(column) for column in zip(*counted, strict=True))
        return tokens / characters, answers / len(counted), True
    return 1 / CHARACTERS_PER_TOKEN, float(longest), False


def export(
    rotations: Rotations,
    store: Annotated[Path, "Response store."],
    out: Annotated[Path, "Predictions (jsonl)."],
    files: BaselineFiles,
    params: EvaluationRun,
    names: Annotated[tuple[str, ...], "--model", "Only these models; by default all of the parameters."] = (),
    base_url: Annotated[str | None, "Address of the server; the answers do not depend on it."] = None,
) -> None:
    """Write the stored answers to the ROTATIONS as predictions, in a fixed order.

    The order is that of models, rotation files, runs and rows, and not that in which the answers arrived.

    Raises:
        DivLogicError: a file is missing, two models have one label, or the store has no answer at all.
    """
    section = params.evaluation
    models = [model_named(section.models, name, base_url) for name in names] or section.models
    models = [files.given_to(model) for model in models]
    labels = [label_of(model) for model in models]
    if len(set(labels)) < len(labels):
        raise DivLogicError(
            f"two models have the same label ({', '.join(sorted(labels))}); give them other labels."
        )
    for model in models:
        kind, _, name = model.name.partition("/")
        if kind == "baseline" and (lacking := files_lacking(name, model.args)):
            raise DivLogicError(
                f"{model.name} answers by a file, which decides under which key its answers are stored; name the one"
                f" that `run` had, with --{lacking[0]}."
            )
    responses = read_responses(store)

    def rows() -> Iterator[Prediction]:
        for model in models:
            questions, runs = wanted(rotations, model, section), model.runs or section.runs
            yield from stored_predictions(questions, responses, model, runs, section.sampling)

    if not write_predictions(out, rows()):
        raise DivLogicError(f"{store}: it holds no answer to these requests; run a model first.")


def record_rotations(rotations: Rotations, given: model_answers.RecordOptions, params: EvaluationRun) -> None:
    """Record a model's answers to the ROTATIONS for later runs: letters and log-probabilities, for these questions."""
    asked = [row for path in rotations for row in read_rotations(path)]
    model_answers.record(given, KIND, lambda _: asked, params.evaluation.models, params.evaluation.sampling)


def recorded_rotations(
    given: model_answers.RecordedOptions,
    params: EvaluationRun,
    rotations: Annotated[tuple[Path, ...], ARGUMENT] = (),
    benchmarks: Annotated[
        Path | None, FOLDER, "Folder of the benchmarks, for prompt styles that no ROTATIONS have."
    ] = None,
) -> None:
    """Write the recorded answers of models to the ROTATIONS; those to other versions of them are left out."""
    by_style = {}
    for path in rotations if given.folders else ():
        first = first_rotation(path)
        by_style[first.benchmark, first.prompt] = path
    known = {benchmark for benchmark, _ in by_style}

    def questions(table: model_answers.RecordedTable) -> Sequence[ClosedQuestion]:
        if path := by_style.get((table.benchmark, table.prompt)):
            return read_rotations(path)
        if benchmarks is None or table.benchmark not in known or table.prompt not in ROTATED:
            return ()
        folder, style = benchmarks / table.benchmark, ROTATED[table.prompt]
        pool = list(read_records(folder / "unpolished.jsonl")) if style.has_examples else []
        return list(rotation_rows(read_records(folder / "test.jsonl"), style, pool=pool, seed=params.seed))

    model_answers.recorded(given, KIND, questions)
