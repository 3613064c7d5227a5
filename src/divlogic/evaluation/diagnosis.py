"""LogicNLI's four diagnoses: accuracy, robustness, generalisation, traceability (Tian et al., 2021, Section 4.3).

Each takes the records of a set and the label predicted for each id; an instance without a prediction is wrong.
Intervals are percentiles of bootstrap samples of whole groups, whose instances hang together: quartets with all their
variants, or theories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from divlogic.benchmarks.logicnli.asked import group_of
from divlogic.errors import DivLogicError
from divlogic.intervals import Estimate
from divlogic.records import Record

Predictions = Mapping[str, str | None]
"""The label predicted for each record's id; ``None`` where the answer names none."""

Floats = NDArray[np.float64]
T = TypeVar("T", float, Floats)

FEWEST, MOST = 10, 24
"""Sizes between which robustness is measured in the paper: facts and rules of Test-R."""

_LEVEL = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Traceability:
    """How the proofs of what was answered right were judged.

    Attributes:
        targets: instances answered right.
        proofs: statements of their proofs.
        accuracy: P-Acc, share of these statements judged right; ``None`` without any.
        exact: P-EM, share of the targets all of whose statements were judged right; ``None`` without targets.
        majority: share of the most frequent label of these statements: what answering it always would score.
    """

    targets: int
    proofs: int
    accuracy: Estimate | None
    exact: Estimate | None
    majority: float | None


def correct(records: Iterable[Record], predictions: Predictions) -> dict[str, bool]:
    """Return for each record whether it was answered right.

    Raises:
        DivLogicError: a record has no label.
    """
    found = {}
    for record in records:
        if record.answer is None:
            raise DivLogicError(
                f"record {record.id} of {record.split} has no label; diagnose labelled sets only."
            )
        found[record.id] = predictions.get(record.id) == record.options[record.answer]
    return found


def accuracy(
    records: Sequence[Record], predictions: Predictions, *, samples: int = 1000, seed: int = 0
) -> Estimate:
    """Return the share answered right, with its 95 % interval over groups."""
    return _share(
        [(group_of(record), right) for record, right in _judged(records, predictions)], samples, seed
    )


def quartet_em(
    records: Sequence[Record], predictions: Predictions, *, samples: int = 1000, seed: int = 0
) -> Estimate:
    """Return the share of quartets all of whose instances were answered right (guessing: chance to the power of four).

    Raises:
        DivLogicError: a record belongs to no quartet.
    """
    quartets: dict[str, list[bool]] = defaultdict(list)
    groups: dict[str, str] = {}
    for record, right in _judged(records, predictions):
        if "quartet" not in record.metadata:
            raise DivLogicError(
                f"record {record.id} belongs to no quartet; quartet-EM needs the preset balanced."
            )
        quartets[record.metadata["quartet"]].append(right)
        groups[record.metadata["quartet"]] = group_of(record)
    return _share([(groups[name], all(items)) for name, items in quartets.items()], samples, seed)


def robustness(
    sizes: Sequence[float], accuracies: Sequence[float], fewest: float = FEWEST, most: float = MOST
) -> float:
    """Return δR = (f(n0) - f(n1)) / f(n0), f the least-squares line through accuracy over size.

    Raises:
        ValueError: there are fewer than two sizes, or the line is 0 at the smallest.
    """
    if len(set(sizes)) < 2:
        raise ValueError("a line needs two sizes")
    found = float(_degradations(np.asarray(sizes, float), np.asarray([accuracies], float), fewest, most)[0])
    if np.isnan(found):
        raise ValueError("the line is 0 at the smallest size")
    return found


def robustness_of(
    records: Sequence[Record],
    predictions: Predictions,
    size: Callable[[Record], float],
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return δR between the smallest and the largest size of the records, with its interval over groups.

    Raises:
        ValueError: all records have one size.
    """
    judged = _judged(records, predictions)
    sizes = sorted({size(record) for record, _ in judged})
    if len(sizes) < 2:
        raise ValueError("a line needs two sizes")
    place = {value: number for number, value in enumerate(sizes)}
    rows: dict[str, Floats] = defaultdict(lambda: np.zeros(2 * len(sizes)))
    for record, right in judged:
        own = rows[group_of(record)]
        own[place[size(record)]] += right
        own[len(sizes) + place[size(record)]] += 1
    at = np.asarray(sizes, float)

    def statistic(sums: Floats) -> Floats:
        shares = _ratios(sums[:, : len(sizes)], sums[:, len(sizes) :])
        return _degradations(at, shares, sizes[0], sizes[-1])

    return _bootstrap(np.array(list(rows.values())), statistic, samples, seed)


def generalisation(within: T, beyond: T) -> T:
    """Return δA→G = (M1 - M2) / M1, M1 the accuracy on Test-A and M2 on Test-G.

    >>> round(generalisation(0.559, 0.316), 3)
    0.435
    """
    return (within - beyond) / within


def generalisation_of(
    within: Sequence[Record],
    beyond: Sequence[Record],
    predictions: Predictions,
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Return δA→G with its interval over the groups of both sets, which are drawn independently."""
    first, second = [
        _drawn(
            _table([(group_of(record), right) for record, right in _judged(part, predictions)]), samples, seed
        )
        for part in (within, beyond)
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        values = generalisation(
            _ratios(first[:, :1], first[:, 1:])[:, 0],
            _ratios(second[:, :1], second[:, 1:])[:, 0],
        )
    return _interval(np.asarray(values))


def curve(
    records: Sequence[Record],
    predictions: Predictions,
    key: Callable[[Record], float],
    *,
    samples: int = 1000,
    seed: int = 0,
) -> dict[float, Estimate]:
    """Return the accuracy at each value of ``key``: depth (Figure 4), sentences or noise (Figure 3)."""
    parts: dict[float, list[tuple[str, bool]]] = defaultdict(list)
    for record, right in _judged(records, predictions):
        parts[key(record)].append((group_of(record), right))
    return {value: _share(items, samples, seed) for value, items in sorted(parts.items())}


def equivalent_depth(value: float, depths: Sequence[int], *, chance: float = 0.25) -> float:
    """Return the rounds of the chaining reader that has this accuracy, between depths by interpolation.

    Args:
        value: an accuracy on quartets whose depths are uniform.
        depths: those depths.
        chance: accuracy of a reader who chains no round.

    >>> equivalent_depth(0.7, [1, 2, 3, 4, 5])
    3.0
    """
    steps = sorted(depths)
    ruler = [chance + (1 - chance) * number / len(steps) for number in range(len(steps) + 1)]
    return float(np.interp(value, ruler, [steps[0] - 1, *steps]))


def traceability(
    records: Sequence[Record],
    proofs: Sequence[Record],
    predictions: Predictions,
    *,
    samples: int = 1000,
    seed: int = 0,
) -> Traceability:
    """Return how the statements of the proofs of the instances answered right were judged (P-Acc and P-EM)."""
    groups = {record.id: group_of(record) for record in records}
    right = correct(records, predictions)
    of_target: dict[str, list[bool]] = {name: [] for name, holds in right.items() if holds}
    labels: dict[int, int] = defaultdict(int)
    for proof, holds in _judged(proofs, predictions):
        target = proof.metadata["proves"]
        if target in of_target:
            of_target[target].append(holds)
            labels[int(proof.answer or 0)] += 1
    count = sum(labels.values())
    rows: dict[str, Floats] = {group: np.zeros(4) for group in groups.values()}
    for target, items in of_target.items():
        rows[groups[target]] += (sum(items), len(items), all(items), 1)
    table = np.array(list(rows.values()))

    def ratio(over: int) -> Estimate:
        return _bootstrap(
            table,
            lambda sums: _ratios(sums[:, over : over + 1], sums[:, over + 1 : over + 2])[:, 0],
            samples,
            seed,
        )

    return Traceability(
        targets=len(of_target),
        proofs=count,
        accuracy=ratio(0) if count else None,
        exact=ratio(2) if of_target else None,
        majority=max(labels.values()) / count if count else None,
    )


def _judged(records: Sequence[Record], predictions: Predictions) -> list[tuple[Record, bool]]:
    right = correct(records, predictions)
    return [(record, right[record.id]) for record in records]


def _share(items: Sequence[tuple[str, bool]], samples: int, seed: int) -> Estimate:
    """Return the share that is right, with its interval over resampled groups."""
    return _bootstrap(_table(items), lambda sums: _ratios(sums[:, :1], sums[:, 1:])[:, 0], samples, seed)


def _table(items: Sequence[tuple[str, bool]]) -> Floats:
    """Return for each group how many are right, and how many there are."""
    rows: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for group, right in items:
        rows[group][0] += right
        rows[group][1] += 1
    return np.array(list(rows.values()))


def _bootstrap(table: Floats, statistic: Callable[[Floats], Floats], samples: int, seed: int) -> Estimate:
    """Return a statistic of the sums over groups with its 95 % interval over resampled groups."""
    return _interval(statistic(_drawn(table, samples, seed)))


def _drawn(table: Floats, samples: int, seed: int) -> Floats:
    """Return the sums over all groups, and below them those over resampled groups."""
    if not len(table):
        raise DivLogicError("there is no record to diagnose; give a set that is not empty.")
    # Equal groups are drawn together: how often each kind comes is multinomial.
    kinds, counts = np.unique(table, axis=0, return_counts=True)
    total = int(counts.sum())
    rng = np.random.default_rng(np.random.SeedSequence([seed, total]))
    drawn = rng.multinomial(total, counts / total, size=samples)
    return np.vstack([counts @ kinds, drawn @ kinds])


def _interval(values: Floats) -> Estimate:
    """Return the first value with the percentiles of the others."""
    whole, drawn = float(values[0]), values[1:]
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.quantile(drawn, _LEVEL) if len(drawn) else (np.nan, np.nan)
    return Estimate(whole, float(min(low, whole)), float(max(high, whole)))


def _ratios(over: Floats, under: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(over / under)


def _degradations(sizes: Floats, shares: Floats, fewest: float, most: float) -> Floats:
    """Return δR of each row of accuracies; nan where the line is not above 0 at the smallest size."""
    centred = sizes - sizes.mean()
    slopes = (shares - shares.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)
    middle = shares.mean(axis=1)
    first, last = (middle + slopes * (size - sizes.mean()) for size in (fewest, most))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(first > 1e-12, (first - last) / first, np.nan)
