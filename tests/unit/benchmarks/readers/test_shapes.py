"""Data sets of shapes that are common elsewhere, and what an import says of their columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from click.testing import CliRunner

from divlogic.benchmarks.cli import cli
from divlogic.errors import DivLogicError
from tests.support import cases
from tests.unit.benchmarks.readers import samples as s


@pytest.mark.parametrize(("rows", "expected"), cases(__file__, "shapes"))
def test_a_usual_shape_is_read(tmp_path: Path, rows: list[Any], expected: list[list[Any]]) -> None:
    records = s.quiz(tmp_path, *rows, called="task.json" if "canary" in rows[0] else "")
    assert [
        [one.context, one.question, list(one.options), one.answer] for one in records
    ] == expected
    assert not any(one.metadata for one in records)


@pytest.mark.parametrize(
    "names", [("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label")]
)
@pytest.mark.parametrize("labels", [("entailment", "neutral", "contradiction", "-"), (0, 1, 2, -1)])
def test_sentence_pairs_have_their_labels_as_options(
    tmp_path: Path, names: tuple[str, ...], labels: tuple[object, ...]
) -> None:
    rows = [
        dict(zip(names, ("An owl hoots.", "A bird calls.", label), strict=True)) for label in labels
    ]
    records = s.quiz(tmp_path, *rows)
    assert [one.answer for one in records] == [0, 1, 2, None]
    assert (records[0].context, records[0].question) == ("An owl hoots.", "A bird calls.")
    assert records[0].options == ("entailment", "neutral", "contradiction")


def test_a_folder_saved_by_datasets_is_read(tmp_path: Path) -> None:
    table = pa.table({"question": ["What hoots?"], "choices": [["owl", "cat"]], "answer": [0]})
    for name in ("saved", "both/train", "both/validation"):
        path = tmp_path / name / "data-00000-of-00001.arrow"
        path.parent.mkdir(parents=True)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as out:
            out.write_table(table)
    (record,) = s.imported(tmp_path / "saved")
    assert (record.options, record.answer, record.split) == (("owl", "cat"), 0, "test")
    records = s.imported(tmp_path / "both")
    assert [one.split for one in records] == ["train", "validation"]
    assert len({one.id for one in records}) == 2


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_the_encoding_of_a_spreadsheet_is_recognised(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("Question;A;B;Answer\nWäre das möglich – oder?;ja;nein;A\n", encoding=encoding)
    assert [one.question for one in s.imported(path)] == ["Wäre das möglich – oder?"]


def test_a_column_that_may_be_a_context_is_asked_about(tmp_path: Path) -> None:
    rows = "ID;Kontext;Question;A;B;Answer;Note", "1;Owls hoot.;Who?;owl;cat;A;x"
    asked = r"the column 'Kontext' may hold the contexts.*--columns context=Kontext"
    with pytest.raises(DivLogicError, match=asked):
        s.quiz(tmp_path, *rows)
    (record,) = s.quiz(tmp_path, *rows, columns=("context=Kontext",))
    assert (record.context, record.metadata) == ("Owls hoot.", {"Note": "x"})
    (record,) = s.quiz(tmp_path, *rows, columns=("context=none",))
    assert (record.context, record.metadata) == ("", {"Kontext": "Owls hoot.", "Note": "x"})
    with pytest.raises(DivLogicError, match="there is no column 'Kontxt'"):
        s.quiz(tmp_path, *rows, columns=("context=Kontxt",))


def test_the_import_says_which_column_became_what(tmp_path: Path) -> None:
    path = s.lines(tmp_path / "quiz.csv", "Question,A,B,C,Answer,Source", "Who?,owl,cat,dog,A,book")
    said = (
        CliRunner().invoke(cli, ["import", str(path), "--out", str(tmp_path / "out.jsonl")]).output
    )
    columns = (
        "question ← Question, answer ← Answer, options ← A … C; context: none; metadata: Source"
    )
    assert f"columns: {columns}" in said


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((), "the file is empty"),
        (("question,A,B,answer",), "a header alone is none"),
        (
            [
                {"question": f"How many owls are {n} owls?", "answer": f"{n}. #### {n}"}
                for n in range(12)
            ],
            "have no options, and the column 'answer' holds free answers",
        ),
    ],
)
def test_a_file_without_questions_that_have_options_is_refused_with_the_reason(
    tmp_path: Path, rows: list[Any], told: str
) -> None:
    with pytest.raises(DivLogicError, match=told):
        s.imported(s.lines(tmp_path / ("set.jsonl" if len(rows) > 1 else "set.csv"), *rows))
