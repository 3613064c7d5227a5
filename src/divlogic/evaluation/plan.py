"""Plans of runs: requests, tokens and prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import click

from divlogic.models.parameters import THINKING_TOKENS, ModelParameters, SamplingParameters
from divlogic.models.requests import Response, label_of, requests_of

BYTES_PER_TOKEN = 4.0
"""Rule of thumb where no answer of the model has shown its own number; a Chinese character has three bytes."""

PromptPrice = Annotated[
    float | None, click.FloatRange(min=0), "Price of a million tokens of prompts."
]
AnswerPrice = Annotated[
    float | None, click.FloatRange(min=0), "Price of a million tokens of answers."
]


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
        by_length = f"{BYTES_PER_TOKEN:.0f} bytes each, answers at their longest"
        return (
            f"{self.model}: {self.requests:,} answers wanted, {self.stored:,} in the store,"
            f" {self.requests - self.stored:,} to ask; about {self.input_tokens:,} tokens in and"
            f" {self.output_tokens:,} out ({'as in the stored answers' if self.measured else by_length})"
        )


def plan_run(
    questions: Iterable[Sequence[Any]],
    responses: Mapping[str, Response],
    *,
    model: ModelParameters,
    runs: int,
    sampling: SamplingParameters,
) -> Plan:
    """Return what a model's run on lists of questions would ask for."""
    requests = [
        request for part in questions for request in requests_of(part, model, runs, sampling)
    ]
    found = [(request, request.stored(responses)) for request in requests]
    missing = [
        request.question for request, response in found if response is None or not response.is_final
    ]
    # Bytes of the prompt and tokens of prompt and answer, where the server counted these.
    counted = [
        (len(request.question.input.encode()), response.input_tokens, response.output_tokens or 0)
        for request, response in found
        if response is not None and response.input_tokens
    ]
    per_byte = 1 / BYTES_PER_TOKEN
    unlimited = THINKING_TOKENS if model.thinking else 0
    answer = float(model.sampling_within(sampling).get("max_tokens", unlimited))
    if counted:
        size, tokens, answers = map(sum, zip(*counted, strict=True))
        per_byte, answer = tokens / size, answers / len(counted)
    tokens_in = round(per_byte * sum(len(question.input.encode()) for question in missing))
    tokens_out = round(sum(1 if question.likelihood else answer for question in missing))
    asked, stored = len(requests), len(requests) - len(missing)
    return Plan(label_of(model), asked, stored, tokens_in, tokens_out, bool(counted))
