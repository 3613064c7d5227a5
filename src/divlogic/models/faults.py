"""What can go wrong with a request, sorted into a few kinds, and how long to wait before the next attempt."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "rate_limit", "server", "timeout", "connection", "malformed", "auth", "unknown_model", "rejected"
]

KEY_VARIABLE = "DIVLOGIC_API_KEY"
"""Environment variable with the key of ``compatible/NAME``."""

FATAL: frozenset[Kind] = frozenset({"auth", "unknown_model"})
"""Kinds that no further request of the run would escape."""

REPEATABLE: frozenset[Kind] = frozenset({"rate_limit", "server", "timeout", "connection", "malformed"})

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]+@|(?<=[Bb]earer )\S+|\bsk-[\w-]{8,}")


class ServerError(Exception):
    """A failed attempt, as this package's own provider tells it."""

    def __init__(self, kind: Kind, detail: str, retry_after: float | None = None) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail
        self.retry_after = retry_after


@dataclass(frozen=True)
class Fault:
    """One failed attempt.

    Attributes:
        kind: what went wrong.
        detail: the first words of the error, without credentials.
        retry_after: seconds that the server asked to wait.
    """

    kind: Kind
    detail: str
    retry_after: float | None = None


def classify(error: BaseException) -> Fault:
    """Sort an exception of any Inspect provider by its status code, type or cause."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    detail = redact(str(error))
    for link in chain:
        if isinstance(link, ServerError):
            return Fault(link.kind, redact(link.detail), link.retry_after)
    for link in chain:
        status = getattr(link, "status_code", None) or getattr(link, "code", None)
        if isinstance(status, int):
            return Fault(kind_of_status(status), detail, _retry_after(link))
    for link in chain:
        name = type(link).__name__.casefold()
        if isinstance(link, asyncio.TimeoutError | TimeoutError) or "timeout" in name:
            return Fault("timeout", detail or "no answer in time")
        if isinstance(link, ConnectionError | OSError) or "connect" in name or "protocolerror" in name:
            return Fault("connection", detail or type(link).__name__)
        if isinstance(link, ValueError) and "json" in name:
            return Fault("malformed", detail)
    return Fault("rejected", detail or type(error).__name__)


def kind_of_status(status: int) -> Kind:
    """Sort an HTTP status."""
    if status == 429:
        return "rate_limit"
    if status in (401, 403):
        return "auth"
    if status == 404:
        return "unknown_model"
    if status in (408, 504):
        return "timeout"
    return "server" if status >= 500 else "rejected"


def waiting_time(fault: Fault, attempt: int, *, first: float, longest: float) -> float:
    """Return the seconds to wait after failed ``attempt`` (from 1): the server's wish, or doubling from ``first``."""
    wish = fault.retry_after if fault.retry_after is not None else first * 2.0 ** (attempt - 1)
    return min(max(wish, 0.0), longest)


def redact(text: str, limit: int = 200) -> str:
    """Return the first words of a message on one line, with keys, tokens and credentials in addresses masked."""
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= 8:
            text = text.replace(value, "***")
    return _CREDENTIALS.sub("***", " ".join(text.split()))[:limit]


def parse_retry_after(value: str | None) -> float | None:
    """Read a Retry-After header: seconds or an HTTP date."""
    if not value:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return parse_retry_after(headers.get("retry-after")) if headers is not None else None
