"""Scoring knows which answers are due: a model's lost rows do not become another score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.plan import Plan, plan_run
from divlogic.evaluation.rotations import read_rotations, rotation_json, rotation_rows, style_named
from divlogic.evaluation.steps import due_answers, score as run_score
from divlogic.io.files import read_json, write_jsonl
from divlogic.models.asking import prediction_of
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import Prediction, Series, read_predictions, write_predictions
from divlogic.models.requests import Response, ResponseStore, read_responses, requests_of
from tests.support import call, csv_rows
from tests.unit.evaluation.samples import records, rotations as of_records

MODELS = [
    ModelParameters(name="baseline/uniform", label="uniform", runs=2),
    ModelParameters(name="baseline/position", label="position", instances=3),
]
PARAMETERS = EvaluationParameters(models=MODELS, prompts=["zero_shot"], runs=1, resamples=100)
INSTANCES = 6


@pytest.fixture
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl.gz"
    write_jsonl(path, map(rotation_json, of_records(INSTANCES)))
    return path


def answers(rotations: Path, of_three: int = 12) -> list[Prediction]:
    """Return all answers that are due: of six instances in two runs, and of three in one."""
    rows = read_rotations(rotations)
    asked = [("uniform", 0, rows), ("uniform", 1, rows), ("position", 0, rows[:of_three])]
    said = [(prediction_of(row, label, "A"), run) for label, run, wanted in asked for row in wanted]
    return [replace(prediction, run=run) for prediction, run in said]


def score(predictions: list[Prediction], rotations: Path, allow_missing: bool = False) -> list[int]:
    path, out, metrics = map(
        rotations.with_name, ("predictions.jsonl", "scores.csv", "metrics.json")
    )
    write_predictions(path, predictions)
    params = EvaluationRun(seed=1, evaluation=PARAMETERS)
    run_score((path,), out, params, metrics=metrics, due=(rotations,), allow_missing=allow_missing)
    rows = csv_rows(out)
    return [
        int(row["missing"])
        for row in rows
        if (row["metric"], row["question_type"]) == ("ACC", "all")
    ]


def test_due_is_every_rotation_of_every_instance_asked_in_every_run(rotations: Path) -> None:
    asked = (("uniform", 0, 24), ("uniform", 1, 24), ("position", 0, 12))
    due = {Series("divlogiceval", model, "zero_shot", run): count for model, run, count in asked}
    assert due_answers([rotations], PARAMETERS) == due


def test_a_question_with_five_options_owes_five_answers(tmp_path: Path) -> None:
    first, *others = records(INSTANCES)
    mixed = [first, *(replace(one, options=(*one.options, "The roof is green.")) for one in others)]
    path = tmp_path / "rotations.jsonl.gz"
    write_jsonl(path, map(rotation_json, rotation_rows(mixed, style_named("zero_shot"), seed=1)))
    assert list(due_answers([path], PARAMETERS).values()) == [29, 29, 14]
    assert score(answers(path, of_three=14), path) == [0, 0]


def test_all_answers_that_are_due_are_scored(rotations: Path) -> None:
    assert score(answers(rotations), rotations) == [0, 0]
    metrics = read_json(rotations.with_name("metrics.json"))
    assert set(metrics["divlogiceval"]) == {"uniform, zero_shot", "position, zero_shot"}
    for row in csv_rows(rotations.with_name("scores.csv")):
        if row["question_type"] == "all" and row["preset"] != "as_published":
            found = metrics[row["benchmark"]][f"{row['model']}, {row['prompt']}"][row["metric"]]
            assert found == pytest.approx(float(row["value"]), abs=0.01)


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        (
            lambda p: p.run == 0 or p.instance < "test-3",
            r"12 of 24 answers of 'uniform' .*run 1\)\.",
        ),
        (
            lambda p: p.run == 0,
            r"0 of 24 answers of 'uniform' \(divlogiceval, zero_shot, run 1\)\.",
        ),
        (lambda p: p.model == "uniform", "0 of 12 answers of 'position'"),
        (lambda p: p.rotation < 3, "18 of 24 answers of 'uniform'.*; 18 of 24 .*; 9 of 12"),
    ],
)
def test_lost_answers_are_named_instead_of_scored(rotations: Path, kept, sentence: str) -> None:
    with pytest.raises(DivLogicError, match=f"there are {sentence}"):
        score([p for p in answers(rotations) if kept(p)], rotations)
    assert not rotations.with_name("scores.csv").exists()


def test_what_is_there_can_be_scored_and_says_how_much_is_missing(
    rotations: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    half = [p for p in answers(rotations) if p.run == 0 or p.instance < "test-3"]
    assert score(half, rotations, allow_missing=True) == [0, 12]
    assert "due: 12 of 24 answers of 'uniform'" in capsys.readouterr().err


def test_answers_that_others_recorded_are_not_due(rotations: Path) -> None:
    recorded = Prediction("divlogiceval", "lamp", "zero_shot", "test-0", "A", "A")
    assert score([*answers(rotations), recorded], rotations) == [3, 0, 0]


MODEL, SAMPLING = ModelParameters(name="openai/lamp"), SamplingParameters()


def planned(rotations: Path, store: Path) -> Plan:
    questions = [read_rotations(rotations)]
    return plan_run(questions, read_responses(store), model=MODEL, runs=2, sampling=SAMPLING)


def test_without_answers_a_plan_counts_characters_and_the_longest_answers(
    rotations: Path, tmp_path: Path
) -> None:
    plan = planned(rotations, tmp_path / "none.jsonl")
    characters = sum(len(row.input) for row in read_rotations(rotations))
    assert (plan.requests, plan.stored, plan.measured) == (48, 0, False)
    assert plan.input_tokens == round(2 * characters / 4)
    assert plan.output_tokens == 48 * 64
    assert plan.cost(1.0, 2.0) == pytest.approx((plan.input_tokens + 2 * plan.output_tokens) / 1e6)


def test_with_answers_a_plan_takes_their_numbers_of_tokens_and_leaves_them_out(
    rotations: Path, tmp_path: Path
) -> None:
    requests = list(requests_of(read_rotations(rotations), MODEL, 2, SAMPLING))
    with ResponseStore(tmp_path / "store.sqlite") as store:
        for request in requests[:10]:
            tokens = 2 * len(request.question.input)
            store.add(Response(request.key, "lamp", request.run, "A", "stop", tokens, 3))
    plan = planned(rotations, tmp_path / "store.sqlite")
    assert (plan.requests, plan.stored, plan.measured) == (48, 10, True)
    assert plan.input_tokens == 2 * sum(len(request.question.input) for request in requests[10:])
    assert plan.output_tokens == 114


def test_a_plan_needs_no_store(rotations: Path, tmp_path: Path) -> None:
    assert planned(rotations, tmp_path / "none.sqlite").stored == 0
    said = call(cli, f"evaluation plan {rotations} --model compatible/mine", {})
    assert "compatible/mine: 24 answers wanted, 0 in the store" in said


def of_seed(seed: int = 1) -> list[Prediction]:
    """Return the answers to the questions, or to those of another seed, whose ids are the same."""
    added = "" if seed == 1 else f" Seed {seed}."
    asked = [replace(record, context=record.context + added) for record in records(INSTANCES)]
    rows = rotation_rows(asked, style_named("zero_shot"), seed=1)
    return [prediction_of(row, "m", "A", answer="A") for row in rows]


def gathered(rotations: Path, predictions: list[Prediction]) -> list[Prediction]:
    source, out = rotations.with_name("answers.jsonl"), rotations.with_name("all.jsonl")
    write_predictions(source, predictions)
    given = {"due": (rotations,), "together": out, "allow_missing": True}
    run_score((source,), out.with_name("scores.csv"), EvaluationRun(), **given)
    return list(read_predictions(out))


def test_answers_to_the_questions_of_the_run_are_put_together(rotations: Path) -> None:
    assert gathered(rotations, of_seed()) == of_seed()
    strangers = [replace(one, benchmark="other") for one in of_seed(2)]
    assert gathered(rotations, strangers) == strangers
