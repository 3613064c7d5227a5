"""Requests: which answers are wanted of a model, and under which keys they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from divlogic.models.faults import redact
from divlogic.models.gguf import PREFIX, identity, is_served
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.store import Response, request_key


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

    @property
    def likelihood(self) -> bool:
        """Whether the answer is the likeliest letter instead of a generated text."""

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the options; empty where the answers are labels."""

    def read(self, answer: str) -> str | None:
        """Return what an answer says, ``None`` if it names none of the possible answers or several."""


Q = TypeVar("Q", bound=Question)


@dataclass(frozen=True)
class Request(Generic[Q]):
    """One answer wanted: a question in one run.

    Attributes:
        question: what is asked.
        run: number of the independent run.
        key: under which the answer is stored.
        former: key of the same answer in stores that still hold the server's address in their keys.
    """

    question: Q
    run: int
    key: str
    former: str | None = None

    def is_stored(self, responses: Mapping[str, Response]) -> bool:
        """Return whether a store holds the answer, without reading it."""
        return self.key in responses or (self.former is not None and self.former in responses)

    def stored(self, responses: Mapping[str, Response]) -> Response | None:
        """Return the answer that a store holds, ``None`` if it has none."""
        found = responses.get(self.key)
        return responses.get(self.former) if found is None and self.former else found


def requests_of(
    questions: Sequence[Q],
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Iterator[Request[Q]]:
    """Yield the requests that a model's answers to the questions need, in the order of runs and questions.

    A question whose ``likelihood`` is true is scored by the log-probabilities of its letters; the length of a generated
    answer is no part of its key.
    """
    values, fingerprint = sampling.model_dump(exclude_none=True), fingerprint_of(model)
    # A file is the same model wherever it lies: its fingerprint names it.
    name = PREFIX if is_served(model.name) else model.name
    scored = {**values, "max_tokens": 1, "likelihood": True}
    former = _former_fingerprint(model)
    questions = limited(questions, model)
    for run in range(runs):
        for question in questions:
            asked: dict[str, Any] = {
                "model": name,
                "text": question.input,
                "sampling": scored if question.likelihood else values,
                "run": run,
            }
            key = request_key(fingerprint=fingerprint, **asked)
            yield Request(question, run, key, former and request_key(fingerprint=former, **asked))


def limited(questions: Sequence[Q], model: ModelParameters) -> list[Q]:
    """Return the questions about the first instances of each benchmark, as many as the parameters say for a style."""
    if model.instances is None and not model.prompt_instances:
        return list(questions)
    places: dict[str, dict[str, int]] = {}
    for question in questions:
        seen = places.setdefault(question.benchmark, {})
        seen.setdefault(question.instance, len(seen))

    def is_asked(question: Q) -> bool:
        # Masked options and open tasks have no prompt style of this kind.
        most = model.most(getattr(question, "prompt", ""))
        return most is None or places[question.benchmark][question.instance] < most

    return [question for question in questions if is_asked(question)]


def label_of(model: ModelParameters) -> str:
    """Return the name under which a model stands in predictions and tables."""
    return model.label or model.name


def fingerprint_of(model: ModelParameters) -> str:
    """Return what tells models of one name apart: a baseline's code and files, a local model's file, or the arguments.

    The address of a server is no part of it: a model answers alike wherever it is served.

    Raises:
        DivLogicError: a file cannot be read.
    """
    if model.name.startswith("baseline/"):
        from divlogic.models.baselines import fingerprint

        return fingerprint(model.name.removeprefix("baseline/"), model.args)
    if is_served(model.name):
        return identity(model.name.removeprefix(PREFIX), model.args)
    return redact(f" {sorted(model.args.items())}", limit=10_000)


def _former_fingerprint(model: ModelParameters) -> str | None:
    """Return the fingerprint of a model when the address was part of it, ``None`` where that is the same."""
    if model.name.startswith("baseline/") or not model.base_url:
        return None
    return redact(f"{model.base_url} {sorted(model.args.items())}", limit=10_000)
