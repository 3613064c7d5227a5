"""Scoring knows which answers are due: a model's lost rows do not become another score."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.rotations import read_rotations, rotation_json, rotation_rows, style_named
from divlogic.evaluation.steps import due_answers
from divlogic.evaluation.steps import score as run_score
from divlogic.io.files import read_json, write_jsonl
from divlogic.io.notes import forget
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, Series, write_predictions
from tests.unit.evaluation.samples import records

PARAMETERS = EvaluationParameters(
    models=[
        ModelParameters(name="baseline/uniform", label="uniform", runs=2),
        ModelParameters(name="baseline/position", label="position", instances=3),
    ],
    prompts=["zero_shot"],
    runs=1,
    resamples=100,
)
INSTANCES = 6


@pytest.fixture
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl.gz"
    rows = rotation_rows(records(INSTANCES), style_named("zero_shot"), seed=1)
    write_jsonl(path, map(rotation_json, rows))
    return path


def answers(rotations: Path) -> list[Prediction]:
    """Return all answers that are due: of six instances in two runs, and of three in one."""
    rows = read_rotations(rotations)
    asked = [("uniform", 0, rows), ("uniform", 1, rows), ("position", 0, rows[:12])]
    return [
        Prediction(
            row.benchmark, label, row.prompt, row.instance, row.gold, "A", run=run, rotation=row.rotation
        )
        for label, run, wanted in asked
        for row in wanted
    ]


def score(predictions: list[Prediction], rotations: Path, allow_missing: bool = False) -> list[int]:
    path = rotations.with_name("predictions.jsonl")
    write_predictions(path, predictions)
    run_score(
        (path,),
        rotations.with_name("scores.csv"),
        EvaluationRun(seed=1, evaluation=PARAMETERS),
        metrics=rotations.with_name("metrics.json"),
        due=(rotations,),
        allow_missing=allow_missing,
    )
    with rotations.with_name("scores.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return [int(row["missing"]) for row in rows if (row["metric"], row["question_type"]) == ("ACC", "all")]


def test_due_is_every_rotation_of_every_instance_asked_in_every_run(rotations: Path) -> None:
    due = {
        Series("divlogiceval", "uniform", "zero_shot", 0): 24,
        Series("divlogiceval", "uniform", "zero_shot", 1): 24,
        Series("divlogiceval", "position", "zero_shot", 0): 12,
    }
    assert due_answers([rotations], PARAMETERS) == due
    forget(rotations)
    assert due_answers([rotations], PARAMETERS) == due


def test_all_answers_that_are_due_are_scored(rotations: Path) -> None:
    assert score(answers(rotations), rotations) == [0, 0]
    metrics = read_json(rotations.with_name("metrics.json"))
    assert set(metrics["divlogiceval"]) == {"uniform, zero_shot", "position, zero_shot"}
    with rotations.with_name("scores.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["question_type"] == "all"]
    for row in rows:
        if row["preset"] != "as_published":
            found = metrics[row["benchmark"]][f"{row['model']}, {row['prompt']}"][row["metric"]]
            assert found == pytest.approx(float(row["value"]), abs=0.01)


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        (lambda p: p.run == 0 or p.instance < "test-3", r"12 of 24 answers of 'uniform' .*run 1\)\."),
        (lambda p: p.run == 0, r"0 of 24 answers of 'uniform' \(divlogiceval, zero_shot, run 1\)\."),
        (lambda p: p.model == "uniform", "0 of 12 answers of 'position'"),
        (lambda p: p.rotation < 3, "18 of 24 answers of 'uniform'.*; 18 of 24 .*; 9 of 12"),
    ],
)
def test_lost_answers_are_named_instead_of_scored(rotations: Path, kept, told: str) -> None:
    with pytest.raises(DivLogicError, match=f"there are {told}"):
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
