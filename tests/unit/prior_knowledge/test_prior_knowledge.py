"""The prior-knowledge test: probe, prompts, answers and table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from divlogic.cli import group
from divlogic.errors import DivLogicError
from divlogic.io.figures import read_frame
from divlogic.io.files import write_jsonl
from divlogic.io.tables import write_table
from divlogic.models.asking import questions_of
from divlogic.models.predictions import Prediction
from divlogic.models.prompts import examples_for, render_closed
from divlogic.models.styles import CLOSED as STYLES
from divlogic.prior_knowledge import independence as figures
from divlogic.prior_knowledge.independence import TABLE, independence, with_verdict
from divlogic.prior_knowledge.parameters import ProbeParameters
from divlogic.prior_knowledge.probe import MAJORITY, PROBE, probe
from divlogic.prior_knowledge.shortcuts.steps import spaced_clusters
from divlogic.records import Record
from tests.support import call, cases, csv_rows

cli = group("prior_knowledge")

TRUTH = ("True", "False", "Uncertain")


def record(
    number: int,
    question: str,
    answer: int,
    options: tuple[str, ...] = TRUTH,
    kind: str | None = None,
) -> Record:
    names = (f"r{number}", "toy", "test", f"Passage {number}.")
    return Record(*names, question, options, answer, question_type=kind)


def words(rng: np.random.Generator) -> str:
    return " ".join(
        rng.choice(["wugs", "daxes", "zups", "carry", "need", "see", "stones", "leaves"], size=6)
    )


def toy_records(leak: bool) -> list[Record]:
    """Return questions of random words; with a leak, the false ones are negated."""
    rng = np.random.default_rng(3)
    answers = rng.permutation(np.arange(240) % 3)
    return [
        record(
            n,
            f"{'It is not true that ' if leak and answer == 1 else ''}{words(rng)} {n}.",
            int(answer),
        )
        for n, answer in enumerate(answers)
    ]


def probed(records: list[Record], folds: int = 4) -> list[Prediction]:
    return probe(records, ProbeParameters(folds=folds), seed=1)


def share_right(answers: list[Prediction], source: str) -> float:
    own = [answer.correct for answer in answers if answer.source == source]
    return sum(own) / len(own)


def test_the_probe_finds_a_negation_that_goes_with_a_label_and_nothing_where_there_is_nothing() -> (
    None
):
    assert share_right(probed(toy_records(leak=True)), "probe") > 0.55
    answers = probed(toy_records(leak=False))
    assert abs(share_right(answers, "probe") - 1 / 3) < 0.1
    assert {answer.model for answer in answers} == {PROBE, MAJORITY}
    assert len(answers) == 480


@pytest.mark.parametrize("leak", ["place", "length", "word"])
def test_the_probe_finds_the_place_the_length_and_the_words_of_right_options(leak: str) -> None:
    rng = np.random.default_rng(5)
    records = []
    for number in range(160):
        answer = 2 if leak == "place" else int(rng.integers(4))
        options = [f"{words(rng)} {number} {at}" for at in range(4)]
        if leak == "length":
            options[answer] += " which is longer than all of the others"
        if leak == "word":
            options[answer] += " surely"
        records.append(
            record(number, "Which one follows?", answer, tuple(options), kind="ab"[number % 2])
        )
    assert share_right(probed(records), "probe") > 0.9


def test_a_question_that_occurs_with_every_label_teaches_nothing_as_it_stays_in_one_fold() -> None:
    records = [record(n, f"Question {n // 3} on {'abc'[n // 3 % 3]}?", n % 3) for n in range(180)]
    assert share_right(probed(records, 5), "probe") == pytest.approx(1 / 3)


def test_too_few_records_for_the_folds_are_told() -> None:
    with pytest.raises(DivLogicError, match=r"prior_knowledge\.probe\.folds"):
        probed([record(1, "It rains.", 0)])


def test_a_part_of_a_file_in_which_the_depths_take_turns_has_them_all():
    records = [replace(record(n, "", 0), depth=1 + n % 7) for n in range(210)]
    evenly = [records[at * 210 // 90] for at in range(90)]
    assert len({record.depth for record in evenly}) == 3
    assert set(Counter(record.depth for record in spaced_clusters(records, 90)).values()) <= {
        12,
        13,
    }


def test_prompts_without_context_do_not_show_it_and_list_the_options() -> None:
    asked = record(1, "Wugs carry stones.", 0)
    without, with_context = (
        render_closed(asked, STYLES[name]) for name in ("question_only", "zero_shot")
    )
    assert "Passage 1." not in without and "Passage 1." in with_context
    assert "Possible answers: True, False, Uncertain" in without
    options = ("wugs carry stones", "daxes need leaves")
    assert "B. daxes need leaves" in render_closed(
        record(1, "Which?", 0, options), STYLES["question_only"]
    )
    assert "step by step" in render_closed(asked, STYLES["chain_of_thought"])


def test_examples_come_from_the_pool_one_for_each_label_and_never_from_what_is_asked() -> None:
    pool = [record(n, f"Wugs see {n}.", n % 3) for n in range(30)]
    asked = pool[:20]
    drawn = examples_for(asked, pool, STYLES["few_shot"], seed=1)
    assert sorted(example.answer for example in drawn if example.answer is not None) == [0, 1, 2]
    assert {example.id for example in drawn}.isdisjoint(r.id for r in asked)
    rows = list(questions_of(asked, pool, "question_only_few_shot", seed=1))
    assert all(row.input.count("Answer: ") == 3 for row in rows)
    with pytest.raises(DivLogicError, match="--pool"):
        examples_for(pool, pool, STYLES["few_shot"], seed=1)


def answers_of(right: int, wrong: int, missing: int = 0, choices: int = 3) -> list[Prediction]:
    said = ["a"] * right + ["b"] * wrong + [None] * missing
    return [
        Prediction(
            "toy", "m", "", str(n), gold="a", predicted=value, source="recorded", choices=choices
        )
        for n, value in enumerate(said)
    ]


@pytest.mark.parametrize(
    ("right", "low", "independent"),
    [(100, 0, True), (116, 0, False), (160, 14.7, False), (40, 16.3, True)],
    ids=["guessed", "hardly known", "known", "worse than guessed"],
)
def test_the_exact_binomial_test_tells_knowledge_from_guessing(right, low, independent):
    (row,) = independence(answers_of(right, 300 - right), seed=1)
    assert row["p_value"] == pytest.approx(
        binomtest(right, 300, 1 / 3, alternative="greater").pvalue
    )
    assert row["delta"] == pytest.approx(abs(right / 3 - 100 / 3))
    assert row["delta_low"] == pytest.approx(low, abs=0.05)
    assert with_verdict(row, 0.05, least=100)["independent"] is independent


def test_the_hits_of_a_cross_validation_count_as_fewer_trials() -> None:
    answers = [replace(answer, source="probe") for answer in answers_of(116, 184)]
    (row,) = independence(answers, seed=1, folds=4)
    # 1 + 4 / 3 fewer trials: near those of a binomial test of 129 instances with as large a share of hits
    assert row["p_value"] == pytest.approx(
        binomtest(50, 129, 1 / 3, alternative="greater").pvalue, abs=0.02
    )
    assert with_verdict(row, 0.05, least=100)["independent"]


def test_too_few_questions_get_no_verdict_but_the_reason() -> None:
    (right,) = independence(answers_of(20, 0), seed=1)
    row = with_verdict(right, 0.05, least=100)
    assert {row[name] for name in ("p_value", "p_value_published", "independent")} == {None}
    assert row["note"] == "no verdict from 20 instances, 100 are needed"
    assert with_verdict(right, 0.05, least=20)["independent"] is False


def test_the_most_frequent_answer_of_balanced_questions_is_no_worse_than_guessing() -> None:
    records = [record(n, f"{n} wugs need a dax.", n % 2, ("yes", "no")) for n in range(20)]
    answers = probed(records)
    assert share_right(answers, "baseline") == 0.5
    (tested,) = independence((a for a in answers if a.source == "baseline"), seed=1)
    assert tested["p_value"] == 1


def test_the_most_frequent_answer_pays_for_being_chosen_on_the_same_questions() -> None:
    answers = [replace(answer, source="baseline") for answer in answers_of(120, 180)]
    (other,) = independence(answers, seed=1)
    (majority,) = independence([replace(answer, model=MAJORITY) for answer in answers], seed=1)
    assert majority["p_value"] == pytest.approx(3 * other["p_value"])


def test_clutrr_is_tested_against_the_printed_probability_too() -> None:
    # The recorded answers: 25 of 300 right (JustLogic prints 8.3 against 6.3, and 2.0 for their distance).
    answers = [replace(answer, benchmark="clutrr") for answer in answers_of(25, 275, choices=18)]
    published, corrected = independence(answers, seed=1)
    assert (published["preset"], corrected["preset"]) == ("as_published", "corrected")
    assert (
        published["random_probability"] == corrected["random_published"] == pytest.approx(100 / 16)
    )
    assert published["delta"] == pytest.approx(2.08, abs=1e-2)
    assert corrected["random_probability"] == pytest.approx(100 / 18)
    assert corrected["p_value"] < 0.05 < corrected["p_value_published"] == published["p_value"]
    # Other systems' answers are compared with the number of its answers alone.
    (own,) = independence([replace(answer, source="model") for answer in answers], seed=1)
    assert (own["preset"], own["random_probability"]) == ("", pytest.approx(100 / 18))


def test_unanswered_questions_are_left_out_or_wrong() -> None:
    published, corrected = independence(answers_of(30, 50, missing=20), seed=1)
    assert (published["preset"], published["instances"], published["correct"]) == (
        "as_published",
        80,
        30,
    )
    assert (corrected["preset"], corrected["instances"], corrected["correct"]) == (
        "corrected",
        100,
        30,
    )


def test_questions_with_different_numbers_of_options_are_compared_with_their_mean_chance() -> None:
    (mixed,) = independence(
        [*answers_of(50, 50, choices=2), *answers_of(25, 75, choices=4)], seed=1
    )
    assert mixed["random_probability"] == pytest.approx(37.5)
    assert mixed["p_value"] > 0.5


def test_the_steps_run_from_the_command_line_and_give_the_same_bytes(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "records.jsonl", [r.to_json() for r in toy_records(leak=True)])
    for name in ("one", "two"):
        probed, out = tmp_path / f"{name}.jsonl", tmp_path / name / "independence"
        call(cli, f"probe {tmp_path}/records.jsonl --out {probed}", {"seed": 4})
        call(cli, f"table {probed} --out {out}", {"seed": 4})
        figures.draw_independence(read_frame(out), out)
    for made in (f"independence.{suffix}" for suffix in ("csv", "md", "tex", "json", "svg", "png")):
        assert (tmp_path / "one" / made).read_bytes() == (tmp_path / "two" / made).read_bytes()
    rows = csv_rows(tmp_path / "one" / "independence.csv")
    assert tuple(rows[0]) == TABLE.names[:-3]  # no reply was lost
    assert [row["independent"] for row in rows if row["source"] == "probe"] == ["no"]
    assert [row["independent"] for row in rows if row["source"] == "baseline"] == ["yes"]


COLUMNS = ["benchmark", "source", "system", "prompt", "preset", "random_probability"]
COLUMNS += ["accuracy", "accuracy_low", "accuracy_high"]


def test_lines_are_named_by_who_answered_and_no_text_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(
        "divlogic.io.figures.save_figure", lambda figure, out: drawn.append(figure) or []
    )
    rows = [{"random_probability": 30.0, **row} for row in cases(__file__, "answered")]
    write_table(tmp_path / "t", COLUMNS, rows, floats=2)
    figures.draw_independence(read_frame(tmp_path / "t"), tmp_path / "figure")
    (figure,) = drawn
    figure.draw_without_rendering()
    (axis,) = figure.axes
    assert [label.get_text() for label in axis.get_yticklabels()] == [
        "CLUTRR: published",
        "CLUTRR: GPT-4 (recorded)",
        "JustLogic (generated): A-Language-Model-Instruct (recorded)",
    ]
    width, height = figure.bbox.size
    for text in (axis.xaxis.label, *axis.get_xticklabels(), *axis.get_yticklabels()):
        extent = text.get_window_extent()
        assert extent.x0 >= 0 and extent.x1 <= width and extent.y0 >= 0 and extent.y1 <= height, (
            text
        )
