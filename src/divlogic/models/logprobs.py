"""Log-probabilities of the options' letters, where a server gives those of its tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

MOST = 20
"""Alternatives asked for at each token: the most that OpenAI-compatible servers give."""

_AROUND = " \t\n*_`\"'“”‘’()[]<>{}.:,▁Ġ"


def letter_logprobs(
    tokens: Sequence[Any], letters: Sequence[str], letter: str | None = None
) -> dict[str, float]:
    """Return the natural log-probability of each letter at the token that gives the answer; empty if there is none.

    Spellings of one letter (``B``, `` B``, ``(B``) are added up. A letter that is not among the alternatives of that
    token is left out.

    Args:
        tokens: the answer's tokens, each with ``token``, ``logprob`` and ``top_logprobs`` (Inspect's type).
        letters: the letters of the options.
        letter: the letter that the answer names; the token that spells it is taken. Without it the first token is.
    """
    place = 0
    if letter is not None:
        places = [at for at, token in enumerate(tokens) if token.token.strip(_AROUND) == letter]
        if not places:
            return {}
        place = places[-1]
    if place >= len(tokens):
        return {}
    seen: dict[str, float] = {}
    for option in tokens[place].top_logprobs or [tokens[place]]:
        seen.setdefault(option.token, option.logprob)
    sums: dict[str, float] = {}
    for token, logprob in seen.items():
        name = token.strip(_AROUND)
        if name in letters and math.isfinite(logprob):
            sums[name] = sums.get(name, 0.0) + math.exp(logprob)
    return {name: round(math.log(sums[name]), 6) for name in letters if sums.get(name, 0.0) > 0}


def likeliest(logprobs: dict[str, float]) -> str | None:
    """Return the letter with the greatest log-probability, the first of several; ``None`` without any."""
    return min(logprobs, key=lambda name: (-logprobs[name], name)) if logprobs else None
