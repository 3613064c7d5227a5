"""Sets and maps of 64-bit hashes in a few bytes each, for duplicates among tens of millions of rows.

Python's own set takes some 100 bytes for a number, a table of numbers 13 to 27. A number is looked for from the place
that its upper bits name, to the right until it or an empty place is found (linear probing). When the table grows, the
numbers are put in by their order, which is that of their places: no second table beside it, and no loop in Python.
"""

from __future__ import annotations

import hashlib

_START = 1 << 17
_MOST = 0.6
"""Share of the places that are taken at most: beyond that, looking takes long."""
_SLACK = 1 << 10
"""Places behind the last one that a number may name, for those that find it taken; more where they do not suffice."""
_BLOCK = 1 << 20


def hash_of(text: str) -> int:
    """Hash a text to eight bytes, not 0: among a million rows two collide with a chance of 1 in 36 million."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


class HashMap:
    """Hashes (not 0), each with a number below 2**64."""

    def __init__(self, *, valued: bool = True) -> None:
        self._valued = valued
        self._count = 0
        self._make(_START, _SLACK)

    def __len__(self) -> int:
        return self._count

    def setdefault(self, key: int, value: int) -> int:
        """Return the number of a hash; a new hash gets ``value``."""
        keys, place = self._keys, key >> self._shift
        while found := keys[place]:
            if found == key:
                return self._values[place]
            place += 1
        self._put(place, key)
        self._values[place] = value
        self._grow_if_full(place)
        return value

    def _put(self, place: int, key: int) -> None:
        self._keys[place] = key
        self._count += 1

    def _grow_if_full(self, place: int) -> None:
        if self._count > self._limit:
            self._grow(2 * self._places, self._slack)
        elif place >= len(self._keys) - 2:  # the last place stays empty: it ends every search
            self._grow(self._places, 2 * self._slack)

    def _make(self, places: int, slack: int) -> None:
        self._places, self._slack = places, slack
        self._shift, self._limit = 65 - places.bit_length(), int(places * _MOST)
        size = 8 * (places + slack)
        self._keys = memoryview(bytearray(size)).cast("Q")
        self._values = memoryview(bytearray(size if self._valued else 0)).cast("Q")

    def _grow(self, places: int, slack: int) -> None:
        import numpy as np

        taken = np.frombuffer(self._keys, np.uint64)
        at = np.flatnonzero(taken)
        keys = taken[at]
        values = np.frombuffer(self._values, np.uint64)[at] if self._valued else None
        del taken, at
        if values is None:
            keys.sort()
        else:
            order = np.argsort(keys)
            keys, values = keys[order], values[order]
            del order
        self._keys = self._values = memoryview(b"").cast("Q")
        self._make(places, slack)
        while not self._fill(keys, values):
            slack *= 2
            self._make(places, slack)

    def _fill(self, keys: object, values: object) -> bool:
        """Put sorted keys into an empty table; return whether there was room behind its end."""
        import numpy as np

        assert isinstance(keys, np.ndarray)
        table, numbers = np.frombuffer(self._keys, np.uint64), np.frombuffer(self._values, np.uint64)
        last = -1
        for start in range(0, len(keys), _BLOCK):
            block = keys[start : start + _BLOCK]
            index = np.arange(len(block))
            home = (block >> np.uint64(self._shift)).astype(np.int64)
            # Each stands in its place, or next to the one before it.
            free = home - index
            free[0] = max(free[0], last + 1)
            place = np.maximum.accumulate(free) + index
            last = int(place[-1])
            if last >= len(table) - 2:
                return False
            table[place] = block
            if isinstance(values, np.ndarray):
                numbers[place] = values[start : start + _BLOCK]
        return True


class HashSet(HashMap):
    """Hashes (not 0)."""

    def __init__(self) -> None:
        super().__init__(valued=False)

    def add(self, key: int) -> bool:
        """Add a hash; return whether it was not there yet."""
        keys, place = self._keys, key >> self._shift
        while found := keys[place]:
            if found == key:
                return False
            place += 1
        self._put(place, key)
        self._grow_if_full(place)
        return True
