"""Pairs divided by premise: each shard reads its own, and the union is what one pass over all gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, row_count, write_jsonl
from divlogic.sentences.groups import partition, shard_of
from tests.support import nli_pair


def pairs(count: int) -> list[dict[str, object]]:
    return [
        nli_pair(number, "neutral", f"Lamp number {number // 3} glows.", f"It is day {number}.")
        for number in range(count)
    ]


@pytest.mark.parametrize("held", [1, 5_000, 1 << 20])
@pytest.mark.parametrize("shards", [1, 4, 300])
def test_every_pair_is_in_the_shard_of_its_premise_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shards: int, held: int
) -> None:
    rows = pairs(200)
    write_jsonl(tmp_path / "nli.jsonl.gz", rows)
    monkeypatch.setattr("divlogic.sentences.groups.HELD_BYTES", held)
    partition(tmp_path / "nli.jsonl.gz", shards=shards, out=tmp_path / "pairs")
    for shard in range(shards):
        path = tmp_path / "pairs" / f"{shard}.jsonl.gz"
        own = [row for row in rows if shard_of(str(row["premise"]), shards) == shard]
        assert [row for _, row in read_jsonl(path)] == own
        assert row_count(path) == len(own)


def test_another_number_of_shards_replaces_the_files(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", pairs(30))
    for shards in (5, 2):
        partition(tmp_path / "nli.jsonl", shards=shards, out=tmp_path / "pairs")
    assert sorted(path.name for path in (tmp_path / "pairs").glob("[!.]*")) == ["0.jsonl.gz", "1.jsonl.gz"]


def test_a_file_without_pairs_is_an_error(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "nli.jsonl", [])
    with pytest.raises(DivLogicError, match="the file is empty"):
        partition(tmp_path / "nli.jsonl", shards=2, out=tmp_path / "pairs")
    assert not (tmp_path / "pairs").exists()
