"""Random draws that are the same on every machine and Python version."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


class Draws:
    """A stream of draws for one item, seeded by the run's seed and the item's place.

    Only ``random.Random.random`` is used underneath: Python guarantees its sequence for a given seed, which it
    does not for ``sample`` or ``shuffle``. A fresh stream per item makes items independent of how many workers
    there are. (NumPy's generators are slower by an order of magnitude for single draws.)
    """

    __slots__ = ("uniform",)

    def __init__(self, *entropy: int) -> None:
        words = np.random.SeedSequence(entropy).generate_state(4, np.uint32)
        self.uniform = random.Random(int.from_bytes(words.tobytes(), "little")).random

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to ``bound - 1``."""
        return int(self.uniform() * bound)

    def chance(self, probability: float) -> bool:
        """Draw true with the given probability."""
        return self.uniform() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Draw one item."""
        return items[int(self.uniform() * len(items))]

    def weighted(self, weights: Sequence[float]) -> int:
        """Draw an index with probability proportional to its weight (of which one at least is positive)."""
        point = self.uniform() * sum(weights)
        last = 0
        for index, weight in enumerate(weights):
            if weight > 0:
                last = index
                point -= weight
                if point < 0:
                    return index
        return last  # rounding may leave a crumb of the sum

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher-Yates)."""
        result = list(items)
        uniform = self.uniform
        for end in range(len(result) - 1, 0, -1):
            other = int(uniform() * (end + 1))
            result[end], result[other] = result[other], result[end]
        return result
