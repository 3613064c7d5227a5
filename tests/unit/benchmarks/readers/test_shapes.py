"""Data sets of shapes that are common elsewhere, and what an import says of their columns."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner

from divlogic.benchmarks.cli import cli
from divlogic.errors import DivLogicError
from tests.unit.benchmarks.readers.samples import imported


def lines(folder: Path, *rows: object, name: str = "set.jsonl") -> Path:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / name


def test_questions_of_truth_have_the_options_true_and_false(tmp_path: Path) -> None:
    rows = [{"passage": "Owls hoot.", "question": "do owls hoot", "answer": hoots} for hoots in (True, False)]
    records = imported(lines(tmp_path, *rows))
    assert [(one.context, one.options, one.answer) for one in records] == [
        ("Owls hoot.", ("True", "False"), 0),
        ("Owls hoot.", ("True", "False"), 1),
    ]


def test_labels_that_are_0_and_1_are_false_and_true_and_of_pairs_entailment_and_not(tmp_path: Path) -> None:
    rows = [{"passage": "Owls hoot.", "question": "do owls hoot", "label": label} for label in (0, 1)]
    assert [one.options[one.answer or 0] for one in imported(lines(tmp_path, *rows))] == ["False", "True"]
    rows = [{"premise": "Owls hoot.", "hypothesis": "Birds call.", "label": label} for label in (0, 1)]
    pairs = imported(lines(tmp_path, *rows, name="pairs.jsonl"))
    assert [one.options[one.answer or 0] for one in pairs] == ["entailment", "not_entailment"]


@pytest.mark.parametrize(
    "names", [("premise", "hypothesis", "label"), ("sentence1", "sentence2", "gold_label")]
)
@pytest.mark.parametrize("labels", [("entailment", "neutral", "contradiction", "-"), (0, 1, 2, -1)])
def test_sentence_pairs_have_their_labels_as_options(
    tmp_path: Path, names: tuple[str, ...], labels: tuple[object, ...]
) -> None:
    rows = [dict(zip(names, ("An owl hoots.", "A bird calls.", label), strict=True)) for label in labels]
    records = imported(lines(tmp_path, *rows))
    assert [one.answer for one in records] == [0, 1, 2, None]
    assert (records[0].context, records[0].question) == ("An owl hoots.", "A bird calls.")
    assert records[0].options == ("entailment", "neutral", "contradiction")


def test_nested_questions_and_targets_are_read(tmp_path: Path) -> None:
    choices = [{"label": "A", "text": "barn"}, {"label": "B", "text": "sea"}]
    nested = {"id": "1", "question": {"stem": "Where is an owl?", "choices": choices}, "answerKey": "A"}
    (record,) = imported(lines(tmp_path, nested))
    assert (record.question, record.options, record.answer) == ("Where is an owl?", ("barn", "sea"), 0)
    target = {"question": "What do owls do?", "mc1_targets": {"choices": ["swim", "hoot"], "labels": [0, 1]}}
    (record,) = imported(lines(tmp_path, target, name="truth.jsonl"))
    assert (record.options, record.answer) == (("swim", "hoot"), 1)
    target = {"question": "What do owls do?", "mc1_targets": {"swim": 0, "hoot": 1}, "mc2_targets": {}}
    (record,) = imported(lines(tmp_path, target, name="plain.jsonl"))
    assert (record.options, record.answer, record.metadata) == (("swim", "hoot"), 1, {})
    ending = {"ctx": "The owl opens its wings.", "endings": ["It flies.", "It reads."], "label": "0"}
    (record,) = imported(lines(tmp_path, ending, name="ends.jsonl"))
    assert (record.question, record.answer) == ("The owl opens its wings.", 0)


def test_a_document_may_hold_its_rows_under_examples(tmp_path: Path) -> None:
    path = tmp_path / "task.json"
    listed = "Which one hoots?\nOptions:\n(A) an owl\n(B) a cat"
    path.write_text(
        json.dumps({"canary": "x", "examples": [{"input": listed, "target": "(A)"}]}), encoding="utf-8"
    )
    (record,) = imported(path)
    assert (record.question, record.options, record.answer) == ("Which one hoots?", ("an owl", "a cat"), 0)


def test_a_table_of_questions_may_lack_a_header(tmp_path: Path) -> None:
    path = tmp_path / "test.csv"
    path.write_text("What hoots?,owl,cat,dog,fish,A\nWhat swims?,owl,cat,dog,fish,D\n", encoding="utf-8")
    assert [(one.question, one.answer) for one in imported(path)] == [("What hoots?", 0), ("What swims?", 3)]


def test_a_folder_saved_by_datasets_is_read(tmp_path: Path) -> None:
    table = pa.table({"question": ["What hoots?"], "choices": [["owl", "cat"]], "answer": [0]})
    for name in ("saved", "both/train", "both/validation"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        with (
            pa.OSFile(str(folder / "data-00000-of-00001.arrow"), "wb") as sink,
            pa.ipc.new_stream(sink, table.schema) as out,
        ):
            out.write_table(table)
    (record,) = imported(tmp_path / "saved")
    assert (record.options, record.answer, record.split) == (("owl", "cat"), 0, "test")
    records = imported(tmp_path / "both")
    assert [one.split for one in records] == ["train", "validation"]
    assert len({one.id for one in records}) == 2


def test_the_encoding_of_a_spreadsheet_is_recognised(tmp_path: Path) -> None:
    for encoding in ("cp1252", "utf-16"):
        path = tmp_path / f"{encoding}.csv"
        path.write_bytes("Question;A;B;Answer\nWäre das möglich – oder?;ja;nein;A\n".encode(encoding))
        assert [one.question for one in imported(path)] == ["Wäre das möglich – oder?"]


def test_a_column_that_may_be_a_context_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("ID;Kontext;Question;A;B;Answer;Note\n1;Owls hoot.;Who?;owl;cat;A;x\n", encoding="utf-8")
    with pytest.raises(
        DivLogicError, match=r"the column 'Kontext' may hold the contexts.*--columns context=Kontext"
    ):
        imported(path)
    (record,) = imported(path, columns={"context": "Kontext"})
    assert (record.context, record.metadata) == ("Owls hoot.", {"Note": "x"})
    (record,) = imported(path, columns={"context": "none"})
    assert (record.context, record.metadata) == ("", {"Kontext": "Owls hoot.", "Note": "x"})
    with pytest.raises(DivLogicError, match="there is no column 'Kontxt'"):
        imported(path, columns={"context": "Kontxt"})


def test_the_import_says_which_column_became_what(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("Question,A,B,C,Answer,Source\nWho?,owl,cat,dog,A,book\n", encoding="utf-8")
    said = CliRunner().invoke(cli, ["import", str(path), "--out", str(tmp_path / "out.jsonl")]).output
    assert (
        "columns: question ← Question, answer ← Answer, options ← A … C; context: none; metadata: Source"
        in said
    )


def test_an_empty_file_and_a_bare_header_are_called_so(tmp_path: Path) -> None:
    for text, told in (("", "the file is empty"), ("question,A,B,answer\n", "a header alone is none")):
        (tmp_path / "set.csv").write_text(text, encoding="utf-8")
        with pytest.raises(DivLogicError, match=told):
            imported(tmp_path / "set.csv")


def test_questions_with_free_answers_are_refused_with_the_reason(tmp_path: Path) -> None:
    rows = [
        {"question": f"How many owls are {n} owls?", "answer": f"There are {n}. #### {n}"} for n in range(12)
    ]
    with pytest.raises(DivLogicError, match="have no options, and the column 'answer' holds free answers"):
        imported(lines(tmp_path, *rows))
