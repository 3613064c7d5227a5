"""Requests: which answers are wanted of a model, and under which keys they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from divlogic.models.faults import redact
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.store import request_key


class Question(Protocol):
    """One question as it is put to a model: a rotation of an instance, or a question with a list of answers."""

    @property
    def benchmark(self) -> str:
        """Name of the benchmark."""

    @property
    def instance(self) -> str:
        """Id of the instance that it shows, within its benchmark."""

    @property
    def input(self) -> str:
        """Text of the user message."""

    def read(self, answer: str) -> str | None:
        """Return what an answer says, ``None`` if it names none of the possible answers or several."""


Q = TypeVar("Q", bound=Question)


@dataclass(frozen=True)
class Request(Generic[Q]):
    """One answer wanted: a question in one run."""

    question: Q
    run: int
    key: str


def requests_of(
    questions: Sequence[Q],
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Iterator[Request[Q]]:
    """Yield the requests that a model's answers to the questions need, in the order of runs and questions."""
    values, fingerprint = sampling.model_dump(exclude_none=True), fingerprint_of(model)
    questions = limited(questions, model)
    for run in range(runs):
        for question in questions:
            key = request_key(
                model=model.name, fingerprint=fingerprint, text=question.input, sampling=values, run=run
            )
            yield Request(question, run, key)


def limited(questions: Sequence[Q], model: ModelParameters) -> list[Q]:
    """Return the questions about the first ``model.instances`` instances of each benchmark."""
    if model.instances is None:
        return list(questions)
    places: dict[str, dict[str, int]] = {}
    for question in questions:
        seen = places.setdefault(question.benchmark, {})
        seen.setdefault(question.instance, len(seen))
    return [q for q in questions if places[q.benchmark][q.instance] < model.instances]


def label_of(model: ModelParameters) -> str:
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def fingerprint_of(model: ModelParameters) -> str:
    """Return what tells apart models of one name: a baseline's code and files, or the address and arguments."""
    if model.name.startswith("baseline/"):
        from divlogic.models.baseline_files import fingerprint

        return fingerprint(model.name.removeprefix("baseline/"), model.args)
    return redact(f"{model.base_url or ''} {sorted(model.args.items())}", limit=10_000)
