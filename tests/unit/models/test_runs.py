"""Runs: baselines answer without Inspect what they answer through it, and what is said while a run is under way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.rotations import rotation_rows, style_named
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.requests import ClosedQuestion, requests_of
from divlogic.models.runner import open_model
from divlogic.models.runs import Progress, RunSummary, run_baseline, seed_of
from divlogic.models.store import ResponseStore, read_responses
from tests.unit.evaluation.samples import records, run_model

SAMPLING = SamplingParameters()
UNIFORM = ModelParameters(name="baseline/uniform")


def rows(count: int = 4) -> list[ClosedQuestion]:
    return list(rotation_rows(records(count), style_named("zero_shot"), seed=1))


def ask(store: Path, model: ModelParameters = UNIFORM, runs: int = 2) -> RunSummary:
    with ResponseStore(store) as opened:
        return run_model(
            rows(), model, opened, runs=runs, sampling=SAMPLING, limits=LimitParameters(), seed=5
        )


@pytest.mark.parametrize("name", ["uniform", "position", "overlap"])
def test_a_baseline_answers_as_it_does_through_inspect(tmp_path: Path, name: str) -> None:
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    model = ModelParameters(name=f"baseline/{name}")
    ask(tmp_path / "s.sqlite", model)
    api = open_model(model).api
    requests = list(requests_of(rows(), model, 2, SAMPLING))
    answers = read_responses(tmp_path / "s.sqlite")
    for request in requests:
        config = GenerateConfig(seed=seed_of(5, request.run))
        message = ChatMessageUser(content=request.question.input)
        output = asyncio.run(api.generate([message], [], "none", config))
        stored = request.stored(answers)
        assert stored is not None
        assert (stored.answer, stored.stop_reason) == (output.completion, output.stop_reason)


def test_an_answer_in_the_store_is_not_asked_again(tmp_path: Path) -> None:
    first, second = ask(tmp_path / "s.sqlite"), ask(tmp_path / "s.sqlite", runs=3)
    assert (first.requests, first.reused, first.answered) == (32, 0, 32)
    assert (second.requests, second.reused, second.answered) == (48, 32, 16)
    assert second.unanswered == second.unreadable == 0


def test_an_unknown_baseline_is_named(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="unknown baseline 'baseline/oracle'; known are uniform"):
        ask(tmp_path / "s.sqlite", ModelParameters(name="baseline/oracle"))


def test_a_prompt_that_cannot_be_read_is_answered_so(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "s.sqlite") as store:
        broken = rows(1)[:1]
        object.__setattr__(broken[0], "input", "What is this?")
        requests = list(requests_of(broken, UNIFORM, 1, SAMPLING))
        assert run_baseline(requests, UNIFORM, store, seed=1).unreadable == 1


def test_inspect_is_not_imported_for_a_baseline(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.unit.models.test_runs import ask;"
        f" ask(Path({str(tmp_path / 's.jsonl')!r})); sys.exit('inspect_ai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_a_minute_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter(range(0, 1000, 20))
    with Progress("lamp", 100, clock=lambda: next(seconds)) as progress:
        for answered in range(1, 11):
            progress.show(answered, 50 * answered)
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 4
    assert lines[0].startswith("lamp: 3 of 100 answers, 150 tokens, about 4")
    assert lines[0].endswith(" min left")


@pytest.mark.parametrize(("seconds", "left"), [(1, "half a minute"), (60, "9 min"), (3600, "9 h 0 min")])
def test_the_time_left_is_that_of_the_answers_so_far(seconds: float, left: str) -> None:
    times = iter([0.0, seconds])
    assert Progress("lamp", 100, clock=lambda: next(times)).sentence(10, 0).endswith(f"about {left} left")
