"""A user's own table: its columns are found, whatever it calls them and however it is separated."""

from __future__ import annotations

import datetime
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.columns import find_columns
from divlogic.errors import DivLogicError
from divlogic.records import Record
from tests.support import cases
from tests.unit.benchmarks.readers.samples import imported


def table(folder: Path, text: str, name: str = "quiz.csv") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_any_usual_separator_is_recognised(tmp_path: Path, mark: str) -> None:
    lines = [
        ["Passage", "Question", "A", "B", "C", "Answer"],
        ["All owls hoot.", "Who hoots?", "owls", "cats", "no one", "A"],
    ]
    path = table(
        tmp_path, "\n".join(mark.join(line) for line in lines), "quiz.tsv" if mark == "\t" else "quiz.csv"
    )
    (record,) = imported(path)
    assert (record.context, record.question) == ("All owls hoot.", "Who hoots?")
    assert (record.options, record.answer) == (("owls", "cats", "no one"), 0)


@pytest.mark.parametrize(
    ("head", "cells", "expected"),
    [
        ("question,option_1,option_2,answer", "q,yes,no,2", 1),
        ("stem,optionA,optionB,label", "q,yes,no,b", 1),
        ("query,choices,gold", "q,yes|no|maybe,(C)", 2),
        ("question,choices,answer", 'q,"[""yes"", ""no""]",no', 1),
        ("question,choices,answer", "q,\"['yes', 'no']\",0", 0),
        ("hypothesis,ending0,ending1,correct", "q,yes,no,1", 1),
        ("prompt,A,B,answer", "q,10,20,10", 0),
    ],
)
def test_letters_numbers_and_texts_are_answers(tmp_path: Path, head: str, cells: str, expected: int) -> None:
    (record,) = imported(table(tmp_path, f"{head}\n{cells}\n"))
    assert record.answer == expected


def test_numbers_count_from_one_if_the_file_shows_it(tmp_path: Path) -> None:
    from_one = imported(table(tmp_path, "question,options,answer\nq,a|b|c,1\nr,a|b|c,3\n"))
    assert [record.answer for record in from_one] == [0, 2]
    from_zero = imported(table(tmp_path, "question,options,answer\nq,a|b|c,0\nr,a|b|c,2\n", "zero.csv"))
    assert [record.answer for record in from_zero] == [0, 2]


def test_questions_of_one_table_may_have_two_to_ten_options(tmp_path: Path) -> None:
    head = "question," + ",".join("ABCDEFGHIJ") + ",answer\n"
    ten = "q," + ",".join(f"o{n}" for n in range(10)) + ",J\n"
    two = "r,yes,no" + "," * 8 + ",B\n"
    one = "s,yes" + "," * 9 + ",A\n"
    records = imported(table(tmp_path, head + ten + two + one))
    assert [(len(record.options), record.answer) for record in records] == [(10, 9), (2, 1)]


def test_choices_of_json_lines_may_carry_their_own_labels(tmp_path: Path) -> None:
    choices = {"text": ["wood", "iron"], "label": ["1", "2"]}
    row = {"id": 7, "question": {"stem": "x"}["stem"], "choices": choices, "answerKey": "2", "extra": 5}
    path = table(tmp_path, json.dumps(row), "quiz.jsonl")
    (record,) = imported(path)
    assert (record.id, record.options, record.answer) == ("7", ("wood", "iron"), 1)
    assert record.metadata == {"extra": 5}


@pytest.mark.parametrize(("row", "context", "answer", "metadata"), cases(__file__, "objects"))
def test_nothing_of_a_json_object_with_options_in_a_list_is_lost(
    tmp_path: Path, row: dict[str, Any], context: str, answer: int, metadata: dict[str, Any]
) -> None:
    (record,) = imported(table(tmp_path, json.dumps(row), "quiz.jsonl"))
    assert (record.question, record.context, record.answer) == ("x", context, answer)
    assert record.metadata == metadata


def test_numbers_of_json_lines_count_from_one_if_the_file_shows_it(tmp_path: Path) -> None:
    rows = [{"question": f"q{number}", "options": ["wood", "iron"], "answer": number} for number in (1, 2)]
    assert [
        record.answer for record in imported(table(tmp_path, "\n".join(map(json.dumps, rows)), "quiz.jsonl"))
    ] == [0, 1]


def test_the_answer_of_a_record_of_this_workflow_is_its_index(tmp_path: Path) -> None:
    record = Record("i", "quiz", "test", "", "x", ("1", "2"), 1, metadata={"a": 1})
    assert imported(table(tmp_path, json.dumps(record.to_json()), "quiz.jsonl")) == [record]


@pytest.mark.parametrize("field", ["depth", "answer"])
def test_a_number_of_four_hundred_digits_costs_its_row_only(tmp_path: Path, field: str) -> None:
    good = {"question": "x", "A": "wood", "B": "iron", "answer": "A", "depth": 2}
    path = table(tmp_path, "\n".join(map(json.dumps, (good | {field: "9" * 400}, good))), "quiz.jsonl")
    assert [record.depth for record in imported(path)] == [2]


def test_options_nested_without_end_cost_their_row_only(tmp_path: Path) -> None:
    good = {"question": "x", "options": "[1, 2]", "answer": "1"}
    bad = good | {"options": "[" + "-" * 100_000 + "1]"}
    (record,) = imported(table(tmp_path, "\n".join(map(json.dumps, (bad, good))), "quiz.jsonl"))
    assert record.options == ("1", "2")


def test_a_parquet_file_is_a_table(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"question": "Who hoots?", "choices": ["owls", "cats"], "answer": 0}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "quiz.parquet")
    (record,) = imported(tmp_path / "quiz.parquet")
    assert (record.question, record.options, record.answer) == ("Who hoots?", ("owls", "cats"), 0)
    (tmp_path / "broken.parquet").write_bytes(b"no parquet")
    with pytest.raises(DivLogicError, match=r"broken\.parquet"):
        imported(tmp_path / "broken.parquet")


def test_columns_that_cannot_be_told_are_named_with_those_that_are_needed(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError) as caught:
        imported(table(tmp_path, "frage,antworten\nwer?,a|b\n"))
    said = str(caught.value)
    assert "the columns are frage, antworten" in said and "question, stem" in said and "A, B, C" in said
    assert len(said) < 700


@pytest.mark.parametrize("name", ["divlogiceval", "reclor", "wikipedia", "justlogic_generated"])
def test_a_name_that_the_tables_know_is_refused(tmp_path: Path, name: str) -> None:
    path = table(tmp_path, "question,options,answer\nq,a|b,a\n")
    with pytest.raises(DivLogicError, match=f"the name '{name}' belongs to"):
        imported(path, name=name)
    with pytest.raises(DivLogicError, match="choose another with --name"):
        imported(table(tmp_path, path.read_text(encoding="utf-8"), f"{name}.csv"))


@pytest.mark.parametrize("suffix", ["xls", "ods"])
def test_a_spreadsheet_of_another_form_is_refused_with_the_way_out(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"quiz.{suffix}").write_bytes(b"PK")
    with pytest.raises(DivLogicError, match="save it as xlsx or csv"):
        imported(tmp_path / f"quiz.{suffix}")


def test_a_table_of_a_hundred_thousand_columns_is_refused_at_once(tmp_path: Path) -> None:
    wide = ",".join(f"c{number}" for number in range(100_000))
    with pytest.raises(DivLogicError, match="100,000 columns"):
        imported(table(tmp_path, f"{wide}\n{wide}\n"), format="csv")


def test_days_numbers_and_missing_cells_of_a_parquet_file_are_read(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

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
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "quiz.parquet")
    (record,) = imported(tmp_path / "quiz.parquet")
    assert (record.options, record.answer) == (("2024-01-05", "2024-02-05"), 1)
    assert record.metadata == {"when": "2024-01-05T12:30:00", "share": 0.5, "raw": "abc"}


def test_a_column_may_be_a_passage_where_there_is_no_other_question() -> None:
    found = find_columns(["text", "A", "B", "label"])
    assert found is not None and found.fields == {"question": "text", "answer": "label"}
