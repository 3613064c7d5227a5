"""Which records were made together, so that no learner is tested on the twin of what it has learnt.

Twins are records that name the same group, have the same passage, or the same question and options, and those whose
texts are nearly the same. Of twins with different answers a learner learns the wrong one: where their group is not
known, its accuracy falls below that of guessing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations, pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from divlogic.records import Record, grouped

NAMES = ("group", "quartet", "three")
"""Columns in which a record says what it was drawn with."""

_OTHER_NAMES = re.compile(
    r"(group|pair|contrast(_?set)?|quartet|triplet|cluster|twin|bundle)_?(ids?|no|number)?", re.I
)
"""Columns of other people's files that say the same, where their values stand in several rows each: SNLI's ``pairID``
is another in each row."""

_SHINGLE = 3
"""Words that are compared as one: single words are the same in all texts of a template."""

_LEAST = 12
"""Shingles of the shortest text that is compared: shorter ones of one template are alike and no twins."""

_MEMBERS = 10
"""Rows of one short statement that are taken as drawn together: a contrast set is smaller, and what more rows have is a
template, whose words may be what tells their answers."""

_ALIKE = (0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of common shingles (Jaccard) from which texts are twins; the first that leaves several groups is taken."""

_LARGEST = 0.2
"""Share of all records that a group may have: folds could not be dealt out of larger ones."""

_BANDS, _ROWS = 24, 5
"""Of the MinHash signature: texts with half of their shingles in common share a band in 53 of 100 cases, with 7 of 10
in 98, with 2 of 10 in fewer than one."""

_WORD = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]|\w\w+")
"""A word of two letters or more: formulas over single letters are alike by chance. Characters of Chinese, Japanese and
Korean are words of their own."""


def named_group(record: Record) -> Hashable | None:
    """Return the group that a record names; LogicNLI's does so with its variants and the steps of its proofs."""
    named = (record.metadata.get(name) for name in NAMES)
    group = next((one for one in named if one is not None), None)
    return None if group is None else (record.question_type, str(group))


def named_groups(records: Sequence[Record]) -> list[Hashable | None]:
    """Return the group that each record names, in a column of :data:`NAMES` or one that is called much the same."""
    stated = [named_group(record) for record in records]
    if any(one is not None for one in stated):
        return stated
    for name in dict.fromkeys(name for record in records for name in record.metadata):
        if not _OTHER_NAMES.fullmatch(name.replace(" ", "_").replace("-", "_")):
            continue
        values = [record.metadata.get(name) for record in records]
        named = [str(one) for one in values if one is not None]
        if 1 < len(set(named)) < len(named):
            return [None if one is None else (name, str(one)) for one in values]
    return stated


def twins(records: Sequence[Record], *, passages: bool = True) -> list[int]:
    """Return the number of each record's group.

    Where every record names one, that is it.

    Args:
        records: the records.
        passages: whether passages are compared; of a learner that sees the questions alone they are not.
    """
    stated = named_groups(records)
    if all(one is not None for one in stated):
        return _numbered(stated)
    joined = _Joined(len(records))
    keys: list[Sequence[Hashable]] = [
        stated,
        [record.context or None if passages else None for record in records],
        [_texts(record, passages) for record in records],
    ]
    for column in keys:
        for places in grouped(range(len(records)), column.__getitem__).values():
            # What every fifth record has is an instruction, and no passage of its own.
            if column[places[0]] is not None and len(places) <= max(_LARGEST * len(records), 2):
                joined.join(places)
    statements = [_short_statement(record) for record in records]
    for places in grouped(range(len(records)), statements.__getitem__).values():
        if statements[places[0]] is not None and len(places) <= _MEMBERS:
            joined.join(places)
    _join_alike(joined, [" ".join(_texts(record, passages)) for record in records])
    return joined.groups()


def _texts(record: Record, passages: bool) -> tuple[str, ...]:
    passage = (record.context,) if passages else ()
    return (*passage, record.question, *record.options)


def related(records: Sequence[Record]) -> list[int]:
    """Return the number of each record's group, where those of the same question are one group too, as pairs are whose
    passages differ; without them where too large a group would come of it."""
    by_texts, by_questions = twins(records), twins(records, passages=False)
    joined = _Joined(len(records))
    for numbers in (by_texts, by_questions):
        for places in grouped(range(len(records)), numbers.__getitem__).values():
            joined.join(places)
    groups = joined.groups()
    return groups if max(Counter(groups).values()) <= _LARGEST * len(groups) else by_texts


def _short_statement(record: Record) -> tuple[str, ...] | None:
    """Return question and options of a text that is too short to be compared by its likeness to others."""
    if not _shingles(record.question):
        return None  # symbols, which are alike by chance
    whole = " ".join(_texts(record, passages=True))
    return _texts(record, passages=False) if len(_shingles(whole)) < _LEAST else None


def _numbered(keys: Iterable[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


class _Joined:
    """Places that are joined to groups (union-find)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, place: int) -> int:
        """Return the first place of a group."""
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def join(self, places: Sequence[int]) -> None:
        """Make one group of those of some places."""
        for place in places[1:]:
            one, two = self.root(places[0]), self.root(place)
            self._parent[max(one, two)] = min(one, two)

    def groups(self) -> list[int]:
        """Return the number of each place's group."""
        return _numbered(self.root(place) for place in range(len(self._parent)))

    def copy(self) -> _Joined:
        """Return groups that can be joined without these."""
        other = _Joined(0)
        other._parent = self._parent[:]
        return other


def _join_alike(joined: _Joined, texts: Sequence[str]) -> None:
    """Join texts that are nearly the same, at the lowest bound that leaves no group too large."""
    held = [_shingles(text) for text in texts]
    alike = sorted((_likeness(held[one], held[two]), one, two) for one, two in _candidates(held))
    for bound in _ALIKE:
        tried = joined.copy()
        for share, one, two in alike:
            if share >= bound:
                tried.join((one, two))
        sizes = np.bincount(tried.groups())
        if sizes.max() <= max(_LARGEST * len(texts), 2):
            joined._parent = tried._parent
            return


def _shingles(text: str) -> frozenset[int]:
    """Return the hashes of all runs of some words of a text; of a shorter one that of all its words."""
    words = _WORD.findall(text.lower())
    if not words:
        return frozenset()
    count = max(len(words) - _SHINGLE + 1, 1)
    return frozenset(crc32(" ".join(words[at : at + _SHINGLE]).encode()) for at in range(count))


def _likeness(one: frozenset[int], two: frozenset[int]) -> float:
    return len(one & two) / len(one | two)


def _candidates(held: Sequence[frozenset[int]]) -> set[tuple[int, int]]:
    """Return the pairs of texts whose MinHash signatures share a band (Broder 1997; Leskovec et al. 2014, ch. 3)."""
    worded = [place for place, own in enumerate(held) if len(own) >= _LEAST]
    if not worded:
        return set()
    signatures = np.stack([_signature(held[place]) for place in worded])
    pairs: set[tuple[int, int]] = set()
    for band in range(_BANDS):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        own_rows = signatures[:, band * _ROWS : (band + 1) * _ROWS]
        for place, row in zip(worded, own_rows, strict=True):
            buckets[row.tobytes()].append(place)
        for places in buckets.values():
            # Neighbours are enough: what is alike hangs together through them.
            pairs.update(pairwise(places))
            pairs.update(combinations(places[:_FEW], 2))
    return pairs


_FEW = 20
"""Texts of a bucket of which each pair is compared."""

_PRIME = 2**31 - 1


def _factors() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    random = np.random.default_rng(20260101)
    size = _BANDS * _ROWS
    slopes = random.integers(1, _PRIME, size, dtype=np.uint64)
    offsets = random.integers(0, _PRIME, size, dtype=np.uint64)
    return slopes, offsets


_SLOPES, _OFFSETS = _factors()


def _signature(own: frozenset[int]) -> NDArray[np.uint64]:
    hashes = np.fromiter(own, dtype=np.uint64, count=len(own)) % np.uint64(_PRIME)
    mixed = (hashes[:, None] * _SLOPES + _OFFSETS) % np.uint64(_PRIME)
    found: NDArray[np.uint64] = mixed.min(axis=0)
    return found
