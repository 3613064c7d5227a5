"""Decisions of fitted classifiers that do not depend on the order in which a machine adds its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGITS = 6
"""Probabilities and scores equal to this number of decimal places are tied."""


def rounded(scores: Any) -> NDArray[np.float64]:
    """Return scores of which those that are tied are equal."""
    tied: NDArray[np.float64] = np.asarray(np.round(scores, DIGITS), dtype=np.float64)
    return tied


def most_probable(model: Any, rows: Any) -> NDArray[Any]:
    """Return the most probable class of each row, of tied ones the first in the order of the classes.

    Symmetric data give classes that are equally probable; `predict` then decides by the last bits of its sums, which
    differ between machines and between runs.

    Args:
        model: a fitted classifier of scikit-learn with `predict_proba`.
        rows: shape (n, features).

    Returns:
        The classes, shape (n,).
    """
    return _highest(model.classes_, model.predict_proba(rows))


def highest_scored(model: Any, rows: Any) -> NDArray[Any]:
    """Return the class of each row that a classifier without probabilities scores highest, ties as above.

    Args:
        model: a fitted linear classifier of scikit-learn with `decision_function`.
        rows: shape (n, features).

    Returns:
        The classes, shape (n,).
    """
    scores = np.asarray(model.decision_function(rows))
    if scores.ndim == 1:  # of two classes the score of the second against the first
        scores = np.stack((np.zeros_like(scores), scores), axis=1)
    return _highest(model.classes_, scores)


def _highest(classes: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = classes[rounded(scores).argmax(axis=1)]
    return found
