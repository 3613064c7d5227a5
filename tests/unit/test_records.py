"""Every benchmark is read into, and written as, one record."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.models.asking import read_questions
from divlogic.records import Record, read_records, spaced_over_types

WHOLE = {
    "id": "x-1", "benchmark": "x", "split": "test", "question_type": "3c1e", "context": "Rain falls.",
    "question": "What follows?", "options": ["Rain falls.", "Snow falls."], "answer": 0, "depth": 2,
    "forms": ["modus ponens"], "formulas": {"premises": ["A"]}, "sentences": {"A": {"premise": "rain falls"}},
    "metadata": {"source": "y"},
}  # fmt: skip
NEEDED = {
    key: WHOLE[key]
    for key in ("id", "benchmark", "split", "context", "question", "options", "answer")
}


@pytest.mark.parametrize(
    "row", [WHOLE, NEEDED, WHOLE | {"answer": None}], ids=["whole", "least", "open"]
)
def test_a_record_survives_being_read_and_written(row):
    assert Record.from_json(row).to_json() == row


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": 3}, "'question' is not a string"),
        ({"options": "A"}, "'options' is not a list of strings"),
        ({"options": ["A", 2]}, "'options' is not a list of strings"),
        ({"answer": 2}, "the answer 2 is not an index of the 2 options"),
        ({"answer": True}, "'answer' is neither an index nor null"),
        ({"answer": "A"}, "'answer' is neither an index nor null"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_with_its_number(tmp_path, change, message):
    path = tmp_path / "records.jsonl"
    write_jsonl(path, [WHOLE, WHOLE | change])
    with pytest.raises(DivLogicError, match=f"row 2: .*{message}"):
        list(read_records(path))


@pytest.mark.parametrize("name", ["id", "question", "options"])
def test_a_missing_field_is_named(name):
    with pytest.raises(ValueError, match=f"'{name}' is missing"):
        Record.from_json({key: value for key, value in WHOLE.items() if key != name})


@pytest.mark.parametrize(
    "name", ["../../../../pwn", "a/b", "Lamp", "x; touch f", "a" * 65, "..", "a\n"]
)
def test_a_benchmark_whose_name_is_no_file_name_is_refused(tmp_path, name):
    write_jsonl(tmp_path / "records.jsonl", [WHOLE | {"benchmark": name}])
    with pytest.raises(DivLogicError, match=r"row 1: the benchmark .* is no name"):
        list(read_records(tmp_path / "records.jsonl"))


def test_records_are_spaced_over_question_types_and_depths_that_take_turns() -> None:
    """Every sixth instance of DivLogicEval is of one type: evenly spaced over the file, Table 5 saw 3c1e alone."""
    rows = [
        Record(
            str(n),
            "b",
            "test",
            "",
            "Which?",
            ("x", "y"),
            0,
            question_type="uvw"[n % 3],
            depth=n // 3 % 4,
        )
        for n in range(96)
    ]
    found = spaced_over_types(rows, 12)
    assert [int(record.id) for record in found] == sorted(int(record.id) for record in found)
    counts = Counter((record.question_type, record.depth) for record in found)
    assert counts == dict.fromkeys(product("uvw", range(4)), 1)
    assert spaced_over_types(rows, None) == spaced_over_types(rows, 96) == rows


def test_a_part_of_the_questions_that_models_are_asked_is_of_each_type(tmp_path: Path) -> None:
    """Of 900 instances whose types take turns, 300 evenly spaced ones were of the first type."""
    source = tmp_path / "test.jsonl"
    types, fixed = (
        ("3c1e", "3e1c", "missing_premise"),
        {"question": "Which?", "options": ["x", "y"], "answer": 0},
    )
    write_jsonl(
        source, [{"id": f"t-{n}", "question_type": types[n % 3], **fixed} for n in range(36)]
    )
    asked = read_questions(source, None, prompts=["question_only"], instances=12, seed=1)
    assert Counter(one.question_type for one in asked) == dict.fromkeys(types, 4)
