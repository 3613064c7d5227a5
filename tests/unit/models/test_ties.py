"""Ties are decided by the order of the classes, not by the last bits of a sum."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from divlogic.models.words import highest_scored, most_probable


class Fitted:
    """A classifier whose probabilities are its input."""

    classes_ = np.array(["contradiction", "entailment", "neutral"])

    def predict_proba(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows


@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_classes_that_differ_in_the_last_bits_alone_are_tied(noise: float) -> None:
    rows = np.array([[0.2, 0.4 + noise, 0.4 - noise], [0.1, 0.2, 0.7 + noise]])
    assert most_probable(Fitted(), rows).tolist() == ["entailment", "neutral"]


class Scored:
    """A linear classifier whose scores are its input."""

    def __init__(self, *classes: str) -> None:
        self.classes_ = np.array(classes)

    def decision_function(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows


@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_scores_that_differ_in_the_last_bits_alone_are_tied(noise: float) -> None:
    three = np.array([[-1.0, 0.5 + noise, 0.5 - noise], [-1.0, -0.5, 0.1 + noise]])
    assert highest_scored(Scored("a", "b", "c"), three).tolist() == ["b", "c"]
    assert highest_scored(Scored("a", "b"), np.array([noise, 0.1, -0.1])).tolist() == ["a", "b", "a"]
