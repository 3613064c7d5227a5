"""Models that the run serves itself: started with the first question, ended with the run, restarted if they crash."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.log import set_up
from divlogic.models.gguf import serving_of
from divlogic.models.parameters import LimitParameters, ModelParameters
from divlogic.models.predictions import Prediction
from divlogic.models.runs import RunSummary
from divlogic.models.serving.provider import LocalServer
from tests.integration.local_models import alive, asked_of, scripted_environment, scripted_file
from tests.unit.evaluation.samples import answered, rotations

pytestmark = pytest.mark.integration


@pytest.fixture(autouse=True)
def _scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in scripted_environment().items():
        monkeypatch.setenv(name, value)


def run(
    weights: Path, *, prompt: str = "zero_shot", instances: int = 3, **args: int
) -> tuple[RunSummary, list[Prediction]]:
    model, limits = (
        ModelParameters(name=f"local/{weights}", args=args),
        LimitParameters(first_wait=0.01),
    )
    return answered(
        rotations(instances, prompt), model, weights.with_name("store.sqlite"), limits=limits
    )


def test_a_file_is_served_and_answers_with_log_probabilities(tmp_path: Path) -> None:
    weights = scripted_file(tmp_path, answer="Answer: C")
    summary, predictions = run(weights)
    assert (summary.answered, summary.faults.total()) == (12, 0)
    assert {prediction.predicted for prediction in predictions} == {"C"}
    assert all(set(prediction.logprobs or {}) == set("ABCD") for prediction in predictions)
    assert len(asked_of(weights)) == 12


def test_several_servers_share_the_instances_and_end_with_the_run(tmp_path: Path) -> None:
    weights = scripted_file(tmp_path)
    summary, predictions = run(weights, instances=6, servers=2)
    assert (summary.answered, len(predictions)) == (24, 24)
    servers: dict[str, set[int]] = {}
    for request in asked_of(weights):
        beginning = request["messages"][0]["content"].partition("\nA. ")[0]
        servers.setdefault(beginning, set()).add(request["server"])
    assert len(servers) == 6 and all(len(of_instance) == 1 for of_instance in servers.values())
    used = set.union(*servers.values())
    assert len(used) == 2 and not any(map(alive, used))


def test_one_of_several_servers_that_crashes_is_started_again(tmp_path: Path) -> None:
    weights = scripted_file(tmp_path, crash_at=[4])
    summary, _ = run(weights, servers=2)
    assert (summary.answered, summary.unanswered) == (12, 0)
    assert len({request["server"] for request in asked_of(weights)}) == 3


def test_the_likelihood_of_the_letters_is_a_prompt_style_of_its_own(tmp_path: Path) -> None:
    weights = scripted_file(tmp_path, answer="Answer: B")
    _, predictions = run(weights, prompt="likelihood")
    assert {prediction.predicted for prediction in predictions} == {"B"}
    assert {request["max_tokens"] for request in asked_of(weights)} == {1}


def test_a_file_is_the_same_model_wherever_it_lies(tmp_path: Path) -> None:
    run(scripted_file(tmp_path))
    moved = scripted_file(tmp_path, "moved.gguf")
    again, _ = run(moved)
    assert (again.reused, again.answered) == (12, 0)
    changed = scripted_file(tmp_path, "changed.gguf", answer="Answer: D")
    other, _ = run(changed)
    assert (other.reused, other.answered) == (0, 12)


def test_a_server_that_crashes_is_named_and_started_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    set_up()
    weights = scripted_file(tmp_path, crash_at=[3, 8])
    summary, predictions = run(weights)
    assert (summary.answered, summary.unanswered, dict(summary.faults)) == (
        12,
        0,
        {"connection": 2},
    )
    assert len(predictions) == 12
    told = [line for line in capsys.readouterr().err.splitlines() if "is started again" in line]
    assert len(told) == 2
    assert "killed by SIGKILL" in told[0] and str(weights) in told[0]


def test_a_server_that_crashes_again_and_again_is_given_up_and_nothing_answered_is_lost(
    tmp_path: Path,
) -> None:
    weights = scripted_file(tmp_path, crash_at=[5, 6, 7])
    with pytest.raises(DivLogicError, match="crashed 3 times in a row"):
        run(weights)
    again, _ = run(weights)
    assert (again.reused, again.answered) == (4, 8)


def test_a_question_longer_than_the_context_is_told_and_a_longer_one_goes_on_where_it_was(
    tmp_path: Path,
) -> None:
    weights = scripted_file(tmp_path, too_long=[3])
    with pytest.raises(DivLogicError, match=r"longer than its context \(4,096 tokens.*`context`"):
        run(weights)
    again, predictions = run(weights, context=8192)
    assert (again.reused, again.answered) == (2, 10)
    assert all(prediction.logprobs for prediction in predictions)


def test_a_line_before_the_address_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    printing = "print('loading\\nhttp://127.0.0.1:1', flush=True)"
    program.write_text(f"import sys; {printing}; sys.stdin.buffer.read()", encoding="utf-8")
    monkeypatch.setattr("divlogic.models.serving.provider.PROGRAM", program)
    monkeypatch.setattr("divlogic.models.serving.provider.START_SECONDS", 5.0)
    server = LocalServer(serving_of(str(scripted_file(tmp_path)), {}))
    assert server.start() == "http://127.0.0.1:1/v1"
    server.stop()


def test_the_server_ends_when_the_run_is_killed(tmp_path: Path) -> None:
    weights = scripted_file(tmp_path)
    program = (
        "import sys, time; from divlogic.models.serving.provider import LocalServer;"
        " from divlogic.models.gguf import serving_of;"
        f" s = LocalServer(serving_of({str(weights)!r}, {{}})); s.start(); print(s.pid, flush=True); time.sleep(60)"
    )
    path = os.pathsep.join(filter(None, [scripted_environment()["PYTHONPATH"], *sys.path]))
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert alive(pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    deadline = time.monotonic() + 10
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(pid), "the server outlives the run"


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DivLogicError, match=f"the port {port} of 127.0.0.1 is in use"):
            run(scripted_file(tmp_path), port=port)


@pytest.mark.parametrize(
    ("complaint", "told"),
    [
        (
            "tensor 'blk.1' data is not within the file bounds",
            "within the file bounds.*fetch it again",
        ),
        ("unable to allocate CPU buffer", "for lack of memory"),
    ],
)
def test_a_file_that_cannot_be_loaded_is_told_and_not_tried_again(
    tmp_path: Path, complaint: str, told: str
) -> None:
    with pytest.raises(DivLogicError, match=told):
        run(scripted_file(tmp_path, refuse=complaint))


def test_too_little_memory_is_told_before_the_server_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("divlogic.models.serving.provider.available_memory", lambda: 2)
    with pytest.raises(DivLogicError, match="MiB are free"):
        run(scripted_file(tmp_path))


def test_an_interpreter_without_the_package_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(DivLogicError, match=r"no package xllamacpp.*make env-model"):
        run(scripted_file(tmp_path))
