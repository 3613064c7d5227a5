"""Recorded answers of models: what is written reads back, and counts only for the very questions that were asked."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings import model_answers
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import ClosedQuestion
from tests.unit.evaluation.samples import rotations

Rows, Answers = Sequence[ClosedQuestion], Sequence[Prediction]
ROWS = rotations()


def answer(row: ClosedQuestion, letter: str | None, text: str) -> Prediction:
    scores = {"A": -0.5, "C": -1.25} if letter == "A" else None
    named = (row.benchmark, "Kettle", row.prompt, row.instance, row.gold, letter)
    return Prediction(*named, rotation=row.rotation, answer=text, logprobs=scores)


SAID = [("A", "Answer: A"), ("B", "B"), (None, "I cannot say"), ("D", "D")] * 3
ANSWERS = [answer(row, *said) for row, said in zip(ROWS, SAID, strict=True)]
ANSWERS[6] = replace(ANSWERS[6], answer="")


def write(
    folder: Path,
    rows: Rows = ROWS,
    answers: Answers = ANSWERS,
    kind: str = "rotations",
    label: str = "Kettle",
) -> list[model_answers.RecordedTable]:
    given = model_answers.RecordOptions((folder.with_name(f"{folder.name}-answers.jsonl"),), label, folder)
    write_predictions(given.predictions[0], answers)
    models = [ModelParameters(name="kettle/small", label=label)]
    model_answers.record(given, kind, lambda _: rows, models, SamplingParameters())
    return [table for table in model_answers.read_manifest(folder).tables if table.kind == kind]


def read(folder: Path, rows: Rows = ROWS, kind: str = "rotations") -> tuple[list[Prediction], list[Report]]:
    out, report = (folder.with_name(f"{folder.name}-{name}") for name in ("read.jsonl", "report.json"))
    model_answers.recorded(model_answers.RecordedOptions(out, report, (folder,)), kind, lambda _: rows)
    return list(read_predictions(out)), [Report(**row) for row in read_json(report)]


def test_what_is_recorded_reads_back(tmp_path: Path) -> None:
    (table,) = write(tmp_path)
    assert (table.name, table.rows) == (f"rotations-{ROWS[0].benchmark}-zero_shot.csv.gz", 12)
    found, (report,) = read(tmp_path)
    assert report.error == "" and report.rows == 12
    assert {prediction.model for prediction in found} == {"Kettle (recorded)"}
    kept = [(p.instance, p.rotation, p.gold, p.predicted, p.logprobs, p.answered) for p in found]
    assert kept == [(p.instance, p.rotation, p.gold, p.predicted, p.logprobs, p.answered) for p in ANSWERS]


def test_neither_questions_nor_answers_in_words_are_kept(tmp_path: Path) -> None:
    write(tmp_path)
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        assert "cannot say" not in text
        assert ROWS[0].input.splitlines()[-1][3:] not in text
    assert not list(tmp_path.glob(".*"))


def test_the_same_answers_make_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a")
    write(tmp_path / "b", answers=ANSWERS[::-1])
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


@pytest.mark.parametrize("changed", ["input", "gold", "instance", "rotation"])
def test_answers_to_other_questions_are_left_out_and_the_note_says_so(tmp_path: Path, changed: str) -> None:
    write(tmp_path)
    last = ROWS[-1]
    others = {
        "input": replace(last, input=last.input + " "),
        "gold": replace(last, gold="A" if last.gold != "A" else "B"),
        "instance": replace(last, instance="another"),
        "rotation": replace(last, rotation=0, instance="another"),
    }
    found, (report,) = read(tmp_path, [*ROWS[:-1], others[changed]])
    assert found == []
    assert model_answers.ANOTHER_VERSION in report.sentence() and "is left out" in report.sentence()


def test_further_questions_do_not_touch_what_was_answered(tmp_path: Path) -> None:
    write(tmp_path, ROWS[:8])
    found, _ = read(tmp_path)
    assert len(found) == 8


def test_a_table_that_was_edited_is_left_out(tmp_path: Path) -> None:
    (table,) = write(tmp_path)
    path = tmp_path / table.name
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()).replace(b",B", b",A")))
    found, (report,) = read(tmp_path)
    assert found == [] and "not the one of its manifest" in report.sentence()


def test_a_style_that_the_run_does_not_have_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path)
    assert read(tmp_path, []) == ([], [])
    assert read(tmp_path, kind="justlogic") == ([], [])


def test_recording_one_kind_again_keeps_the_others(tmp_path: Path) -> None:
    write(tmp_path, kind="justlogic")
    write(tmp_path)
    shorter = [replace(row, prompt="three_shot") for row in ROWS]
    write(tmp_path, shorter, [replace(answer, prompt="three_shot") for answer in ANSWERS])
    tables = model_answers.read_manifest(tmp_path).tables
    assert [(t.kind, t.prompt) for t in tables] == [("justlogic", "zero_shot"), ("rotations", "three_shot")]
    assert {path.name for path in tmp_path.glob("*.gz")} == {table.name for table in tables}


def test_nothing_to_record_is_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="no answer of 'Kettle'"):
        write(tmp_path, answers=[replace(answer, model="Toaster") for answer in ANSWERS])


def test_the_folder_of_another_model_is_not_written_over(tmp_path: Path) -> None:
    write(tmp_path)
    others = [replace(answer, model="Toaster") for answer in ANSWERS]
    with pytest.raises(DivLogicError, match="holds the answers of 'Kettle'"):
        write(tmp_path, answers=others, label="Toaster")
    assert len(read(tmp_path)[0]) == 12


def test_a_broken_manifest_is_told(tmp_path: Path) -> None:
    (tmp_path / "MANIFEST.json").write_text(json.dumps({"tables": []}), encoding="utf-8")
    with pytest.raises(DivLogicError, match="not a manifest of recorded answers"):
        read(tmp_path)


def test_the_digest_depends_on_the_order_of_the_questions() -> None:
    assert model_answers.questions_digest(ROWS) != model_answers.questions_digest(ROWS[::-1])
