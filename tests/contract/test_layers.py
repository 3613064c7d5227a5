"""The package is built in floors: each subpackage imports only those below it (import-linter, pyproject.toml)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from divlogic.config.keys import PHASE_KEYS
from tests.contract.graph import ROOT


def test_imports_point_down_and_go_in_no_circle() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kept, 0 broken" in done.stdout


def test_the_phases_stand_in_the_order_of_the_workflow() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]
    floors = settings["contracts"][0]["layers"][::-1]
    place = {
        name.strip(" ()"): number
        for number, floor in enumerate(floors)
        for name in floor.split("|")
    }
    order = [
        place[phase] for phase in PHASE_KEYS if phase != "collection"
    ]  # of the code of benchmarks
    assert order == sorted(order)


def test_one_module_opens_the_solver() -> None:
    # Whatever asks Z3 asks it with the same limits and the same seed.
    opening = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "z3" in text and re.search(r"\bSolver(?:For)?\(", text):
            opening.append(path.relative_to(ROOT).as_posix())
    assert opening == ["src/divlogic/logic/smt.py"]


def test_a_stage_of_dvc_names_the_package_once() -> None:
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    named = [dep for stage in stages.values() for dep in stage["deps"] if dep.startswith("src")]
    assert named == ["src/divlogic"] * len(stages)


def test_no_private_module_of_a_library_is_imported() -> None:
    private = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            )
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            private += [
                f"{path}: {name}"
                for name in names
                if re.match(r"(?!divlogic|__future__).*\._", name)
            ]
    assert private == []
