"""People fill in sheets; what they answered comes back as a system."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.cli import group
from divlogic.evaluation.sheets import krippendorff_alpha
from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_table
from divlogic.records import Record

cli = group("evaluation")

OPTIONS = ("red", "green", "blue", "yellow")


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(cli, [*map(str, arguments), "--params", "{}"])
    return result.exit_code, f"{result.output}{result.exception or ''}"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    rows = [
        Record(f"c{n}", "colours", "test", f"Box {n}.", "Colour?", OPTIONS, n % 4) for n in range(8)
    ]
    write_jsonl(tmp_path / "colours.jsonl", [row.to_json() for row in rows])
    return tmp_path / "colours.jsonl"


def fill(sheet: Path, out: Path, choose) -> Path:
    with sheet.open(encoding="utf-8") as stream, out.open("w", encoding="utf-8") as written:
        rows = list(csv.DictReader(stream))
        writer = csv.DictWriter(
            written, ["id", "code", "answer"], delimiter=";", extrasaction="ignore"
        )
        writer.writeheader()
        for number, row in enumerate(rows):
            letters = {option[3:]: option[0] for option in row["options"].split("\n")}
            writer.writerow(row | {"answer": choose(number, row["id"], letters)})
    return out


def test_a_sheet_has_no_keys_and_what_people_answer_is_scored(records, tmp_path):
    assert run("sheet", records, "--out", tmp_path / "s")[0] == 0
    page = (tmp_path / "s/sheet.html").read_text(encoding="utf-8")
    assert page.count('type="radio"') == 32
    assert '"answer"' not in page and "http" not in page

    def right(number: int, id_: str, letters: dict[str, str]) -> str:
        return letters[OPTIONS[int(id_[1:]) % 4]]

    sheet = tmp_path / "s/sheet.csv"
    first = fill(sheet, tmp_path / "anna.csv", right)
    second = fill(
        sheet, tmp_path / "ben.csv", lambda n, *rest: ("", "Q")[n] if n < 2 else right(n, *rest)
    )
    status, said = run("read-sheets", records, first, second, "--out", tmp_path / "t")
    assert status == 0, said
    assert "ben.csv, row 2 has the answer 'Q'; the letters are A to D" in said
    (row,) = read_table(tmp_path / "t")
    assert (row["people"], row["items"], row["answers"], row["accuracy"], row["alpha"]) == (
        2,
        8,
        14,
        100,
        1,
    )
    assert row["low"] < 100


def test_a_sheet_of_another_seed_is_not_read_as_this_one(records, tmp_path):
    run("sheet", records, "--out", tmp_path / "s")
    filled = fill(tmp_path / "s/sheet.csv", tmp_path / "a.csv", lambda *_: "A")
    status, said = run(
        "read-sheets", records, filled, "--out", tmp_path / "t", "--params", '{"seed": 2}'
    )
    assert status == 1
    assert "row 1 is of another benchmark, seed or task" in said and "answer no question" in said


def test_people_say_whether_keys_hold(records, tmp_path):
    run("sheet", records, "--task", "key", "--instances", "4", "--out", tmp_path / "s")
    said = ("A", "A", "B", "a)")
    filled = fill(tmp_path / "s/sheet.csv", tmp_path / "a.csv", lambda number, *_: said[number])
    assert run("read-sheets", records, filled, "--task", "key", "--out", tmp_path / "t")[0] == 0
    assert read_table(tmp_path / "t")[0]["accuracy"] == 75


@pytest.mark.parametrize("task", ["concepts", "clarity", "faithfulness"])
def test_experts_review_what_has_no_options(task, tmp_path):
    item = {
        "id": "i1",
        "benchmark": "b",
        "split": "base",
        "context": "门开了。",
        "question": "1. 门开了吗？",
    }
    item |= {"options": [], "answer": None}
    item["formulas"] = {"premises": [{"id": "P1", "formula": "Open"}]}
    item["metadata"] = {"questions": [{"zh": "门开了吗？", "answer": "yes"}]}
    (tmp_path / "i.jsonl").write_text(json.dumps(item) + "\n", encoding="utf-8")
    run("sheet", tmp_path / "i.jsonl", "--task", task, "--out", tmp_path / "s")
    (row,) = csv.DictReader((tmp_path / "s/sheet.csv").open(encoding="utf-8"))
    assert row["passage"] == item["context"] and "门开了吗？ ▶ yes" in row["question"]
    assert ("P1: Open" in row["question"]) == (task == "faithfulness")
    filled = fill(tmp_path / "s/sheet.csv", tmp_path / "a.csv", lambda *_: "B")
    assert (
        run("read-sheets", tmp_path / "i.jsonl", filled, "--task", task, "--out", tmp_path / "t")[0]
        == 0
    )
    assert read_table(tmp_path / "t")[0]["accuracy"] == 0


def test_a_file_that_is_no_sheet_is_refused(records, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n", encoding="utf-8")
    status, said = run("read-sheets", records, tmp_path / "a.csv", "--out", tmp_path / "t")
    assert status == 1 and "has no columns 'id', 'code' and 'answer'" in said


def test_agreement_is_that_of_the_published_example():
    # Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section B: nominal data, two observers
    found = krippendorff_alpha(zip("aabbdcccedda", "babbbccceddd", strict=True))
    assert found == pytest.approx(0.692, abs=5e-4)
    assert krippendorff_alpha([["a", "a"], ["a"]]) is None
