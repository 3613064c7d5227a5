"""Many sorted files become one sequence, with few of them open at a time."""

from __future__ import annotations

import resource
from operator import itemgetter
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.io.merging import merge_sorted


def test_more_files_than_the_system_lets_a_process_open_are_merged(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = [tmp_path / f"{number}.jsonl" for number in range(700)]
    for number, file in enumerate(files):
        write_jsonl(file, [{"id": number}, {"id": number + 700}])
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, limits[1]))
    try:
        rows = [row["id"] for _, row in merge_sorted(files, dict, "a row", itemgetter("id"))]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert rows == list(range(1400))


@pytest.mark.parametrize("most", [2, 3, 256])
def test_equal_rows_keep_the_order_of_their_files(
    tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("divlogic.io.merging.OPEN", most)
    files = [tmp_path / f"{number}.jsonl" for number in range(7)]
    for number, file in enumerate(files):
        write_jsonl(file, [{"id": 1, "of": number}])
    assert [row["of"] for _, row in merge_sorted(files, dict, "a row", itemgetter("id"))] == list(range(7))


def test_a_malformed_row_is_named(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [{"id": 1}, {"no": 2}])
    with pytest.raises(DivLogicError, match=r"a\.jsonl, row 2"):
        list(merge_sorted([tmp_path / "a.jsonl"], lambda row: {"id": row["id"]}, "a row", itemgetter("id")))
