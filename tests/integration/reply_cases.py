"""What servers were seen to reply, from bug reports (C01 to C19) and of our own: each a behaviour of the fake server.

A behaviour is called with the handler, the prompt, and how often the prompt was asked before; it answers itself, or
leaves it to the server to answer soundly.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from backports import zstd

from tests.integration.fault_server import Behaviour, Handler


@dataclass(frozen=True)
class Case:
    """A server, and what a run on eight questions must make of it.

    Attributes:
        behaviour: what the server does.
        requests: how many requests it gets.
        again: of how many questions a sound server is asked afterwards.
        stops: whether the run ends with an error.
        told: what is said, in this order.
        refused, unread: refusals, and answers that name no option, of those that are there.
        missing: questions without any answer, which the run calls missing.
        likelihood: whether letters are scored by log-probabilities.
        sampling: what the user sets for the model.
    """

    behaviour: Behaviour
    requests: int
    again: int
    stops: bool = False
    told: tuple[str, ...] = ()
    refused: int = 0
    unread: int = 0
    missing: int = 0
    likelihood: bool = False
    sampling: dict[str, Any] = field(default_factory=dict)


def reply(status: int, body: object, **headers: str) -> Callable[[Handler], None]:
    text = body if isinstance(body, str) else json.dumps(body)
    return lambda handler: handler.reply(status, text.encode(), **headers)


def always(answer: Callable[[Handler], None]) -> Behaviour:
    return lambda handler, prompt, before: answer(handler)


def at_first(answer: Callable[[Handler], None]) -> Behaviour:
    return lambda handler, prompt, before: None if before else answer(handler)


def for_some(answer: Callable[[Handler], None], *numbers: int) -> Behaviour:
    """Reply so to the questions that were met in these places; the first one met is 0."""

    def behave(handler: Handler, prompt: str, before: int) -> None:
        if list(handler.asked).index(prompt) in numbers:
            answer(handler)

    return behave


def where(name: str, answer: Callable[[Handler], None]) -> Behaviour:
    """Reply so whenever the request has a parameter of this name."""
    return lambda handler, prompt, before: answer(handler) if name in handler.bodies[-1] else None


def choice(content: object, finish: str | None = "stop", **further: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": content, **further}
    return {"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def scored(alternatives: object, token: str = "A") -> dict[str, Any]:
    body = choice(token, "length")
    row = {"token": token, "logprob": -0.1, "top_logprobs": alternatives}
    body["choices"][0]["logprobs"] = {"content": [row]}
    return body


def top(**numbers: float | None) -> list[dict[str, Any]]:
    return [{"token": token, "logprob": number} for token, number in numbers.items()]


def error(message: str, **further: object) -> dict[str, Any]:
    return {"error": {"message": message, **further}}


def refusing(name: str, value: object, message: str) -> Behaviour:
    """Refuse a parameter unless it has this value."""

    def behave(handler: Handler, prompt: str, before: int) -> None:
        if handler.bodies[-1].get(name, value) != value:
            handler.reply(400, json.dumps(error(message, param=name)).encode())

    return behave


def limited_alternatives(handler: Handler, prompt: str, before: int) -> None:
    if int(str(handler.bodies[-1]["top_logprobs"])) > 5:
        handler.reply(400, json.dumps(error("top_logprobs must be between 0 and 5")).encode())
    else:
        reply(200, scored(top(A=-0.2, B=-2.0)))(handler)


def packed(handler: Handler, prompt: str, before: int) -> None:
    """Pack each reply, though it was not asked for: once or twice, in several ways."""
    body = json.dumps(choice("Answer: A")).encode()
    ways = [
        ("gzip", gzip.compress(body)),
        ("zstd", zstd.compress(body)),
        ("gzip, gzip", gzip.compress(gzip.compress(body))),
        ("gzip, zstd", zstd.compress(gzip.compress(body))),
    ]
    name, content = ways[list(handler.asked).index(prompt) % len(ways)]
    handler.reply(200, content, Content_Encoding=name)


THOUGHTS_ALONE = choice(
    None, "stop", reasoning_content="Kim is a heron. So Answer: A", tool_calls=[]
)
FILTERED = error("The response was filtered", code="content_filter", status=400)
EXTRA = {
    "type": "extra_forbidden",
    "loc": ["body", "seed"],
    "msg": "Extra inputs are not permitted",
}
SEED = {"detail": [EXTRA]}
NEWER_NAME = error(
    "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    param="max_tokens", code="unsupported_parameter",
)  # fmt: skip
QUOTA = error(
    "You exceeded your current quota", type="insufficient_quota", code="insufficient_quota"
)
CONTEXT = error(
    "This model's maximum context length is 32 tokens. Please reduce the length of the messages.",
    code="context_length_exceeded",
)
THINKS = scored(top(**{"<think>": 0.0, "A": -12.0, "B": -13.0, "C": -14.0, "D": -15.0}), "<think>")
THINKS["choices"][0]["message"]["content"] = ""
BUSY = {"choices": None, "error": {"code": 429, "message": "Rate limit exceeded, try again"}}
MINUTE = error(
    "You exceeded your current quota, please check your plan and billing details. Please retry in 0.01s.",
    code=429,
    status="RESOURCE_EXHAUSTED",
)
INSIDE = {"message": {"content": "A"}, "error": {"message": "upstream", "code": 502}}
PARTS = [{"type": "thinking", "text": "B?"}, {"type": "text", "text": "Answer:\u00a0A"}]
NO_ROOM = error(
    "This model's maximum context length is 100 tokens. However, you requested 120 tokens (56 in the messages, 64 in"
    " the completion)."
)
MODERATED = error("Your chosen model requires moderation and your input was flagged", code=403)
INVALID = error("Invalid prompt: your prompt was flagged", code="invalid_prompt")

CASES: dict[str, Case] = {
    # Three questions of which each is asked twice, and no more: nothing but thoughts comes.
    "C01 thoughts alone, always": Case(
        always(reply(200, THOUGHTS_ALONE)), 6, 8, stops=True,
        told=("empty", "thoughts and no answer", "`max_tokens`"),
    ),
    "C01 thoughts alone, now and then": Case(
        for_some(reply(200, THOUGHTS_ALONE), 2, 5), 10, 2, unread=2, told=("2 not answered",)
    ),
    "C02 a failure inside the choice": Case(
        at_first(reply(200, {"choices": [INSIDE]})), 16, 0,
    ),
    "C02 finish_reason error": Case(
        for_some(reply(200, choice("Answer", "error")), 3), 9, 1, unread=1, told=("'error'",)
    ),
    "C03 some prompts are filtered": Case(
        for_some(reply(400, FILTERED), 0, 4, 6), 8, 0, refused=3, unread=3
    ),
    "C04 seed is refused": Case(where("seed", reply(422, SEED)), 8, 0),
    "C04 the user's seed is refused": Case(
        where("seed", reply(422, SEED)), 1, 8, stops=True,
        told=("parameter", "seed", "`sampling`"), sampling={"seed": 7},
    ),
    "C05 max_tokens has a newer name": Case(
        where("max_tokens", reply(400, NEWER_NAME)), 9, 0, told=("`max_tokens`", "max_completion_tokens")
    ),
    "C05 temperature other than 1": Case(
        refusing("temperature", 1, "Unsupported value: 'temperature' does not support 0 with this model."), 9, 0,
        told=("refuses `temperature`",),
    ),
    "C05 the user's temperature": Case(
        refusing("temperature", 1, "Unsupported value: 'temperature'"), 1, 8, stops=True,
        told=("parameter",), sampling={"temperature": 0.5},
    ),
    "C06 no quota": Case(always(reply(429, QUOTA)), 1, 8, stops=True, told=("quota", "Add credit")),
    "C07 the model thinks first": Case(
        always(reply(200, THINKS)), 8, 8, stops=True, likelihood=True,
        told=("no_letters", r"0\.00095 %", "<think>", "thinks first"),
    ),
    "C08 alternatives as a mapping": Case(
        always(reply(200, scored({"A": -0.2, "B": -2.0}))), 8, 0, likelihood=True
    ),
    "C10 five alternatives at most": Case(
        limited_alternatives, 9, 0, likelihood=True, told=("refuses `top_logprobs`", "5 are asked for")
    ),
    "C11 too long for all": Case(
        always(reply(400, CONTEXT)), 1, 8, stops=True, told=("too_long", "longer context")
    ),
    "C11 too long for one": Case(
        for_some(reply(400, CONTEXT), 5), 8, 1, unread=1, told=("1 not answered", "too_long")
    ),
    "C12 a 429 inside a 200, at first": Case(at_first(reply(200, BUSY)), 16, 0),
    "C12 a 429 inside a 200, always": Case(
        for_some(reply(200, BUSY), 1), 7 + 3, 1, missing=1, told=("rate_limit: Rate limit exceeded",)
    ),
    "C13 blank lines before the JSON": Case(
        always(reply(200, "\n\n\n" + json.dumps(choice("Answer: A")))), 8, 0
    ),
    "C14 finish_reason content_filter": Case(
        for_some(reply(200, choice("Answer: A", "content_filter")), 1), 8, 0, refused=1, unread=1
    ),
    "C14 thinking parts and no-break blanks": Case(
        always(reply(200, choice(PARTS))), 8, 0,
    ),
    "C15 loading": Case(at_first(reply(503, error("Loading model"), Retry_After="0")), 16, 0),
    "C15 no such path": Case(
        always(reply(404, '"Not Found"')), 1, 8, stops=True, told=("no_route", "ends in /v1")
    ),
    "C15 a page": Case(
        always(reply(200, "<html>login</html>")), 9, 8, stops=True, told=("malformed", "a page")
    ),
    "C16 no log-probabilities": Case(
        always(reply(200, choice("A"))), 1, 8, stops=True, likelihood=True, told=("no_logprobs",)
    ),
    "C16 impossible log-probabilities": Case(
        always(reply(200, scored(top(A=-0.2, B=None, C=float("-inf"), D=7.0)))), 8, 0, likelihood=True
    ),
    # Our own.
    "a tool that nobody offered": Case(
        for_some(reply(200, choice(None, "tool_calls", tool_calls=[{"id": "x"}])), 4), 9, 1, unread=1,
        told=("tool_calls",),
    ),
    "aborted": Case(for_some(reply(200, choice("The", "abort")), 4), 9, 1, unread=1, told=("'abort'",)),
    "no reason why it ended": Case(always(reply(200, choice("Answer: A", None))), 8, 0),
    "no credit, as a 400": Case(
        always(reply(400, error("Your credit balance is too low to access the API"))), 1, 8, stops=True,
        told=("quota", "credit balance"),
    ),
    "a quota of the minute": Case(at_first(reply(429, [MINUTE])), 16, 0),
    "the room for the answer is too large": Case(
        where("max_tokens", reply(400, NO_ROOM)), 9, 0,
        told=("refuses `max_tokens`",),
    ),
    "packed replies": Case(packed, 8, 0),
    "moderated": Case(
        for_some(reply(403, MODERATED), 0), 8, 0,
        refused=1, unread=1,
    ),
    "a prompt that is called invalid": Case(
        for_some(reply(400, INVALID), 2), 8, 0, refused=1, unread=1,
    ),
    "a model that is gone": Case(
        always(reply(400, error("The model `m` has been decommissioned"))), 1, 8, stops=True, told=("unknown_model",)
    ),
    "an unknown model": Case(
        always(reply(404, error("The model `m` does not exist", code="model_not_found"))), 1, 8, stops=True,
        told=("unknown_model", "Correct the model's name"),
    ),
    "overloaded": Case(at_first(reply(529, error("Overloaded", type="overloaded_error"))), 16, 0),
    "one question is refused for no reason": Case(
        for_some(reply(400, error("Bad things happened")), 3), 8, 1, unread=1, told=("rejected", "Bad things")
    ),
    "all questions are refused for no reason": Case(
        always(reply(400, error("Bad things happened"))), 3, 8, stops=True, told=("rejected", "Bad things")
    ),
}  # fmt: skip
