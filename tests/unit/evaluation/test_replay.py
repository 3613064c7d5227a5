"""Answers that somebody else recorded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.predictions import answers_of, read_answers, write_predictions
from divlogic.evaluation.replay import read_ilogiceval
from divlogic.evaluation.scoring import in_preset, score_all
from divlogic.models.label_recordings import read_justlogic
from divlogic.models.labels import fold_label, label_score

RECORDED = """\
0 C C Answer: C True
0 B B Answer: B. The kettle sings. True
0 A D Answer: D True
0 D N I would rather not say. False
1 A A Answer: A True
1 D D Answer: D True
1 C C Answer: C True
1 B B Answer: B True"""


def recorded(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "recorded.txt"
    path.write_text(text, encoding="utf-8")
    return path


def ilogiceval(path: Path, notes: list[str] | None = None) -> list:
    return list(
        read_ilogiceval(path, model="m", prompt="zero_shot", note=(notes if notes is not None else []).append)
    )


def test_recorded_letters_are_turned_back_to_option_contents(tmp_path: Path) -> None:
    (answers,) = answers_of(ilogiceval(recorded(tmp_path, RECORDED))).values()
    assert answers.picks.tolist() == [[2, 2, 1, -1], [0, 0, 0, 0]]
    assert answers.correct.tolist() == [[True, True, False, False], [True] * 4]


def test_predictions_survive_being_written_and_read(tmp_path: Path) -> None:
    predictions = ilogiceval(recorded(tmp_path, RECORDED))
    assert write_predictions(tmp_path / "predictions.jsonl", predictions) == 8
    (read,) = read_answers([tmp_path / "predictions.jsonl"]).values()
    (direct,) = answers_of(predictions).values()
    assert (read.picks == direct.picks).all()
    assert (read.correct == direct.correct).all()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the file is empty"),
        ("0 C C Answer: C True\n0 B B Answer: B True", "has 2 of 4 rotations"),
        (RECORDED.replace("0 A D Answer", "0 A Answer"), "row 3: expected 'instance gold"),
        (RECORDED + "\n1 A A Answer: A True", "row 9: a fifth rotation of instance 1"),
    ],
)
def test_a_broken_recording_is_named_by_its_row(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        ilogiceval(recorded(tmp_path, text))


def test_gold_letters_that_contradict_each_other_are_reported(tmp_path: Path) -> None:
    notes: list[str] = []
    ilogiceval(recorded(tmp_path, RECORDED.replace("0 B B", "0 A B")), notes)
    assert len(notes) == 1
    assert "instance 0 name 2 different options" in notes[0]


def test_the_same_rotation_twice_is_refused(tmp_path: Path) -> None:
    predictions = ilogiceval(recorded(tmp_path, RECORDED))
    with pytest.raises(DivLogicError, match="comes 2 times"):
        answers_of([*predictions, predictions[3]])


def test_an_unanswered_rotation_counts_as_wrong_and_is_counted(tmp_path: Path) -> None:
    (answers,) = answers_of(ilogiceval(recorded(tmp_path, RECORDED))[:-1]).values()
    assert answers.missing == 1
    assert not answers.correct[1].all()


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ('{"model": "m"}', "the field 'benchmark' is missing"),
        ('"text"', "instead of an object"),
        (
            '{"benchmark":"b","model":"m","prompt":"p","run":0,"instance":"1","rotation":4,"question_type":"",'
            '"gold":"A","predicted":"B"}',
            "the rotation 4 is not",
        ),
        (
            '{"benchmark":"b","model":"m","prompt":"p","run":0,"instance":"1","rotation":0,"question_type":"",'
            '"gold":"F","predicted":"B"}',
            "'F' is none of the letters",
        ),
        (
            '{"benchmark":"b","model":null,"prompt":"p","run":0,"instance":"1","rotation":0,"question_type":"",'
            '"gold":"A","predicted":"B"}',
            "row 1: .*'model' or 'prompt' is not a string",
        ),
        (
            '{"benchmark":"b","model":"m","prompt":"p","run":0,"instance":"1","rotation":0,"question_type":[],'
            '"gold":"A","predicted":"B"}',
            "row 1: the field 'question_type' is not a string",
        ),
        ("", "no predictions in it"),
    ],
)
def test_a_broken_prediction_row_is_named(tmp_path: Path, row: str, sentence: str) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text(row and row + "\n", encoding="utf-8")
    with pytest.raises(DivLogicError, match=sentence):
        read_answers([path])


JUSTLOGIC = """\
id,question,label,predicted
1,"Do kettles sing, or
do they hum?",TRUE,The statement is True.
2,Do kettles hum?,FALSE,
3,Do kettles fly?,Uncertain,UNCERTAIN
4,Do kettles walk?,False,true or false
"""


def test_published_drops_unanswered_rows_and_corrected_counts_them(tmp_path: Path) -> None:
    rows = list(read_justlogic(recorded(tmp_path, JUSTLOGIC)))
    published = label_score(rows, preset="as_published", seed=1)
    corrected = label_score(rows, preset="corrected", seed=1)
    assert (published.correct, published.rows) == (2, 3)
    assert (corrected.correct, corrected.rows) == (2, 4)
    assert corrected.random_probability == pytest.approx(1 / 3)
    assert corrected.delta.value == pytest.approx(1 / 2 - 1 / 3)


def test_labels_of_other_benchmarks_must_match_whole(tmp_path: Path) -> None:
    text = "id,label,predicted\n1,niece,Niece\n2,son,grandson\n3,father,father-in-law\n"
    rows = list(read_justlogic(recorded(tmp_path, text)))
    score = label_score(rows, preset="as_published", seed=1, random_probability=1 / 16)
    assert score.correct == 1
    assert score.random_probability == 1 / 16


def test_a_latin_1_recording_is_read(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("id,question,label,predicted\n1,Is a café open?,True,True\n".encode("iso-8859-1"))
    assert [row.said for row in read_justlogic(path)] == ["True"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("id,label\n1,True\n", "the column 'predicted' is missing"),
        ("id,label,predicted\n", "no rows below the header"),
        ("id,label,predicted\n1,,True\n", "row 1: no label"),
    ],
)
def test_a_broken_label_recording_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        list(read_justlogic(recorded(tmp_path, text)))


def test_a_label_is_folded_by_what_it_contains() -> None:
    assert fold_label("FALSE.") == "false"
    assert fold_label("It is Uncertain") == "uncertain"
    assert fold_label("true, not false") is None


MIRROR = os.environ.get("DIVLOGIC_MIRROR")


@pytest.mark.mirror
@pytest.mark.skipif(not MIRROR, reason="needs the mirror (DIVLOGIC_MIRROR)")
def test_recorded_chatgpt_answers_give_the_reference_scores() -> None:
    path = Path(MIRROR or "") / "recorded" / "ilogiceval" / "0-shot-chatgpt.txt"
    answers = answers_of(read_ilogiceval(path, model="ChatGPT", prompt="zero_shot", note=pytest.fail))
    scores = score_all(answers, seed=1, resamples=10)
    for preset, reference in (("as_published", (32.93, 3.13, 13.49)), ("corrected", (32.93, 3.13, 13.46))):
        found = in_preset(scores, preset)
        assert tuple(round(100 * score.estimate.value, 2) for score in found) == reference
    assert {score.instances for score in scores} == {1500}


@pytest.mark.mirror
@pytest.mark.skipif(not MIRROR, reason="needs the mirror (DIVLOGIC_MIRROR)")
@pytest.mark.parametrize(("name", "correct", "rows"), [("clutrr", 25, 300), ("logiqa", 817, 1568)])
def test_recorded_prior_knowledge_answers_give_the_reference_counts(
    name: str, correct: int, rows: int
) -> None:
    path = Path(MIRROR or "") / "recorded" / "justlogic_ci_eval" / f"ci_results_{name}.csv"
    for preset in ("as_published", "corrected"):
        score = label_score(list(read_justlogic(path)), preset=preset, seed=1)
        assert (score.correct, score.rows) == (correct, rows)
