"""What can go wrong with a request, sorted into a few kinds."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from divlogic.config.section import is_secret
from divlogic.io.backoff import parse_retry_after

Kind = Literal[
    "rate_limit", "server", "timeout", "connection", "malformed", "auth", "unknown_model", "rejected", "no_logprobs",
    "no_letters", "cut",
]  # fmt: skip

KEY_VARIABLE = "DIVLOGIC_API_KEY"
"""Environment variable with the key of ``compatible/NAME``."""

FATAL: frozenset[Kind] = frozenset({"auth", "unknown_model", "no_logprobs", "no_letters", "cut"})
"""Kinds that no further request of the run would escape."""

REPEATABLE: frozenset[Kind] = frozenset({"rate_limit", "server", "timeout", "connection", "malformed"})

_LONG = 8
"""Length from which a secret is masked wherever it occurs; a shorter one only where it stands by itself."""

_NO_SECRETS = frozenset(("true", "false", "none", "null", "yes", "no", "on", "off"))
_PATTERNS = [
    (re.compile(pattern, re.IGNORECASE), mask)
    for pattern, mask in (
        # Credentials in an address, with a scheme (a password may hold an @) or without one.
        (r"(?<=://)[^/\s\"']+@", "***@"),
        (r"\b[\w.+-]+:[^\s/@:\"']+@(?=[\w.-]+)", "***@"),
        (r"\b(basic|bearer)\s+[^\s\"',;]+", r"\1 ***"),
        (
            r"([?&](?:x-)?(?:api[_-]?key|key|(?:access[_-]?)?token|secret|password|auth)=)[^&#\s\"']+",
            r"\1***",
        ),
        (r"((?:x-)?api[_-]?key[\"']?\s*[:=]\s*[\"']?)(?!\*\*\*)[^\s\"',;&}]+", r"\1***"),
        (r"\bsk-[\w-]{4,}", "***"),
    )
]


_STATUSES: dict[int, Kind] = {
    401: "auth",
    403: "auth",
    404: "unknown_model",
    408: "timeout",
    429: "rate_limit",
    504: "timeout",
}
_NO_CONNECTION = ("ConnectError", "ConnectTimeout", "gaierror")
"""Names of exceptions, of any library, that say that no connection was opened."""


@dataclass(frozen=True)
class Fault:
    """One failed attempt.

    Attributes:
        detail: the first words of the error, without credentials.
        retry_after: seconds that the server asked to wait.
        unreachable: no connection to the server could be opened.
    """

    kind: Kind
    detail: str
    retry_after: float | None = None
    unreachable: bool = False


class ServerError(Exception):
    """A failed attempt, as this package's own provider reports it."""

    def __init__(
        self, kind: Kind, detail: str, retry_after: float | None = None, *, unreachable: bool = False
    ) -> None:
        super().__init__(detail)
        self.fault = Fault(kind, redact(detail), retry_after, unreachable)


def classify(error: BaseException) -> Fault:
    """Sort an exception of any Inspect provider by its status code, type or cause."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    detail = redact(str(error))
    if own := [link.fault for link in chain if isinstance(link, ServerError)]:
        return own[0]
    for link in chain:
        status = getattr(link, "status_code", None) or getattr(link, "code", None)
        if isinstance(status, int):
            headers = getattr(getattr(link, "response", None), "headers", None)
            wait = None if headers is None else parse_retry_after(headers.get("retry-after"))
            return Fault(kind_of_status(status), detail, wait)
    if any(
        isinstance(link, ConnectionRefusedError) or type(link).__name__ in _NO_CONNECTION for link in chain
    ):
        return Fault("connection", detail or "no connection", unreachable=True)
    for link in chain:
        name = type(link).__name__.casefold()
        if isinstance(link, TimeoutError) or "timeout" in name:
            return Fault("timeout", detail or "no answer in time")
        if isinstance(link, ConnectionError | OSError) or "connect" in name or "protocolerror" in name:
            return Fault("connection", detail or type(link).__name__)
        if isinstance(link, ValueError) and "json" in name:
            return Fault("malformed", detail)
    return Fault("rejected", detail or type(error).__name__)


def kind_of_status(status: int) -> Kind:
    """Sort an HTTP status."""
    return _STATUSES.get(status) or ("server" if status >= 500 else "rejected")


def redact(text: str, limit: int = 200) -> str:
    """Return the first words of a message on one line, with keys, tokens and credentials in addresses masked."""
    for name, value in os.environ.items():
        if is_secret(name) and value.strip() and value.strip().casefold() not in _NO_SECRETS:
            text = _without(text, value.strip())
    text = " ".join(text.split())
    for pattern, mask in _PATTERNS:
        text = pattern.sub(mask, text)
    return text[:limit]


def sent_secrets(address: str | None, *keys: str | None) -> tuple[str, ...]:
    """Return what a server is sent in order to let a model be asked, and so may repeat: keys, those of its address too.

    A key that is a short word (*test*, *EMPTY*) is a placeholder, and left out: a model may answer with such a word.
    """
    found = [key.strip() for key in keys if key]
    found += [key.split()[-1] for key in found if key.casefold().startswith(("basic ", "bearer "))]
    parts = urlsplit(address or "")
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        found += [password or user, b64encode(f"{user}:{password}".encode()).decode()]
    found += [value for name, value in parse_qsl(parts.query) if is_secret(name)]
    return tuple(
        secret for secret in found if len(secret) >= _LONG or (len(secret) >= 4 and not secret.isalpha())
    )


def without_secrets(text: str, secrets: tuple[str, ...]) -> str:
    """Mask secrets in what a model answered, and nothing else."""
    for secret in secrets:
        text = _without(text, secret)
    return text


def _without(text: str, secret: str) -> str:
    """Mask a secret, as it stands and as it stands in an address or in a header of its own."""
    spellings = {secret, quote(secret, safe=""), quote_plus(secret), b64encode(secret.encode()).decode()}
    for spelling in sorted(spellings, key=len, reverse=True):
        if len(spelling) >= _LONG:
            text = text.replace(spelling, "***")
        else:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(spelling)}(?![A-Za-z0-9])", "***", text)
    return text
