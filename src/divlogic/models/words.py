"""Word statistics: the words of a text, vectorisers of texts without words, and decisions that no last bit changes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NO_WORD = "xxnothingxx"
_WORD = re.compile(r"[a-z']+|[^\w\s.,]")

DIGITS = 6
"""Probabilities and scores equal to this number of decimal places are tied."""


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return _WORD.findall(text.casefold())


@lru_cache(maxsize=50_000)
def _first_word(text: str) -> str:
    found = _WORD.search(text.casefold())
    return found[0] if found else ""


def followed_sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with the first word of the next one.

    >>> followed_sentences("Ann is tall. Bob is not.")
    ['Ann is tall. bob', 'Bob is not.. ']
    """
    found = [sentence for sentence in text.split(". ") if _first_word(sentence)]
    return [
        f"{one}. {after}"
        for one, after in zip(found, [*map(_first_word, found[1:]), ""], strict=False)
    ]


def words_and_pairs(followed: str) -> list[str]:
    """Return the words of a followed sentence and the pairs of adjacent words; together a text's own.

    >>> words_and_pairs("Ann is tall. bob")
    ['ann', 'is', 'tall', 'ann is', 'is tall', 'tall bob']
    """
    sentence, _, after = followed.partition(". ")
    found = words(sentence)
    return found + list(map(" ".join, itertools.pairwise([*found, after] if after else found)))


def fit_transform(vectors: Any, texts: Iterable[str]) -> Any:
    """Fit a vectoriser of scikit-learn to texts, and return their matrix; shape (texts, columns).

    Where no text has a word that occurs often enough, there is one column, which is zero for every text: from a data
    set without words nothing is learnt, and that is no error.
    """
    numbers = itertools.count()
    try:
        return vectors.fit_transform(text for text, _ in zip(texts, numbers, strict=False))
    except ValueError:
        count = next(numbers)
        if not count:
            raise
        vectors.fit([_NO_WORD] * max(count, int(vectors.min_df)))
        return vectors.transform([""] * count)


def rounded(scores: Any) -> NDArray[np.float64]:
    """Return scores of which those that are tied are equal."""
    tied: NDArray[np.float64] = np.asarray(np.round(scores, DIGITS), dtype=np.float64)
    return tied


def most_probable(model: Any, rows: Any) -> NDArray[Any]:
    """Return the most probable class of each row, of tied ones the first in the order of the classes.

    Symmetric data give classes that are equally probable; `predict` then decides by the last bits of its sums, which
    differ between machines and between runs.
    """
    return _highest(model.classes_, model.predict_proba(rows))


def highest_scored(model: Any, rows: Any) -> NDArray[Any]:
    """Return the class of each row that a linear classifier without probabilities scores highest, ties as above."""
    scores = np.asarray(model.decision_function(rows))
    if scores.ndim == 1:  # of two classes the score of the second against the first
        scores = np.stack((np.zeros_like(scores), scores), axis=1)
    return _highest(model.classes_, scores)


def _highest(classes: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = classes[rounded(scores).argmax(axis=1)]
    return found
