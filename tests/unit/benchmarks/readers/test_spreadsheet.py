"""A workbook's questions are read as those of any table, or the message says what to change in it."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from divlogic.benchmarks.readers.importing import import_records
from divlogic.errors import DivLogicError
from divlogic.io import foreign
from tests.unit.benchmarks.readers.samples import imported

HEAD = ["id", "question", "A", "B", "C", "answer"]
WHO = ["q1", "Who hoots?", "owls", "cats", "no one"]


def workbook(folder: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(folder / "quiz.xlsx")
    return folder / "quiz.xlsx"


def packed(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_questions_of_a_sheet_become_records(tmp_path: Path) -> None:
    rows: list[list[Any]] = [[*WHO, "A"], [], ["q2", "Who barks?", "cats", "dogs"]]
    first, second = imported(workbook(tmp_path, Quiz=[HEAD, *rows]))
    assert (first.id, first.options, first.answer) == ("q1", ("owls", "cats", "no one"), 0)
    assert (second.id, second.options, second.answer) == ("q2", ("cats", "dogs"), None)


def test_numbers_and_days_are_options_and_answers(tmp_path: Path) -> None:
    day = datetime.datetime(2024, 1, 5)
    rows = [
        HEAD,
        [1, "2 + 2?", 3, 4.0, 5.5, 4],
        [2, "Which?", "x", "y", "z", 3.0],
        [3, "When?", day, datetime.datetime(2024, 1, 6, 12, 30), "never", day],
        [4, 2024, True, False, None, True],
    ]
    found = imported(workbook(tmp_path, Quiz=rows))
    assert [(record.id, record.answer) for record in found[:1]] == [("1", 1)]
    assert found[0].options == ("3", "4", "5.5")
    assert (
        found[2].options == ("2024-01-05", "2024-01-06T12:30:00", "never") and found[2].answer == 0
    )
    assert (found[3].question, found[3].options, found[3].answer) == ("2024", ("True", "False"), 0)


def test_sheets_of_the_same_columns_are_read_one_after_the_other_and_notes_are_passed_over(
    tmp_path: Path,
) -> None:
    sheet: list[list[Any]] = [HEAD, [None, *WHO[1:], "A"]]
    path = workbook(tmp_path, Notes=[["Written in May", "by us"]], One=sheet, Two=sheet)
    assert [record.id for record in imported(path)] == ["quiz-One-1", "quiz-Two-1"]


def test_sheets_of_different_columns_are_named(tmp_path: Path) -> None:
    path = workbook(tmp_path, One=[HEAD, [*WHO, "A"]], Two=[["question", "choices"], ["q", "a|b"]])
    with pytest.raises(
        DivLogicError, match="'One', 'Two' all hold questions, in different columns"
    ):
        imported(path)


@pytest.mark.parametrize(
    "head",
    [
        [["A quiz"], HEAD],
        [["id", "question", "options", None, None, "answer"], [None, None, "A", "B", "C", None]],
    ],
    ids=["title", "merged"],
)
def test_a_title_or_merged_header_is_told_with_its_column(
    tmp_path: Path, head: list[list[Any]]
) -> None:
    path = workbook(tmp_path, Quiz=[*head, [*WHO, "A"]])
    with pytest.raises(DivLogicError, match=r"sheet 'Quiz', row 1: column .* unmerge merged cells"):
        imported(path)


def test_a_cell_with_an_error_costs_its_row_only(tmp_path: Path) -> None:
    path = workbook(
        tmp_path, Quiz=[HEAD, ["1", "q", "a", "#REF!", "c", "A"], ["2", "q", "a", "b", "c", "B"]]
    )
    report = import_records(path, tmp_path / "out.jsonl")
    assert (report.records, report.malformed) == (1, 1)
    assert "row 1: a cell holds the error #REF!" in report.problems


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: path.write_bytes(b"<html>Sign in</html>"), r"quiz\.xlsx"),
        (lambda path: workbook(path.parent, Empty=[]), r"quiz\.xlsx"),
        (lambda path: packed(path, {"a.txt": b"no workbook"}), "not an xlsx workbook"),
    ],
    ids=["a page", "an empty workbook", "another archive"],
)
def test_what_is_no_workbook_or_holds_nothing_is_said(
    tmp_path: Path, make: Callable[[Path], object], told: str
) -> None:
    make(tmp_path / "quiz.xlsx")
    with pytest.raises(DivLogicError, match=told):
        imported(tmp_path / "quiz.xlsx", format="csv")


def test_a_sheet_that_breaks_off_is_told(tmp_path: Path) -> None:
    with zipfile.ZipFile(workbook(tmp_path, Quiz=[HEAD, [*WHO, "A"]])) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    (sheet,) = (name for name in members if "sheet1" in name)
    packed(tmp_path / "quiz.xlsx", members | {sheet: members[sheet][: len(members[sheet]) // 2]})
    with pytest.raises(DivLogicError, match=r"quiz\.xlsx: a sheet is damaged"):
        imported(tmp_path / "quiz.xlsx", format="csv")


def test_a_workbook_that_unpacks_to_more_than_the_limit_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "BUDGET", replace(foreign.BUDGET, whole=1 << 20))
    path = packed(
        tmp_path / "quiz.xlsx", {f"xl/sheet{number}.xml": bytes(220 << 10) for number in range(5)}
    )
    with pytest.raises(DivLogicError, match="unpacked it is larger than 1 MiB"):
        imported(path, format="csv")
