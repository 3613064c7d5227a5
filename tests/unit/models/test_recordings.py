"""Answers that others recorded: odd rows are counted, and an odd file is an error of its own alone."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, strategies as st

from divlogic.cli import cli
from divlogic.corpora.manifest import describe, describe_file, write_manifest
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
from divlogic.evaluation.metrics import answers_of, in_preset, read_answers, score_all
from divlogic.io.files import write_jsonl
from divlogic.models.letters import parse_answer
from divlogic.models.predictions import (
    Prediction,
    fold_label,
    label_score,
    presets_of_labels,
    read_predictions,
    write_predictions,
)
from divlogic.models.recordings import formats, reading
from divlogic.models.recordings.formats import Recording
from divlogic.models.recordings.reading import (
    Report,
    note_of,
    read_recording,
    read_recordings,
    recordings_in,
)
from tests.contract.graph import ROOT
from tests.support import MIRROR, call, cases

RECORDED = """\
0 C C Answer: C True
0 B B Answer: B. The kettle sings. True
0 A D Answer: D True
0 D N I would rather not say. False
1 A A Answer: A True
1 D D Answer: D True
1 C C Answer: C True
1 B B Answer: B True"""


def recorded(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "recorded.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def read(
    path: Path, form: str = "ilogiceval", **about: str
) -> tuple[list[Prediction], Report, list[str]]:
    """Return the predictions of one recording, what is reported of it, and the notes."""
    notes: list[str] = []
    with patch.object(formats, "say", notes.append), patch.object(reading, "say", notes.append):
        return *read_recording(Recording(str(path), form, **about)), notes


def ilogiceval(path: Path) -> list[Prediction]:
    return read(path, model="m", prompt="zero_shot")[0]


def justlogic(path: Path, model: str = "m") -> list[Prediction]:
    return read(path, "justlogic", model=model)[0]


def test_recorded_letters_are_turned_back_to_option_contents(tmp_path: Path) -> None:
    (answers,) = answers_of(ilogiceval(recorded(tmp_path, RECORDED))).values()
    assert answers.picks.tolist() == [[2, 2, 1, -1], [0, 0, 0, 0]]
    assert answers.correct.tolist() == [[True, True, False, False], [True] * 4]


def test_predictions_survive_being_written_and_read(tmp_path: Path) -> None:
    predictions = ilogiceval(recorded(tmp_path, RECORDED))
    assert write_predictions(tmp_path / "predictions.jsonl", predictions) == 8
    assert list(read_predictions(tmp_path / "predictions.jsonl")) == predictions
    (read,) = read_answers([tmp_path / "predictions.jsonl"]).values()
    (direct,) = answers_of(predictions).values()
    assert (read.picks == direct.picks).all()
    assert (read.correct == direct.correct).all()


@pytest.mark.parametrize("letter", ["c", "N", "E", "Perhaps", "¬", "None"])
def test_whatever_was_read_that_is_no_option_is_the_fifth_outcome(
    tmp_path: Path, letter: str
) -> None:
    text = RECORDED.replace("0 A D Answer: D True", f"0 A {letter} cats may or may not sing True")
    predictions = ilogiceval(recorded(tmp_path, text))
    assert [p.predicted for p in predictions[:4]] == ["C", "B", None, None]
    assert predictions[2].answered


def described(path: Path) -> str:
    return json.dumps({"file": str(path), "format": "ilogiceval", "model": path.stem, "run": 0})


def many(rows: int) -> list[str]:
    """Return the rows of a recording with four rotations per instance, all of them right."""
    return [f"{n // 4} {'DCBA'[n % 4]} {'DCBA'[n % 4]} Answer: it True" for n in range(rows)]


@given(
    st.dictionaries(
        st.integers(0, 399),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=40),
    ).filter(lambda odd: len(odd) <= 1)
)
def test_an_odd_row_never_ends_a_recording(
    tmp_path_factory: pytest.TempPathFactory, odd: dict[int, str]
) -> None:
    lines = many(400)
    for place, text in odd.items():
        lines[place] = text
    path = recorded(tmp_path_factory.mktemp("odd"), *lines)
    predictions = ilogiceval(path)
    assert len(predictions) >= 392
    whole = [p for p in predictions if int(p.instance) not in {place // 4 for place in odd}]
    assert all(p.correct for p in whole)


@pytest.mark.parametrize(
    ("place", "lines", "whole", "unreadable"),
    [
        pytest.param(
            5,
            ["1 C C Answer: C, because", "of the cats True"],
            400,
            1,
            id="an answer over two lines",
        ),
        pytest.param(7, ["what is this?"], 399, 1, id="an unreadable row"),
        pytest.param(9, [], 396, 3, id="a lost rotation, whose instance is set aside whole"),
    ],
)
def test_odd_rows_are_counted(
    tmp_path: Path, place: int, lines: list[str], whole: int, unreadable: int
) -> None:
    rows = many(400)
    rows[place : place + 1] = lines
    predictions, report, _ = read(recorded(tmp_path, *rows))
    assert (len(predictions), report.rows, report.unreadable) == (
        whole,
        whole + unreadable,
        unreadable,
    )
    assert all(p.correct for p in predictions) and (
        "2" in {p.instance for p in predictions}
    ) is bool(lines)


def test_unreadable_rows_are_named_in_the_note_and_count_as_wrong(tmp_path: Path) -> None:
    lines = many(400)
    lines[7] = "what is this?"
    predictions, _, notes = read(recorded(tmp_path, *lines))
    assert any(
        "1 of 400 rows could not be read (row 8: not 'instance gold" in note for note in notes
    )
    (answers,) = answers_of(predictions).values()
    assert answers.missing == 1 and not answers.correct[1].all()


def test_a_file_of_unreadable_rows_is_an_error(tmp_path: Path) -> None:
    lines = many(400)
    lines[:20] = ["what is this?"] * 20
    with pytest.raises(DivLogicError, match="20 of 400 rows cannot be read"):
        ilogiceval(recorded(tmp_path, *lines))


@pytest.mark.parametrize(
    "text", ["", "what is this?", "0 C C Answer: C True\n0 B B Answer: B True"]
)
def test_a_recording_without_a_usable_row_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(DivLogicError, match=r"recorded\.txt"):
        ilogiceval(recorded(tmp_path, text))


def test_a_named_recording_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("no recording\n" * 8, encoding="utf-8")
    sources = " ".join(
        f"'{described(path)}'" for path in (tmp_path / "bad.txt", recorded(tmp_path, *many(8)))
    )
    with pytest.raises(DivLogicError, match=r"bad\.txt is left out: 8 of 8 rows cannot be read"):
        call(
            cli, f"recordings {sources} --out {tmp_path}/out.jsonl --report {tmp_path}/report.json"
        )
    assert not (tmp_path / "out.jsonl").exists()


def test_a_clean_recording_adds_nothing_to_the_note(tmp_path: Path) -> None:
    source = described(recorded(tmp_path, *many(8)))
    call(cli, f"recordings '{source}' --out {tmp_path}/o.jsonl --report {tmp_path}/report.json")
    assert note_of([tmp_path / "report.json"]) == ""


def test_the_same_series_in_two_recordings_is_read_once(tmp_path: Path) -> None:
    path = recorded(tmp_path, *many(8))
    predictions, reports = read_recordings([Recording(str(path), "ilogiceval", model="m")] * 2)
    assert len(predictions) == 8
    assert [bool(report.error) for report in reports] == [False, True]


@pytest.mark.parametrize("source", cases(__file__, "described"))
def test_what_is_no_recording_is_said_so(tmp_path: Path, source: str) -> None:
    with pytest.raises(DivLogicError, match="not a recording"):
        call(cli, f"recordings '{source}' --out {tmp_path}/o.jsonl")


def test_a_prediction_file_with_odd_rows_is_read_all_the_same(tmp_path: Path) -> None:
    good = Prediction("b", "m", "p", "0", "A", "A").to_json()
    rows = [good | {"instance": str(n // 4), "rotation": n % 4} for n in range(200)]
    rows[0] |= {"predicted": "perhaps"}
    rows[1] |= {"gold": "F"}
    rows[6] = rows[5]
    write_jsonl(tmp_path / "p.jsonl", rows)
    predictions, report, _ = read(tmp_path / "p.jsonl", "predictions")
    assert predictions[0].predicted is None
    assert (len(predictions), report.unreadable) == (198, 2)


def test_gold_letters_that_contradict_each_other_are_reported(tmp_path: Path) -> None:
    (note,) = read(recorded(tmp_path, RECORDED.replace("0 B B", "0 A B")))[2]
    assert "instance 0 name 2 different options" in note


def test_the_same_rotation_twice_is_refused_by_the_scores(tmp_path: Path) -> None:
    predictions = ilogiceval(recorded(tmp_path, RECORDED))
    with pytest.raises(DivLogicError, match="comes 2 times"):
        answers_of([*predictions, predictions[3]])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"benchmark": ...}, "the field 'benchmark' is missing"),
        ({"rotation": 4}, "the rotation 4 is not"),
        ({"gold": "F"}, "'F' is none of the letters"),
        ({"model": None}, "row 1: the field 'model' is not valid"),
        ({"question_type": []}, "row 1: the field 'question_type' is not valid"),
    ],
)
def test_a_broken_prediction_row_is_named(
    tmp_path: Path, change: dict[str, object], sentence: str
) -> None:
    row = Prediction("b", "m", "p", "1", "A", "B").to_json() | change
    path = tmp_path / "predictions.jsonl"
    write_jsonl(path, [{name: value for name, value in row.items() if value is not ...}])
    with pytest.raises(DivLogicError, match=sentence):
        read_answers([path])


@pytest.mark.parametrize(
    ("text", "sentence"), [("", "no predictions in it"), ('"text"\n', "of an object")]
)
def test_a_file_of_no_predictions_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        read_answers([recorded(tmp_path, text)])


JUSTLOGIC = """\
id,question,label,predicted,full_completion
1,"Do kettles sing, or
do they hum?",TRUE,The statement is True.,True.
2,Do kettles hum?,FALSE,,I cannot tell.
3,Do kettles fly?,Uncertain,UNCERTAIN,Uncertain.
4,Do kettles walk?,False,true or false,true or false
5,Do kettles swim?,False,,
"""


def test_unasked_rows_count_nowhere_and_unreadable_ones_as_wrong_in_corrected(
    tmp_path: Path,
) -> None:
    rows = justlogic(recorded(tmp_path, JUSTLOGIC))
    assert [p.asked for p in rows] == [True, True, True, True, False]
    published = label_score(rows, preset="as_published", seed=1)
    corrected = label_score(rows, preset="corrected", seed=1)
    assert (published.correct, published.rows) == (2, 3)
    assert (corrected.correct, corrected.rows, corrected.recorded) == (2, 4, 5)
    assert corrected.random_probability == pytest.approx(1 / 3)
    assert corrected.delta.value == pytest.approx(1 / 2 - 1 / 3)


def test_a_recording_that_asked_few_of_its_rows_scores_those_alone(tmp_path: Path) -> None:
    lines = [
        "id,label,predicted",
        *(f"{n},True,{'True' if n < 34 else 'False'}" for n in range(42)),
    ]
    lines += [f"{n},False," for n in range(42, 1050)]
    rows = justlogic(recorded(tmp_path, *lines, ""))
    assert presets_of_labels(rows) == ("corrected",)
    score = label_score(rows, preset="corrected", seed=1)
    assert (score.correct, score.rows, score.recorded) == (34, 42, 1050)
    assert score.accuracy.value == pytest.approx(34 / 42)


def test_a_stray_label_among_truth_labels_is_an_odd_row(tmp_path: Path) -> None:
    lines = [
        "id,label,predicted",
        *(f"{n},True,TRUE" for n in range(100)),
        "100,maybe,True",
        "101,,True",
    ]
    predictions, report, _ = read(recorded(tmp_path, *lines, ""), "justlogic")
    assert len(predictions) == 100 and all(p.correct for p in predictions)
    assert {p.choices for p in predictions} == {3}
    assert report.unreadable == 2


def test_a_chain_of_thought_longer_than_a_csv_field_is_read(tmp_path: Path) -> None:
    text = f"id,label,predicted,full_completion\n1,True,True,{'so ' * 60_000}\n"
    assert [p.correct for p in justlogic(recorded(tmp_path, text))] == [True]


def test_labels_of_other_benchmarks_must_match_whole(tmp_path: Path) -> None:
    text = "id,label,predicted\n1,niece,Niece\n2,son,grandson\n3,father,father-in-law\n"
    rows = justlogic(recorded(tmp_path, text))
    score = label_score(rows, preset="as_published", seed=1, random_probability=1 / 16)
    assert score.correct == 1
    assert score.random_probability == 1 / 16


def test_a_latin_1_recording_is_read(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(
        "id,question,label,predicted\n1,Is a café open?,True,True\n".encode("iso-8859-1")
    )
    assert [(p.answer, p.predicted) for p in justlogic(path)] == [("True", "true")]


@pytest.mark.parametrize(("text", "sentence"), cases(__file__, "labels"))
def test_a_broken_label_recording_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=sentence):
        justlogic(recorded(tmp_path, text))


def test_a_label_is_folded_by_what_it_contains() -> None:
    assert fold_label("FALSE.") == "false"
    assert fold_label("It is Uncertain") == "uncertain"
    assert fold_label("true, not false") is None


@pytest.mark.mirror
def test_recorded_chatgpt_answers_give_the_reference_scores() -> None:
    path = MIRROR / "recorded" / "ilogiceval" / "0-shot-chatgpt.txt"
    given = list(ilogiceval(path))
    assert [parse_answer(one.answer) for one in given] == [one.predicted for one in given]
    answers = answers_of(given)
    scores = score_all(answers, seed=1, resamples=10)
    for preset, reference in (
        ("as_published", (32.93, 3.13, 13.49)),
        ("corrected", (32.93, 3.13, 13.46)),
    ):
        found = in_preset(scores, preset)
        assert tuple(round(100 * score.estimate.value, 2) for score in found) == reference
    assert {score.instances for score in scores} == {1500}


@pytest.mark.mirror
@pytest.mark.parametrize(("name", "correct", "rows"), [("clutrr", 25, 300), ("logiqa", 817, 1568)])
def test_recorded_prior_knowledge_answers_give_the_reference_counts(
    name: str, correct: int, rows: int
) -> None:
    path = MIRROR / "recorded" / "justlogic_ci_eval" / f"ci_results_{name}.csv"
    for preset in ("as_published", "corrected"):
        score = label_score(justlogic(path), preset=preset, seed=1)
        assert (score.correct, score.rows) == (correct, rows)


@pytest.mark.parametrize(
    ("name", "model", "prompt"),
    [
        ("0_shot_llama8B", "Llama3-8B", "zero_shot"),
        ("3_shot_cot_llama8B", "Llama3-8B", "chain_of_thought_without_depth"),
        ("3_shot_cot_w_depth_llama8B", "Llama3-8B", "chain_of_thought"),
        ("3_shot_cot_w_depth_llama70B", "Llama3-70B", "chain_of_thought"),
        ("3_shot_cot_w_depth_gpt4", "GPT-4", "chain_of_thought"),
        ("3_shot_cot_w_depth_gpt4o", "GPT-4o", "chain_of_thought"),
        ("3_shot_cot_w_depth_openai_o1_preview", "OpenAI o1-preview", "chain_of_thought"),
    ],
)
def test_the_name_of_a_recording_on_justlogic_says_model_and_prompt(
    name: str, model: str, prompt: str, tmp_path: Path
) -> None:
    corpus = load_registry(ROOT / "data/registry.yaml")["recorded_justlogic"]
    path = f"eval/{name}_results.csv"
    (file,) = [file for file in corpus.files if file.path == path]
    (tmp_path / "eval").mkdir()
    (tmp_path / path).write_text("id,label,predicted\n1,TRUE,True\n", encoding="utf-8")
    files = [describe_file(tmp_path, path, "by hand", reader=file.reader)]
    write_manifest(tmp_path, describe("recorded_justlogic", corpus, files, []))
    (found,) = recordings_in([tmp_path], "recorded:justlogic")
    assert (found.model, found.prompt) == (model, prompt)
