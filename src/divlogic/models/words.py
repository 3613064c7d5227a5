"""The words of a text as the word-statistics baselines count them."""

from __future__ import annotations

import re


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return re.findall(r"[a-z']+|[^\w\s.,]", text.casefold())
