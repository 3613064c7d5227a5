"""First names and adjectives, in pools for train, dev and test that share nothing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from divlogic.draws import Draws
from divlogic.io.files import read_yaml

POOL_SIZE = 100
"""Names, and adjectives, of dev and of test, as in the paper's Table 2; train has the rest (382 and 379 there)."""

_ORDER = 20210917
"""Seed of the cut into pools: the same in every run, so that no test set meets a word that any run trains on."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The words of one pool.

    Attributes:
        names: first names.
        fields: adjectives by field; no field is empty.
    """

    names: tuple[str, ...]
    fields: tuple[tuple[str, ...], ...]

    def people(self, draws: Draws, count: int) -> list[str]:
        """Draw different names."""
        return _some(draws, self.names, count)

    def adjectives(self, draws: Draws, count: int) -> list[str]:
        """Draw adjectives of different fields."""
        return [draws.pick(field) for field in _some(draws, self.fields, count)]


@lru_cache(maxsize=1)
def pools() -> dict[str, Pool]:
    """Return the pools ``train``, ``dev`` and ``test``."""
    content = read_yaml(Path(__file__).with_name("lexicon.yaml"))
    draws = Draws(_ORDER)
    names = draws.shuffled(content["names"])
    fields = [draws.shuffled(field) for field in content["adjectives"].values()]
    # Field by field in turn, so that each pool has words of each field.
    turns = [
        (number, field[turn])
        for turn in range(max(map(len, fields)))
        for number, field in enumerate(fields)
        if turn < len(field)
    ]
    found = {}
    for pool, start, end in (
        ("train", 2 * POOL_SIZE, None),
        ("dev", 0, POOL_SIZE),
        ("test", POOL_SIZE, 2 * POOL_SIZE),
    ):
        words: list[list[str]] = [[] for _ in fields]
        for number, word in turns[start:end]:
            words[number].append(word)
        found[pool] = Pool(tuple(names[start:end]), tuple(tuple(field) for field in words))
    return found


def _some(draws: Draws, items: tuple, count: int) -> list:  # type: ignore[type-arg]
    """Draw different items."""
    found: dict[int, None] = {}
    while len(found) < count:
        found[draws.below(len(items))] = None
    return [items[number] for number in found]
