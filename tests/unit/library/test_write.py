"""`divlogic create`: items, records, card and report in a folder; one sentence for what cannot be made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import divlogic
from divlogic.cli import cli
from divlogic.io import log
from divlogic.library import write


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["create", *map(str, arguments)])


def test_generate_is_another_name_of_create(tmp_path: Path) -> None:
    told = ("justlogic", "--size", "6", "--seed", "4", "--out")
    assert run(*told, tmp_path / "one", "--level", 9).exit_code == 0
    # The ninth level of JustLogic has depth 10.
    arguments = ["generate", *told, str(tmp_path / "two"), "--depth", "10"]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    names = sorted(path.name for path in (tmp_path / "two").iterdir())
    assert names == ["README.md", "items.jsonl", "records.jsonl", "z3.json"]
    for path in (tmp_path / "two").iterdir():
        assert path.read_bytes() == (tmp_path / "one" / path.name).read_bytes()


def test_a_set_is_written_with_its_records_card_and_report(tmp_path: Path) -> None:
    drawn = divlogic.create("logicnli", size=8, seed=4, level=3, noise=[2])
    told = ("logicnli", "--size", 8, "--seed", 4, "--level", 3, "--set", "noise=[2]")
    for form in ("jsonl", "parquet"):
        assert run(*told, "--format", form, "--out", tmp_path / form).exit_code == 0
        written = (tmp_path / form / "records.jsonl").read_bytes()
        assert written == b"".join(orjson.dumps(one.to_json()) + b"\n" for one in drawn.records())
        report = json.loads((tmp_path / form / "z3.json").read_text(encoding="utf-8"))
        assert report == {"instances": 8, "groups": 2, "disagreements": 0}
        assert "level 3" in (tmp_path / form / "README.md").read_text(encoding="utf-8")
    lines = (tmp_path / "jsonl/items.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == list(drawn)
    table = pq.read_table(tmp_path / "parquet/items.parquet").to_pylist()
    assert [{**row, "metadata": json.loads(row["metadata"])} for row in table] == list(drawn)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (("logicnly",), "did you mean 'logicnli'"),
        (("logicnli", "--size", 0), "0 is not in the range x>=1"),
        (("logicnli", "--seed", -1), "-1 is not in the range x>=0"),
        (("divlogiceval", "--depth", 2), "divlogiceval has no depth"),
        (("logicnli", "--depth", 3, "--level", 3), "depth: give it alone"),
        (("logicnli", "--set", "depths"), "give KEY=VALUE"),
        (("logicnli", "--set", "dephts=[2]"), "did you mean 'depths'"),
    ],
)
def test_what_cannot_be_made_is_refused_and_leaves_nothing(
    tmp_path: Path, told: tuple[object, ...], message: str
) -> None:
    found = run(*told, "--out", tmp_path / "out")
    assert found.exit_code != 0
    assert message in found.output + str(found.exception)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    assert "name a new one" in str(run("logicnli", "--size", 4, "--out", tmp_path).exception)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_depth_is_a_depth(tmp_path: Path) -> None:
    assert run("logicnli", "--size", 4, "--depth", 8, "--out", tmp_path / "x").exit_code == 0
    lines = (tmp_path / "x/records.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["depth"] for line in lines} == {8}


def test_an_empty_folder_is_filled_and_stays_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("logicnli", "--size", 4, "--out", ".").exit_code == 0
    assert sorted(path.name for path in Path().iterdir()) == [
        "README.md",
        "items.jsonl",
        "records.jsonl",
        "z3.json",
    ]


@pytest.mark.parametrize("there", [False, True])
def test_an_error_while_writing_leaves_no_half_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    def broken(*_: object) -> str:
        raise OSError("no card")

    monkeypatch.setattr(write, "_card", broken)
    if there:
        (tmp_path / "out").mkdir()
    assert isinstance(run("logicnli", "--size", 4, "--out", tmp_path / "out").exception, OSError)
    assert list(tmp_path.rglob("*")) == [tmp_path / "out"] * there


def test_what_others_write_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(items: Iterable[int], *_: object, **__: object) -> Iterator[int]:
        yield from items
        (tmp_path / "out").mkdir()
        (tmp_path / "out/mine.txt").touch()

    monkeypatch.setattr(write, "track", meanwhile)
    found = run("logicnli", "--size", 4, "--out", tmp_path / "out")
    assert "the folder is not empty" in str(found.exception)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_progress_is_told_where_there_is_no_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "_SECONDS_OF_LINES", 0.0)
    told = run("logicnli", "--size", 4, "--out", tmp_path / "out").stderr.splitlines()
    assert told[0] == "logicnli: drawing 4 items; each label is confirmed by a solver"
    assert told[1:] == [f"logicnli: items: {count} of 4" for count in (1, 2, 3, 4)]
