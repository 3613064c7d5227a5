"""The package is built in floors: each subpackage imports only those below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from divlogic.config import PHASE_KEYS

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "divlogic"
FLOORS = (
    *("logic", "corpora", "sentences", "benchmarks", "models"),
    *("diversity", "prior_knowledge", "evaluation", "paper"),
)
"""From the ground up: the phases in their order, and between them what several of them share."""

SHARED = ("logic", "models")

ROOF = ("cli", "config", "config_cli", "docs", "inspect_registry")
"""Modules that put the subpackages together. Parameters and the command line are read everywhere."""


def test_the_phases_stand_in_their_order_and_nothing_else_but_what_they_share() -> None:
    assert tuple(name for name in FLOORS if name not in SHARED) == tuple(PHASE_KEYS)
    assert sorted(FLOORS) == sorted(
        path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file() and path.name not in ROOF
    )


@pytest.mark.parametrize("floor", FLOORS)
def test_a_subpackage_imports_only_floors_below_it(floor: str) -> None:
    above = FLOORS[FLOORS.index(floor) + 1 :]
    wrong = [
        f"{path.relative_to(PACKAGE)}, line {line}: {name}"
        for path in sorted((PACKAGE / floor).rglob("*.py"))
        for line, name in imported(path)
        if name.split(".")[1] in above
    ]
    assert not wrong


def test_a_module_that_all_may_use_imports_no_subpackage() -> None:
    wrong = [
        f"{path.name}, line {line}: {name}"
        for path in sorted(PACKAGE.glob("*.py"))
        if path.stem not in ROOF
        for line, name in imported(path)
        if name.split(".")[1] in (*FLOORS, *ROOF)
    ]
    assert not wrong


def test_an_import_inside_a_function_is_seen_too(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "def late():\n    from divlogic import paper\n    import divlogic.files\n", encoding="utf-8"
    )
    assert list(imported(path)) == [(2, "divlogic.paper"), (3, "divlogic.files")]


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of everything of this package that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            bare = node.module == "divlogic"
            names = [f"divlogic.{alias.name}" for alias in node.names] if bare else [node.module]
        yield from ((node.lineno, name) for name in names if name.startswith("divlogic."))
