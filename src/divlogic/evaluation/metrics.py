"""Accuracy, Circular and PartialCircular as pure functions of an answer matrix.

The matrix has one row per instance and one column per rotation. In rotation ``r`` the option with index
``(position + r) % 4`` stands at ``position``, as in footnote 1 of the DivLogicEval paper. An entry of ``picks``
is the index of the option *content* that was chosen (the rotation undone), or ``NONE`` for an answer that names
no option. Scores are fractions; tables print them in percent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from divlogic.models.letters import OPTIONS

NONE = -1
"""The fifth outcome: the answer names none of the options (ILogicEval, Section 5.1)."""

METRICS = ("ACC", "CIR", "PC")

NoneOutcome = Literal["fifth", "excluded"]
"""How an answer that names no option enters PC's distribution p.

``fifth``: as an outcome of its own, as ILogicEval's Section 5.1 says. ``excluded``: p is taken over the rotations
that name an option; this is what gives the score of the recorded ChatGPT answers to two digits (13.49, against 13.46).
"""

PRESETS: dict[str, NoneOutcome] = {"as_published": "excluded", "corrected": "fifth"}
"""What the tables call the two: what the authors' own scores come from, and what their text says."""

Picks = NDArray[np.int8]
Correct = NDArray[np.bool_]
Scores = NDArray[np.float64]

# p·log4 p for p = row / column, with 0·log 0 = 0.
_PLOGP = np.array(
    [
        [k / n * np.log(k / n) / np.log(OPTIONS) if k and n else 0.0 for n in range(OPTIONS + 1)]
        for k in range(OPTIONS + 1)
    ]
)


@dataclass(frozen=True)
class Answers:
    """One system's answers to all rotations of a set of instances.

    Attributes:
        instances: instance ids, in order.
        types: question type per instance; empty strings where the benchmark has none.
        picks: int8 of shape (instances, 4), chosen option or ``NONE``.
        correct: bool of shape (instances, 4), whether that choice is the gold one.
        missing: rotations for which no answer was recorded; they count as ``NONE``.
    """

    instances: tuple[str, ...]
    types: tuple[str, ...]
    picks: Picks
    correct: Correct
    missing: int = 0

    def of_type(self, question_type: str) -> Answers:
        """Return the part with one question type."""
        keep = np.flatnonzero(np.array(self.types, dtype=object) == question_type)
        return Answers(
            tuple(self.instances[i] for i in keep),
            tuple(self.types[i] for i in keep),
            self.picks[keep],
            self.correct[keep],
        )


def accuracy(correct: Correct) -> Scores:
    """ACC per instance: 1 where the unrotated instance (column 0) is answered correctly; shape (n,)."""
    return correct[:, 0].astype(np.float64)


def circular(correct: Correct) -> Scores:
    """CIR per instance: 1 where all four rotations are answered correctly; shape (n,). Source: Liu et al. 2023b.

    >>> circular(np.array([[True, True, True, True], [True, True, True, False]]))
    array([1., 0.])
    """
    return np.asarray(correct.all(axis=1), dtype=np.float64)


def partial_circular(correct: Correct, picks: Picks, none: NoneOutcome = "fifth") -> Scores:
    """PC per instance, c/4 · (1 + Σ_o p(o) log4 p(o)); shape (n,), within [0, 1].

    ``c`` counts the correct rotations and ``p`` is the distribution of the chosen option contents over the
    rotations. Source: DivLogicEval, Eq. 2; ILogicEval, Eq. 3.

    Three of four rotations right, the fourth names another option:

    >>> partial_circular(np.array([[True, True, True, False]]), np.array([[2, 2, 2, 0]], dtype=np.int8)).round(4)
    array([0.4458])
    """
    counts = np.stack([(picks == outcome).sum(axis=1) for outcome in range(NONE, OPTIONS)], axis=1)
    if none == "excluded":
        counts = counts[:, 1:]
    negative_entropy = _PLOGP[counts, counts.sum(axis=1, keepdims=True)].sum(axis=1)
    # Four different outcomes give 1 - 1 up to rounding; a score is never below zero.
    return np.asarray(np.maximum(correct.sum(axis=1) / OPTIONS * (1.0 + negative_entropy), 0.0))


def instance_scores(answers: Answers, none: NoneOutcome = "fifth") -> Scores:
    """Return ACC, CIR and PC of every instance; shape (n, 3), columns in the order of ``METRICS``."""
    return np.column_stack(
        [
            accuracy(answers.correct),
            circular(answers.correct),
            partial_circular(answers.correct, answers.picks, none),
        ]
    )


def parse_rate(picks: Picks) -> float:
    """Return the share of rotations whose answer names an option; ``nan`` for no answers."""
    return float((picks != NONE).mean()) if picks.size else float("nan")
