"""Type–token statistics: how many different words a text has for its length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice


def ttr(types: int, tokens: int) -> float | None:
    """Return the type–token ratio, ``None`` for an empty text."""
    return types / tokens if tokens else None


def msttr(tokens: Iterable[str], segment: int = 100) -> float | None:
    """Return the mean type–token ratio of consecutive segments (Johnson 1944); ``None`` if none is full.

    A last, shorter segment is left out, so that texts of any length compare.
    """
    stream = iter(tokens)
    total = count = 0
    while len(part := list(islice(stream, segment))) == segment:
        total += len(set(part))
        count += 1
    return total / (count * segment) if count else None


def mtld(tokens: Sequence[str], threshold: float = 0.72) -> float | None:
    """Return the measure of textual lexical diversity (McCarthy & Jarvis 2010): forward and backward mean.

    ``None`` where the text never falls to the threshold far enough to make part of a factor.
    """
    forward, backward = _factors(tokens, threshold), _factors(reversed(tokens), threshold)
    if not forward or not backward:
        return None
    return (len(tokens) / forward + len(tokens) / backward) / 2


def _factors(tokens: Iterable[str], threshold: float) -> float:
    """Count stretches whose type–token ratio falls to the threshold; a last one counts in part."""
    factors, types, length, ratio = 0.0, set[str](), 0, 1.0
    for token in tokens:
        types.add(token)
        length += 1
        ratio = len(types) / length
        if ratio <= threshold:
            factors += 1
            types, length, ratio = set(), 0, 1.0
    return factors + (1 - ratio) / (1 - threshold)
