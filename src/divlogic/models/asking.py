"""Asking a model questions: what the store lacks is asked, answers become predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.errors import DivLogicError
from divlogic.io.files import write_json
from divlogic.io.log import say
from divlogic.models.answers import FormOf, format_of
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    model_named,
)
from divlogic.models.predictions import Prediction
from divlogic.models.prompts import examples_for, render_closed
from divlogic.models.requests import (
    ClosedQuestion,
    Q,
    Request,
    Response,
    ResponseStore,
    label_of,
    requests_of,
)
from divlogic.models.styles import CLOSED
from divlogic.records import Record, read_records, spaced_over_types

Concurrency = Annotated[
    int | None, click.IntRange(1, 1000), "Maximum number of concurrent requests."
]
Timeout = Annotated[
    float | None, click.FloatRange(min=0, min_open=True), "Seconds after which an attempt ends."
]


def limits_with(
    limits: LimitParameters, concurrency: int | None, timeout: float | None
) -> LimitParameters:
    """Return limits with what the command line gives in place of the parameters."""
    given = {"concurrency": concurrency, "timeout": timeout}
    return limits.model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )


@dataclass(frozen=True)
class AskingOptions:
    """Options of every step that asks a model: which one, its store, and the limits."""

    name: Annotated[str, "--model", "Label or name of a model; need not be in the parameters."]
    store: Annotated[Path, "Response store (appended to)."]
    base_url: Annotated[
        str | None, "Address of an OpenAI-compatible server, in place of that of the parameters."
    ] = None
    concurrency: Concurrency = None
    timeout: Timeout = None

    def model(self, models: Sequence[ModelParameters]) -> ModelParameters:
        """Return the model, one of these or another one."""
        return model_named(models, self.name, self.base_url)

    def limits(self, limits: LimitParameters) -> LimitParameters:
        """Return the limits with what the command line gives in place of the parameters."""
        return limits_with(limits, self.concurrency, self.timeout)


class MissingAnswersError(DivLogicError):
    """A run that went to its end with faults of the server left over.

    Attributes:
        found: the requests that are answered, with their answers.
    """

    def __init__(self, message: str, found: Sequence[tuple[Request[Any], Response]]) -> None:
        super().__init__(message)
        self.found = found


Choose = Callable[[list[Record], int | None], list[Record]]
"""Returns the part of the records that is asked, from a number; all of them for ``None``."""


def ask(
    questions: Iterable[Sequence[Q]],
    store: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
    runs: int | None = None,
    summary: Path | None = None,
    inspect_logs: Path | None = None,
) -> list[tuple[Request[Q], Response]]:
    """Ask a model every question to which the store holds no answer; return all answers.

    With :func:`ask_requests`, which does the work in an open store, this is the way in which everything asks:
    benchmarks, prior knowledge, TS-guessing, LLMEval-Logic's tracks, rubrics and judges, the roles of the hardening,
    the polish.

    Args:
        questions: lists of what is asked; answers come list by list, of each run by run.
        runs: number of independent runs; by default the model's own, or 1.
        summary: file for what the run did (json).
        inspect_logs: folder of Inspect logs, one per benchmark and prompt style, of closed questions.
    """
    number = runs or model.runs or 1
    # What nothing is asked of is not read: a baseline's fingerprint hashes its files.
    parts = filter(None, questions)
    requests = [request for part in parts for request in requests_of(part, model, number, sampling)]
    with ResponseStore(store) as opened:
        return ask_requests(
            requests,
            opened,
            model=model,
            sampling=sampling,
            limits=limits,
            seed=seed,
            summary=summary,
            inspect_logs=inspect_logs,
        )


def ask_requests(
    requests: Sequence[Request[Q]],
    store: ResponseStore,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
    summary: Path | None = None,
    inspect_logs: Path | None = None,
) -> list[tuple[Request[Q], Response]]:
    """Ask a model for what an open store lacks of requests, say what was done, and return all answers in order."""
    from divlogic.models.runner import run_requests

    label = label_of(model)
    done = run_requests(requests, model, store, sampling=sampling, limits=limits, seed=seed)
    found = list(stored_answers(requests, store.responses))
    say(f"{label}: {done.sentence()}")
    if summary:
        counts = {
            name: dict(sorted(vars(done)[name].items())) for name in ("faults", "not_answered")
        }
        write_json(summary, {"model": label, **vars(done), **counts})
    if inspect_logs:
        from divlogic.models.inspecting import write_inspect_logs

        write_inspect_logs(found, inspect_logs, model=model, sampling=sampling)  # type: ignore[arg-type]
    if done.unanswered:
        raise MissingAnswersError(
            f"{store.path}: {done.unanswered:,} answers of '{label}' are still missing (last fault: {done.last_fault});"
            " run the same command again, nothing answered is asked twice.",
            found,
        )
    return found


def predictions_of(
    answers: Iterable[tuple[Request[ClosedQuestion], Response]], model: ModelParameters
) -> Iterator[Prediction]:
    """Yield a model's answers to closed questions as predictions, in their order."""
    source = "baseline" if model.name.startswith("baseline/") else "model"
    for request, response in answers:
        question = request.question
        yield prediction_of(
            question,
            label_of(model),
            request.read(response),
            answer=response.answer,
            status=request.status(response),
            run=request.run,
            source="" if question.rotation is not None else source,
            logprobs=response.logprobs,
        )


def stored_predictions(
    questions: Iterable[Sequence[ClosedQuestion]],
    responses: Mapping[str, Response],
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Iterator[Prediction]:
    """Yield a model's answers that a store holds as predictions, list by list, and say how many it lacks."""
    for part in questions:
        requests = list(requests_of(part, model, runs, sampling))
        found = list(stored_answers(requests, responses))
        if len(found) < len(requests):
            say(
                f"{label_of(model)}: {len(requests) - len(found):,} of {len(requests):,} answers to"
                f" {part[0].prompt} are not in the store"
            )
        yield from predictions_of(found, model)


def stored_answers(
    requests: Iterable[Request[Q]], responses: Mapping[str, Response]
) -> Iterator[tuple[Request[Q], Response]]:
    """Yield the requests to which a store holds an answer, with it."""
    for request in requests:
        response = request.stored(responses)
        if response is not None:
            yield request, response


def prediction_of(
    question: ClosedQuestion, model: str, predicted: str | None, **further: object
) -> Prediction:
    """Return what a model, named as in tables, answered to a closed question, with further fields of the prediction."""
    return Prediction(
        question.benchmark,
        model,
        question.prompt,
        question.instance,
        question.gold,
        predicted,
        rotation=question.rotation or 0,
        question_type=question.question_type,
        choices=question.choices,
        depth=question.depth,
        question=question.digest,
        **further,  # type: ignore[arg-type]
    )


def questions_of(
    records: Sequence[Record],
    pool: Sequence[Record],
    prompt: str,
    seed: int,
    form_of: FormOf = format_of,
    *,
    tested: Sequence[Record] = (),
) -> Iterator[ClosedQuestion]:
    """Yield one question per record in a prompt style.

    ``tested`` are all records of the benchmark, where ``records`` are a part of it: none of them is shown as an
    example.
    """
    style = CLOSED[prompt]
    examples = examples_for(tested or records, pool, style, seed, form_of)
    require_distinct(records)
    for record in records:
        assert record.answer is not None
        form = form_of(record)
        yield ClosedQuestion(
            record.benchmark,
            record.id,
            render_closed(record, style, examples, form_of),
            prompt,
            form.shown(record.answer),
            form,
            question_type=record.question_type or "",
            options=record.options,
            depth=record.depth,
            metadata=record.metadata,
        )


def require_distinct(records: Iterable[Record]) -> None:
    """Refuse records that share an id."""
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            raise DivLogicError(
                f"the id {record.id!r} of {record.benchmark} is duplicated; rename or delete one of them."
            )
        seen.add(record.id)


def read_questions(
    source: Path,
    pool: Path | None,
    *,
    prompts: Sequence[str],
    instances: int | None,
    seed: int,
    form_of: FormOf = format_of,
    choose: Choose | None = None,
) -> list[ClosedQuestion]:
    """Return the questions of a record file in several prompt styles.

    Args:
        source: records; those without options or an answer are passed over.
        pool: records of the training part, for styles with solved examples.
        instances: number of records, or of what ``choose`` counts; ``None`` for all.
        choose: returns that many of the records; by default evenly spaced over question types and depths.
    """
    records = (choose or spaced_over_types)(askable(source), instances)
    shown = any(CLOSED[name].has_examples for name in prompts)
    examples = list(read_records(pool)) if pool and shown else []
    try:
        return [
            row for name in prompts for row in questions_of(records, examples, name, seed, form_of)
        ]
    except DivLogicError as error:
        raise DivLogicError(f"{source}: {error}") from error


def askable(source: Path) -> list[Record]:
    """Return the records of a file that have options and an answer."""
    usable = [
        record for record in read_records(source) if record.answer is not None and record.options
    ]
    if not usable:
        raise DivLogicError(
            f"{source}: no record has options and an answer; there is nothing to ask."
        )
    return usable
