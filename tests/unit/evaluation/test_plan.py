"""What a run would ask and cost, before it is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.evaluation.cli import cli
from divlogic.evaluation.rotated import Plan, plan_run
from divlogic.evaluation.rotations import read_rotations, rotation_json, rotation_rows, style_named
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.requests import requests_of
from divlogic.models.store import Response, ResponseStore, read_responses
from tests.unit.evaluation.samples import records

MODEL, SAMPLING = ModelParameters(name="openai/lamp"), SamplingParameters()


def planned(rotations: Path, store: Path) -> Plan:
    questions = [read_rotations(rotations)]
    return plan_run(questions, read_responses(store), model=MODEL, runs=2, sampling=SAMPLING)


@pytest.fixture()
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl"
    write_jsonl(path, map(rotation_json, rotation_rows(records(5), style_named("zero_shot"), seed=1)))
    return path


def test_without_answers_a_plan_counts_characters_and_the_longest_answers(
    rotations: Path, tmp_path: Path
) -> None:
    plan = planned(rotations, tmp_path / "none.jsonl")
    characters = sum(len(row.input) for row in read_rotations(rotations))
    assert (plan.requests, plan.stored, plan.measured) == (40, 0, False)
    assert plan.input_tokens == round(2 * characters / 4)
    assert plan.output_tokens == 40 * 64
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
    assert (plan.requests, plan.stored, plan.measured) == (40, 10, True)
    assert plan.input_tokens == 2 * sum(len(request.question.input) for request in requests[10:])
    assert plan.output_tokens == 90


def test_a_plan_needs_no_store(rotations: Path, tmp_path: Path) -> None:
    assert planned(rotations, tmp_path / "none.sqlite").stored == 0
    done = CliRunner().invoke(cli, ["plan", str(rotations), "--model", "compatible/mine", "--params", "{}"])
    assert done.exit_code == 0 and "compatible/mine: 20 answers wanted, 0 in the store" in done.output
