"""Keys, tokens and passwords: masked in all that is shown or kept."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from divlogic.config.section import is_secret
from divlogic.io.foreign import shown

KEY_VARIABLE = "DIVLOGIC_API_KEY"
"""Environment variable with the key of ``compatible/NAME``."""

_LONG = 8
"""Length from which a secret is masked wherever it occurs; a shorter one only where it stands by itself."""

_AHEAD = 2000
"""Characters behind the last one shown that are looked at: a key that begins before the end may be so long."""

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


def redact(text: str, limit: int = 200) -> str:
    """Return the first words of a message on one line, with keys, tokens and credentials in addresses masked."""
    for name, value in os.environ.items():
        if is_secret(name) and value.strip() and value.strip().casefold() not in _NO_SECRETS:
            text = _without(text, value.strip())
    # What stands behind is not shown; the patterns look far ahead, and take the square of a long text's time.
    text = " ".join(shown(text, limit + _AHEAD).split())
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
        secret
        for secret in found
        if len(secret) >= _LONG or (len(secret) >= 4 and not secret.isalpha())
    )


def without_secrets(text: str, secrets: tuple[str, ...]) -> str:
    """Mask secrets in what a model answered, and nothing else."""
    for secret in secrets:
        text = _without(text, secret)
    return text


def _without(text: str, secret: str) -> str:
    """Mask a secret, as it stands and as it stands in an address or in a header of its own."""
    spellings = {
        secret,
        quote(secret, safe=""),
        quote_plus(secret),
        b64encode(secret.encode()).decode(),
    }
    for spelling in sorted(spellings, key=len, reverse=True):
        if len(spelling) >= _LONG:
            text = text.replace(spelling, "***")
        else:
            text = re.sub(rf"(?<![A-Za-z0-9]){re.escape(spelling)}(?![A-Za-z0-9])", "***", text)
    return text
