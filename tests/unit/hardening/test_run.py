"""The run over the store: resumable wherever it is killed, nothing asked twice, off by default."""

from __future__ import annotations

import multiprocessing
import signal
from pathlib import Path
from typing import get_args

import pytest

from divlogic.benchmarks.llmeval_logic.seeds import read_scenarios
from divlogic.errors import DivLogicError
from divlogic.hardening.machine import Role
from divlogic.hardening.parameters import HardeningParameters, RoleParameters
from divlogic.io.files import read_jsonl
from divlogic.models.asking import ask_requests
from divlogic.models.parameters import ModelParameters
from divlogic.models.requests import read_responses
from tests.unit.hardening import scripted
from tests.unit.hardening.scripted import made, parameters


@pytest.fixture(autouse=True)
def _no_calls() -> None:
    scripted.CALLS.clear()


def test_it_is_off_by_default_and_writes_empty_files(tmp_path: Path) -> None:
    files = made(tmp_path, HardeningParameters())
    assert files["accepted.jsonl"] == files["trace.jsonl"] == b""
    assert files["outcomes.csv"].decode().splitlines()[1] == "accepted,0"
    assert not (tmp_path / "stores").exists()


def test_a_role_that_no_model_plays_is_named(tmp_path: Path) -> None:
    roles = RoleParameters(decider=ModelParameters(name="scripted/accept"))
    settings = parameters("accept").model_copy(update={"roles": roles})
    with pytest.raises(DivLogicError, match="'proposal'"):
        made(tmp_path, settings)


def test_an_accepted_item_is_written_with_its_trace(tmp_path: Path) -> None:
    made(tmp_path, parameters("accept"))
    ((_, accepted),) = read_jsonl(tmp_path / "accepted.jsonl")
    assert accepted["id"] == "wiring-1-m1" and len(accepted["metadata"]["questions"]) == 4
    ((_, trace),) = read_jsonl(tmp_path / "trace.jsonl")
    assert trace["steps"][-1]["step"] == "verification"
    assert b"accepted,1" in (tmp_path / "outcomes.csv").read_bytes()


def test_all_items_advance_one_step_per_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches: list[int] = []

    def counted(requests, *rest, **named):
        batches.append(len(requests))
        return ask_requests(requests, *rest, **named)

    monkeypatch.setattr("divlogic.hardening.machine.ask_requests", counted)
    files = made(
        tmp_path, parameters("accept"), seeds=read_scenarios(Path("data/embedded/scenarios"))[:5]
    )
    # The scripted probe answers only wiring-1, so that all five stop after one batch of three probes each.
    assert batches == [15]
    assert b"hard_enough,5" in files["outcomes.csv"]


def test_a_second_run_asks_nothing_and_writes_the_same(tmp_path: Path) -> None:
    first = made(tmp_path / "a", parameters("repair"))
    asked = len(scripted.CALLS)
    assert asked == 3 + 1 + 2 + 2 * (1 + 3 + 1)
    assert made(tmp_path / "b", parameters("repair"), tmp_path / "a" / "stores") == first
    assert len(scripted.CALLS) == asked


@pytest.mark.parametrize(
    ("role", "script"), [*((role, "repair") for role in get_args(Role)), ("proposal", "second")]
)
def test_a_run_killed_in_a_role_goes_on_from_the_store(
    tmp_path: Path, role: str, script: str
) -> None:
    whole = made(tmp_path / "whole", parameters(script))
    asked = sorted(scripted.CALLS)
    scripted.CALLS.clear()

    def killed() -> None:
        scripted.KILL_IN = role
        made(tmp_path / "killed", parameters(script))

    process = multiprocessing.get_context("fork").Process(target=killed)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    store = tmp_path / "killed" / "stores" / f"scripted-{script}.sqlite"
    before = list(read_responses(store))
    assert made(tmp_path / "killed", parameters(script)) == whole
    keys = list(read_responses(store))
    assert keys[: len(before)] == before and len(set(keys)) == len(keys) == len(asked)
    assert len(scripted.CALLS) == len(keys) - len(before), "an answer was asked for twice"
