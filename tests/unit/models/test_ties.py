"""Ties are decided by the order of the classes, not by the last bits of a sum."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from divlogic.models.ties import most_probable


class Fitted:
    """A classifier whose probabilities are its input."""

    classes_ = np.array(["contradiction", "entailment", "neutral"])

    def predict_proba(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows


@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_classes_that_differ_in_the_last_bits_alone_are_tied(noise: float) -> None:
    rows = np.array([[0.2, 0.4 + noise, 0.4 - noise], [0.1, 0.2, 0.7 + noise]])
    assert most_probable(Fitted(), rows).tolist() == ["entailment", "neutral"]
