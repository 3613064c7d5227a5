"""What providers give, in the words of the policy: outputs of Inspect's models, exceptions, and bodies of errors."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from divlogic.io.backoff import parse_retry_after
from divlogic.models.answers import letter_logprobs
from divlogic.models.outcome import Failure, Reply
from divlogic.models.redaction import redact

LONGEST_WORDS = 4_000
"""Characters of an error that are read: the reason of a refusal may stand behind a long address."""

_NO_CONTENT = "(no content)"
"""What Inspect writes in place of a text that a provider did not give."""

_NO_CONNECTION = ("ConnectError", "ConnectTimeout", "gaierror")
"""Names of exceptions, of any library, that say that no connection was opened."""


class ServerError(Exception):
    """A failed attempt, as this package's own providers report it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.words)
        self.failure = failure


# ---- Replies ---------------------------------------------------------------------------------------------------------


def reply_of(
    output: Any, *, letters: Sequence[str] = (), likelihood: bool = False
) -> tuple[Reply, dict[str, float]]:
    """Return what an output of Inspect says, and the natural log-probabilities of the letters, where it has any.

    Args:
        output: Inspect's ``ModelOutput``.
        letters: of the options.
        likelihood: whether the first token is looked at; else no letter is looked for.
    """
    if not output.choices:
        return Reply("", "no choice"), {}
    choice = output.choices[0]
    text = writable(output.completion)
    text = "" if text.strip() == _NO_CONTENT else text
    thoughts = False
    if not isinstance(choice.message.content, str):
        thoughts = any(part.type == "reasoning" for part in choice.message.content)
    stop = str((output.metadata or {}).get("finish_reason") or choice.stop_reason)
    reply = Reply(text, stop, thoughts=thoughts)
    if not likelihood or choice.logprobs is None:
        return reply, {}
    tokens = choice.logprobs.content
    logprobs = letter_logprobs(tokens, letters)
    mass = sum(math.exp(value) for value in logprobs.values())
    first = tokens[0] if tokens else None
    likeliest = "" if first is None else max(first.top_logprobs or [first], key=_logprob).token
    return (
        Reply(text, stop, thoughts=thoughts, has_logprobs=True, mass=mass, likeliest=likeliest),
        logprobs,
    )


def writable(text: str) -> str:
    """Return a text without halves of surrogate pairs (an emoji that was cut), which no file takes."""
    # Not with a question mark, which is a doubt: "Answer: B ?".
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _logprob(token: Any) -> float:
    return float(token.logprob)


def tokens_of(given: Any) -> list[dict[str, Any]]:
    """Return the log-probabilities of a choice as rows of Inspect's type; empty where there are none.

    Alternatives may stand in a list of objects or in a mapping from token to number. What is no probability (null, not
    a number, minus infinity) is left out by itself; a value above 0 is rounded down to it.
    """
    if not isinstance(given, dict):
        return []
    rows = given.get("content")
    if not isinstance(rows, list):
        rows = _of_completions(given)
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("token"), str):
            continue
        alternatives = [
            {"token": token, "logprob": value}
            for token, number in _alternatives(row.get("top_logprobs"))
            if (value := _probable(number)) is not None
        ]
        own = _probable(row.get("logprob"))
        if own is None and not alternatives:
            continue
        # The chosen token without a number of its own: what its alternatives say remains.
        own = -9999.0 if own is None else own
        found.append({"token": row["token"], "logprob": own, "top_logprobs": alternatives})
    return found


def _of_completions(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of the older form: parallel lists of tokens, numbers and alternatives."""
    tokens = _list(given.get("tokens"))
    numbers = _list(given.get("token_logprobs"))
    alternatives = _list(given.get("top_logprobs"))
    rows = []
    for place, token in enumerate(tokens):
        row = {"token": token}
        if place < len(numbers):
            row["logprob"] = numbers[place]
        if place < len(alternatives):
            row["top_logprobs"] = alternatives[place]
        rows.append(row)
    return rows


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _alternatives(given: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(given, dict):
        yield from given.items()
    elif isinstance(given, list):
        for option in given:
            if isinstance(option, dict) and isinstance(option.get("token"), str):
                yield option["token"], option.get("logprob")


def _probable(number: Any) -> float | None:
    """Return a log-probability, at most 0; ``None`` for what is none."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    try:
        value = float(number)
    except OverflowError:
        return None
    return min(value, 0.0) if math.isfinite(value) else None


# ---- Failures --------------------------------------------------------------------------------------------------------


def failure_of_body(status: int, body: str, headers: Mapping[str, str] | None = None) -> Failure:
    """Return what the body of an error says, in any of the forms that servers use."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    words, parameter = (body.strip(), "") if value is None else _said_in(value)
    words = words or f"status {status}"
    prefix = "" if status == 200 else f"status {status}: "
    return Failure(
        redact(prefix + words, limit=LONGEST_WORDS),
        status=_status_within(value, status),
        parameter=parameter,
        wait=_first_known(_wait(headers or {}), _delay(value)),
    )


def _first_known(*values: float | None) -> float | None:
    return next((value for value in values if value is not None), None)


def _delay(value: Any) -> float | None:
    """Return the seconds that Google asks to wait, which stand in the body."""
    found = re.search(r'"retryDelay": "(\d+(?:\.\d+)?)s"', json.dumps(value))
    return float(found[1]) if found else None


def _status_within(value: Any, status: int) -> int:
    """Return the status that a body gives where the reply's own is 200."""
    error = value.get("error") if isinstance(value, dict) else None
    code = error.get("code") if isinstance(error, dict) else None
    if status == 200 and isinstance(code, int | str) and str(code).isdecimal():
        inner = int(code)
        return inner if 400 <= inner < 600 else status
    return status


def _said_in(value: Any) -> tuple[str, str]:
    """Return the words of an error's JSON, and the parameter that it names."""
    if isinstance(value, list):
        # Google puts its error into a list; a list of several is one of complaints.
        parts = [_said_in(part) for part in value[:5]]
        return "; ".join(words for words, _ in parts), next((p for _, p in parts if p), "")
    if not isinstance(value, dict):
        return str(value), ""
    for name in ("error", "detail", "errors"):
        if value.get(name):
            inner, parameter = _said_in(value[name])
            return inner, parameter or str(value.get("param") or "")
    parameter = str(value.get("param") or "")
    place = value.get("loc")
    if isinstance(place, list) and place:
        parameter = str(place[-1])
    words = [str(value.get("message") or value.get("msg") or "")]
    for name in ("code", "type", "status", "reason"):
        # The provider's code is what the policy looks for; repeated words help nobody.
        said = value.get(name)
        if isinstance(said, str) and said not in words[0]:
            words.append(said)
    raw = value.get("metadata")
    if isinstance(raw, dict) and isinstance(raw.get("raw"), str):
        words.append(raw["raw"])
    if parameter and parameter not in words[0]:
        words.append(parameter)
    if not any(words):
        words = [json.dumps(value, ensure_ascii=False)]
    details = value.get("details")
    if isinstance(details, list):
        # Which of its limits is meant Google says there alone.
        said = json.dumps(details)
        words += [name for name in ("PerDay", "retryDelay") if name in said]
    return ", ".join(filter(None, words)), parameter


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait."""
    milliseconds = parse_retry_after(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    return parse_retry_after(headers.get("retry-after"))


def failure_of(error: BaseException) -> Failure:
    """Return what an exception of any provider says: by its status, its type or its cause."""
    chain = _chain(error)
    for link in chain:
        if isinstance(link, ServerError):
            return link.failure
    # Inspect wraps what a provider raised into an error whose text is the whole request: its words are the user's.
    chain = [link for link in chain if type(link).__name__ != "ModelGenerateError"] or chain
    words = redact(str(chain[0]), limit=LONGEST_WORDS)
    for link in chain:
        status = getattr(link, "status_code", None) or getattr(link, "code", None)
        if isinstance(status, int):
            return _of_status(link, status, words)
    if any(
        isinstance(link, ConnectionRefusedError) or type(link).__name__ in _NO_CONNECTION
        for link in chain
    ):
        return Failure(words or "no connection", nature="connection", unreachable=True)
    for link in chain:
        name = type(link).__name__.casefold()
        if isinstance(link, TimeoutError) or "timeout" in name:
            return Failure(words or "no answer in time", nature="timeout")
        lost = "connect" in name or "protocolerror" in name
        if lost or isinstance(link, ConnectionError | OSError):
            return Failure(words or type(link).__name__, nature="connection")
        # What a provider's package raises over a reply that it cannot read.
        if isinstance(link, ValueError | TypeError | LookupError | AttributeError | AssertionError):
            return Failure(words or type(link).__name__, nature="malformed")
    return Failure(words or type(error).__name__)


def _of_status(link: BaseException, status: int, words: str) -> Failure:
    """Return the failure of an exception with a status; its body says more than its text, where the SDK kept it."""
    response = getattr(link, "response", None)
    headers = getattr(response, "headers", None)
    try:
        body = getattr(response, "text", "")
    except Exception:
        # A body that was streamed and not read.
        body = ""
    # Google's package keeps the JSON; its response belongs to another library, whose `text` is a method.
    details = getattr(link, "details", None)
    if isinstance(details, dict | list):
        body = json.dumps(details)
    if not isinstance(body, str) or not body:
        return Failure(words, status=status, wait=_wait(headers or {}))
    return failure_of_body(status, body[: 4 * LONGEST_WORDS], headers)


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    return chain
