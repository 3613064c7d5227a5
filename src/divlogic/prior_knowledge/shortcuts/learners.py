"""The probes: what is looked up, counted or learnt, always from the other folds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from divlogic.models.ties import most_probable

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

_TREES = {"max_iter": 20, "max_leaf_nodes": 10, "learning_rate": 0.3, "min_samples_leaf": 20, "max_bins": 63}


def credits(scores: Sequence[Array], answers: Sequence[int]) -> Array:
    """Return 1 for each instance whose highest score is that of its answer; a tie of k options counts 1/k."""
    result = np.zeros(len(answers))
    for at, (own, answer) in enumerate(zip(scores, answers, strict=True)):
        best = own >= own.max() - 1e-9
        result[at] = best[answer] / best.sum()
    return result


def looked_up(keys: Sequence[Sequence[Hashable]], answers: Sequence[int], folds: Whole) -> Array:
    """Take the option whose key was right most often in the other folds; return the credit of each instance.

    Args:
        keys: for each instance the key of each option.
        answers: the right options.
        folds: the fold of each instance.
    """
    total: dict[Hashable, Array] = defaultdict(lambda: np.zeros(2))
    own: dict[tuple[int, Hashable], Array] = defaultdict(lambda: np.zeros(2))
    for fold, row, answer in zip(folds, keys, answers, strict=True):
        for at, key in enumerate(row):
            seen = np.array([at == answer, 1.0])
            total[key] = total[key] + seen
            own[int(fold), key] = own[int(fold), key] + seen
    scores = []
    for fold, row in zip(folds, keys, strict=True):
        counts = [total[key] - own[int(fold), key] for key in row]
        scores.append(np.array([(right + 1 / len(row)) / (seen + 1) for right, seen in counts]))
    return credits(scores, answers)


def ranked(rows: Array, sizes: Sequence[int], answers: Sequence[int], folds: Whole, seed: int) -> Array:
    """Rank the options of each instance by boosted trees over their numbers; return the credit of each instance.

    Args:
        rows: the numbers of all options, instance after instance; shape (options, features).
        sizes: number of options of each instance.
        answers: the right options.
        folds: the fold of each instance.
        seed: of the trees.
    """
    starts = np.concatenate([[0], np.cumsum(sizes)])
    wanted = np.zeros(len(rows), dtype=np.int64)
    wanted[starts[:-1] + np.array(answers)] = 1
    fold_of_row = np.repeat(folds, sizes)
    scores = np.zeros(len(rows))
    for fold in np.unique(folds):
        train, test = fold_of_row != fold, fold_of_row == fold
        model = _trees(seed).fit(rows[train], wanted[train])
        # Rounded, so that sums in another order on another machine do not break ties.
        scores[test] = np.round(model.predict_proba(rows[test])[:, 1], 7)
    return credits([scores[first:last] for first, last in pairwise(starts)], answers)


def classified(rows: Array, answers: Sequence[int], folds: Whole, seed: int) -> Array:
    """Classify instances with labels by boosted trees over their numbers; return the credit of each instance."""
    wanted = np.array(answers)
    right = np.zeros(len(wanted))
    for fold in np.unique(folds):
        train, test = folds != fold, folds == fold
        if len(np.unique(wanted[train])) < 2:
            right[test] = wanted[test] == wanted[train][0]
            continue
        model = _trees(seed).fit(rows[train], wanted[train])
        right[test] = most_probable(model, rows[test]) == wanted[test]
    return right


def _trees(seed: int):  # type: ignore[no-untyped-def]
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(early_stopping=False, random_state=seed % 2**31, **_TREES)
