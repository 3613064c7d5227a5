"""Learners of the probes, which score options by what the other folds show, and accuracy with its interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from divlogic.io.imports import lean
from divlogic.models.words import rounded
from divlogic.records import grouped

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

_LEAF = 20
"""Rows of the smallest leaf of a tree."""

_TREES = {"max_iter": 20, "max_leaf_nodes": 10, "learning_rate": 0.3, "max_bins": 63}


def credits(scores: Sequence[Array], answers: Sequence[int]) -> Array:
    """Return 1 for each instance whose highest score is that of its answer; a tie of k options counts 1/k."""
    result = np.zeros(len(answers))
    sizes, right = np.array([len(own) for own in scores]), np.array(answers)
    for size in np.unique(sizes):  # instances with as many options at once
        places = np.flatnonzero(sizes == size)
        tied = rounded(np.array([scores[at] for at in places.tolist()]))
        best = tied == tied.max(axis=1, keepdims=True)
        result[places] = best[np.arange(len(places)), right[places]] / best.sum(axis=1)
    return result


def looked_up(
    keys: Sequence[Sequence[Hashable]],
    answers: Sequence[int],
    folds: Whole,
    finer: Sequence[Sequence[Hashable]] | None = None,
) -> list[Array]:
    """Score each option by how often its key was right in the other folds.

    Args:
        keys: for each instance the key of each option.
        answers, folds: the right option and the fold of each instance.
        finer: more special keys, whose share of right answers starts from that of the others.
    """
    sizes = np.array([len(row) for row in keys])
    right = np.zeros(sizes.sum())
    starts = np.cumsum(sizes) - sizes
    right[starts + np.array(answers, dtype=np.int64)] = 1.0
    fold = np.repeat(folds, sizes)
    expected = np.repeat(1 / sizes, sizes)
    for level in (keys,) if finer is None else (keys, finer):
        expected = _share_of_others(level, right, fold, expected)
    return np.split(expected, starts[1:])


def _share_of_others(
    keys: Sequence[Sequence[Hashable]], right: Array, fold: Whole, expected: Array
) -> Array:
    """Return how often options of the same key were right in other folds, counted from one expected case on."""
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(key, len(numbers)) for row in keys for key in row])
    own = codes * (int(fold.max()) + 1) + fold
    seen = np.bincount(codes)[codes] - np.bincount(own)[own]
    hits = np.bincount(codes, right)[codes] - np.bincount(own, right)[own]
    share: Array = (hits + expected) / (seen + 1.0)
    return share


def is_settled(
    rows: Array, sizes: Sequence[int], answers: Sequence[int], clusters: Sequence[Hashable]
) -> bool:
    """Return whether no ranking of options by these numbers can be right more or less often than guessing.

    So it is where the instances of each cluster have the same numbers at every option, and each option is right in as
    many of them: however they are learnt, the members of a cluster get the same scores, and one in k is right
    (a tie counts 1/k). The members of a balanced quartet are so for what sees only what they share.

    ``rows`` and ``sizes``: see :func:`.features.listwise`; ``clusters``: what each instance was drawn with.
    """
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for places in _members(clusters):
        size = sizes[places[0]]
        right = Counter(answers[at] for at in places)
        if len(places) % size or any(right[option] * size != len(places) for option in range(size)):
            return False
        first = rows[starts[places[0]] : starts[places[0]] + size]
        for at in places[1:]:
            if sizes[at] != size or not np.array_equal(rows[starts[at] : starts[at] + size], first):
                return False
    return True


def ranked(
    rows: Sequence[Array], sizes: Sequence[int], answers: Sequence[int], folds: Whole, seed: int
) -> list[Array]:
    """Score the options of each instance by boosted trees over their numbers, as log odds.

    ``rows`` and ``sizes``: see :func:`.features.listwise`; the features may be divided among several tables.
    """
    starts = np.concatenate([[0], np.cumsum(sizes)])
    wanted = np.zeros(int(starts[-1]), dtype=np.int64)
    wanted[starts[:-1] + np.array(answers)] = 1
    table, folds = _varied(*rows), np.repeat(folds, sizes)
    scores = np.empty(len(wanted))
    for fold in np.unique(folds):
        scores[folds == fold] = _held_out(table, wanted, folds != fold, seed, "decision_function")
    return np.split(scores, starts[1:-1])


def classified(
    rows: Array, labels: int, answers: Sequence[int], folds: Whole, seed: int
) -> list[Array]:
    """Score the labels of each instance by boosted trees over its numbers, as logarithms of probabilities."""
    wanted = np.array(answers)
    rows = _varied(rows)
    scores = np.full((len(wanted), labels), np.log(_NEVER))
    for fold in np.unique(folds):
        train, test = folds != fold, np.flatnonzero(folds == fold)
        known = np.unique(wanted[train])
        found = _held_out(rows, wanted, train, seed, "predict_proba") if len(known) > 1 else 1.0
        scores[np.ix_(test, known)] = np.log(np.maximum(found, _NEVER))
    return list(scores)


_NEVER = 1e-9


def jointly(
    scores: Sequence[Array], answers: Sequence[int], clusters: Sequence[Hashable], seed: int
) -> float | None:
    """Return the accuracy where the instances of a cluster are given different answers, the best sum of scores.

    ``None``: there is no cluster whose instances have as many options as they are, each right once.
    """
    from scipy.optimize import linear_sum_assignment

    random = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    right = count = 0
    for places in _members(clusters):
        size = len(places)
        own = [answers[at] for at in places]
        if size < 2 or len({*own}) < size or any(len(scores[at]) != size for at in places):
            continue
        table = rounded(np.stack([scores[at] for at in places]))
        count += size
        if np.ptp(table) == 0:
            right += 1  # on average, of all that is dealt out
            continue
        table += 1e-8 * random.random((size, size))  # what is tied is dealt out at random
        right += int((linear_sum_assignment(table, maximize=True)[1] == own).sum())
    return right / count if count else None


def interval(right: Array, clusters: Sequence[Hashable]) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval (Wilson 1927).

    Instances that were drawn together and are right together count for fewer (Kish's effective sample size). Where each
    cluster has the mean, such as one right instance in every quartet, it is known without error.
    """
    mean, count = float(right.mean()), float(len(right))
    spread = (
        sum(float((right[places] - mean).sum()) ** 2 for places in _members(clusters)) / count**2
    )
    if 0 < mean < 1:
        if spread < _NOTHING:
            return mean, mean, mean
        count = min(count, mean * (1 - mean) / spread)
    centre = mean + _NORMAL**2 / (2 * count)
    half = _NORMAL * math.sqrt(mean * (1 - mean) / count + _NORMAL**2 / (4 * count**2))
    whole = 1 + _NORMAL**2 / count
    return mean, max(0.0, (centre - half) / whole), min(1.0, (centre + half) / whole)


_NORMAL, _NOTHING = 1.959964, 1e-12


def _members(clusters: Sequence[Hashable]) -> list[list[int]]:
    """Return the places of each cluster's instances."""
    return list(grouped(range(len(clusters)), clusters.__getitem__).values())


def _varied(*tables: Array) -> Array:
    """Join tables without columns on which no tree can split, or would not: those the same everywhere, and copies.

    Of equal numbers a tree splits on the first. One stays at least.
    """
    columns: dict[bytes, Array] = {}
    for table in tables:
        for at in np.flatnonzero((table != table[0]).any(axis=0)).tolist():
            column = np.ascontiguousarray(table[:, at])
            columns.setdefault(blake2b(column.tobytes()).digest(), column)
    return np.stack([*columns.values()], axis=1) if columns else tables[0][:, :1]


def _held_out(
    rows: Array, wanted: Whole, train: NDArray[np.bool_], seed: int, method: str
) -> Array:
    """Return what boosted trees, grown on some rows, say of the others."""
    with lean("sklearn"):
        from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    learnt, kept = rows[train], np.ones(rows.shape[1], dtype=bool)
    if 2 * _LEAF <= len(learnt) < 5_000:
        # No tree splits where one side would be smaller than a leaf, but each column costs time. Of many rows hardly a
        # column can be left out, and to look costs an eighth.
        ends = [_LEAF - 1, len(learnt) - _LEAF]
        low, high = np.partition(learnt, ends, axis=0)[ends]
        kept = low < high
        kept[0] = True  # one stays at least
    learner = HistGradientBoostingClassifier(
        early_stopping=False, min_samples_leaf=_LEAF, random_state=seed % 2**31, **_TREES
    )
    # Where other processes work too, several threads wait for each other.
    with threadpool_limits(limits=1):
        learner.fit(learnt[:, kept], wanted[train])
        found: Array = getattr(learner, method)(rows[~train][:, kept])
    return found
