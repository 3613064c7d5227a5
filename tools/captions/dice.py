"""Reproducible choices: the same seed and path give the same draws on every machine and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Dice:
    """Draws seeded by numpy's SeedSequence of (seed, *path).

    Only `random.Random.random()` is used: its stream is the one that Python promises to keep across versions.
    """

    def __init__(self, seed: int, *path: int) -> None:
        high, low = np.random.SeedSequence([seed, *path]).generate_state(2, np.uint64)
        self._random = random.Random(int(high) << 64 | int(low)).random

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def below(self, bound: int) -> int:
        return int(self._random() * bound)

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]

    def weighted(self, items: Sequence[tuple[float, T]]) -> T:
        """One item of (weight, item) pairs, in proportion to the weights."""
        point = self._random() * sum([weight for weight, _ in items])
        for weight, item in items:
            point -= weight
            if point < 0:
                return item
        return items[-1][1]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
