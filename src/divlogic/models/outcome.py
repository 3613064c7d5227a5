"""What a reply, or a failure in its place, means for a run: the one policy, without input or output of its own.

Everything that asks a model (the runner's loop, the Inspect tasks, the providers' retries) hands what came back to
:func:`outcome` and does what it says. Rules and words of advice stand in the tables below and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Kind = Literal["answer", "refused", "cut", "fault", "fatal"]
"""``answer``, ``refused`` and ``cut`` are kept. A ``fault`` may pass: it is asked again, now and by the next run. A
``fatal`` one would meet every request: the run stops."""

Reason = Literal[
    "answer", "no_letter", "content_filter", "max_tokens",
    "rate_limit", "server", "timeout", "connection", "malformed",
    "empty", "odd_stop", "tool_calls", "rejected", "too_long", "parameter",
    "auth", "quota", "unknown_model", "no_route", "no_logprobs", "no_letters", "all_cut",
]  # fmt: skip

TRANSPORT: frozenset[Reason] = frozenset(
    {"rate_limit", "server", "timeout", "connection", "malformed"}
)
"""Faults of a server or of the way to it; a question that meets one is left for the next run."""

UNANSWERED: frozenset[Reason] = frozenset(
    {"empty", "odd_stop", "tool_calls", "rejected", "too_long"}
)
"""Faults of a single question while others are answered. They stop no table: the question counts as wrong and not
answered, and the next run asks it again."""

_ATTEMPTS: dict[Reason, int] = {
    # At temperature 0 an empty reply comes again, and each one is paid for.
    "empty": 2,
    "odd_stop": 2,
    "tool_calls": 2,
    # What a server refused once it refuses again.
    "rejected": 1,
    "too_long": 1,
}
"""Attempts per request and run where they are fewer than the parameters' ``attempts``."""

LEAST_MASS = 0.01
"""Share of the probability below which the letters are noise: the model is about to say something else."""

ADVICE: dict[Reason, str] = {
    "auth": "Set the right key in the environment (DIVLOGIC_API_KEY for compatible/NAME)",
    "quota": "Add credit to the account, or wait until its quota is renewed",
    "unknown_model": "Correct the model's name; the server has none of this name",
    "no_route": "Correct the server's address: it ends in /v1 for most servers",
    "too_long": "Give the server a longer context, or ask with a shorter prompt style",
    "connection": "Start the server, or correct its address",
    "malformed": "Correct the server's address, if this is a page and no reply of a model",
    "no_logprobs": "Ask a server that gives log-probabilities, or use another prompt style",
    "no_letters": "Use a prompt style with generated answers, or another model",
    "parameter": "Remove it from the model's `sampling`, or ask another server",
    "rejected": "Correct what the server objects to",
    "all_cut": "Raise `max_tokens` of its sampling, or set `thinking: true` (`--thinking`: no limit of our own) for a"
    " model that thinks first",
    "empty": "Raise `max_tokens`, or let the server put the answer behind the thoughts into `content`",
    "tool_calls": "Switch the tools of the server off",
    "odd_stop": "See the server's log",
    "rate_limit": "Wait, or ask fewer questions at once (`--concurrency`)",
    "server": "See the server's log",
    "timeout": "Allow more time (`--timeout`), or ask fewer questions at once (`--concurrency`)",
}
"""What helps, before "run the same command again"."""


@dataclass(frozen=True)
class Reply:
    """What a model said.

    Attributes:
        text: the answer; thoughts are no part of it.
        stop: why it ended, in Inspect's words (``stop``, ``max_tokens``, ``model_length``, ``content_filter``, ...), or
            in the server's own.
        thoughts: whether the model gave thoughts apart from its text.
        has_logprobs: whether log-probabilities came with it.
        mass: share of the probability that the letters hold at the token of the answer; ``None`` where not asked for.
        likeliest: the likeliest token there.
    """

    text: str
    stop: str
    thoughts: bool = False
    has_logprobs: bool = False
    mass: float | None = None
    likeliest: str = ""


@dataclass(frozen=True)
class Failure:
    """What came in place of a reply.

    Attributes:
        words: what the provider said, without credentials.
        status: the HTTP status, also one that a server puts into the body of a 200; ``None`` without any.
        nature: what happened, where no status says it.
        parameter: the parameter of the request that the provider names as the culprit.
        wait: seconds that the provider asks to wait.
        unreachable: no connection was opened.
    """

    words: str
    status: int | None = None
    nature: Literal["", "timeout", "connection", "malformed"] = ""
    parameter: str = ""
    wait: float | None = None
    unreachable: bool = False


@dataclass(frozen=True)
class Asked:
    """What matters of the request.

    Attributes:
        sent: names of the parameters that it had.
        fixed: of these, the ones that the user set; others may be left out.
        likelihood: whether the letter is taken from the log-probabilities.
        shortest: whether no other request of the run is shorter.
    """

    sent: Collection[str] = ()
    fixed: Collection[str] = ()
    likelihood: bool = False
    shortest: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a reply or failure means.

    Attributes:
        words: the provider's own words, or ours where it has none.
        wait: seconds that the provider asks to wait before the next attempt.
        unreachable: no connection was opened: all other requests would meet the same at this moment.
        leave_out: a parameter that the server refuses; the request is repeated at once without it.
        most: the largest value of that parameter that the server takes, where it says so.
    """

    kind: Kind
    reason: Reason
    words: str = ""
    wait: float | None = None
    unreachable: bool = False
    leave_out: str = ""
    most: int | None = None

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE.get(self.reason, "Remove the cause")

    def attempts(self, most: int) -> int:
        """Return how often a request that meets this is asked, of at most so many attempts."""
        return min(_ATTEMPTS.get(self.reason, most), most)


def outcome(given: Reply | Failure, asked: Asked) -> Outcome:
    """Return what a reply or a failure means for the request and its run."""
    if isinstance(given, Reply):
        return _of_reply(given, asked)
    return _of_failure(given, asked)


def is_final(text: str, stop: str) -> bool:
    """Return whether a stored answer counts for good, by its text and its stop reason.

    Others hold the place of an answer in tables only; the next run asks again. Stores of earlier versions hold such
    rows as well: empty replies that were kept.
    """
    return bool(text.strip()) or stop in ("content_filter", "max_tokens", "no_letter")


def _of_reply(reply: Reply, asked: Asked) -> Outcome:
    text, stop = reply.text, reply.stop
    if stop == "content_filter":
        return Outcome("refused", "content_filter", text)
    if stop == "model_length":
        return _too_long(text or "the question is longer than the context", asked)
    # One token is asked for: by likelihood every reply is "cut", and a text is not needed.
    if asked.likelihood and stop in ("stop", "max_tokens"):
        return _of_likelihood(reply)
    if stop == "max_tokens":
        return Outcome("cut", "max_tokens")
    if stop == "tool_calls":
        return Outcome("fault", "tool_calls", "the reply calls a tool, and none was offered")
    if stop != "stop":
        return Outcome("fault", "odd_stop", f"the reply ended for the reason '{stop}'")
    if not text.strip():
        alone = "thoughts and no answer" if reply.thoughts else "no text"
        return Outcome("fault", "empty", f"the reply has {alone}")
    return Outcome("answer", "answer")


def _of_likelihood(reply: Reply) -> Outcome:
    if not reply.has_logprobs:
        return Outcome(
            "fatal", "no_logprobs", "the server gives no log-probabilities of its tokens"
        )
    if reply.mass is not None and reply.mass < LEAST_MASS:
        words = f"the letters hold {_percent(reply.mass)} of the probability"
        if reply.likeliest:
            words += f" and {reply.likeliest!r} is the likeliest token"
        return Outcome("answer", "no_letter", words)
    return Outcome("answer", "answer")


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %"


# ---- Failures --------------------------------------------------------------------------------------------------------
# Phrases of providers, folded; the comment names one that uses it. Add yours here, and a line to the cases of the test.


def _any_of(*phrases: str) -> re.Pattern[str]:
    """Return the pattern of a text that holds one of these phrases, in any case."""
    return re.compile("|".join(phrases), re.IGNORECASE | re.DOTALL)


_FILTER = _any_of(
    r"content.?filter",  # Azure
    r"content management policy",  # Azure
    r"content.?policy",
    r"responsible.?ai",  # Azure
    r"invalid_prompt",  # OpenAI's reasoning models
    r"usage polic",
    r"\bflagged\b",  # OpenRouter
    r"\bmoderation\b",
    r"guardrail",  # Bedrock
    r"safety (?:system|reasons|settings)",  # Google
    r"data_inspection_failed",  # Qwen
    r"敏感内容|内容安全",  # Zhipu
)
_QUOTA = _any_of(
    r"insufficient[_ ]quota",  # OpenAI
    r"exceeded your (?:current )?quota",  # OpenAI, Google
    r"credit balance",  # Anthropic
    r"insufficient (?:account )?(?:balance|credits?|funds)",  # DeepSeek, OpenRouter
    r"out of credits?",
    r"payment required",
    r"billing",
    r"arrears|欠费|余额不足",  # Qwen, Zhipu
)
# Google words the limit of a minute as a quota, and says when to come again.
_PASSES = _any_of(r"retry in \d", r"retryDelay", r"per ?minute")
_TOO_LONG = _any_of(
    r"context_length_exceeded",  # OpenAI
    r"exceed_context_size",  # llama.cpp
    r"context (?:length|size|window)",  # vLLM, LM Studio
    r"(?:prompt|input|request) is too (?:long|large)",  # Anthropic
    r"input too long",
    r"too many (?:input |prompt )?tokens",
    r"input token count.{0,40}exceeds",  # Google
    r"reduce the length of the (?:messages|prompt|input)",
)
_ANSWER_TOO_LONG = _any_of(
    r"max_(?:completion_)?tokens.{0,40}too large",  # OpenAI, vLLM
    r"max_tokens.{0,20}exceeds",
    r"(?P<prompt>\d+) in the messages",  # older vLLM: so many of the question, the rest for the answer
)
_OF_THE_QUESTION = _any_of(r"in the messages", r"\d+ input tokens")
_CONTEXT = _any_of(r"context length is (?P<tokens>\d+)")
_KEY = _any_of(
    r"api[_ -]?key (?:is )?(?:not valid|invalid|not found|expired)",  # Google
    r"(?:invalid|incorrect|missing).{0,12}api[_ -]?key",  # OpenAI
    r"unauthori[sz]ed",
    r"authentication",
)
_MODEL = _any_of(
    r"model_not_found",  # OpenAI
    r"DeploymentNotFound|API deployment",  # Azure
    r"not a valid model",  # OpenRouter
    r"(?:unknown|invalid|no such) model",
    r"decommissioned",  # Groq
    r"\bmodels?\b.{0,100}not[ _](?:be )?(?:found|exist|supported|available|loaded)",  # Ollama, Anthropic
    r"\bmodels?\b.{0,100}(?:does not exist|unknown)",  # vLLM
    r"模型不存在",
)
_NO_ROUTE = _any_of(r"unexpected endpoint")  # LM Studio says so with status 200
_MOST = _any_of(
    r"between \d+ and (?P<a>\d+)",
    r"(?:at most|up to|less than or equal to|<=) *(?P<b>\d+)",
    r"maximum(?: (?:value|number))?(?: of| is|:)? *(?P<c>\d+)",
    r"in \[\d+, *(?P<d>\d+)\]",
)

FEWEST_ALTERNATIVES = 5
"""Alternatives per token that all servers with log-probabilities give, where a refusal names no number."""

PARAMETERS = (
    "max_completion_tokens", "max_tokens", "top_logprobs", "logprobs", "temperature", "top_p", "seed",
    "reasoning_effort", "reasoning_tokens",
)  # fmt: skip
"""Parameters that a server may refuse; a name that contains another one stands before it."""


def _of_failure(failure: Failure, asked: Asked) -> Outcome:
    status, words = failure.status, failure.words
    if status is None:
        if not failure.nature and _QUOTA.search(words):
            # Inspect takes the status from Google's limit of 0 requests.
            return Outcome("fatal", "quota", words)
        reason: Reason = failure.nature or "rejected"
        return Outcome("fault", reason, words, failure.wait, failure.unreachable)
    # What is wrong with the request. A status of 200 stands for a fault inside a reply that says no other one.
    if status in (200, 400, 401, 402, 403, 404, 405, 409, 413, 422, 429):
        if _FILTER.search(words) and status not in (401, 402, 429):
            return Outcome("refused", "content_filter", words)
        if _is_quota(status, words, failure.wait):
            return Outcome("fatal", "quota", words)
        if status in (200, 400, 413, 422):
            if _is_answer_too_long(words):
                # Room that this question alone lacks is no reason to lift the limit of all answers.
                alone = _OF_THE_QUESTION.search(words) and not asked.shortest
                return (
                    _too_long(words, asked)
                    if alone
                    else _refused_parameter("max_tokens", words, asked)
                )
            if status == 413 or _TOO_LONG.search(words):
                return _too_long(words, asked)
            if name := _parameter_named(failure, asked):
                return _refused_parameter(name, words, asked)
    if status == 401 or (status in (200, 400, 403) and _KEY.search(words)):
        return Outcome("fatal", "auth", words)
    if status in (200, 400, 404, 422) and _MODEL.search(words):
        return Outcome("fatal", "unknown_model", words)
    if status == 403:
        return Outcome("fatal", "auth", words)
    if 300 <= status < 400 or status in (404, 405) or _NO_ROUTE.search(words):
        return Outcome("fatal", "no_route", words)
    # What is wrong with the server, at this moment.
    if status == 429:
        return Outcome("fault", "rate_limit", words, failure.wait)
    if status in (408, 504):
        return Outcome("fault", "timeout", words, failure.wait)
    if status >= 500 or status == 200:
        return Outcome("fault", "server", words, failure.wait)
    return Outcome("fault", "rejected", words)


def _is_quota(status: int, words: str, wait: float | None) -> bool:
    """Return whether an account is used up, and not merely a limit of requests per minute."""
    # What a day has used up no wait of a run renews, though Google asks for one.
    if status == 402 or "insufficient_quota" in words or (status == 429 and "PerDay" in words):
        return True
    return bool(_QUOTA.search(words)) and wait is None and not _PASSES.search(words)


def _too_long(words: str, asked: Asked) -> Outcome:
    """Return the outcome of a question beyond the context; if it is the shortest, all are."""
    return Outcome("fatal" if asked.shortest else "fault", "too_long", words)


def _is_answer_too_long(words: str) -> bool:
    """Return whether the room for the answer is what exceeds a limit, and not the question."""
    found = _ANSWER_TOO_LONG.search(words)
    if found is None or found["prompt"] is None:
        return found is not None
    context = _CONTEXT.search(words)
    return context is not None and int(found["prompt"]) < int(context["tokens"])


def _parameter_named(failure: Failure, asked: Asked) -> str:
    """Return the parameter of the request that a server refuses, empty if it names none that was sent."""
    if failure.parameter in PARAMETERS:
        return failure.parameter if failure.parameter in asked.sent else ""
    named = (name for name in PARAMETERS if re.search(rf"\b{name}\b", failure.words))
    return next((name for name in named if name in asked.sent), "")


def _refused_parameter(name: str, words: str, asked: Asked) -> Outcome:
    """Return the outcome of a refused parameter: it is left out unless the user set it."""
    if name == "max_tokens" and "max_completion_tokens" in words and name in asked.sent:
        # The same limit under its newer name: nothing that the user set is lost.
        return Outcome("fault", "parameter", words, leave_out=name)
    needed = asked.likelihood and name == "logprobs"
    if needed:
        return Outcome("fatal", "no_logprobs", words)
    if name in asked.fixed or name not in asked.sent:
        return Outcome("fatal", "parameter", words)
    most = None
    if name == "top_logprobs":
        said = _MOST.search(words)
        numbers = [number for number in said.groups() if number] if said else []
        most = int(numbers[0]) if numbers else FEWEST_ALTERNATIVES
    return Outcome("fault", "parameter", words, leave_out=name, most=most)
