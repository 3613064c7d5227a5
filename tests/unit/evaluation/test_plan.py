"""What a run would ask and cost, before it is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from divlogic.evaluation.cli import cli
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.evaluation.plan import plan_run
from divlogic.evaluation.rotations import read_rotations, rotation_rows, style_named
from divlogic.evaluation.steps import wanted_requests
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import ModelParameters
from divlogic.models.store import Response, ResponseStore
from tests.unit.evaluation.samples import records

MODEL, SECTION = ModelParameters(name="openai/lamp", runs=2), EvaluationParameters()


@pytest.fixture()
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl"
    write_jsonl(path, (row.to_json() for row in rotation_rows(records(5), style_named("zero_shot"), seed=1)))
    return path


def test_without_answers_a_plan_counts_characters_and_the_longest_answers(
    rotations: Path, tmp_path: Path
) -> None:
    plan = plan_run([rotations], tmp_path / "none.jsonl", model=MODEL, parameters=SECTION)
    characters = sum(len(row.input) for row in read_rotations(rotations))
    assert (plan.requests, plan.stored, plan.measured) == (40, 0, False)
    assert plan.input_tokens == round(2 * characters / 4)
    assert plan.output_tokens == 40 * 64
    assert plan.cost(1.0, 2.0) == pytest.approx((plan.input_tokens + 2 * plan.output_tokens) / 1e6)


def test_with_answers_a_plan_takes_their_numbers_of_tokens_and_leaves_them_out(
    rotations: Path, tmp_path: Path
) -> None:
    requests = wanted_requests(read_rotations(rotations), MODEL, SECTION)
    with ResponseStore(tmp_path / "store.jsonl") as store:
        for request in requests[:10]:
            tokens = 2 * len(request.question.input)
            store.add(Response(request.key, "lamp", request.run, "A", "stop", tokens, 3))
    plan = plan_run([rotations], tmp_path / "store.jsonl", model=MODEL, parameters=SECTION)
    assert (plan.requests, plan.stored, plan.measured) == (40, 10, True)
    assert plan.input_tokens == 2 * sum(len(request.question.input) for request in requests[10:])
    assert plan.output_tokens == 90


def test_a_plan_needs_no_store(rotations: Path, tmp_path: Path) -> None:
    assert plan_run([rotations], None, model=MODEL, parameters=SECTION).stored == 0
    done = CliRunner().invoke(cli, ["plan", str(rotations), "--model", "compatible/mine", "--params", "{}"])
    assert done.exit_code == 0 and "compatible/mine: 20 answers wanted, 0 in the store" in done.output
