"""How long to wait before a request is repeated: as long as the server asks, else twice as long each time."""

from __future__ import annotations

import re


def waiting_time(
    attempt: int, *, first: float, longest: float, asked: float | None = None
) -> float:
    """Return the seconds to wait after failed ``attempt`` (from 1): as many as the server asked for, if it did.

    Else it is ``first`` at first, and twice as long each further time; never more than ``longest``.

    >>> [waiting_time(attempt, first=1.0, longest=5.0) for attempt in (1, 2, 3, 4)]
    [1.0, 2.0, 4.0, 5.0]
    >>> waiting_time(1, first=1.0, longest=60.0, asked=7.0)
    7.0
    """
    return min(max(first * 2.0 ** (attempt - 1) if asked is None else asked, 0.0), longest)


def parse_retry_after(value: str | None) -> float | None:
    """Read a Retry-After header (RFC 9110), seconds or an HTTP date, as seconds from now; ``None`` if it is neither.

    >>> parse_retry_after("2.5"), parse_retry_after("soon"), parse_retry_after(None)
    (2.5, None, None)
    """
    if not value:
        return None
    if re.fullmatch(r"\d+(\.\d+)?", value.strip()):
        return float(value)
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max((parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return None
