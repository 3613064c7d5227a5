"""Bounds on the size of the code (`tool.divlogic.bounds`); a change that needs more moves them in its own commit."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from tests.contract.graph import ROOT

BOUNDS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["divlogic"]["bounds"]
PUZZLING = re.compile(r"\b(?:beside|anew|told|whatever|somebody|whoever|nought|mended?)\b", re.IGNORECASE)
"""Words that send a reader back to the start of the sentence."""


@cache
def trees(folder: str) -> dict[Path, ast.Module]:
    """Return the syntax tree of every module below a folder."""
    files = sorted((ROOT / folder).rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}


@cache
def code_lines(path: Path, tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that are neither blank, nor a comment, nor part of a docstring."""
    lines = path.read_text(encoding="utf-8").split("\n")
    found = {
        number for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")
    }
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found


@cache
def sizes(folder: str = "src") -> dict[Path, int]:
    return {path: len(code_lines(path, tree)) for path, tree in trees(folder).items()}


def imports() -> Iterator[int]:
    for path, tree in trees("src").items():
        code = code_lines(path, tree)
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield len(code & set(range(node.lineno, (node.end_lineno or node.lineno) + 1)))


def private_functions_called_once() -> list[str]:
    """Return the private functions of modules that are used in one place."""
    found = []
    for path, tree in trees("src").items():
        names = Counter(getattr(node, "id", getattr(node, "attr", None)) for node in ast.walk(tree))
        for node in tree.body:
            private = isinstance(node, ast.FunctionDef) and re.match(r"_[a-z]", node.name)
            if private and names[node.name] == 1:
                found.append(f"{path.name}:{node.name}")
    return found


def test_the_code_is_not_longer_than_its_bound() -> None:
    assert sum(sizes().values()) <= BOUNDS["lines"]
    assert len(sizes()) <= BOUNDS["files"]
    assert sum(size < 35 for size in sizes().values()) <= BOUNDS["small_files"]
    assert sum(sizes("tests").values()) <= BOUNDS["lines_of_tests"]


def test_imports_are_a_small_share_of_the_code() -> None:
    assert 100 * sum(imports()) / sum(sizes().values()) <= BOUNDS["percent_of_imports"]


def test_a_class_name_means_one_thing() -> None:
    names = Counter(
        node.name
        for tree in trees("src").values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    assert sorted(name for name, number in names.items() if number > 1)[BOUNDS["class_names_twice"] :] == []


def test_few_private_functions_are_called_once() -> None:
    assert len(private_functions_called_once()) <= BOUNDS["private_functions_called_once"]


def test_few_modules_open_a_solver() -> None:
    opening = [
        path for path in trees("src") if re.search(r"\bSolver(?:For)?\(", path.read_text(encoding="utf-8"))
    ]
    z3 = [path for path in opening if "z3" in path.read_text(encoding="utf-8")]
    assert len(z3) <= BOUNDS["modules_that_open_a_solver"], z3


def test_commands_are_tables() -> None:
    commands = [path for path in sizes() if path.name.endswith("cli.py") or path.name == "command.py"]
    assert sum(sizes()[path] for path in commands) <= BOUNDS["lines_of_commands"]


def test_a_stage_of_dvc_names_the_package_once() -> None:
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    named = [dep for stage in stages.values() for dep in stage["deps"] if dep.startswith("src")]
    assert named == ["src/divlogic"] * len(stages)


def test_the_english_of_the_code_is_plain() -> None:
    texts = [path.read_text(encoding="utf-8") for path in trees("src")]
    assert sum(len(PUZZLING.findall(text)) for text in texts) <= BOUNDS["puzzling_words"]
