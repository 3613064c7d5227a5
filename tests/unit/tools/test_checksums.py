"""The list of checksums names every file in which a run differs."""

from __future__ import annotations

from pathlib import Path

from tools.checksums import differences, leftovers, write


def test_a_changed_a_missing_and_a_new_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "data").mkdir()
    for name in ("same", "changed", "missing", ".same.sum", ".gone.sum"):
        (tmp_path / "results" / name).write_text(name, encoding="utf-8")
    write(tmp_path)
    assert differences(tmp_path) == []
    assert [path.name for path in tmp_path.glob("results/.*")] == [".same.sum"]

    (tmp_path / "results/changed").write_text("other", encoding="utf-8")
    (tmp_path / "results/missing").unlink()
    (tmp_path / "results/new").write_text("new", encoding="utf-8")
    assert differences(tmp_path) == [
        "results/changed: other bytes than recorded",
        "results/missing: recorded, but not produced by this run",
        "results/new: produced by this run, but not recorded",
    ]


def test_a_file_of_an_earlier_version_is_not_recorded() -> None:
    rules = 'output: directory("data/interim/collection/{name}")'
    listed = ["data/interim/collection/a/x", "data/interim/old.jsonl", "data/raw/b", "Building DAG"]
    assert leftovers(rules, listed) == ["data/interim/old.jsonl"]
