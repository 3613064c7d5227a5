"""LogicNLI's four diagnoses: accuracy, robustness, generalisation, traceability (Tian et al., 2021, Section 4.3).

Each takes the records of a set and the label predicted for each id; an instance without a prediction is wrong.
Intervals are percentiles of bootstrap samples of whole groups (quartets, or theories), whose instances hang together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from divlogic.errors import DivLogicError
from divlogic.intervals import Estimate
from divlogic.records import Record

Predictions = Mapping[str, str]
"""The label predicted for each record's id."""

FEWEST, MOST = 10, 24
"""Sizes between which robustness is measured in the paper: facts and rules of Test-R."""


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
    accuracy: float | None
    exact: float | None
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
    right = correct(records, predictions)
    return _bootstrap(_grouped(records, lambda record: float(right[record.id])), samples, seed)


def quartet_em(
    records: Sequence[Record], predictions: Predictions, *, samples: int = 1000, seed: int = 0
) -> Estimate:
    """Return the share of quartets all of whose items were answered right (guessing: chance to the power of four).

    Raises:
        DivLogicError: a record belongs to no quartet.
    """
    right = correct(records, predictions)
    quartets: dict[str, list[bool]] = defaultdict(list)
    for record in records:
        if "quartet" not in record.metadata:
            raise DivLogicError(
                f"record {record.id} belongs to no quartet; quartet-EM needs the preset balanced."
            )
        quartets[record.metadata["quartet"]].append(right[record.id])
    return _bootstrap([[float(all(items))] for items in quartets.values()], samples, seed)


def robustness(
    sizes: Sequence[float], accuracies: Sequence[float], fewest: float = FEWEST, most: float = MOST
) -> float:
    """Return δR = (f(n0) - f(n1)) / f(n0), f the least-squares line through accuracy over size.

    Raises:
        ValueError: there are fewer than two sizes, or the line is 0 at the smallest.
    """
    if len(set(sizes)) < 2:
        raise ValueError("a line needs two sizes")
    slope, start = np.polyfit(np.asarray(sizes, float), np.asarray(accuracies, float), 1)
    first = start + slope * fewest
    if not first:
        raise ValueError("the line is 0 at the smallest size")
    return float((first - (start + slope * most)) / first)


def generalisation(within: float, beyond: float) -> float:
    """Return δA→G = (M1 - M2) / M1, M1 the accuracy on Test-A and M2 on Test-G.

    >>> round(generalisation(0.559, 0.316), 3)
    0.435
    """
    return (within - beyond) / within


def curve(
    records: Sequence[Record], predictions: Predictions, key: Callable[[Record], float]
) -> dict[float, float]:
    """Return the accuracy at each value of ``key``: depth (Figure 4), sentences or noise (Figure 3)."""
    right = correct(records, predictions)
    found: dict[float, list[bool]] = defaultdict(list)
    for record in records:
        found[key(record)].append(right[record.id])
    return {value: sum(items) / len(items) for value, items in sorted(found.items())}


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
    records: Sequence[Record], proofs: Sequence[Record], predictions: Predictions
) -> Traceability:
    """Return how the statements of the proofs of the instances answered right were judged (P-Acc and P-EM)."""
    right = correct(records, predictions)
    judged = correct(proofs, predictions)
    targets = {name for name, holds in right.items() if holds}
    of_target: dict[str, list[bool]] = {name: [] for name in targets}
    labels: dict[int, int] = defaultdict(int)
    for proof in proofs:
        target = proof.metadata["proves"]
        if target in targets:
            of_target[target].append(judged[proof.id])
            labels[int(proof.answer or 0)] += 1
    count = sum(labels.values())
    exact = [all(items) for items in of_target.values()]
    return Traceability(
        targets=len(targets),
        proofs=count,
        accuracy=sum(map(sum, of_target.values())) / count if count else None,
        exact=sum(exact) / len(exact) if exact else None,
        majority=max(labels.values()) / count if count else None,
    )


def _grouped(records: Sequence[Record], value: Callable[[Record], float]) -> list[list[float]]:
    groups: dict[str, list[float]] = defaultdict(list)
    for record in records:
        name = record.metadata.get("quartet") or record.metadata.get("theory") or record.id
        groups[name].append(value(record))
    return list(groups.values())


def _bootstrap(groups: Sequence[Sequence[float]], samples: int, seed: int) -> Estimate:
    """Return the mean over all values with its 95 % interval over resampled groups."""
    sums = np.array([sum(group) for group in groups])
    sizes = np.array([len(group) for group in groups])
    if not len(groups):
        raise DivLogicError("there is no record to diagnose; give a set that is not empty.")
    draws = np.random.default_rng(np.random.SeedSequence([seed, len(groups)]))
    chosen = draws.integers(0, len(groups), (samples, len(groups)))
    means = sums[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(sums.sum() / sizes.sum()), float(low), float(high))
