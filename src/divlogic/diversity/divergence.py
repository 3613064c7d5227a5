"""Distance between two word distributions, with intervals from repeated subsamples.

Definitions: Kullback–Leibler divergence with additive smoothing over the union vocabulary; Jensen–Shannon
distance (Lin 1991; Endres & Schindelin 2003), the square root of the divergence in bits, which lies in 0 … 1.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlogic.diversity.parameters import DivergenceParameters
from divlogic.errors import DivLogicError

Counts = NDArray[np.int64]


def kl_divergence(p: Counts, q: Counts, *, smoothing: float = 0.1, base: float = 2.0) -> float:
    """Return KL(P ‖ Q) of two count vectors over one vocabulary.

    Args:
        p: counts of the first distribution, shape (vocabulary,).
        q: counts of the second, the same words in the same order.
        smoothing: α, added to the count of every word that either side has (METHODS: 0.1).
        base: of the logarithm.

    Raises:
        DivLogicError: nothing was counted, or without smoothing a word of P is missing in Q.

    >>> p, q = aligned({"dog": 3, "runs": 1}, {"dog": 1, "runs": 3})
    >>> round(kl_divergence(p, q, smoothing=0.0), 4)
    0.7925
    """
    from scipy.special import rel_entr

    present = (p > 0) | (q > 0)
    a, b = p[present] + smoothing, q[present] + smoothing
    if not p.sum() or not q.sum():
        raise DivLogicError("a divergence needs at least one token on either side; check the token filter.")
    if np.any((a > 0) & (b == 0)):
        raise DivLogicError(
            "KL is infinite without smoothing: a word of the first side is not on the second."
        )
    return float(rel_entr(a / a.sum(), b / b.sum()).sum() / np.log(base))


def js_distance(p: Counts, q: Counts) -> float:
    """Return the Jensen–Shannon distance (0 … 1) of two count vectors; needs no smoothing.

    >>> js_distance(*aligned({"dog": 2}, {"cat": 5}))
    1.0
    """
    from scipy.special import rel_entr

    a, b = p / p.sum(), q / q.sum()
    middle = (a + b) / 2
    bits = (rel_entr(a, middle).sum() + rel_entr(b, middle).sum()) / 2 / np.log(2)
    return float(np.sqrt(max(0.0, bits)))


def aligned(*sides: Mapping[str, int]) -> tuple[Counts, ...]:
    """Return a count vector of each side, over the sorted union of their vocabularies."""
    words = sorted(set().union(*sides))
    return tuple(np.array([side.get(word, 0) for word in words], dtype=np.int64) for side in sides)


def token_samples(
    benchmark: Counts, reference: Counts, *, size: int, repeats: int, seed: tuple[int, ...]
) -> Iterable[tuple[Counts, Counts]]:
    """Draw ``size`` tokens without replacement from either side, ``repeats`` times.

    A side with fewer tokens limits both. Draw i comes from SeedSequence([*seed, i]) alone.
    """
    size = min(size, int(benchmark.sum()), int(reference.sum()))
    for repeat in range(repeats):
        random = np.random.default_rng(np.random.SeedSequence([*seed, repeat]))
        yield (
            random.multivariate_hypergeometric(benchmark, size, method="marginals"),
            random.multivariate_hypergeometric(reference, size, method="marginals"),
        )


def drawn(counts: Counts, size: int, seed: tuple[int, ...]) -> Counts:
    """Draw ``size`` tokens without replacement, all of them if there are fewer."""
    random = np.random.default_rng(np.random.SeedSequence(list(seed)))
    here, found = np.flatnonzero(counts), np.zeros_like(counts)
    found[here] = random.multivariate_hypergeometric(
        counts[here], min(size, int(counts.sum())), method="marginals"
    )
    return found


class TextSample:
    """Draws whole texts without replacement until ``size`` tokens are reached, ``repeats`` times, in one pass.

    Every text gets a random key per repeat; the texts with the lowest keys are kept, no more of them than are
    needed. Memory: about ``size * repeats`` references, for any number of texts.
    """

    def __init__(self, *, size: int, repeats: int, seed: tuple[int, ...]) -> None:
        self.size = size
        self._random = np.random.default_rng(np.random.SeedSequence(list(seed)))
        self._kept: list[list[tuple[float, int, list[str]]]] = [[] for _ in range(repeats)]
        self._tokens = [0] * repeats
        self._limits = np.full(repeats, np.inf)
        self._seen = 0

    def add(self, tokens: list[str]) -> None:
        """Offer one text's tokens."""
        if not tokens:
            return
        self._seen += 1
        keys = self._random.random(len(self._kept))
        for repeat in np.flatnonzero(keys < self._limits):
            heap = self._kept[repeat]
            heapq.heappush(heap, (-float(keys[repeat]), self._seen, tokens))
            self._tokens[repeat] += len(tokens)
            while self._tokens[repeat] - len(heap[0][2]) >= self.size:
                self._tokens[repeat] -= len(heapq.heappop(heap)[2])
            if self._tokens[repeat] >= self.size:
                self._limits[repeat] = -heap[0][0]

    def samples(self) -> Iterable[dict[str, int]]:
        """Yield each repeat's counts: the texts in key order, the last one cut at ``size`` tokens."""
        for heap in self._kept:
            counts: dict[str, int] = {}
            room = self.size
            for _, _, tokens in sorted(heap, key=lambda entry: (-entry[0], entry[1])):
                for token in tokens[:room]:
                    counts[token] = counts.get(token, 0) + 1
                room -= min(room, len(tokens))
            yield counts


def measure(
    samples: Iterable[tuple[Counts, ...]],
    chosen: DivergenceParameters,
    distances: list[float] | None = None,
) -> dict[str, Any]:
    """Measure every pair of subsamples; return mean and interval of KL and Jensen–Shannon distance, and their size.

    Args:
        samples: the pairs.
        chosen: smoothing, base and direction of KL, and the share of the subsamples inside the intervals.
        distances: the Jensen–Shannon distance of every pair, where it is known; it needs no smoothing.

    Returns:
        The values of ``kl``, ``kl_low``, ``kl_high``, ``js``, ``js_low``, ``js_high``, and ``size``, in tokens.
    """
    kl, js, size = [], [], 0
    forward = chosen.direction == "benchmark_to_reference"
    for p, q in samples:
        first, second = (p, q) if forward else (q, p)
        kl.append(kl_divergence(first, second, smoothing=chosen.smoothing, base=chosen.base))
        if distances is None:
            js.append(js_distance(p, q))
        size = int(q.sum())
    row: dict[str, Any] = {}
    tail = (1 - chosen.confidence) / 2
    for name, values in (("kl", kl), ("js", distances or js)):
        low, high = np.quantile(values, [tail, 1 - tail])
        row |= {name: float(np.mean(values)), f"{name}_low": float(low), f"{name}_high": float(high)}
    return {**row, "size": size}
