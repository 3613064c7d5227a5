"""LogicNLI's four diagnoses: accuracy, robustness, generalisation, traceability (Tian et al., 2021, Section 4.3).

Each takes the records of a set and the label predicted for each id; an instance without a prediction is wrong.
Intervals are percentiles of bootstrap samples of whole groups, whose instances hang together: quartets with all their
variants, or theories.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from divlogic.benchmarks.logicnli.set_names import group_of
from divlogic.errors import DivLogicError
from divlogic.intervals import Estimate, Floats, bootstrap_means, wilson
from divlogic.records import Record, grouped

Predictions = Mapping[str, str | None]
"""The label predicted for each record's id; ``None`` where the answer names none."""

T = TypeVar("T", float, Floats)


class Bootstrap(NamedTuple):
    """How often groups are drawn again, and the seed of the draws."""

    resamples: int = 1000
    seed: int = 0


BOOTSTRAP = Bootstrap()


def correct(records: Iterable[Record], predictions: Predictions) -> dict[str, bool]:
    """Return for each record whether it was answered right."""
    found = {}
    for record in records:
        if record.answer is None:
            raise DivLogicError(
                f"record {record.id} of {record.split} has no label; diagnose labelled sets only."
            )
        found[record.id] = predictions.get(record.id) == record.options[record.answer]
    return found


def accuracy(
    records: Sequence[Record], predictions: Predictions, bootstrap: Bootstrap = BOOTSTRAP
) -> Estimate:
    """Return the share answered right, with its 95 % interval over groups."""
    return _share(_judged(records, predictions), bootstrap)


def quartet_em(
    records: Sequence[Record], predictions: Predictions, bootstrap: Bootstrap = BOOTSTRAP
) -> Estimate:
    """Return the share of quartets with four right answers (guessing: chance to the power of four)."""
    right = correct(records, predictions)
    for record in records:
        if "quartet" not in record.metadata:
            raise DivLogicError(
                f"record {record.id} belongs to no quartet; quartet-EM needs the preset balanced."
            )
    quartets = grouped(records, lambda record: (group_of(record), record.metadata["quartet"]))
    judged = [(group, all(right[one.id] for one in items), 1) for (group, _), items in quartets.items()]
    return _share(judged, bootstrap)


def robustness_of(
    records: Sequence[Record],
    predictions: Predictions,
    size: Callable[[Record], float],
    bootstrap: Bootstrap = BOOTSTRAP,
) -> Estimate:
    """Return δR = (f(n0) - f(n1)) / f(n0) with its interval over groups.

    f is the least-squares line through accuracy over size, n0 the smallest and n1 the largest size of the records.

    Raises:
        ValueError: all records have one size.
    """
    sizes = sorted(set(map(size, records)))
    if len(sizes) < 2:
        raise ValueError("a line needs two sizes")
    right = correct(records, predictions)
    rows: dict[str, Floats] = defaultdict(lambda: np.zeros((2, len(sizes))))
    for record in records:
        rows[group_of(record)][:, sizes.index(size(record))] += (right[record.id], 1)
    table = _resampled(np.array(list(rows.values())).reshape(len(rows), -1), bootstrap)
    shares = _ratios(table[:, : len(sizes)], table[:, len(sizes) :])
    centred = np.asarray(sizes) - np.mean(sizes)
    slopes = (shares - shares.mean(axis=1, keepdims=True)) @ centred / (centred @ centred)
    first, last = (shares.mean(axis=1) + slopes * centred[at] for at in (0, -1))
    return _interval(np.where(first > 1e-12, _ratios(first - last, first), np.nan))


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
    bootstrap: Bootstrap = BOOTSTRAP,
) -> Estimate:
    """Return δA→G with its interval over the groups of both sets, which are drawn independently."""
    first, second = [
        _shares(_judged(part, predictions), bootstrap, stream) for stream, part in enumerate((within, beyond))
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        return _interval(generalisation(first, second))


def curve(
    records: Sequence[Record],
    predictions: Predictions,
    key: Callable[[Record], float],
    bootstrap: Bootstrap = BOOTSTRAP,
) -> dict[float, Estimate]:
    """Return the accuracy at each value of ``key``: depth (Figure 4), sentences or noise (Figure 3)."""
    parts = sorted(grouped(records, key).items())
    return {value: accuracy(part, predictions, bootstrap) for value, part in parts}


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
    bootstrap: Bootstrap = BOOTSTRAP,
) -> dict[str, float]:
    """Return how the statements of the proofs of the instances answered right were judged, in percent.

    Returns:
        ``targets``: number of instances answered right; ``proofs``: of statements of their proofs; if there are any,
        ``p_acc``: share of these judged right, and ``majority``: of their most frequent label; if there are targets,
        ``p_em``: share of those all of whose statements were judged right; with intervals.
    """
    right, judged = correct(records, predictions), correct(proofs, predictions)
    of_target: dict[str, list[bool]] = {name: [] for name, holds in right.items() if holds}
    labels: Counter[int] = Counter()
    for proof in proofs:
        target = proof.metadata["proves"]
        if target in of_target:
            of_target[target].append(judged[proof.id])
            labels[int(proof.answer or 0)] += 1
    rows = [(group_of(record), of_target.get(record.id)) for record in records]
    exact = [(group, items is not None and all(items), items is not None) for group, items in rows]
    single = [(group, sum(items or ()), len(items or ())) for group, items in rows]
    count = labels.total()
    found: dict[str, float] = {"targets": len(of_target), "proofs": count}
    if count:
        found |= {"majority": 100 * max(labels.values()) / count} | _share(single, bootstrap).cells("p_acc")
    return found | (_share(exact, bootstrap).cells("p_em") if of_target else {})


def _judged(records: Sequence[Record], predictions: Predictions) -> list[tuple[str, bool, int]]:
    """Return the group of each record, whether it was answered right, and that it is one."""
    right = correct(records, predictions)
    return [(group_of(record), right[record.id], 1) for record in records]


def _share(judged: Sequence[tuple[str, float, float]], bootstrap: Bootstrap) -> Estimate:
    """Return the share that is right, with its interval over resampled groups: Wilson's where all or none is right."""
    found = _interval(_shares(judged, bootstrap))
    return wilson(found.value, len({group for group, *_ in judged})) if found.value in (0.0, 1.0) else found


def _shares(judged: Iterable[tuple[str, float, float]], bootstrap: Bootstrap, stream: int = 0) -> Floats:
    """Return the share that is right, then those of resampled groups; shape (1 + samples,).

    Args:
        judged: (group, number right, number).
        bootstrap, stream: of the resampling.
    """
    rows: dict[str, Floats] = defaultdict(lambda: np.zeros(2))
    for group, right, count in judged:
        rows[group] += (right, count)
    table = _resampled(np.array(list(rows.values())), bootstrap, stream)
    return _ratios(table[:, 0], table[:, 1])


def _resampled(table: Floats, bootstrap: Bootstrap, stream: int = 0) -> Floats:
    """Return the means over all groups, and below them those over resampled groups."""
    if not len(table):
        raise DivLogicError("there is no record to diagnose; give a set that is not empty.")
    return np.vstack([table.mean(axis=0), bootstrap_means(table, **bootstrap._asdict(), stream=stream)])


def _interval(values: Floats) -> Estimate:
    """Return the first value with the percentiles of the others."""
    whole, drawn = float(values[0]), values[1:]
    drawn = drawn[~np.isnan(drawn)]
    low, high = np.quantile(drawn, (0.025, 0.975)) if len(drawn) else (np.nan, np.nan)
    return Estimate(whole, float(min(low, whole)), float(max(high, whole)))


def _ratios(over: Floats, under: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(over / under)
