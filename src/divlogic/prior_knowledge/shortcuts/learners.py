"""The probes: what is looked up, counted or learnt, always from the other folds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from divlogic.models.ties import most_probable, rounded

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

_TREES = {"max_iter": 20, "max_leaf_nodes": 10, "learning_rate": 0.3, "min_samples_leaf": 20, "max_bins": 63}


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
) -> Array:
    """Take the option whose key was right most often in the other folds; return the credit of each instance.

    Args:
        keys: for each instance the key of each option.
        answers: the right options.
        folds: the fold of each instance.
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
    return credits(
        [expected[first : first + size] for first, size in zip(starts, sizes, strict=True)], answers
    )


def _share_of_others(keys: Sequence[Sequence[Hashable]], right: Array, fold: Whole, expected: Array) -> Array:
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
    many of them: whatever is learnt, and wherever, the members of a cluster get the same scores, and one in k is right
    (a tie counts 1/k). The members of a balanced quartet are so for what sees only what they share.

    Args:
        rows: the numbers of all options, instance after instance; shape (options, features).
        sizes: number of options of each instance.
        answers: the right options.
        clusters: what each instance was drawn with.
    """
    members: dict[Hashable, list[int]] = defaultdict(list)
    for at, cluster in enumerate(clusters):
        members[cluster].append(at)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    for places in members.values():
        size = sizes[places[0]]
        right = Counter(answers[at] for at in places)
        if len(places) % size or any(right[option] * size != len(places) for option in range(size)):
            return False
        first = rows[starts[places[0]] : starts[places[0]] + size]
        for at in places[1:]:
            if sizes[at] != size or not np.array_equal(rows[starts[at] : starts[at] + size], first):
                return False
    return True


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
    rows = _varied(rows)
    fold_of_row = np.repeat(folds, sizes)
    scores = np.zeros(len(rows))
    for fold in np.unique(folds):
        train, test = fold_of_row != fold, fold_of_row == fold
        model = _trees(seed).fit(rows[train], wanted[train])
        scores[test] = model.predict_proba(rows[test])[:, 1]
    return credits([scores[first:last] for first, last in pairwise(starts)], answers)


def classified(rows: Array, answers: Sequence[int], folds: Whole, seed: int) -> Array:
    """Classify instances with labels by boosted trees over their numbers; return the credit of each instance."""
    wanted = np.array(answers)
    rows = _varied(rows)
    right = np.zeros(len(wanted))
    for fold in np.unique(folds):
        train, test = folds != fold, folds == fold
        if len(np.unique(wanted[train])) < 2:
            right[test] = wanted[test] == wanted[train][0]
            continue
        model = _trees(seed).fit(rows[train], wanted[train])
        right[test] = most_probable(model, rows[test]) == wanted[test]
    return right


def _varied(rows: Array) -> Array:
    """Leave out the numbers that are the same everywhere, on which no tree can split; one at least stays."""
    varied = (rows != rows[0]).any(axis=0)
    return rows[:, varied] if varied.any() else rows[:, :1]


def _trees(seed: int):  # type: ignore[no-untyped-def]
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(early_stopping=False, random_state=seed % 2**31, **_TREES)
