"""Word statistics: the words of a text, vectorisers of texts without words, and decisions that no last bit changes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NO_WORD = "xxnothingxx"

DIGITS = 6
"""Probabilities and scores equal to this number of decimal places are tied."""


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return re.findall(r"[a-z']+|[^\w\s.,]", text.casefold())


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
