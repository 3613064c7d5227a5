"""Glosses: templates for predicates, and the form in which two glosses are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_VARIABLE = re.compile(r"(?<![A-Za-z_\\])([u-z])(?![A-Za-z_])")
_GAP = re.compile(r"\.{2,}|…+|_{2,}")


def templated(gloss: str, arity: int, variables: Sequence[str] = ()) -> str:
    """Return a predicate's gloss with ``{0}``, ``{1}`` where its terms go.

    Args:
        gloss: ``x嘲笑y``, ``是...的直系后代``, ``是抽象概念``.
        arity: number of terms.
        variables: the names of the terms, where the gloss's key has them (``P(x, y)``); else x, y, z in order.
    """
    if arity == 0 or "{0}" in gloss:
        return gloss
    names = list(variables) if len(variables) == arity else ["x", "y", "z", "u", "v", "w"][:arity]
    found = list(dict.fromkeys(_VARIABLE.findall(gloss)))
    if arity == 1 and len(found) == 1:
        names = found
    if any(name in found for name in names):
        places = {name: place for place, name in enumerate(names)}
        return _VARIABLE.sub(
            lambda match: f"{{{places[match[1]]}}}" if match[1] in places else match[1], gloss
        )
    gaps = len(_GAP.findall(gloss))
    first = arity - gaps
    numbers = iter(range(max(first, 0), arity + gaps))
    filled = _GAP.sub(lambda _: f"{{{next(numbers)}}}", gloss) if gaps else gloss
    if first <= 0:
        return filled
    return "{0}" + filled + "".join(f"{{{place}}}" for place in range(1, first))


def folded(gloss: str) -> str:
    """Return the form in which glosses are compared: NFKC, lower case, no punctuation, no white space."""
    text = unicodedata.normalize("NFKC", gloss).casefold()
    return "".join(char for char in text if char in "{}" or unicodedata.category(char)[0] not in "PZSC")


def similarity(left: str, right: str) -> float:
    """Return the Dice coefficient of the character bigrams of two folded glosses, 0 to 1."""
    first, second = _bigrams(folded(left)), _bigrams(folded(right))
    if not first or not second:
        return float(first == second)
    return 2 * len(first & second) / (len(first) + len(second))


def _bigrams(text: str) -> set[str]:
    return {text[place : place + 2] for place in range(len(text) - 1)} or ({text} if text else set())
