"""Which option an answer names, on the standard library alone: exports to other programs copy this file."""

from __future__ import annotations

import re

_CUE = re.compile(r"\banswer\b\W{0,4}(?:is|:)?\W{0,4}", re.IGNORECASE)


def option_named(text: str, options: tuple[str, ...]) -> str | None:
    """Return the option that a text names: the first after the last "answer:", else the only one in it."""
    cues = list(_CUE.finditer(text))
    if cues:
        named = _first_named(text[cues[-1].end() :], options)
        if named is not None:
            return named
    found = {option for option in options if _names(text, option)}
    # "grandson" also holds "son": a name within another that was found does not count.
    found -= {option for option in found for other in found if option != other and _names(other, option)}
    return found.pop() if len(found) == 1 else None


def _first_named(tail: str, options: tuple[str, ...]) -> str | None:
    starts = [
        (match.start(), -len(option), option)
        for option in options
        if (match := re.search(rf"(?<!\w){re.escape(option)}(?!\w)", tail, re.IGNORECASE))
    ]
    return min(starts)[2] if starts else None


def _names(text: str, option: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text, re.IGNORECASE))
