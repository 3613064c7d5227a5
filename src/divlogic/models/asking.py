"""Asking models closed questions, those with a list of possible answers: prompts, stored responses, answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.models.closed_answers import UNREADABLE, Answer, said_option
from divlogic.models.closed_prompts import STYLES, LabelStyle, examples_for, lettered, render
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import label_of, requests_of
from divlogic.models.runner import run_model
from divlogic.models.store import ResponseStore, read_responses
from divlogic.progress import say
from divlogic.records import Record, read_records


@dataclass(frozen=True, slots=True)
class ClosedQuestion:
    """One closed question in one prompt style.

    Attributes:
        record: what is asked; it has an answer.
        prompt: name of the prompt style.
        input: the text of the user message.
    """

    record: Record
    prompt: str
    input: str

    @property
    def benchmark(self) -> str:
        return self.record.benchmark

    @property
    def instance(self) -> str:
        return self.record.id

    @property
    def label(self) -> str:
        """The right answer."""
        assert self.record.answer is not None
        return self.record.options[self.record.answer]

    def read(self, answer: str) -> str | None:
        """Return the option that an answer names, ``None`` for none or several."""
        return said_option(answer, self.record.options, letters=lettered(self.record))


def questions_of(
    records: Sequence[Record], pool: Sequence[Record], style: LabelStyle, seed: int
) -> Iterator[ClosedQuestion]:
    """Yield one prompt per record.

    Raises:
        DivLogicError: a style with examples has none to draw from, or two records share an id.
    """
    examples = examples_for(records, pool, style, seed)
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            raise DivLogicError(
                f"the id {record.id!r} of {record.benchmark} occurs twice; rename or remove one of them."
            )
        seen.add(record.id)
        yield ClosedQuestion(record, style.name, render(record, style, examples))


def read_questions(
    source: Path, pool: Path | None, *, prompts: Sequence[str], instances: int | None, seed: int
) -> list[ClosedQuestion]:
    """Return the questions of a record file in several prompt styles.

    Args:
        source: records; those without options or an answer are passed over.
        pool: records of the training part, for styles with solved examples.
        prompts: names of the styles.
        instances: so many records, spread over the file.
        seed: of the draw of examples.

    Raises:
        DivLogicError: there is nothing to ask, or nothing to draw examples from.
    """
    records = thinned(askable(source), instances)
    examples = list(read_records(pool)) if pool else []
    try:
        return [row for name in prompts for row in questions_of(records, examples, STYLES[name], seed)]
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


def thinned(records: list[Record], most: int | None) -> list[Record]:
    """Keep ``most`` records, evenly spread over the file."""
    if most is None or len(records) <= most:
        return records
    return [records[place * len(records) // most] for place in range(most)]


def ask(
    questions: Sequence[ClosedQuestion],
    store: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
    limits: LimitParameters,
    seed: int,
) -> None:
    """Ask a model every question to which the store holds no answer.

    Raises:
        DivLogicError: the model cannot be used, or answers are still lacking at the end.
    """
    with ResponseStore(store) as opened:
        done = run_model(
            questions, model, opened, runs=model.runs or 1, sampling=sampling, limits=limits, seed=seed
        )
    say(f"{label_of(model)}: {done.sentence()}")
    done.require_all(store, label_of(model))


def stored_answers(
    questions: Sequence[ClosedQuestion],
    store: Path,
    *,
    model: ModelParameters,
    sampling: SamplingParameters,
) -> Iterator[Answer]:
    """Yield a model's stored answers to the questions, run by run; those that the store lacks are passed over."""
    responses, _ = read_responses(store)
    runs = model.runs or 1
    source = "baseline" if model.name.startswith("baseline/") else "model"
    for request in requests_of(questions, model, runs, sampling):
        response = responses.get(request.key)
        if response is None:
            continue
        record = request.question.record
        yield Answer(
            record.benchmark,
            source,
            label_of(model),
            request.question.prompt,
            record.id,
            label=request.question.label,
            said=_said(request.question, response.answer),
            choices=len(record.options),
            depth=record.depth,
            run=request.run,
        )


def _said(question: ClosedQuestion, answer: str) -> str | None:
    return (question.read(answer) or UNREADABLE) if answer.strip() else None
