"""What Inspect finds of this package is what pyproject.toml names, and every script starts."""

from __future__ import annotations

import importlib
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest

import divlogic
from tests.contract.graph import ROOT
from tests.support import some

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
SCRIPTS = [
    path
    for path in sorted((ROOT / "perf").glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8")
]


def test_inspect_s_entry_point_has_the_tasks_and_the_providers() -> None:
    module = importlib.import_module(PROJECT["entry-points"]["inspect_ai"]["divlogic"])
    tasks = "divlogiceval items justlogic llmeval_logic_answer llmeval_logic_formalise logicnli prior_knowledge"
    assert set(module.__all__) == {*tasks.split(), "BaselineAPI", "CompatibleAPI", "LocalAPI"}
    assert all(hasattr(module, name) for name in module.__all__)


def test_every_script_can_be_called() -> None:
    for target in some(PROJECT["scripts"].values()):
        module, _, name = target.partition(":")
        assert callable(getattr(importlib.import_module(module), name))


def test_the_wheel_holds_every_file_that_the_package_reads() -> None:
    patterns = SETTINGS["tool"]["setuptools"]["package-data"]["divlogic"]
    package = ROOT / "src" / "divlogic"
    packed = {path for pattern in patterns for path in package.glob(pattern)}
    code = (".py", ".pyc", ".pyi")
    assert {
        path for path in package.rglob("*") if path.is_file() and path.suffix not in code
    } <= packed


def test_every_place_names_one_version() -> None:
    def first(pattern: str, name: str) -> str:
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert found, name
        return found[1]

    assert {
        PROJECT["version"],
        first(r"^version: (.*)$", "CITATION.cff"),
        first(r"^## (\S+)", "CHANGELOG.md"),
        first(r"python -m tools.bundle --out divlogic-(\S+)", "docs/library.md"),
    } == {divlogic.__version__}


@pytest.mark.parametrize("script", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_a_measuring_script_starts(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(script), "--help"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module(f"perf.{script.stem}", run_name="__main__")
    assert not ended.value.code
