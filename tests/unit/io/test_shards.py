"""One name for many shards, so that ten thousand of them fit on a command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlogic.errors import DivLogicError
from divlogic.io.shards import shard_files, shard_names


@given(first=st.integers(0, 10**6), count=st.integers(1, 2000))
def test_a_run_of_shards_has_one_name_that_stands_for_them_in_order(first: int, count: int) -> None:
    files = [Path(f"data/a b/{number}.jsonl.gz") for number in range(first, first + count)]
    names = shard_names(files)
    assert len(names) == 1
    assert list(shard_files(names)) == files


@pytest.mark.parametrize(
    "files", [[], ["a"], ["a/1.x", "a/0.x"], ["a/0.x", "b/1.x"], ["a/0.x", "a/1.y"], ["a/x.y", "a/z.y"]]
)
def test_other_files_keep_their_names(files: list[str]) -> None:
    assert shard_names(files) == files
    assert [str(path) for path in shard_files(files)] == files


@pytest.mark.parametrize("name", ["a/{3..2}.x", "a/{0..1000000}.x"])
def test_a_range_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(DivLogicError, match="no range of files"):
        shard_files([name])
