"""What a model's run would cost, before it is started."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, label_of, requests_of
from divlogic.models.store import Response

CHARACTERS_PER_TOKEN = 4.0
"""Rule of thumb for English where no answer of the model has shown its own number."""


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
