"""Random draws that are the same on every machine and Python version."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_WIDE = 2**32


class Draws:
    """A stream of draws for one item, seeded by the run's seed and the item's place.

    Only ``random.Random.random`` is used underneath: Python guarantees its sequence for a given seed, which it
    does not for ``sample`` or ``shuffle``. A fresh stream per item makes items independent of how many workers
    there are. (NumPy's generators are slower by an order of magnitude for single draws.)
    """

    __slots__ = ("uniform",)

    def __init__(self, *entropy: int) -> None:
        import numpy as np  # here, since every command imports this module and few draw anything

        if max(entropy, default=0) >= _WIDE:
            # SeedSequence cuts wide numbers into words of 32 bits, so that (2**32 + 5, 1) would be (5, 1, 1).
            text = ",".join(map(str, entropy)).encode()
            entropy = (int.from_bytes(hashlib.blake2b(text, digest_size=32).digest(), "little"),)
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
        for index, weight in enumerate(weights):
            point -= weight
            if point < 0:
                return index
        # Rounding may leave a crumb of the sum.
        return max(index for index, weight in enumerate(weights) if weight > 0)

    def weighted_distinct(self, weights: Sequence[float], count: int) -> list[int]:
        """Draw indices one after another, each in proportion to the weights of those not yet drawn.

        Returns:
            ``count`` indices, or as many as have a positive weight if these are fewer.
        """
        left = list(weights)
        drawn: list[int] = []
        while len(drawn) < count and any(left):
            index = self.weighted(left)
            left[index] = 0.0
            drawn.append(index)
        return drawn

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order (Fisher-Yates)."""
        result = list(items)
        uniform = self.uniform
        for size in range(len(result), 1, -1):
            other = int(uniform() * size)
            result[size - 1], result[other] = result[other], result[size - 1]
        return result
