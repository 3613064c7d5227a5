"""The package is built in floors: each subpackage imports only those below it (import-linter, pyproject.toml)."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from divlogic.config.keys import PHASE_KEYS
from tests.contract.graph import ROOT


def test_imports_point_down_and_go_in_no_circle() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 kept, 0 broken" in done.stdout


def test_the_phases_stand_in_the_order_of_the_workflow() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    floors = settings["contracts"][0]["layers"][::-1]
    place = {name.strip(" ()"): number for number, floor in enumerate(floors) for name in floor.split("|")}
    order = [place[phase] for phase in PHASE_KEYS if phase != "collection"]  # of the code of benchmarks
    assert order == sorted(order)


def test_the_unit_tests_stand_in_the_folders_of_what_they_test() -> None:
    unit = ROOT / "tests" / "unit"
    folders = {path.parent.relative_to(unit) for path in unit.rglob("test_*.py")}
    places = (ROOT / "src" / "divlogic", ROOT)
    strange = [folder for folder in folders if not any((place / folder).is_dir() for place in places)]
    assert strange == []


def test_no_private_module_of_a_library_is_imported() -> None:
    private = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            private += [
                f"{path}: {name}" for name in names if re.match(r"(?!divlogic|__future__).*\._", name)
            ]
    assert private == []
