"""A user's own table: its columns are found, whatever it calls them and however it is separated."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.columns import find_columns
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.support import cases
from tests.unit.benchmarks.readers import samples as s

GOOD = {"question": "x", "options": "[5, 6]", "answer": "5", "depth": 2}


@pytest.mark.parametrize(
    ("mark", "ending"), [(",", "csv"), (";", "csv"), ("\t", "csv"), ("\t", "tsv")]
)
def test_any_usual_separator_is_recognised(tmp_path: Path, mark: str, ending: str) -> None:
    lines = "Passage,Question,A,B,C,Answer", "All owls hoot.,Who hoots?,owls,cats,no one,A"
    (record,) = s.quiz(
        tmp_path, *(line.replace(",", mark) for line in lines), called=f"quiz.{ending}"
    )
    assert (record.context, record.question) == ("All owls hoot.", "Who hoots?")
    assert (record.options, record.answer) == (("owls", "cats", "no one"), 0)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (("question,option_1,option_2,answer", "q,yes,no,2"), [1]),
        (("stem,optionA,optionB,label", "q,yes,no,b"), [1]),
        (("query,choices,gold", "q,yes|no|maybe,(C)"), [2]),
        (("question,choices,answer", 'q,"[""yes"", ""no""]",no'), [1]),
        (("question,choices,answer", "q,\"['yes', 'no']\",0"), [0]),
        (("hypothesis,ending0,ending1,correct", "q,yes,no,1"), [1]),
        (("prompt,A,B,answer", "q,10,20,10"), [0]),
        # Numbers count from one if the file shows it.
        (("question,options,answer", "q,a|b|c,1", "r,a|b|c,3"), [0, 2]),
        (("question,options,answer", "q,a|b|c,0", "r,a|b|c,2"), [0, 2]),
        (
            [
                {"question": f"q{number}", "options": ["a", "b"], "answer": number}
                for number in (1, 2)
            ],
            [0, 1],
        ),
    ],
)
def test_letters_numbers_and_texts_are_answers(
    tmp_path: Path, rows: list[Any], expected: list[int]
) -> None:
    assert [record.answer for record in s.quiz(tmp_path, *rows)] == expected


def test_questions_of_one_table_may_have_two_to_ten_options(tmp_path: Path) -> None:
    ten = "q," + ",".join(f"o{n}" for n in range(10)) + ",J"
    short = "r,yes,no" + "," * 8 + ",B", "s,yes" + "," * 9 + ",A"
    records = s.quiz(tmp_path, "question," + ",".join("ABCDEFGHIJ") + ",answer", ten, *short)
    assert [(len(record.options), record.answer) for record in records] == [(10, 9), (2, 1)]


def test_choices_of_json_lines_may_carry_their_own_labels(tmp_path: Path) -> None:
    choices = {"text": ["wood", "iron"], "label": ["1", "2"]}
    (record,) = s.quiz(
        tmp_path, {"id": 7, "question": "x", "choices": choices, "answerKey": "2", "extra": 5}
    )
    assert (record.id, record.options, record.answer) == ("7", ("wood", "iron"), 1)
    assert record.metadata == {"extra": 5}


@pytest.mark.parametrize(("row", "context", "answer", "metadata"), cases(__file__, "objects"))
def test_nothing_of_a_json_object_with_options_in_a_list_is_lost(
    tmp_path: Path, row: dict[str, Any], context: str, answer: int, metadata: dict[str, Any]
) -> None:
    (record,) = s.quiz(tmp_path, row)
    assert (record.question, record.context, record.answer) == ("x", context, answer)
    assert record.metadata == metadata


def test_the_answer_of_a_record_of_this_workflow_is_its_index(tmp_path: Path) -> None:
    record = Record("i", "quiz", "test", "", "x", ("1", "2"), 1, metadata={"a": 1})
    assert s.quiz(tmp_path, record.to_json()) == [record]


@pytest.mark.parametrize(
    "change", [{"depth": "9" * 400}, {"answer": "9" * 400}, {"options": "[" + "-" * 100_000 + "1]"}]
)
def test_a_number_or_a_nesting_without_end_costs_its_row_only(
    tmp_path: Path, change: dict[str, str]
) -> None:
    (record,) = s.quiz(tmp_path, GOOD | change, GOOD)
    assert (record.options, record.answer, record.depth) == (("5", "6"), 0, 2)


def test_a_parquet_file_is_a_table(tmp_path: Path) -> None:
    row = {"question": "Who hoots?", "choices": ["owls", "cats"], "answer": 0}
    (record,) = s.imported(s.parquet(tmp_path / "quiz.parquet", row))
    assert (record.question, record.options, record.answer) == ("Who hoots?", ("owls", "cats"), 0)
    with pytest.raises(DivLogicError, match=r"broken\.parquet"):
        s.quiz(tmp_path, "no parquet", called="broken.parquet")


def test_columns_that_cannot_be_told_are_named_with_those_that_are_needed(tmp_path: Path) -> None:
    needed = "the columns are frage, antworten.*question, stem.*A, B, C"
    with pytest.raises(DivLogicError, match=needed) as caught:
        s.quiz(tmp_path, "frage,antworten", "wer?,a|b")
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize("name", ["divlogiceval", "reclor", "wikipedia", "justlogic_generated"])
def test_a_name_that_the_tables_know_is_refused(tmp_path: Path, name: str) -> None:
    rows = "question,options,answer", "q,a|b,a"
    with pytest.raises(DivLogicError, match=f"the name '{name}' belongs to"):
        s.quiz(tmp_path, *rows, name=name)
    with pytest.raises(DivLogicError, match="choose another with --name"):
        s.quiz(tmp_path, *rows, called=f"{name}.csv")


@pytest.mark.parametrize("suffix", ["xls", "ods"])
def test_a_spreadsheet_of_another_form_is_refused_with_the_way_out(
    tmp_path: Path, suffix: str
) -> None:
    with pytest.raises(DivLogicError, match="save it as xlsx or csv"):
        s.quiz(tmp_path, "PK", called=f"quiz.{suffix}")


def test_a_table_of_a_hundred_thousand_columns_is_refused_at_once(tmp_path: Path) -> None:
    wide = ",".join(f"c{number}" for number in range(100_000))
    with pytest.raises(DivLogicError, match="100,000 columns"):
        s.quiz(tmp_path, wide, wide, format="csv")


def test_days_numbers_and_missing_cells_of_a_parquet_file_are_read(tmp_path: Path) -> None:
    row = {
        "question": "When?",
        "A": datetime.date(2024, 1, 5),
        "B": datetime.date(2024, 2, 5),
        "answer": "B",
        "when": datetime.datetime(2024, 1, 5, 12, 30),
        "share": Decimal("0.5"),
        "raw": b"abc",
        "lacking": float("nan"),
    }
    (record,) = s.imported(s.parquet(tmp_path / "quiz.parquet", row))
    assert (record.options, record.answer) == (("2024-01-05", "2024-02-05"), 1)
    assert record.metadata == {"when": "2024-01-05T12:30:00", "share": 0.5, "raw": "abc"}


def test_a_column_may_be_a_passage_where_there_is_no_other_question() -> None:
    found = find_columns(["text", "A", "B", "label"])
    assert found is not None and found.fields == {"question": "text", "answer": "label"}
