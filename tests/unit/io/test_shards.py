"""Ten thousand shards have one name, become one sorted sequence, and are known by hashes in little memory."""

from __future__ import annotations

import random
import resource
import sys
import tracemalloc
from operator import itemgetter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from divlogic.errors import DivLogicError
from divlogic.io import shards
from divlogic.io.files import write_jsonl
from divlogic.io.shards import HashSet, hash_of, merge_sorted, shard_files, shard_names

DRAWS = random.Random(1)
RANDOM = [DRAWS.getrandbits(64) | 1 for _ in range(9_000)]
CROWDED = [*range(1, 3_000), *((1 << 64) - number for number in range(1, 3_000)), *RANDOM[:1_000]]


@given(first=st.integers(0, 10**6), count=st.integers(1, 2000))
def test_a_run_of_shards_has_one_name_that_stands_for_them_in_order(first: int, count: int) -> None:
    files = [Path(f"data/a b/{number}.jsonl.gz") for number in range(first, first + count)]
    names = shard_names(files)
    assert len(names) == 1
    assert list(shard_files(names)) == files


@pytest.mark.parametrize(
    "files",
    [[], ["a"], ["a/1.x", "a/0.x"], ["a/0.x", "b/1.x"], ["a/0.x", "a/1.y"], ["a/x.y", "a/z.y"]],
)
def test_other_files_keep_their_names(files: list[str]) -> None:
    assert shard_names(files) == files
    assert [str(path) for path in shard_files(files)] == files


@pytest.mark.parametrize("name", ["a/{3..2}.x", "a/{0..1000000}.x"])
def test_a_range_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(DivLogicError, match="no range of files"):
        shard_files([name])


def test_more_files_than_the_system_lets_a_process_open_are_merged(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = [tmp_path / f"{number}.jsonl" for number in range(700)]
    for number, file in enumerate(files):
        write_jsonl(file, [{"id": number}, {"id": number + 700}])
    opened = sum(1 for _ in Path("/proc/self/fd").iterdir())
    resource.setrlimit(resource.RLIMIT_NOFILE, (144 + opened + 256, limits[1]))
    try:
        rows = [row["id"] for _, row in merge_sorted(files, itemgetter("id"))]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert rows == list(range(1400))


@pytest.mark.parametrize("most", [2, 3, 256])
def test_equal_rows_keep_their_order(
    tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("divlogic.io.shards.OPEN", most)
    files = [tmp_path / f"{number}.jsonl" for number in range(7)]
    for number, file in enumerate(files):
        write_jsonl(file, [{"id": 1, "of": number}])
    assert [row["of"] for _, row in merge_sorted(files, itemgetter("id"))] == list(range(7))


@pytest.mark.parametrize("keys", [RANDOM, CROWDED], ids=["spread", "crowded"])
def test_a_set_knows_which_number_is_new(keys: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "_RECENT", 16)
    own, other = HashSet(), set()
    for key in [*keys, *keys[::2]]:
        assert (key in own) == (key in other)
        assert own.add(key) == (key not in other)
        other.add(key)


def test_many_numbers_take_a_third_of_the_memory_of_a_set() -> None:
    draws, own = random.Random(2), HashSet()
    numbers = {draws.getrandbits(64) for _ in range(150_000)}
    tracemalloc.start()
    for number in numbers:
        own.add(number)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert used < (sys.getsizeof(numbers) + sum(map(sys.getsizeof, numbers))) / 3


def test_texts_have_hashes_that_differ_and_are_not_zero() -> None:
    made = {hash_of(text) for text in ("", "a", "b", "\ud800", *map(str, range(1_000)))}
    assert len(made) == 1_004 and 0 not in made and max(made) < 1 << 64
