"""Accuracy, Circular and PartialCircular as pure functions of an answer matrix.

The matrix has one row per instance and one column per rotation, as many as an instance has options (k; four in the
papers). In rotation ``r`` the option with index ``(position + r) % k`` stands at ``position``, as in footnote 1 of the
DivLogicEval paper. An entry of ``picks`` is the index of the option *content* that was chosen (the rotation undone), or
``NONE`` for an answer that names no option. Scores are fractions; tables print them in percent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

NONE = -1
"""The fifth outcome: the answer names none of the options (ILogicEval, Section 5.1)."""

METRICS = ("ACC", "CIR", "PC")

FEWEST_OPTIONS, MOST_OPTIONS = 2, 10
"""Options that an instance may have to be asked and scored."""

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


@lru_cache(maxsize=16)
def _plogp(options: int) -> NDArray[np.float64]:
    """Return p·log p to the base of the number of options for p = row / column, with 0·log 0 = 0."""
    counts = range(options + 1)
    return np.array(
        [[k / n * np.log(k / n) / np.log(options) if k and n else 0.0 for n in counts] for k in counts]
    )


@dataclass(frozen=True)
class Answers:
    """One system's answers to all rotations of a set of instances.

    Attributes:
        instances: instance ids, in order.
        types: question type per instance; empty strings where the benchmark has none.
        picks: int8 of shape (instances, rotations), chosen option or ``NONE``; columns that an instance with fewer
            options has not hold ``NONE``.
        correct: bool of the same shape, whether that choice is the gold one.
        missing: rotations for which no answer was recorded; they count as ``NONE``.
        choices: number of options of each instance; ``None`` if each has a column for every one.
    """

    instances: tuple[str, ...]
    types: tuple[str, ...]
    picks: Picks
    correct: Correct
    missing: int = 0
    choices: tuple[int, ...] | None = None

    @property
    def asked(self) -> int:
        """Number of rotations of all instances."""
        return self.picks.size if self.choices is None else sum(self.choices)

    def of_type(self, question_type: str) -> Answers:
        """Return the part with one question type."""
        keep = np.flatnonzero(np.array(self.types, dtype=object) == question_type)
        return Answers(
            tuple(self.instances[i] for i in keep),
            tuple(self.types[i] for i in keep),
            self.picks[keep],
            self.correct[keep],
            choices=None if self.choices is None else tuple(self.choices[i] for i in keep),
        )


def accuracy(correct: Correct) -> Scores:
    """ACC per instance: 1 where the unrotated instance (column 0) is answered correctly; shape (n,)."""
    return correct[:, 0].astype(np.float64)


def circular(correct: Correct) -> Scores:
    """CIR per instance: 1 where all rotations are answered correctly; shape (n,). Source: Liu et al. 2023b.

    >>> circular(np.array([[True, True, True, True], [True, True, True, False]]))
    array([1., 0.])
    """
    return np.asarray(correct.all(axis=1), dtype=np.float64)


def partial_circular(correct: Correct, picks: Picks, none: NoneOutcome = "fifth") -> Scores:
    """PC per instance, c/k · (1 + Σ_o p(o) log_k p(o)) for k options; shape (n,), within [0, 1].

    ``c`` counts the correct rotations and ``p`` is the distribution of the chosen option contents over the
    rotations. Source: DivLogicEval, Eq. 2; ILogicEval, Eq. 3, with k = 4.

    Three of four rotations right, the fourth names another option:

    >>> partial_circular(np.array([[True, True, True, False]]), np.array([[2, 2, 2, 0]], dtype=np.int8)).round(4)
    array([0.4458])
    """
    options = picks.shape[1]
    counts = np.stack([(picks == outcome).sum(axis=1) for outcome in range(NONE, options)], axis=1)
    if none == "excluded":
        counts = counts[:, 1:]
    negative_entropy = _plogp(options)[counts, counts.sum(axis=1, keepdims=True)].sum(axis=1)
    # Four different outcomes give 1 - 1 up to rounding; a score is never below zero.
    return np.asarray(np.maximum(correct.sum(axis=1) / options * (1.0 + negative_entropy), 0.0))


def instance_scores(answers: Answers, none: NoneOutcome = "fifth") -> Scores:
    """Return ACC, CIR and PC of every instance; shape (n, 3), columns in the order of ``METRICS``."""
    if answers.choices is None:
        return _scores(answers.correct, answers.picks, none)
    scores = np.zeros((len(answers.instances), len(METRICS)))
    choices = np.array(answers.choices, dtype=np.int64)
    for count in np.unique(choices):
        rows = np.flatnonzero(choices == count)
        scores[rows] = _scores(answers.correct[rows, :count], answers.picks[rows, :count], none)
    return scores


def _scores(correct: Correct, picks: Picks, none: NoneOutcome) -> Scores:
    return np.column_stack([accuracy(correct), circular(correct), partial_circular(correct, picks, none)])


def commonest_letter(answers: Sequence[Answers]) -> float:
    """Return the share of the commonest letter among the answers that name one; ``nan`` without any.

    A system that says one letter to every question has 1: accuracy over all rotations cannot tell it from guessing.
    """
    counts = np.zeros(MOST_OPTIONS, dtype=np.int64)
    for run in answers:
        choices = np.array(run.choices or [run.picks.shape[1]] * len(run.picks))[:, None]
        letters = (run.picks - np.arange(run.picks.shape[1])) % choices
        counts += np.bincount(letters[run.picks != NONE], minlength=MOST_OPTIONS)
    return float(counts.max() / counts.sum()) if counts.sum() else float("nan")


def parse_rate(picks: Picks) -> float:
    """Return the share of rotations whose answer names an option; ``nan`` for no answers."""
    return float((picks != NONE).mean()) if picks.size else float("nan")
