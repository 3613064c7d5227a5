"""Instances with two to ten options: asked in as many rotations, scored with the chance of their own number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores
from divlogic.evaluation.metrics import NONE, instance_scores, partial_circular, score_all
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.predictions import answers_of, read_answers
from divlogic.evaluation.rotated import BaselineFiles, export
from divlogic.evaluation.rotations import read_rotations, rotate, rotation_json, rotation_rows
from divlogic.io.files import write_jsonl
from divlogic.models.baselines import Uniform
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.prompts import parse_prompt
from divlogic.models.styles import ROTATED
from divlogic.records import Record

STYLE = ROTATED["zero_shot"]


def record(count: int, name: str = "i", answer: int = 0) -> Record:
    options = tuple(f"option number {number}" for number in range(count))
    return Record(f"{name}{count}", "quiz", "test", "A. Owls hoot.", "A. Which one?", options, answer)


def said(row, letter: str | None) -> Prediction:
    about = (row.benchmark, "m", row.prompt, row.instance, row.gold)
    return Prediction(*about, letter, rotation=row.rotation, choices=row.choices)


@pytest.mark.parametrize("count", [2, 3, 5, 10])
def test_an_instance_has_as_many_rotations_as_options_and_a_baseline_reads_each(count: int) -> None:
    rows = list(rotation_rows([record(count, answer=count - 1)], STYLE, seed=1))
    assert len(rows) == count
    assert sorted(row.gold for row in rows) == list("ABCDEFGHIJ"[:count])
    for row in rows:
        prompt = parse_prompt(row.input)
        assert prompt is not None and len(prompt.options) == count
        assert (prompt.context, prompt.question) == ("A. Owls hoot.", "A. Which one?")
        assert prompt.options["ABCDEFGHIJ".index(row.gold)] == f"option number {count - 1}"
        assert f"<{'/'.join('ABCDEFGHIJ'[:count])}>" in row.input
        assert row.read(f"Answer: {row.gold}") == row.gold
    assert rows[0].read("Answer: K") is None


def test_always_right_scores_one_and_always_the_same_letter_nothing_but_luck() -> None:
    rows = [row for count in (2, 3, 10) for row in rotation_rows([record(count)], STYLE, seed=1)]
    (right,) = answers_of([said(row, row.gold) for row in rows]).values()
    assert instance_scores(right).tolist() == [[1, 1, 1]] * 3
    assert (right.missing, right.asked) == (0, 15)
    (same,) = answers_of([said(row, "A") for row in rows]).values()
    assert instance_scores(same).round(9).tolist() == [[1, 0, 0]] * 3


def test_partial_circular_takes_the_logarithm_to_the_number_of_options() -> None:
    # Two of three rotations right: 2/3 · (1 + 2/3 log3 2/3 + 1/3 log3 1/3).
    picks = np.array([[0, 0, 1]], dtype=np.int8)
    expected = 2 / 3 * (1 + (2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3)) / np.log(3))
    assert partial_circular(picks == 0, picks)[0] == pytest.approx(expected)


def test_the_scores_of_an_export_are_ours_whatever_the_number_of_options() -> None:
    rows = [row for count in (2, 3, 5, 10) for row in rotation_rows([record(count, answer=1)], STYLE, seed=1)]
    # The first letter, but for one rotation of each instance.
    answers = ["B" if row.rotation == 1 else "A" for row in rows]
    (ours,) = answers_of([said(row, letter) for row, letter in zip(rows, answers, strict=True)]).values()
    items = [
        harness_scores.process_results(rotation_json(row), [f"Answer: {letter}"])["pc"]
        for row, letter in zip(rows, answers, strict=True)
    ]
    theirs = [f(items) for f in (harness_scores.accuracy, harness_scores.circular)]
    theirs.append(harness_scores.partial_circular(items))
    assert theirs == pytest.approx(instance_scores(ours).mean(axis=0).tolist())


def test_guessing_reaches_the_chance_of_each_number_of_options() -> None:
    rng, uniform = np.random.default_rng(1), Uniform()
    for count in (2, 5):
        records = [record(count, f"n{number}-") for number in range(1500)]
        given = []
        for row in rotation_rows(records, STYLE, seed=1):
            prompt = parse_prompt(row.input)
            assert prompt is not None
            given.append(said(row, "ABCDE"[uniform.choose(prompt, rng) or 0]))
        (scores,) = (instance_scores(answers) for answers in answers_of(given).values())
        accuracy, circular = scores.mean(axis=0)[:2]
        assert accuracy == pytest.approx(1 / count, abs=0.04)
        assert circular == pytest.approx(count**-count, abs=0.03)


def test_files_hold_the_number_of_options_where_it_is_not_four(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "records.jsonl", [record(3).to_json(), record(4).to_json()])
    rotate(tmp_path / "records.jsonl", "zero_shot", tmp_path / "rows.jsonl", EvaluationRun(seed=1))
    text = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert ['"choices":3' in line for line in text] == [True] * 3 + [False] * 4
    rows = read_rotations(tmp_path / "rows.jsonl")
    assert [row.choices for row in rows] == [3] * 3 + [4] * 4
    write_predictions(
        tmp_path / "said.jsonl", [said(row, row.gold if row.rotation else None) for row in rows]
    )
    (answers,) = read_answers([tmp_path / "said.jsonl"]).values()
    assert answers.choices == (3, 4) and answers.picks[0].tolist() == [NONE, 0, 0, NONE]
    (score,) = [
        one for one in score_all(read_answers([tmp_path / "said.jsonl"]), seed=1) if one.metric == "CIR"
    ]
    assert score.parse_rate == pytest.approx(5 / 7)


@pytest.mark.parametrize("count", [1, 11])
def test_other_numbers_are_refused(count: int) -> None:
    with pytest.raises(DivLogicError, match="2 to 10 can be rotated"):
        list(rotation_rows([record(count)], STYLE, seed=1))


def test_exporting_a_baseline_needs_the_file_that_its_run_had(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "records.jsonl", [record(4).to_json()])
    rotate(tmp_path / "records.jsonl", "zero_shot", tmp_path / "rows.jsonl", EvaluationRun(seed=1))
    with pytest.raises(DivLogicError, match="with --train"):
        files = ((tmp_path / "rows.jsonl",), tmp_path / "store.sqlite", tmp_path / "out.jsonl")
        export(*files, BaselineFiles(), EvaluationRun(seed=1), names=("baseline/majority",))
