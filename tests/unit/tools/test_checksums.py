"""The list of checksums names every file in which a run differs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tools.checksums import differences, hidden, leftovers, require_own_parameters, write


def test_a_changed_a_missing_and_a_new_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "data").mkdir()
    for name in ("same", "changed", "missing", ".gitignore"):
        (tmp_path / "results" / name).write_text(name, encoding="utf-8")
    write(tmp_path)
    assert differences(tmp_path) == []

    (tmp_path / "results/changed").write_text("other", encoding="utf-8")
    (tmp_path / "results/missing").unlink()
    (tmp_path / "results/new").write_text("new", encoding="utf-8")
    assert differences(tmp_path) == [
        "results/changed: other bytes than recorded",
        "results/missing: recorded, but not produced by this run",
        "results/new: produced by this run, but not recorded",
    ]


@pytest.mark.parametrize(
    ("code", "said", "is_recorded"),
    [
        (0, "Nothing to be done (all requested files are present and up to date).", True),
        (0, "reasons: params have changed since last execution: finish_divlogiceval", False),
        (1, "divlogic: params.yaml: unknown parameter", False),
    ],
)
def test_what_the_parameters_do_not_make_is_not_recorded(
    code: int, said: str, is_recorded: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    planned = subprocess.CompletedProcess([], code, "", said)
    monkeypatch.setattr("tools.checksums.subprocess.run", lambda *_, **__: planned)
    if is_recorded:
        require_own_parameters(tmp_path)
        return
    with pytest.raises(SystemExit, match="not those of params"):
        require_own_parameters(tmp_path)


def test_a_file_of_an_earlier_version_is_not_recorded() -> None:
    rules = 'output: directory("data/interim/collection/{name}")'
    listed = [
        "data/interim/collection/a/x",
        "data/interim/old.jsonl.gz",
        "results/evaluation/old.svg",
        "data/raw/b",
        "Building DAG",
    ]
    assert leftovers(rules, listed) == ["data/interim/old.jsonl.gz", "results/evaluation/old.svg"]


def test_a_hidden_file_is_not_recorded(tmp_path: Path) -> None:
    for name in ("results/.gitignore", "data/interim/a/.snakemake_timestamp", "results/seen.csv"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    assert hidden(tmp_path) == []

    (tmp_path / "data/interim/a/.old.sum").write_text("", encoding="utf-8")
    (tmp_path / "results/.old").mkdir()
    (tmp_path / "results/.old/table.csv").write_text("", encoding="utf-8")
    assert hidden(tmp_path) == ["results/.old/table.csv", "data/interim/a/.old.sum"]
