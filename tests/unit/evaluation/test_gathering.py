"""Predictions belong to the questions of this run: their digest says so, and the right answers are compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.evaluation.rotations import rotation_json, rotation_rows, style_named
from divlogic.evaluation.steps import gather
from divlogic.io.files import write_jsonl
from divlogic.models.asking import prediction_of
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from tests.unit.evaluation.samples import records


@pytest.fixture
def rotations(tmp_path: Path) -> Path:
    rows = rotation_rows(records(3), style_named("zero_shot"), seed=1)
    write_jsonl(tmp_path / "rotations.jsonl", map(rotation_json, rows))
    return tmp_path / "rotations.jsonl"


def answers(seed: int = 1) -> list[Prediction]:
    """Return the answers to the questions, or to those of another seed, whose ids are the same."""
    asked = [replace(r, context=f"{r.context} Seed {seed}.") for r in records(3)] if seed != 1 else records(3)
    rows = rotation_rows(asked, style_named("zero_shot"), seed=1)
    return [prediction_of(row, "m", "A", answer="A") for row in rows]


def gathered(rotations: Path, predictions: list[Prediction]) -> list[Prediction]:
    source, out = rotations.with_name("answers.jsonl"), rotations.with_name("all.jsonl")
    write_predictions(source, predictions)
    gather((source,), out, (rotations,))
    return list(read_predictions(out))


def test_answers_to_the_questions_of_the_run_are_put_together(rotations: Path) -> None:
    assert gathered(rotations, answers()) == answers()
    strangers = [replace(one, benchmark="other") for one in answers(2)]
    assert gathered(rotations, strangers) == strangers


@pytest.mark.parametrize(
    "of_another_seed",
    [answers(2), [replace(one, question="", gold="ABCD"["BCDA".index(one.gold)]) for one in answers()]],
)
def test_answers_of_another_seed_are_refused(rotations: Path, of_another_seed: list[Prediction]) -> None:
    with pytest.raises(
        DivLogicError, match=r"row 1: the answer of 'm' to 'test-0' belongs to another version"
    ):
        gathered(rotations, of_another_seed)


def test_a_recording_that_is_named_must_be_usable(tmp_path: Path) -> None:
    given = '{"file": "%s", "format": "predictions", "model": "ghost"}' % (tmp_path / "ghost.jsonl")
    done = CliRunner().invoke(cli, ["recordings", given, "--out", str(tmp_path / "out.jsonl")])
    assert isinstance(done.exception, DivLogicError) and "ghost.jsonl is left out" in str(done.exception)
    assert not (tmp_path / "out.jsonl").exists()


def test_an_accepted_file_is_newer_than_what_was_made_of_it(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_jsonl(path, [{}])
    before = path.stat().st_mtime_ns
    assert CliRunner().invoke(cli, ["accept", str(path)]).exit_code == 0
    assert path.stat().st_mtime_ns > before
