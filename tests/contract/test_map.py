"""What prose names exists: the paths, modules and functions in pages, in the heads of modules and of rule files."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path

import pytest
import yaml

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.parameters import Parameters
from tests.contract.graph import ROOT, snakemake_jobs
from tests.contract.test_graphs import MORE_JOBS
from tests.support import some

CODE = ("src", "tools", "perf", "tests")
PAGES = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("tools/docs/templates/*.md"),
        *ROOT.glob("config/*.md"),
        *ROOT.glob("data/**/*.md"),
    )
    if path.name not in ("CHANGELOG.md", "parameters.md")  # of what was; generated
)
TOPS = {
    *("src", "tests", "tools", "perf", "docs", "data", "workflow", "config", "notebooks"),
    *("profiles", "requirements", "results", ".ci", ".github"),
}
"""Folders of the repository and of its runs; what tools keep (`.snakemake`, `logs`) is theirs."""

RULES = sorted((ROOT / "workflow").rglob("*.smk"))
MODULES = sorted(path for part in CODE for path in (ROOT / part).rglob("*.py"))

FILE = re.compile(r"[\w.-]+\.(?:py|smk|ya?ml|toml|j2|typ|ipynb|rst|lock)")
"""A file of the repository, named without its folder."""

PRODUCT = re.compile(r"[\w.-]+\.(?:csv|json|jsonl|jsonl\.gz|html|pdf|svg|png|md|tex|parquet)")
"""A file that a run or a command writes, named without its folder: it may be anybody's."""

OF_A_USER = ("data/raw/", "data/variants/", "data/imported/")
"""Folders whose content depends on the user: corpora, further sets, data sets of their own."""


def spans(text: str) -> Iterator[str]:
    """Yield what stands in backticks in the prose of a page: not in its blocks of code."""
    prose = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"(?<!`)`([^`\n]+)`(?!`)", prose)


def spans_of_docstrings(path: Path) -> Iterator[str]:
    """Yield what stands in backticks in the docstrings of a module: its own, and those of what it defines."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield from re.findall(r"`+~?([^`\n]+)`+", str(node.value.value))


@cache
def known_files() -> tuple[str, ...]:
    """Return every file and folder of the repository that git would keep."""
    ignored = {".git", ".venv", ".snakemake", "__pycache__", ".dvc", "node_modules", "logs", "site"}
    found = []
    for top in ROOT.iterdir():
        if top.name in ignored or (top.name.startswith(".venv")):
            continue
        found.append(top.relative_to(ROOT).as_posix())
        if top.is_dir():
            found += [path.relative_to(ROOT).as_posix() for path in top.rglob("*")]
    return tuple(found)


@cache
def made_files() -> frozenset[str]:
    """Return every file and folder that a run makes, embedded or full."""
    networks = yaml.safe_load((ROOT / "config/logicnli_minilm.yaml").read_text(encoding="utf-8"))
    runs = ({}, {"corpus_source": "full", "mirror": "../mirror"}, MORE_JOBS, networks)
    jobs = [job for config in runs for job in snakemake_jobs(**config)]
    outputs = {path for job in jobs for path in job.outputs}
    return frozenset(
        {*outputs, *(str(folder) for path in outputs for folder in Path(path).parents)}
    )


@cache
def parameters() -> frozenset[str]:
    """Return every parameter and section by its dotted name."""

    def walk(value: object, name: str) -> Iterator[str]:
        if isinstance(value, dict):
            for key, inner in value.items():
                yield f"{name}{key}"
                yield from walk(inner, f"{name}{key}.")

    # The generated page has those, too, that are not set by default.
    page = (ROOT / "docs/parameters.md").read_text(encoding="utf-8")
    return frozenset({*walk(Parameters().model_dump(), ""), *spans(page)})


@cache
def modules() -> dict[str, Path]:
    """Return the modules of the package, the tools, the measurements and the tests by their names."""
    found = {}
    for path in MODULES:
        place = path.relative_to(ROOT / "src" if path.is_relative_to(ROOT / "src") else ROOT)
        parts = place.with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def alternatives(text: str) -> Iterator[str]:
    """Yield the paths that braces stand for: ``a/{b,c}.json`` -> ``a/b.json``, ``a/c.json``."""
    parts = re.split(r"\{([^{}]*,[^{}]*)\}", text)
    choices = [part.split(",") if number % 2 else [part] for number, part in enumerate(parts)]
    yield from map("".join, product(*choices))


def exists(path: str) -> bool:
    """Return whether a path is one of the repository, or one that a run makes; ``<name>`` stands for any.

    A table stands for its files (``results/evaluation/table1``), and what is in brackets may be there.
    """
    path = path.partition("#")[0]
    if f"{path.rstrip('/')}/".startswith(OF_A_USER):
        return True
    pattern = re.sub(r"<[^>]+>|\{\w*\}|\[[.\w]+\]|\bNAME\b|\bFOLDER\b|…|\.\.\.", "*", path)
    pattern = pattern.rstrip("/")
    # Whether a run has been made here makes no difference: what the rules write exists.
    of_a_run = pattern.split("/")[0] in ("data", "results")
    known = (*known_files(), *made_files()) if of_a_run else known_files()
    if pattern in known:
        return True
    return any(fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*") for name in known)


def is_defined(name: str) -> bool:
    """Return whether a dotted name is a module, or something that its module or a class in it defines."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        path = modules().get(".".join(parts[:size]))
        if path is None:
            continue
        rest = parts[size:]
        text = path.read_text(encoding="utf-8")
        return all(re.search(rf"\b{re.escape(part)}\b", text) for part in rest)
    return False


def missing(text: str) -> str | None:
    """Return the path or module that a text in backticks names and that does not exist."""
    text = text.strip().removesuffix(",")
    if PRODUCT.fullmatch(text):
        return None
    if "/" in text and " " not in text and text.partition("/")[0] in TOPS:
        gone = [path for path in alternatives(text) if not exists(path)]
        return gone[0] if gone else None
    if FILE.fullmatch(text) and "/" not in text:
        names = {path.rpartition("/")[2] for path in known_files()}
        return None if text in names else text
    if re.fullmatch(r"[a-z_]+(?:\.(?:\w+|\*))+(?::\w+)?(?:\(\))?", text):
        name = text.removesuffix("()").replace(":", ".")
        first = name.partition(".")[0]
        rooms = {path.name for path in (ROOT / "src/divlogic").iterdir() if path.is_dir()}
        if first in CODE[1:] or first == "divlogic":
            return None if is_defined(name) else name
        if first in rooms:
            anywhere = "*" in name and any(
                fnmatchcase(module, f"divlogic.{name}") for module in modules()
            )
            known = anywhere or name in parameters() or is_defined(f"divlogic.{name}")
            return None if known else name
    return None


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_names_exists(page: Path) -> None:
    named = list(spans(page.read_text(encoding="utf-8")))
    assert [gone for text in named if (gone := missing(text))] == []


def rows_of_folders(text: str) -> Iterator[tuple[str, str]]:
    """Yield (folder, row) of the rows of a page's tables that begin with a folder."""
    for line in text.splitlines():
        if found := re.match(r"\| `([\w./<>-]+/)` +\|", line):
            yield found[1], line


def test_files_in_the_row_of_a_folder_lie_in_that_folder() -> None:
    page = ROOT / "CONTRIBUTING.md"
    for folder, row in some(rows_of_folders(page.read_text(encoding="utf-8"))):
        files = [text for text in spans(row) if FILE.fullmatch(text)]
        assert [file for file in files if not exists(f"{folder}{file}")] == [], folder


def test_pages_name_files_and_modules_and_a_wrong_name_is_found() -> None:
    named = [text for page in PAGES for text in spans(page.read_text(encoding="utf-8"))]
    assert len([text for text in named if "/" in text]) > 100
    assert missing("src/divlogic/io/files.py") is None
    assert missing("src/divlogic/io/filez.py") == "src/divlogic/io/filez.py"
    assert missing("data/interim/benchmarks/<name>/drawn/<shard>.jsonl.gz") is None
    assert missing("data/interim/benchmarks/collection") == "data/interim/benchmarks/collection"
    assert missing("divlogic.io.files.open_bytes") is None
    assert missing("divlogic.io.notes") == "divlogic.io.notes"
    assert missing("benchmarks.folio.audit") == "benchmarks.folio.audit"


def test_what_the_docstrings_of_a_module_name_exists() -> None:
    gone = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in MODULES
        if not path.is_relative_to(ROOT / "tests")
        for text in spans_of_docstrings(path)
        if (name := missing(text))
    }
    assert sorted(gone) == []


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_what_the_head_of_a_rule_file_names_exists(path: Path) -> None:
    head = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        head.append(line)
    named = re.findall(r"(?<![\w/])(?:data|results|workflow)/[^\s;()]+", " ".join(head))
    places = [place for text in named for place in alternatives(text.strip(",.").removesuffix("/"))]
    assert [place for place in places if not exists(place)] == []


def test_each_generator_has_the_files_that_the_map_lists() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = page[page.index("| file | content |") :].partition("\n\n")[0]
    listed = re.findall(r"^\| `([\w.]+)`", table, flags=re.MULTILINE)
    assert "facts.py" in listed
    made = [one.name for one in BENCHMARKS if one.generator and one.release]
    assert len(made) == 4
    folders = {name: ROOT / "src/divlogic/benchmarks" / name for name in made}
    lacking = [
        f"{name}/{file}"
        for name, folder in folders.items()
        for file in listed
        if not (folder / file).is_file()
    ]
    assert lacking == []
    for name, folder in folders.items():
        declared = yaml.safe_load((folder / "benchmark.yaml").read_text(encoding="utf-8"))
        assert declared["release"] == f"benchmarks.{name}.facts:RELEASE"
