"""ACC, CIR and PC on hand-made and random answer matrices; instances with two to ten options."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores, metrics
from divlogic.evaluation.asked import BaselineFiles, export
from divlogic.evaluation.metrics import (
    NONE,
    Answers,
    answers_of,
    circular,
    instance_scores,
    partial_circular,
)
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import read_rotations, rotate, rotation_json, rotation_rows
from divlogic.intervals import coefficient_of_variation
from divlogic.io.files import write_jsonl
from divlogic.models.baselines import Uniform
from divlogic.models.letters import OPTIONS, option_at, position_of
from divlogic.models.predictions import write_predictions
from divlogic.models.prompts import parse_prompt
from divlogic.models.styles import ROTATED
from divlogic.records import Record
from tests.unit.evaluation.samples import rotations as of_samples, said

picks_of_any_size = st.integers(1, 12).flatmap(
    lambda n: arrays(np.int8, (n, OPTIONS), elements=st.integers(NONE, OPTIONS - 1))
)


def answers(picks: np.ndarray, gold: np.ndarray) -> Answers:
    names = tuple(map(str, range(len(picks))))
    return Answers(names, ("",) * len(picks), picks, picks == gold[:, None])


def test_the_papers_worked_example_has_a_partial_circular_of_an_eighth() -> None:
    # DivLogicEval, Section 2.2: predictions o1, o1, o3, o4 with gold o1.
    picks = np.array([[0, 0, 2, 3]], dtype=np.int8)
    assert partial_circular(picks == 0, picks)[0] == pytest.approx(0.125)


def test_the_papers_second_mutant_starts_with_the_second_option() -> None:
    # Footnote 1: (o2, o3, o4, o1) follows (o1, o2, o3, o4).
    assert [option_at(position, 1) for position in range(OPTIONS)] == [1, 2, 3, 0]


@given(st.integers(0, 3), st.integers(0, 3))
def test_placing_and_finding_an_option_undo_each_other(option: int, rotation: int) -> None:
    assert option_at(position_of(option, rotation), rotation) == option


@given(picks_of_any_size, st.sampled_from(["fifth", "excluded"]), st.data())
def test_partial_circular_is_never_below_circular(
    picks: np.ndarray, none: str, data: st.DataObject
) -> None:
    gold = data.draw(arrays(np.int8, len(picks), elements=st.integers(0, 3)))
    correct = picks == gold[:, None]
    assert (partial_circular(correct, picks, none) >= circular(correct)).all()
    assert (partial_circular(correct, picks, none) <= correct.mean(axis=1) + 1e-12).all()


@given(picks_of_any_size, st.permutations(range(OPTIONS)))
def test_the_order_of_the_rotations_changes_neither_circular_nor_partial_circular(
    picks: np.ndarray, order: list[int]
) -> None:
    correct = picks == 1
    np.testing.assert_array_equal(circular(correct[:, order]), circular(correct))
    np.testing.assert_allclose(
        partial_circular(correct[:, order], picks[:, order]), partial_circular(correct, picks)
    )


def test_naming_no_option_is_an_outcome_of_its_own() -> None:
    picks = np.array([[2, 2, NONE, 2]], dtype=np.int8)
    # p = (3/4, 1/4): entropy 0.4056 to base 4; without the unreadable rotation there is no doubt left.
    assert partial_circular(picks == 2, picks)[0] == pytest.approx(0.75 * (1 - 0.405639), abs=1e-6)
    assert partial_circular(picks == 2, picks, "excluded")[0] == pytest.approx(0.75)


def test_an_answerer_who_never_names_an_option_scores_zero() -> None:
    picks = np.full((3, OPTIONS), NONE, dtype=np.int8)
    for none in ("fifth", "excluded"):
        assert instance_scores(answers(picks, np.zeros(3, dtype=np.int8)), none).sum() == 0
    assert metrics.parse_rate([answers(picks, np.zeros(3, dtype=np.int8))]) == 0.0


def test_accuracy_looks_at_the_unrotated_instance_only() -> None:
    correct = np.array([[True, False, False, False], [False, True, True, True]])
    assert metrics.accuracy(correct).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("runs", "printed"),
    [
        ((30.0, 32.0, 32.4, 30.1, 32.0), 3.3),
        ((7.4, 8.1, 8.0, 8.0, 9.0), 6.3),
        ((17.6, 18.8, 18.1, 18.5, 19.1), 2.9),
    ],
)
def test_the_variation_of_the_published_runs(runs: tuple[float, ...], printed: float) -> None:
    # The paper prints 3.1 for PartialCircular, which its five printed values only reach within their rounding.
    assert round(coefficient_of_variation(runs), 1) == printed


def test_a_single_run_has_no_variation() -> None:
    assert np.isnan(coefficient_of_variation([31.0]))


def test_the_commonest_letter_is_counted_as_it_was_said() -> None:
    # "B" in every rotation is another option each time; one answer names none.
    said_b = np.array([[1, 2, 3, 0], [1, 2, 3, NONE]], dtype=np.int8)
    right = np.zeros_like(said_b, dtype=bool)
    one = Answers(("i", "j"), ("", ""), said_b, right)
    assert metrics.commonest_letter([one]) == 1.0
    same_option = Answers(("i",), ("",), np.array([[1, 1, 1, 1]], dtype=np.int8), right[:1])
    assert metrics.commonest_letter([same_option]) == 0.25
    two = Answers(
        ("i",), ("",), np.array([[1, 0, NONE]], dtype=np.int8), right[:1, :3], choices=(2,)
    )
    assert metrics.commonest_letter([one, two]) == 1.0
    assert math.isnan(metrics.commonest_letter([]))
    # The third column of an instance with two options is no answer that could not be read.
    assert [metrics.parse_rate(each) for each in ([one], [two], [one, two])] == [7 / 8, 1.0, 9 / 10]
    assert math.isnan(metrics.parse_rate([]))


@pytest.mark.parametrize(("choices", "own"), [((2, 4), (4,)), (None, None)])
def test_the_part_of_a_question_type_has_its_instances_alone(choices, own) -> None:
    picks = np.array([[0, 1, 2, 3], [3, 2, 1, 0]], dtype=np.int8)
    part = Answers(("i", "j"), ("3c1e", "3e1c"), picks, picks == 0, choices=choices).of_type("3e1c")
    assert (part.instances, part.types, part.choices) == (("j",), ("3e1c",), own)
    assert part.picks.tolist() == [[3, 2, 1, 0]] and part.correct.tolist() == [
        [False, False, False, True]
    ]


STYLE = ROTATED["zero_shot"]


def record(count: int, name: str = "i", answer: int = 0) -> Record:
    options = tuple(f"option number {number}" for number in range(count))
    return Record(
        f"{name}{count}", "quiz", "test", "A. Owls hoot.", "A. Which one?", options, answer
    )


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
    rows = [row for count in (2, 3, 4, 10) for row in rotation_rows([record(count)], STYLE, seed=1)]
    (right,) = answers_of([said(row, row.gold) for row in rows]).values()
    assert instance_scores(right).tolist() == [[1, 1, 1]] * 4
    assert (right.missing, right.rotations.sum()) == (0, 19)
    (same,) = answers_of([said(row, "A") for row in rows]).values()
    assert instance_scores(same).round(9).tolist() == [[1, 0, 0]] * 4


def test_partial_circular_takes_the_logarithm_to_the_number_of_options() -> None:
    # Two of three rotations right: 2/3 · (1 + 2/3 log3 2/3 + 1/3 log3 1/3).
    picks = np.array([[0, 0, 1]], dtype=np.int8)
    expected = 2 / 3 * (1 + (2 / 3 * np.log(2 / 3) + 1 / 3 * np.log(1 / 3)) / np.log(3))
    assert partial_circular(picks == 0, picks)[0] == pytest.approx(expected)


def test_the_scores_of_an_export_are_ours_whatever_the_number_of_options() -> None:
    rows = [
        row
        for count in (2, 3, 5, 10)
        for row in rotation_rows([record(count, answer=1)], STYLE, seed=1)
    ]
    # The first letter, but for one rotation of each instance.
    answers = ["B" if row.rotation == 1 else "A" for row in rows]
    (ours,) = answers_of(
        [said(row, letter) for row, letter in zip(rows, answers, strict=True)]
    ).values()
    items = [
        harness_scores.process_results(rotation_json(row), [f"Answer: {letter}"])["pc"]
        for row, letter in zip(rows, answers, strict=True)
    ]
    theirs = [
        getattr(harness_scores, name)(items)
        for name in ("accuracy", "circular", "partial_circular")
    ]
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
    rotate(
        tmp_path / "records.jsonl",
        ("zero_shot",),
        (tmp_path / "rows.jsonl",),
        EvaluationRun(seed=1),
    )
    text = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert ['"choices":3' in line for line in text] == [True] * 3 + [False] * 4
    rows = read_rotations(tmp_path / "rows.jsonl")
    assert [row.choices for row in rows] == [3] * 3 + [4] * 4
    given = [said(row, row.gold if row.rotation else None) for row in rows]
    write_predictions(tmp_path / "said.jsonl", given)
    found = metrics.read_answers([tmp_path / "said.jsonl"])
    (answers,) = found.values()
    assert answers.choices == (3, 4) and answers.picks[0].tolist() == [NONE, 0, 0, NONE]
    (score,) = [one for one in metrics.score_all(found, seed=1) if one.metric == "CIR"]
    assert score.parse_rate == pytest.approx(5 / 7)


@pytest.mark.parametrize("count", [1, 11])
def test_other_numbers_are_refused(count: int) -> None:
    with pytest.raises(DivLogicError, match="2 to 10 can be rotated"):
        list(rotation_rows([record(count)], STYLE, seed=1))


def test_exporting_a_baseline_needs_the_file_that_its_run_had(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "records.jsonl", [record(4).to_json()])
    rotate(
        tmp_path / "records.jsonl",
        ("zero_shot",),
        (tmp_path / "rows.jsonl",),
        EvaluationRun(seed=1),
    )
    with pytest.raises(DivLogicError, match="with --train"):
        files = ((tmp_path / "rows.jsonl",), tmp_path / "store.sqlite", tmp_path / "out.jsonl")
        export(*files, BaselineFiles(), EvaluationRun(seed=1), names=("baseline/majority",))


def test_replies_that_are_no_answers_are_counted_and_wrong() -> None:
    rows = of_samples(2)
    statuses = ["refused", "cut", "unanswered", ""]
    answers = []
    for number, row in enumerate(rows):
        status = statuses[number % 4]
        letter = row.gold if status in ("", "cut") else None
        answers.append(replace(said(row, letter), status=status))  # type: ignore[arg-type]
    first, second, *_ = metrics.score_all(answers_of(answers), seed=1, resamples=10)
    assert dict(first.lost) == {"refused": 25, "cut": 25, "unanswered": 25}
    # Each rotation is a reply: two of eight were refused.
    assert (first.estimate.value, second.estimate.value) == (0.0, 0.0)
    assert first.parse_rate == 0.5
