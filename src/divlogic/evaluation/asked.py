"""Questions put to models, as rotations or with one prompt per record: asking, exporting, recording, reading back.

What differs between benchmarks with one prompt per record stands in their specs
(:class:`divlogic.benchmarks.spec.Asked`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.answers import answer_format, offer_baselines
from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named
from divlogic.benchmarks.spec import Asked
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import ROTATED_SETS, EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import read_rotations, rotation_rows, rotations_in
from divlogic.io.log import say
from divlogic.models.answer_keys import KeyOf, by_benchmark, keys_of_records
from divlogic.models.asking import (
    AskingOptions,
    ask,
    predictions_of,
    read_questions,
    stored_predictions,
)
from divlogic.models.baselines import files_lacking, files_read
from divlogic.models.parameters import ModelParameters, model_named, slug_of
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings import model_answers
from divlogic.models.requests import ClosedQuestion, label_of, read_responses
from divlogic.models.styles import ROTATED
from divlogic.records import read_records


@dataclass(frozen=True)
class AskedRecords:
    """What is asked of a benchmark."""

    benchmark: Annotated[str, ARGUMENT, click.Choice([one.name for one in BENCHMARKS if one.asked])]
    records: Annotated[Path, "--in", "Records that are asked (jsonl)."]
    pool: Annotated[Path, "Training split, for prompts with solved examples (jsonl)."]

    def questions(
        self, prompts: Sequence[str], number: int | None, seed: int
    ) -> list[ClosedQuestion]:
        """Return the questions in some prompt styles, as they are put to models.

        Args:
            prompts: names of the styles.
            number: number of records, or of groups of records; ``None`` for all.
            seed: of the draw of examples.
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
        section = getattr(params.evaluation, self.benchmark)
        prompts = prompts_of(self.benchmark, model, params.evaluation)
        return self.questions(
            prompts, getattr(section, asked_of(self.benchmark).number), params.seed
        )


@dataclass(frozen=True)
class AnsweredRecords:
    """What answers are compared with."""

    records: Annotated[tuple[Path, ...], "Records that were asked (jsonl); repeatable."] = ()
    pools: Annotated[
        tuple[Path, ...], "--pool", "Training split, for prompts with solved examples; repeatable."
    ] = ()

    def key_of(self, seed: int) -> KeyOf:
        """Return the keys of the records; ``seed`` is that of the draw of examples."""
        return keys_of_records(
            by_benchmark(self.records), self.pools, seed=seed, form_of=answer_format
        )


def asked_of(benchmark: str) -> Asked:
    """Return how a benchmark is asked with one prompt per record."""
    asked = benchmark_named(benchmark).asked
    if asked is None:
        raise DivLogicError(f"the benchmark '{benchmark}' is not asked with one prompt per record.")
    return asked


def prompts_of(
    benchmark: str, model: ModelParameters, parameters: EvaluationParameters
) -> list[str]:
    """Return the prompt styles in which a benchmark is put to a model."""
    own = model.prompts
    return [name for name in getattr(parameters, benchmark).prompts if own is None or name in own]


def is_asked(benchmark: str, model: ModelParameters, parameters: EvaluationParameters) -> bool:
    """Return whether a model answers a benchmark: whether it and a prompt style of it are the model's.

    Baselines that read files are left out: they are trained on another benchmark, or hold what it was made from.
    """
    named = model.benchmarks
    wanted = benchmark in named if named is not None else not asked_of(benchmark).if_named
    offer_baselines()
    return wanted and not files_read(model.name) and bool(prompts_of(benchmark, model, parameters))


def asked_as(
    benchmark: str, model: ModelParameters, parameters: EvaluationParameters
) -> ModelParameters:
    """Return a model with the numbers of runs and instances that count for a benchmark."""
    spec = asked_of(benchmark)
    own: dict[str, Any] = {"runs": 1 if spec.once else model.runs or parameters.runs}
    # The number of the section, evenly spaced, counts in place of the model's, which are the first ones.
    if spec.once or getattr(getattr(parameters, benchmark), spec.number) is not None:
        own |= {"instances": None, "prompt_instances": {}}
    return model.model_copy(update=own)


def ask_benchmark(
    asked: AskedRecords,
    given: AskingOptions,
    out: Annotated[Path, "Predictions (jsonl)."],
    params: EvaluationRun,
) -> None:
    """Ask a model the questions of BENCHMARK, with their context, to which the store has no answer."""
    sampling = getattr(params.evaluation, asked.benchmark).sampling
    model = given.model(params.evaluation.models)
    questions = [asked.of_model(model, params)]
    limits = given.limits(params.evaluation.limits)
    model = asked_as(asked.benchmark, model, params.evaluation)
    answers = ask(
        questions, given.store, model=model, sampling=sampling, limits=limits, seed=params.seed
    )
    write_predictions(out, predictions_of(answers, model))


def recorded_benchmark(
    asked: AskedRecords, given: model_answers.RecordedOptions, params: EvaluationRun
) -> None:
    """Write the recorded answers of models to the questions of BENCHMARK; those to other versions are left out."""
    prompts = getattr(params.evaluation, asked.benchmark).prompts

    def questions(part: model_answers.RecordedPart) -> list[ClosedQuestion]:
        if part.rotated or part.prompt not in prompts:
            return []
        own = asked.questions([part.prompt], None, params.seed)
        # Other benchmarks are asked in prompt styles of the same names.
        return [question for question in own if question.benchmark == part.benchmark]

    model_answers.recorded(given, questions)


Rotations = Annotated[tuple[Path, ...], ARGUMENT]


@dataclass(frozen=True)
class BaselineFiles:
    """What baselines read."""

    train: Annotated[Path | None, "Records that trained baselines learn from."] = None
    records: Annotated[tuple[Path, ...], "Records that the symbolic reader reads; repeatable."] = ()
    groups: Annotated[Path | None, "Sentence groups with negations, for the symbolic reader."] = (
        None
    )

    def given_to(self, model: ModelParameters) -> ModelParameters:
        """Give a baseline the files that it reads, unless its own arguments name them."""
        offer_baselines()
        given = {
            name: [str(path) for path in paths] if isinstance(paths, tuple) else str(paths)
            for name in files_read(model.name)
            if (paths := getattr(self, name, None))
        }
        return model.model_copy(update={"args": {**given, **model.args}}) if given else model


def wanted(
    rotations: Sequence[Path],
    model: ModelParameters,
    parameters: EvaluationParameters,
    read: Callable[[Path], Sequence[ClosedQuestion]] = read_rotations,
) -> Iterator[list[ClosedQuestion]]:
    """Yield, of each rotation file, the questions that the parameters put to a model.

    A model that they do not list is asked all of them: the parameters say nothing about it.
    """
    is_listed = any(label_of(one) == label_of(model) for one in parameters.models)
    for path in rotations:
        rows = read(path)
        if is_listed:
            rows = [row for row in rows if parameters.asks(model, row.benchmark, row.prompt)]
        yield list(rows)


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
    """Ask a model for every answer to the ROTATIONS that the store lacks."""
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
    if not answers:
        # The workflow runs this for a model that is asked something else; it is no error there.
        say(
            f"{label_of(model)}: the parameters put none of these questions to it; its `prompts` or `benchmarks`, or"
            " those of the section, lack the ones of these files"
        )
    if out:
        write_predictions(out, predictions_of(answers, model))


def run_baselines(
    rotations: Rotations,
    stores: Annotated[Path, FOLDER, "Folder of the response stores."],
    files: BaselineFiles,
    params: EvaluationRun,
    out: Annotated[
        Path, FOLDER, "Write the answers of each baseline into this folder, as predictions (jsonl)."
    ],
) -> None:
    """Ask every baseline of the parameters for the answers to the ROTATIONS that its store lacks."""
    section = params.evaluation
    read = cache(read_rotations)
    for named in (one for one in section.models if one.name.startswith("baseline/")):
        model = files.given_to(named)
        answers = ask(
            wanted(rotations, model, section, read),
            stores / f"{slug_of(named)}.sqlite",
            model=model,
            runs=model.runs or section.runs,
            sampling=section.sampling,
            limits=section.limits,
            seed=params.seed,
        )
        write_predictions(out / f"{slug_of(named)}.jsonl.gz", predictions_of(answers, model))


def export(
    rotations: Rotations,
    store: Annotated[Path, "Response store."],
    out: Annotated[Path, "Predictions (jsonl)."],
    files: BaselineFiles,
    params: EvaluationRun,
    names: Annotated[
        tuple[str, ...], "--model", "Only these models; by default all of the parameters."
    ] = (),
    base_url: Annotated[
        str | None, "Address of the server; the answers do not depend on it."
    ] = None,
) -> None:
    """Write the stored answers to the ROTATIONS as predictions, in a fixed order.

    The order is that of models, rotation files, runs and rows, and not that in which the answers arrived.
    """
    section = params.evaluation
    models = [model_named(section.models, name, base_url) for name in names] or section.models
    models = [files.given_to(model) for model in models]
    labels = sorted(map(label_of, models))
    if len(set(labels)) < len(labels):
        raise DivLogicError(
            f"two models have the same label ({', '.join(labels)}); give them other labels."
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


def recorded_rotations(
    given: model_answers.RecordedOptions,
    params: EvaluationRun,
    rotations: Annotated[tuple[Path, ...], ARGUMENT] = (),
    benchmarks: Annotated[
        Path | None, FOLDER, "Folder of the benchmarks, for prompt styles that no ROTATIONS have."
    ] = None,
) -> None:
    """Write the recorded answers of models to the ROTATIONS; those to other versions of them are left out."""
    firsts = [(next(rotations_in(path)), path) for path in rotations if given.folders]
    by_style = {(first.benchmark, first.prompt): path for first, path in firsts}
    known = {benchmark for benchmark, _ in by_style} & ROTATED_SETS.keys()

    def questions(part: model_answers.RecordedPart) -> Sequence[ClosedQuestion]:
        if not part.rotated:
            return ()
        if path := by_style.get((part.benchmark, part.prompt)):
            return read_rotations(path)
        if benchmarks is None or part.benchmark not in known or part.prompt not in ROTATED:
            return ()
        folder, style = benchmarks / part.benchmark, ROTATED[part.prompt]
        examples = folder / f"{ROTATED_SETS[part.benchmark]}.jsonl"
        pool = list(read_records(examples)) if style.has_examples else []
        return list(
            rotation_rows(read_records(folder / "test.jsonl"), style, pool=pool, seed=params.seed)
        )

    model_answers.recorded(given, questions)
