"""Bootstrap intervals clustered by instance, and a paired test between two systems.

An instance is drawn with all its rotations (and runs), since they are not independent. Drawing n instances with
replacement is the same as drawing how often each *distinct* row of scores occurs from a multinomial: so the cost
depends on the number of distinct rows (a few dozen), not on the number of instances, and the result does not depend
on the order of the instances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Resamples drawn at once, so that memory stays small when every row is distinct.
_BLOCK_CELLS = 4_000_000


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval, as a fraction."""

    value: float
    low: float
    high: float

    def cells(self, name: str) -> dict[str, float]:
        """Return the columns ``name``, ``name_low`` and ``name_high`` of a table, in percent."""
        return {
            name: 100 * self.value,
            f"{name}_low": 100 * self.low,
            f"{name}_high": 100 * self.high,
        }


@dataclass(frozen=True)
class PairedTest:
    """Difference of two means over the same instances, its interval, and a two-sided sign-flip p value."""

    difference: float
    low: float
    high: float
    p_value: float
    instances: int


def bootstrap_means(scores: Floats, *, seed: int, resamples: int, stream: int = 0) -> Floats:
    """Return the means of resampled instances; shape (resamples, columns) for scores of shape (n, columns).

    Samples of another ``stream`` are independent.

    Source: Efron & Tibshirani 1993, chapter 6; the multinomial form is exact.
    """
    rows, counts = np.unique(scores, axis=0, return_counts=True)
    total = int(counts.sum())
    rng = np.random.default_rng(np.random.SeedSequence([seed, stream]))
    means = np.empty((resamples, scores.shape[1]))
    block = max(1, _BLOCK_CELLS // len(rows))
    for start in range(0, resamples, block):
        stop = min(start + block, resamples)
        drawn = rng.multinomial(total, counts / total, size=stop - start)
        means[start:stop] = drawn @ rows / total
    return means


def wilson(share: float, instances: int, level: float = 0.95) -> Estimate:
    """Return a share with Wilson's score interval (Wilson 1927), which has a width at 0 and at 1, too.

    >>> round(wilson(0.0, 20).high, 4)
    0.1611
    """
    square = NormalDist().inv_cdf((1 + level) / 2) ** 2 / instances
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
    return Estimate(
        share,
        max(0.0, middle - half) if share else 0.0,
        min(1.0, middle + half) if share < 1 else 1.0,
    )


def estimates(
    scores: Floats, *, seed: int, resamples: int = 2000, level: float = 0.95, shares: bool = True
) -> tuple[Estimate, ...]:
    """Return mean and percentile bootstrap interval of every column of ``scores`` (n, columns).

    Resamples of nothing but 0 or nothing but 1 have no width: there the interval is Wilson's, unless the scores are
    differences (``shares`` is false). No instances give ``nan``; the interval of other constant scores has no width.
    """
    if not len(scores):
        nan = float("nan")
        return tuple(Estimate(nan, nan, nan) for _ in range(scores.shape[1]))
    means = bootstrap_means(scores, seed=seed, resamples=resamples)
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(means, [tail, 1.0 - tail], axis=0)
    value = scores.mean(axis=0)
    # Rounding in the resampled sums must not put the mean of constant scores outside its interval.
    return tuple(
        wilson(float(v), len(scores), level)
        if shares and v in (0.0, 1.0)
        else Estimate(float(v), float(min(v, a)), float(max(v, b)))
        for v, a, b in zip(value, low, high, strict=True)
    )


def percentile_interval(
    statistic: Callable[[NDArray[np.int64]], Floats],
    clusters: int,
    *,
    seed: int,
    resamples: int,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of any statistic of clusters.

    Args:
        statistic: values of the statistic, from the places of the clusters drawn, of shape (resamples, clusters);
            ``nan`` where it is undefined.
        clusters: number of clusters, such as items with all that belongs to them.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, clusters]))
    values = statistic(rng.integers(clusters, size=(resamples, clusters)))
    tail = 50.0 * (1.0 - level)
    low, high = np.nanpercentile(values, [tail, 100.0 - tail])
    return float(low), float(high)


def distance(estimate: Estimate, chance: float) -> Estimate:
    """Return |estimate - chance|; its interval is the estimate's, mapped, and reaches zero if that holds chance."""
    low, high = estimate.low - chance, estimate.high - chance
    nearest = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
    return Estimate(abs(estimate.value - chance), nearest, max(abs(low), abs(high)))


def cluster_means(clusters: Sequence[str], values: Sequence[float]) -> Floats:
    """Return the mean value of each cluster (several answers to one instance), in the order in which they come."""
    found: dict[str, list[float]] = {}
    for cluster, value in zip(clusters, values, strict=True):
        found.setdefault(cluster, []).append(float(value))
    return np.array([sum(group) / len(group) for group in found.values()])


def paired_test(
    first: Floats, second: Floats, *, seed: int, resamples: int = 10_000, level: float = 0.95
) -> PairedTest:
    """Compare two systems (or prompts) on the same instances: mean of ``second - first``, each of shape (n,).

    The p value is that of the sign-flip permutation test (the null hypothesis: either score could have been
    either system's), by Monte Carlo with the observed labelling counted in, so it is never zero.

    Raises:
        ValueError: the two have different lengths or no instances.
    """
    if first.shape != second.shape or not len(first):
        raise ValueError(
            f"paired scores need the same instances: got {len(first)} and {len(second)}"
        )
    # Scores are multiples of small fractions: rounding lets equal differences meet as one value.
    differences = np.round(second - first, 12)
    (estimate,) = estimates(
        differences[:, None], seed=seed, resamples=resamples, level=level, shares=False
    )
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    rng = np.random.default_rng(np.random.SeedSequence([seed, 1]))
    sums = np.zeros(resamples)
    for size, count in zip(sizes, counts, strict=True):
        sums += size * (2.0 * rng.binomial(count, 0.5, size=resamples) - count)
    observed = abs(differences.sum())
    p_value = (1 + int((np.abs(sums) >= observed - 1e-9).sum())) / (resamples + 1)
    return PairedTest(estimate.value, estimate.low, estimate.high, p_value, len(differences))


def coefficient_of_variation(values: Sequence[float]) -> float:
    """Return the population standard deviation over the mean, in percent (DivLogicEval, Table 2).

    ``nan`` for fewer than two values or a mean of 0.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2 or array.mean() == 0:
        return float("nan")
    return float(100.0 * array.std() / array.mean())
