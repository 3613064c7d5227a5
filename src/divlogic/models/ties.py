"""Decisions of fitted classifiers that do not depend on the order in which a machine adds its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGITS = 6
"""Probabilities equal to so many decimal places are tied."""


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
    chances = np.round(model.predict_proba(rows), DIGITS)
    found: NDArray[Any] = model.classes_[chances.argmax(axis=1)]
    return found
