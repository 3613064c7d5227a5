"""A set of hashes holds what a Python set holds, in less memory."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from divlogic.io import hashes
from divlogic.io.hashes import HashSet, hash_of

DRAWS = random.Random(1)
RANDOM = [DRAWS.getrandbits(64) | 1 for _ in range(9_000)]
CROWDED = [*range(1, 3_000), *((1 << 64) - number for number in range(1, 3_000)), *RANDOM[:1_000]]


@pytest.mark.parametrize("keys", [RANDOM, CROWDED], ids=["spread", "crowded"])
def test_a_set_says_of_each_number_whether_it_is_new(
    keys: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hashes, "_RECENT", 16)
    own, other = HashSet(), set()
    for key in [*keys, *keys[::2]]:
        assert (key in own) == (key in other)
        assert own.add(key) == (key not in other)
        other.add(key)
    assert len(own) == len(other)


def test_many_numbers_take_a_third_of_the_memory_of_a_set() -> None:
    def memory(make: type) -> int:
        draws, numbers = random.Random(2), make()
        tracemalloc.start()
        for _ in range(300_000):
            numbers.add(draws.getrandbits(64))
        used = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return used

    memory(HashSet)  # numpy is imported
    assert memory(HashSet) < memory(set) / 3


def test_texts_have_hashes_that_differ_and_are_not_zero() -> None:
    made = {hash_of(text) for text in ("", "a", "b", "\ud800", *map(str, range(1_000)))}
    assert len(made) == 1_004 and 0 not in made and max(made) < 1 << 64
