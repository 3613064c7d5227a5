"""Asking models closed questions, those with a list of possible answers: prompts, stored responses, answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.log import say
from divlogic.models.answers import FormOf, Labels, Letters, format_of
from divlogic.models.closed_prompts import examples_for, render
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction
from divlogic.models.requests import Request, label_of, requests_of
from divlogic.models.runner import run_requests
from divlogic.models.store import Response, ResponseStore, read_responses
from divlogic.models.styles import CLOSED, PromptStyle
from divlogic.records import Record, read_records, spaced_over_types

Choose = Callable[[list[Record], int | None], list[Record]]
"""Returns the part of the records that is asked, from a number; all of them for ``None``."""


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """One closed question in one prompt style.

    Attributes:
        record: what is asked; it has an answer.
        form: the form of that answer.
        prompt: name of the prompt style.
        input: the text of the user message.
    """

    record: Record
    form: Letters | Labels
    prompt: str
    input: str

    @property
    def benchmark(self) -> str:
        return self.record.benchmark

    @property
    def instance(self) -> str:
        return self.record.id

    @property
    def gold(self) -> str:
        """The right answer, a letter or a label."""
        assert self.record.answer is not None
        return self.form.shown(self.record.answer)

    @property
    def likelihood(self) -> bool:
        """Closed questions are answered by generated text."""
        return False

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the options; empty where the answers are labels."""
        return self.form.names if isinstance(self.form, Letters) else ()

    def read(self, answer: str) -> str | None:
        """Return the letter or label that an answer names, ``None`` for none or several."""
        return self.form.read(answer, self.record.options)


def questions_of(
    records: Sequence[Record],
    pool: Sequence[Record],
    style: PromptStyle,
    seed: int,
    form_of: FormOf = format_of,
) -> Iterator[ClosedQuestion]:
    """Yield one prompt per record.

    Raises:
        DivLogicError: a style with examples has none to draw from, or two records share an id.
    """
    examples = examples_for(records, pool, style, seed, form_of)
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            raise DivLogicError(
                f"the id {record.id!r} of {record.benchmark} is duplicated; rename or delete one of them."
            )
        seen.add(record.id)
        text = render(record, style, examples, form_of)
        yield ClosedQuestion(record, form_of(record), style.name, text)


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
        prompts: names of the styles.
        instances: number of records, or of what ``choose`` counts; ``None`` for all.
        seed: of the draw of examples.
        form_of: returns the form of a record's answer.
        choose: returns that many of the records; ``None``: those that are evenly spaced over the
            question types and depths.

    Raises:
        DivLogicError: there is nothing to ask, or nothing to draw examples from.
    """
    records = (choose or spaced_over_types)(askable(source), instances)
    shown = any(CLOSED[name].has_examples for name in prompts)
    examples = list(read_records(pool)) if pool and shown else []
    try:
        return [
            row for name in prompts for row in questions_of(records, examples, CLOSED[name], seed, form_of)
        ]
    except DivLogicError as error:
        raise DivLogicError(f"{source}: {error}") from error


def askable(source: Path) -> list[Record]:
    """Return the records of a file that have options and an answer.

    Raises:
        DivLogicError: the file is missing or malformed, or has none.
    """
    usable = [record for record in read_records(source) if record.answer is not None and record.options]
    if not usable:
        raise DivLogicError(f"{source}: no record has options and an answer; there is nothing to ask.")
    return usable


def ask(
    questions: Sequence[ClosedQuestion],
    store: Path | ResponseStore,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> list[Prediction]:
    """Ask a model every question to which the store holds no answer; return all its answers, run by run.

    Whoever asks about several sets of questions opens the store, so that it is read once.

    Raises:
        DivLogicError: the model cannot be used, or answers are still missing at the end.
    """
    requests = list(requests_of(questions, model, model.runs or 1, sampling))
    with nullcontext(store) if isinstance(store, ResponseStore) else ResponseStore(store) as opened:
        done = run_requests(requests, model, opened, sampling=sampling, limits=limits, seed=seed)
        responses = opened.responses
    say(f"{label_of(model)}: {done.sentence()}")
    done.require_all(opened.path, label_of(model))
    return list(_predictions(requests, responses, model))


def stored_predictions(
    questions: Sequence[ClosedQuestion],
    store: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
) -> Iterator[Prediction]:
    """Yield a model's stored answers to the questions, run by run; those that the store lacks are passed over."""
    requests = requests_of(questions, model, model.runs or 1, sampling)
    return _predictions(requests, read_responses(store)[0], model)


def _predictions(
    requests: Iterable[Request[ClosedQuestion]], responses: Mapping[str, Response], model: ModelParameters
) -> Iterator[Prediction]:
    for request in requests:
        response = request.stored(responses)
        if response is None:
            continue
        yield replace(
            blank_prediction(request.question, label_of(model)),
            predicted=request.question.read(response.answer),
            run=request.run,
            answer=response.answer,
            source="baseline" if model.name.startswith("baseline/") else "model",
            logprobs=response.logprobs,
        )


def blank_prediction(question: ClosedQuestion, model: str) -> Prediction:
    """Return the prediction of a model to a question, yet without an answer."""
    record = question.record
    return Prediction(
        record.benchmark,
        model,
        question.prompt,
        record.id,
        gold=question.gold,
        predicted=None,
        question_type=record.question_type or "",
        source="model",
        choices=len(record.options),
        depth=record.depth,
    )
