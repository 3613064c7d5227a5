"""The worker: whatever an environment does, it ends, within its budget, with a reason."""

from __future__ import annotations

import ast
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.field.drawing import WORKER, Job, draw
from tests.contract.graph import ROOT

JOB = Job("tests.unit.field.environments:tidy", size=6, seed=4, cpu=4, path=(str(ROOT),))


def of(name: str) -> Job:
    return replace(JOB, package=f"tests.unit.field.environments:{name}")


def test_a_callable_gives_its_items() -> None:
    drawn = draw(JOB)
    assert not drawn.fault and len(drawn.items) == 6
    item = drawn.items[3]
    assert (item.index, item.question, item.answer) == (3, "Is 7 even?", "no")
    assert item.options == ("yes", "no") and item.group == "1"


def test_a_part_of_the_items_is_the_same_as_that_part_of_all() -> None:
    assert draw(replace(JOB, first=4, size=2)).items == draw(JOB).items[4:]


@pytest.mark.parametrize(
    ("name", "items", "reason"),
    [
        ("raising", 3, "raises RuntimeError: the moon is full"),
        ("looping", 3, "over its budget of 4 CPU seconds"),
        ("hungry", 0, "over its budget of 4.0 GiB of memory"),
        ("calling", 0, "asks for the network (example.invalid)"),
        ("connecting", 0, "asks for the network (127.0.0.1)"),
        ("leaving", 0, "its process ended with 3"),
        ("keyed", 0, "raises KeyError: 'OPENAI_API_KEY'"),
        ("unanswerable", 0, "item 0: the answer 'perhaps' is not one of the options"),
        ("empty", 0, "item 0: the question is empty or no text"),
        ("missing", 0, "has no attribute 'missing'"),
    ],
)
def test_a_bad_environment_is_a_reason(
    name: str, items: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")  # no environment sees the user's keys
    drawn = draw(of(name))
    assert len(drawn.items) == items
    assert reason in drawn.fault


def test_a_sleeper_is_ended_by_the_clock() -> None:
    start = time.monotonic()
    assert draw(replace(of("sleeping"), cpu=1)).fault == "over 4 seconds of the clock"
    assert time.monotonic() - start < 20


def test_what_an_environment_prints_is_no_item() -> None:
    drawn = draw(of("printing"))
    assert not drawn.fault and len(drawn.items) == 6


def test_a_package_that_is_not_installed_is_a_reason() -> None:
    fault = draw(Job("reasoning-gym", "syllogism", size=1)).fault
    assert fault.startswith("finds no reasoning-gym in ")


def test_an_unknown_package_or_interpreter_is_named() -> None:
    with pytest.raises(DivLogicError, match="no package 'reasoning-jym'"):
        Job("reasoning-jym", "syllogism")
    with pytest.raises(DivLogicError, match="name one of them"):
        Job("reasoning-gym")
    with pytest.raises(DivLogicError, match="no Python at nowhere/python"):
        draw(JOB, Path("nowhere/python"))


def test_ours_are_drawn_by_the_same_worker() -> None:
    drawn = draw(Job("divlogic", "justlogic", size=6))
    assert not drawn.fault and drawn.version
    assert drawn.items[0].options == ("True", "False", "Uncertain")


def test_the_worker_imports_the_standard_library_and_what_it_adapts() -> None:
    names = set()
    for node in ast.walk(ast.parse(WORKER.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    adapted = {"divlogic", "reasoning_gym", "reasoning_core", "numpy"}
    assert names - adapted <= sys.stdlib_module_names
