"""Sets and maps of hashes hold what a Python set and dict hold, in an eighth of the memory."""

from __future__ import annotations

import random
import sys

import pytest

from divlogic.io import hashes
from divlogic.io.hashes import HashMap, HashSet, hash_of

DRAWS = random.Random(1)
RANDOM = [DRAWS.getrandbits(64) | 1 for _ in range(9_000)]
CROWDED = [*range(1, 3_000), *((1 << 64) - number for number in range(1, 3_000)), *RANDOM[:1_000]]


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables grow many times, in several blocks."""
    monkeypatch.setattr(hashes, "_START", 16)
    monkeypatch.setattr(hashes, "_SLACK", 4)
    monkeypatch.setattr(hashes, "_BLOCK", 700)


@pytest.mark.parametrize("keys", [RANDOM, CROWDED], ids=["spread", "crowded"])
def test_a_set_says_of_each_number_whether_it_is_new(keys: list[int]) -> None:
    own, other = HashSet(), set()
    for key in [*keys, *keys[::2]]:
        assert own.add(key) == (key not in other)
        other.add(key)
    assert len(own) == len(other)


@pytest.mark.parametrize("keys", [RANDOM, CROWDED], ids=["spread", "crowded"])
def test_a_map_keeps_the_first_value_of_each_number(keys: list[int]) -> None:
    own, other = HashMap(), {}
    for number, key in enumerate([*keys, *keys[::2]]):
        assert own.setdefault(key, number) == other.setdefault(key, number)
    assert len(own) == len(other)


def test_a_number_takes_at_most_27_bytes() -> None:
    own = HashSet()
    for key in RANDOM:
        own.add(key)
    assert len(own._keys) * 8 < 27.5 * len(own) < sys.getsizeof({*RANDOM}) + 40 * len(own)


def test_texts_have_hashes_that_differ_and_are_not_zero() -> None:
    made = {hash_of(text) for text in ("", "a", "b", "\ud800", *map(str, range(1_000)))}
    assert len(made) == 1_004 and 0 not in made and max(made) < 1 << 64
