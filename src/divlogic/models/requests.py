"""Questions and requests: what is put to a model, which answers are wanted, and under which keys they are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson

from divlogic.models.answers import Labels, Letters
from divlogic.models.faults import redact
from divlogic.models.gguf import PREFIX, identity, is_served
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.store import Response, request_key
from divlogic.models.styles import STYLES


@dataclass(frozen=True, slots=True)
class Question:
    """One question as it is put to a model; by itself one that any text answers (a role's prompt, say).

    Attributes:
        benchmark: name of the benchmark.
        instance: id of the instance that it shows, within its benchmark.
        input: text of the user message.
    """

    benchmark: str
    instance: str
    input: str

    @property
    def likelihood(self) -> bool:
        """Whether the answer is the likeliest letter instead of a generated text."""
        return False

    @property
    def letters(self) -> tuple[str, ...]:
        """Letters of the options; empty where the answers are labels or texts."""
        return ()

    def read(self, answer: str) -> str | None:
        """Return what an answer says, ``None`` if it names none of the possible answers or several, or is empty."""
        return answer.strip() or None


@dataclass(frozen=True, slots=True)
class ClosedQuestion(Question):
    """A question with a list of possible answers in one prompt style, its options in one order.

    Attributes:
        benchmark, instance: the record that it shows.
        input: text of the user message.
        prompt: name of the prompt style.
        gold: the right answer, a letter or a label.
        form: the form of an answer.
        rotation: 0 (the unrotated instance) to the number of options less 1; ``None`` where options are not rotated.
        question_type: the record's type, empty if it has none.
        options: the options as they were listed, where an answer may name one by its text.
        depth: the record's depth.
        metadata: the record's own.
    """

    prompt: str
    gold: str
    form: Letters | Labels
    rotation: int | None = None
    question_type: str = ""
    options: tuple[str, ...] = ()
    depth: int | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def likelihood(self) -> bool:
        return self.prompt in STYLES and STYLES[self.prompt].likelihood

    @property
    def letters(self) -> tuple[str, ...]:
        return self.form.names if isinstance(self.form, Letters) else ()

    @property
    def choices(self) -> int:
        """Number of possible answers."""
        return len(self.form.names)

    @property
    def digest(self) -> str:
        """First 16 digits of the SHA-256 of what is shown, and of the right answer."""
        return hashlib.sha256(orjson.dumps(self.shown)).hexdigest()[:16]

    @property
    def shown(self) -> tuple[str, str, int, str, str]:
        """Which instance is shown in which rotation, the text, and the right answer."""
        return self.benchmark, self.instance, self.rotation or 0, self.input, self.gold

    def read(self, answer: str) -> str | None:
        """Return the letter or label that an answer names, ``None`` for none or several."""
        return self.form.read(answer, self.options)


Q = TypeVar("Q", bound=Question)


@dataclass(frozen=True)
class Request(Generic[Q]):
    """One answer wanted: a question in one run.

    Attributes:
        question: what is asked.
        run: number of the independent run.
        key: under which the answer is stored.
        complete: key of an answer that ended by itself, for any maximum length.
        longest: maximum number of tokens of the answer; ``None``: not limited.
    """

    question: Q
    run: int
    key: str
    complete: str | None = None
    longest: int | None = None

    def is_stored(self, responses: Mapping[str, Response]) -> bool:
        """Return whether a store holds the answer."""
        return self.key in responses or self.stored(responses) is not None

    def stored(self, responses: Mapping[str, Response]) -> Response | None:
        """Return the answer that a store holds, ``None`` if it has none."""
        for key in (self.key, self.complete):
            found = responses.get(key) if key else None
            if found is not None and (key != self.complete or self._fits(found)):
                return found
        return None

    def key_of(self, stop_reason: str) -> str:
        """Return the key under which an answer is kept: one that was not cut holds for longer answers, too."""
        return self.complete if self.complete and stop_reason == "stop" else self.key

    def _fits(self, found: Response) -> bool:
        return self.longest is None or found.output_tokens is None or found.output_tokens <= self.longest


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
    values, fingerprint = model.sampling_within(sampling), fingerprint_of(model)
    longest = values.get("max_tokens")
    unlimited = {**{name: value for name, value in values.items() if name != "max_tokens"}, "complete": True}
    # A file is the same model wherever it lies: its fingerprint names it.
    name = PREFIX if is_served(model.name) else model.name
    scored = {**values, "max_tokens": 1, "likelihood": True}
    baseline = model.name.startswith("baseline/")
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
            if question.likelihood or baseline:
                yield Request(question, run, key)
            else:
                complete = request_key(fingerprint=fingerprint, **asked | {"sampling": unlimited})
                yield Request(question, run, key, complete, longest)


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
