"""Probabilities of words and of uses of nouns, from counts over the corpora.

A sentence that is judged was itself counted, so what it adds to a count is left out before a probability is formed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from divlogic.sentences.acceptability.usage import RUNS, Numbers, Usage

Floats = NDArray[np.float64]

_NOT_THERE = -1


class Language:
    """What the corpora say of words: how often they occur, follow one another, and how nouns are used."""

    def __init__(self, usage: Usage) -> None:
        self.ids = {word: index for index, word in enumerate(usage.words)}
        n = self._n = len(usage.words)
        runs, times = usage.tables[RUNS]
        # One place more, for words that do not occur: their number is -1.
        self._words = np.bincount(runs % n, weights=times, minlength=n + 1)
        self._total = float(self._words.sum())
        self._runs, self._run_times = runs, times.astype(np.float64)
        pairs, inverse = np.unique(runs % n**2, return_inverse=True)
        self._pairs, self._pair_times = (
            pairs,
            np.bincount(inverse, weights=times).astype(np.float64),
        )
        self._after = np.bincount(pairs // n, weights=self._pair_times, minlength=n + 1)
        self._kinds_after = np.bincount(pairs // n, minlength=n + 1).astype(np.float64)
        # The runs are sorted, so those that begin alike stand together.
        self._begun, inverse = np.unique(runs // n, return_inverse=True)
        self._begun_times = np.bincount(inverse, weights=times).astype(np.float64)
        self._begun_kinds = np.bincount(inverse).astype(np.float64)
        self._uses = {
            use: np.bincount(keys % n, weights=times, minlength=n).astype(np.float64)
            for use, (keys, times) in usage.tables.items()
            if use != RUNS
        }
        self._uses_after = {
            use: (usage.tables[use][0], usage.tables[use][1].astype(np.float64))
            for use in ("bare", "determined")
        }

    def frequency(self, word: str) -> float:
        """Return how often a word occurs."""
        return float(self._words[self.ids.get(word, _NOT_THERE)])

    def frequencies(self, least: float) -> dict[str, float]:
        """Return the words that occur at least so often, with their frequencies."""
        return {
            word: times
            for word, times in zip(self.ids, self._words.tolist(), strict=False)
            if times >= least
        }

    def written(self, least: float) -> dict[str, float]:
        """Return the words that occur at least so often, names too, capital or not, with their frequencies."""
        times = (self._uses["small"] + self._uses["capital"]).tolist()
        return {
            word: number for word, number in zip(self.ids, times, strict=False) if number >= least
        }

    def used(self, use: str, noun: str, before: str | None = None) -> float:
        """Return how often a noun is used so; with ``before``, how often where that word stands before its phrase."""
        place = self.ids.get(noun)
        if place is None:
            return 0.0
        if before is None:
            return float(self._uses[use][place])
        opener = self.ids.get(before)
        return 0.0 if opener is None else _value(*self._uses_after[use], opener * self._n + place)

    def follows(self, first: str, second: str) -> float:
        """Return how often a word followed another one."""
        one, two = self.ids.get(first), self.ids.get(second)
        if one is None or two is None:
            return 0.0
        return _value(self._pairs, self._pair_times, one * self._n + two)

    def expected(self, first: str, second: str) -> float:
        """Return how often a word would follow another one by chance."""
        return self.frequency(first) * self.frequency(second) / max(self._total, 1.0)

    def numbers(self, words: list[str]) -> list[int]:
        """Return the numbers of words, -1 for those that do not occur."""
        return [self.ids.get(word, _NOT_THERE) for word in words]

    def log_probabilities(self, runs: Numbers, own: Numbers) -> Floats:
        """Return the natural logarithm of the probability of each third word after the two before it.

        Trigrams are backed off to bigrams and these to words, as Witten and Bell do (1991).

        Args:
            runs: rows of three numbers of words.
            own: those of the sentence that is judged, which is left out of the counts.
        """
        first, middle, last = runs[:, 0], runs[:, 1], runs[:, 2]
        same_last = last[:, None] == own[None, :, 2]
        same_middle = middle[:, None] == own[None, :, 1]
        same_first = first[:, None] == own[None, :, 0]
        word = np.maximum(self._words[last] - same_last.sum(1), 0) + 0.5
        probability = word / (self._total + 0.5 * self._n)
        mine = (same_middle & same_last).sum(1)
        pair = _looked_up(self._pairs, self._pair_times, _joined(middle, last, self._n))
        probability = _backed_off(
            pair,
            mine,
            np.maximum(self._after[middle] - same_middle.sum(1), 0),
            self._kinds_after[middle],
            probability,
        )
        begun = _joined(first, middle, self._n)
        mine = (same_first & same_middle & same_last).sum(1)
        run = _looked_up(
            self._runs, self._run_times, np.where(last < 0, -1, begun * self._n + last)
        )
        kinds = _looked_up(self._begun, self._begun_kinds, begun)
        times = _looked_up(self._begun, self._begun_times, begun) - (same_first & same_middle).sum(
            1
        )
        return np.log(_backed_off(run, mine, np.maximum(times, 0), kinds, probability))


def _backed_off(
    times: Floats, mine: Numbers, context: Floats, kinds: Floats, lower: Floats
) -> Floats:
    """Mix a relative frequency with the probability ``lower`` of a shorter context, the more of it, the more ``kinds``.

    The words followed one another ``times`` in all, ``mine`` in the sentence itself; the words before the last did
    ``context`` times without the sentence, and so many different ``kinds`` followed these.
    """
    weight = kinds + 2 - ((times > 0) & (times <= mine))
    mixed: Floats = (np.maximum(times - mine, 0) + weight * lower) / (context + weight)
    return mixed


def _joined(left: Numbers, right: Numbers, n: int) -> Numbers:
    return np.where((left < 0) | (right < 0), -1, left * n + right)


def _looked_up(keys: Numbers, values: Floats, wanted: Numbers) -> Floats:
    """Return the value of each wanted key, 0 for those that are not there."""
    if not len(keys):
        return np.zeros(len(wanted))
    found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[found] == wanted, values[found], 0.0)


def _value(keys: Numbers, values: Floats, wanted: int) -> float:
    """Return the value of one key, 0 if it is not there."""
    found = int(keys.searchsorted(wanted))
    return float(values[found]) if found < len(keys) and keys[found] == wanted else 0.0
