"""Sets of 64-bit hashes in some ten bytes each, for duplicates among tens of millions of rows."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left

_RECENT = 1 << 16
"""Hashes that are added before they are sorted in, at least; else a quarter of those there are."""


def hash_of(text: str) -> int:
    """Hash a text to eight bytes, not 0: among a million rows two collide with a chance of 1 in 36 million."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


class HashSet:
    """Hashes: a sorted array, and a set of those added since it was last sorted (Python's set takes 100 bytes each)."""

    def __init__(self) -> None:
        self._sorted = array("Q")
        self._recent: set[int] = set()

    def __len__(self) -> int:
        return len(self._sorted) + len(self._recent)

    def __contains__(self, key: int) -> bool:
        if key in self._recent:
            return True
        place = bisect_left(self._sorted, key)
        return place < len(self._sorted) and self._sorted[place] == key

    def add(self, key: int) -> bool:
        """Add a hash; return whether it was not there yet."""
        if key in self:
            return False
        self._recent.add(key)
        if len(self._recent) > max(_RECENT, len(self._sorted) >> 2):
            self._sort()
        return True

    def _sort(self) -> None:
        import numpy as np

        recent = np.fromiter(self._recent, np.uint64, len(self._recent))
        self._recent = set()
        merged = np.concatenate([np.frombuffer(self._sorted, np.uint64), recent])
        merged.sort()
        self._sorted = array("Q", merged.tobytes())
