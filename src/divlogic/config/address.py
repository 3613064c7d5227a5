"""Addresses of servers in parameters: none with a key in it."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator

_SECRET = re.compile(
    r"(?:^|[_-])(?:api[_-]?key|key|token|secret|password|passwd|auth(?:orization)?)$", re.IGNORECASE
)


def is_secret(name: str) -> bool:
    """Return whether a name is one of keys, tokens and passwords."""
    return _SECRET.search(name) is not None


def check_address(address: str) -> str:
    """Return an address that may stand in parameters.

    Parameters are printed with the commands of rules, and kept with what the commands make: a secret does not belong
    there.

    Raises:
        ValueError: it is no address, or holds credentials.
    """
    if not re.fullmatch(r"https?://[^\s/]+\S*", address):
        raise ValueError("an address begins with http:// or https:// and holds no blanks")
    parts = urlsplit(address)
    _ = parts.port  # raises ValueError for one that is no number up to 65535
    if "@" in parts.netloc or any(is_secret(name) for name, _ in parse_qsl(parts.query)):
        raise ValueError(
            "the address holds credentials, which would be printed and kept with the parameters; put a key into the"
            " environment variable DIVLOGIC_API_KEY, or such an address as a whole into DIVLOGIC_BASE_URL"
        )
    return address


Address = Annotated[str, AfterValidator(check_address)]
"""An address of a server, ending in /v1."""
