"""Recorded answers of models: what is written reads back, and counts only for the very questions that were asked."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json
from divlogic.models.asking import prediction_of
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.models.recordings.model_answers import (
    ANOTHER_VERSION,
    STORE,
    RecordedOptions,
    RecordedPart,
    record_answers,
    recorded,
)
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import ClosedQuestion
from tests.unit.evaluation.samples import rotations

Rows, Answers = Sequence[ClosedQuestion], Sequence[Prediction]
ROWS = rotations()


def answer(row: ClosedQuestion, letter: str | None, text: str, prompt: str = "") -> Prediction:
    scores = {"A": -0.5, "C": -1.25} if letter == "A" else None
    asked = replace(row, prompt=prompt or row.prompt)
    return prediction_of(asked, "Kettle", letter, answer=text, logprobs=scores)


SAID = [("A", "Answer: A"), ("B", "B"), (None, "I cannot say"), ("D", "D")] * 3
ANSWERS = [answer(row, *said) for row, said in zip(ROWS, SAID, strict=True)]
ANSWERS[6] = replace(ANSWERS[6], answer="")


def write(folder: Path, answers: Answers = ANSWERS, name: str = "Kettle") -> Path:
    source = folder.with_name(f"{folder.name}-answers.jsonl")
    write_predictions(source, answers)
    record_answers((source,), name, folder)
    return folder / STORE


def read(folder: Path, rows: Rows = ROWS) -> tuple[list[Prediction], list[Report]]:
    out, report = (
        folder.with_name(f"{folder.name}-{name}") for name in ("read.jsonl", "report.json")
    )

    def questions(part: RecordedPart) -> list[ClosedQuestion]:
        own = [row for row in rows if (row.benchmark, row.prompt) == (part.benchmark, part.prompt)]
        return own if part.rotated else []

    recorded(RecordedOptions(out, report, (folder,)), questions)
    return list(read_predictions(out)), [Report(**row) for row in read_json(report)]


def test_what_is_recorded_reads_back(tmp_path: Path) -> None:
    write(tmp_path)
    found, (report,) = read(tmp_path)
    assert report.error == "" and report.rows == 12
    assert report.file == f"{tmp_path.name}: {ROWS[0].benchmark}, zero_shot"
    assert {prediction.model for prediction in found} == {"Kettle (recorded)"}
    kept = [(p.instance, p.rotation, p.gold, p.predicted, p.logprobs, p.answered) for p in found]
    assert kept == [
        (p.instance, p.rotation, p.gold, p.predicted, p.logprobs, p.answered) for p in ANSWERS
    ]


def test_neither_questions_nor_answers_in_words_are_kept(tmp_path: Path) -> None:
    text = gzip.decompress(write(tmp_path).read_bytes()).decode()
    assert "cannot say" not in text
    assert ROWS[0].input.splitlines()[-1][3:] not in text


def test_the_same_answers_make_the_same_bytes(tmp_path: Path) -> None:
    first = write(tmp_path / "a").read_bytes()
    assert write(tmp_path / "b", ANSWERS[::-1]).read_bytes() == first


def test_answers_read_back_in_the_order_of_the_questions(tmp_path: Path) -> None:
    write(tmp_path)
    found, _ = read(tmp_path, ROWS[::-1])
    places = [(row.instance, row.rotation) for row in ROWS[::-1]]
    assert [(row.instance, row.rotation) for row in found] == places


@pytest.mark.parametrize("changed", ["input", "gold", "instance", "rotation"])
def test_answers_to_other_questions_are_left_out_and_the_note_says_so(
    tmp_path: Path, changed: str
) -> None:
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
    assert ANOTHER_VERSION in report.sentence() and "is left out" in report.sentence()


def test_further_questions_do_not_touch_what_was_answered(tmp_path: Path) -> None:
    write(tmp_path, ANSWERS[:8])
    found, _ = read(tmp_path)
    assert len(found) == 8


def test_a_style_that_the_run_does_not_have_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path)
    assert read(tmp_path, []) == ([], [])


def test_questions_asked_once_each_are_none_of_the_rotations(tmp_path: Path) -> None:
    write(tmp_path, [replace(one, source="model") for one in ANSWERS])
    assert read(tmp_path) == ([], [])


def test_recording_one_style_again_keeps_the_others(tmp_path: Path) -> None:
    write(tmp_path)
    shots = [answer(row, "C", "C", "three_shot") for row in ROWS[:4]]
    write(tmp_path, shots)
    store = write(tmp_path, [answer(row, "D", "D", "three_shot") for row in ROWS[:8]])
    rows = list(read_predictions(store))
    said = {row.predicted for row in rows if row.prompt == "three_shot"}
    assert said == {"D"}
    assert [row.prompt for row in rows].count("zero_shot") == len(ROWS)
    assert len(rows) == len(ROWS) + 8


def test_of_several_runs_the_first_is_recorded(tmp_path: Path) -> None:
    store = write(tmp_path, [*ANSWERS, *(replace(one, run=1) for one in ANSWERS)])
    assert {row.run for row in read_predictions(store)} == {0}


def test_nothing_to_record_is_told_with_whose_answers_there_are(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match=r"no answer of 'Kettle' .* but of Toaster"):
        write(tmp_path, [replace(one, model="Toaster") for one in ANSWERS])


def test_answers_that_do_not_name_their_question_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="does not say which question was shown"):
        write(tmp_path, [replace(one, question="") for one in ANSWERS])
    assert not (tmp_path / STORE).exists()


def test_the_folder_of_another_model_is_not_written_over(tmp_path: Path) -> None:
    write(tmp_path)
    others = [replace(one, model="Toaster") for one in ANSWERS]
    with pytest.raises(DivLogicError, match="holds the answers of 'Kettle'"):
        write(tmp_path, others, "Toaster")
    assert len(read(tmp_path)[0]) == 12


def test_a_row_that_was_damaged_is_told(tmp_path: Path) -> None:
    store = write(tmp_path)
    text = gzip.decompress(store.read_bytes()).replace(b'"rotation":1', b'"rotation":"x"', 1)
    store.write_bytes(gzip.compress(text))
    with pytest.raises(DivLogicError, match="row 2"):
        read(tmp_path)
