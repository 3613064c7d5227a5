"""Runs: baselines answer without Inspect what they answer through it, and what is said while a run is under way."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from divlogic.errors import DivLogicError
from divlogic.models import runner
from divlogic.models.outcome import Failure
from divlogic.models.parameters import LimitParameters, ModelParameters, SamplingParameters
from divlogic.models.replies import ServerError
from divlogic.models.requests import ResponseStore, read_responses, requests_of
from divlogic.models.runner import open_model, run_requests
from divlogic.models.runs import Progress, RunSummary, seed_of
from tests.unit.evaluation.samples import rotations, run_model

SAMPLING = SamplingParameters()
UNIFORM = ModelParameters(name="baseline/uniform")


def ask(store: Path, model: ModelParameters = UNIFORM, runs: int = 2) -> RunSummary:
    with ResponseStore(store) as opened:
        return run_model(
            rotations(4),
            model,
            opened,
            runs=runs,
            sampling=SAMPLING,
            limits=LimitParameters(),
            seed=5,
        )


@pytest.mark.parametrize("name", ["uniform", "position", "overlap"])
def test_a_baseline_answers_as_it_does_through_inspect(tmp_path: Path, name: str) -> None:
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    model = ModelParameters(name=f"baseline/{name}")
    ask(tmp_path / "s.sqlite", model)
    api = open_model(model).api
    requests = list(requests_of(rotations(4), model, 2, SAMPLING))
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


def test_a_prompt_that_cannot_be_read_is_answered_so(tmp_path: Path) -> None:
    with ResponseStore(tmp_path / "s.sqlite") as store:
        broken = rotations(1)[:1]
        object.__setattr__(broken[0], "input", "What is this?")
        requests = list(requests_of(broken, UNIFORM, 1, SAMPLING))
        given = {"sampling": SAMPLING, "limits": LimitParameters(), "seed": 1}
        assert run_requests(requests, UNIFORM, store, **given).unreadable == 1  # type: ignore[arg-type]


def test_inspect_is_not_imported_for_a_baseline(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.unit.models.test_runs import ask;"
        f" ask(Path({str(tmp_path / 's.jsonl')!r})); sys.exit('inspect_ai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_line_with_a_bar_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = iter(range(0, 1000, 4))
    with Progress("lamp", 100, clock=lambda: next(seconds)) as progress:
        for answered in range(1, 11):
            progress.show(answered, 50 * answered)
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 4
    assert lines[-1].startswith("lamp: ━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ 9 of 100 answers, 450 tokens, about 9")
    assert lines[-1].endswith(" min left")


@pytest.mark.parametrize(
    ("seconds", "left"), [(1, "half a minute"), (60, "9 min"), (3600, "9 h 0 min")]
)
def test_the_time_left_is_that_of_the_answers_so_far(seconds: float, left: str) -> None:
    times = iter([0.0, seconds])
    assert (
        Progress("lamp", 100, clock=lambda: next(times))
        .sentence(10, 0)
        .endswith(f"about {left} left")
    )


class SteppedLoop(asyncio.SelectorEventLoop):
    """A loop whose waits take no time: its clock goes on to the next thing that is to be done."""

    ahead = 0.0

    def time(self) -> float:
        return time.monotonic() + self.ahead

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.ahead += max(self._scheduled[0].when() - self.time(), 0.0)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


class Failing:
    """A server that answers the questions before ``works`` and fails at all others; it notes when it was asked."""

    def __init__(self, works: int = 0, status: int = 500, retry_after: float | None = None) -> None:
        self.works = works
        self.fault = Failure(f"status {status}", status=status, wait=retry_after)
        self.asked = list[float]()
        self.api = SimpleNamespace(
            one_attempt=True, base_url="http://there/v1", generate=self.generate
        )

    async def __aenter__(self) -> Failing:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def generate(self, *_: object) -> Any:
        from inspect_ai.model import ModelOutput

        self.asked.append(asyncio.get_running_loop().time())
        if len(self.asked) <= self.works:
            return ModelOutput.from_content("there", "Answer: A")
        raise ServerError(self.fault)


@pytest.fixture
def asked_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[float]]:
    """Return what asks a failing server on a stepped clock until it is given up, and says when it was asked."""
    loop = partial(asyncio.Runner, loop_factory=SteppedLoop)
    monkeypatch.setattr(runner.asyncio, "run", lambda work: loop().run(work))
    model = ModelParameters(name="compatible/there", base_url="http://there/v1")
    requests = list(requests_of(rotations(20), model, 1, SAMPLING))

    def ask_until_given_up(server: Failing, **limits: Any) -> list[float]:
        monkeypatch.setattr(runner, "open_model", lambda _: server)
        given = {"sampling": SAMPLING, "limits": LimitParameters(**limits), "seed": 1}
        with (
            ResponseStore(tmp_path / "s.sqlite") as store,
            pytest.raises(DivLogicError, match="given up"),
        ):
            run_requests(requests, model, store, **given)  # type: ignore[arg-type]
        return server.asked

    return ask_until_given_up


@pytest.mark.parametrize("works", [0, 5])
@pytest.mark.parametrize("concurrency", [1, 16])
@pytest.mark.parametrize("retry_after", [None, 300.0])
def test_a_server_that_answers_500_is_given_up_within_a_minute(
    asked_of: Callable[..., list[float]], works: int, concurrency: int, retry_after: float | None
) -> None:
    asked = asked_of(Failing(works, retry_after=retry_after), concurrency=concurrency, attempts=50)
    assert 14 < asked[-1] - asked[works] < 60


def test_a_server_that_is_asked_too_often_is_waited_for(
    asked_of: Callable[..., list[float]],
) -> None:
    limits = {"concurrency": 1, "attempts": 3, "give_up_after": 2}
    asked = asked_of(Failing(status=429, retry_after=50.0), **limits)
    assert asked[-1] - asked[0] > 190


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_a_wrong_key_address_or_an_empty_account_is_found_by_one_request(
    asked_of: Callable[..., list[float]], status: int
) -> None:
    assert len(asked_of(Failing(status=status), concurrency=16)) == 1
