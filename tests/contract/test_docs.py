"""The docs, the README and the notebooks say what the code does."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml

from divlogic.config.keys import PHASE_KEYS
from divlogic.errors import DivLogicError
from divlogic.parameters import validate
from tests.contract.graph import ROOT
from tests.support import write_notebook

DOCS = ROOT / "docs"
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
ELSEWHERE = {
    *("snakemake", "dvc", "make", "python", "pytest", "pip", "git", "."),
    *("inspect", "lm_eval", "docker", "kubectl"),
}


def test_the_generated_pages_are_those_that_the_code_makes(tmp_path: Path) -> None:
    from tools.docs import write_pages

    stale = [
        page.relative_to(tmp_path).as_posix()
        for page in write_pages(ROOT, tmp_path)
        if page.read_bytes() != (ROOT / page.relative_to(tmp_path)).read_bytes()
    ]
    assert not stale, f"write them again with: python -m tools.docs ({', '.join(stale)})"


def test_a_recorded_run_replaces_the_numbers_of_its_kind_and_no_others(tmp_path: Path) -> None:
    from tools.docs.measured import KEPT, fill, read_runs, record_run

    from divlogic.io.files import write_csv, write_json

    def run_with(source: str, divergence: float) -> Path:
        results = tmp_path / source
        write_csv(results / "corpora/corpora.csv", ("corpus", "source"), [("snli", source)])
        write_csv(
            results / "evaluation/published_audit.csv", ("paper", "rule"), [("A", "x"), ("A", "y")]
        )
        for kept in KEPT:
            columns = (*kept.names, "source", *kept.numbers)
            row = (
                "FOLIO",
                *[""] * (len(kept.names) - 1),
                "measured",
                *[divergence] * len(kept.numbers),
            )
            write_csv(results / f"{kept.table}.csv", columns, [row])
        write_json(results / "prior_knowledge/shortcuts_summary.json", {"benchmarks": []})
        return results

    runs = tmp_path / "measured.csv"
    for source, divergence in (("embedded", 1.25), ("full", 2.5), ("full", 2.75)):
        record_run(run_with(source, divergence), runs)
    template = tmp_path / "page.md"
    template.write_text(
        '{{ full("diversity/table4", "FOLIO", "kl_bits", 2) }} {{ embedded("diversity/table4", "FOLIO", "kl_bits", 2)'
        ' }} {{ full("evaluation/published_audit", "A", "cells") }} {{ recorded("full") }}\n',
        encoding="utf-8",
    )
    # A cell that breaks two rules is one cell.
    assert re.fullmatch(r"2\.75 1\.25 1 20\d\d-\d\d-\d\d\n", fill(template, read_runs(runs)))


def test_a_number_that_no_run_has_measured_is_named(tmp_path: Path) -> None:
    from tools.docs.measured import fill

    template = tmp_path / "page.md"
    template.write_text('{{ full("diversity/table4", "ReClor", "kl_bits") }}', encoding="utf-8")
    with pytest.raises(
        DivLogicError, match=r"no full run has kl_bits of 'ReClor' in diversity/table4"
    ):
        fill(template, {})


def test_every_benchmark_that_is_made_here_has_a_page_in_the_navigation() -> None:
    from divlogic.benchmarks.registry import BENCHMARKS

    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    made = {one.name for one in BENCHMARKS if one.generator} | {"ilogiceval"}
    assert {"divlogiceval", "justlogic", "logicnli", "llmeval_logic"} < made
    for name in sorted(made):
        page = ROOT / "docs" / "benchmarks" / f"{name}.md"
        assert page.is_file(), (
            f"{name} is made by this workflow and has no page; write {page.relative_to(ROOT)}"
        )
        assert f"benchmarks/{name}.md" in navigation, f"{page.name} is missing from mkdocs.yml"


def test_the_columns_on_the_formats_page_are_those_of_the_tables() -> None:
    from divlogic.corpora.status import SUMMARY
    from divlogic.diversity.report import TABLES as DIVERSITY
    from divlogic.evaluation.steps import PAIR_COLUMNS, SCORE_COLUMNS
    from divlogic.io.tables import declared_tables
    from divlogic.sentences.groups import COUNT_COLUMNS

    measured = ("table4", "table7", "complexity", "statistics", "label_audit")
    written = {f"results/diversity/{name}.csv": DIVERSITY[name].names for name in measured} | {
        "results/corpora/corpora.csv": SUMMARY,
        "results/sentences/filter.csv": COUNT_COLUMNS,
        "results/evaluation/scores.csv": SCORE_COLUMNS,
        "results/evaluation/pairs.csv": PAIR_COLUMNS,
    }
    tables = "table1 table2 table3 table6 table8 answers label_accuracy justlogic_groups justlogic_regression"
    declared = {
        "evaluation": tables.split(),
        "evaluation/llmeval_logic": ["scores", "errors", "agreement"],
        "prior_knowledge": ["independence"],
        "benchmarks/llmeval_logic": ["sensitivity"],
    }
    for room, names in declared.items():
        known = declared_tables(ROOT / "src/divlogic" / room / "tables.yaml")
        written |= {f"results/{room}/{name}.csv": known[name].names for name in names}
    common, documented = _documented_columns()
    missing = [
        (name, column)
        for name, columns in written.items()
        for column in columns
        if not any(fnmatch(column, known) for known in (*common, *documented[name]))
    ]
    stale = [
        (name, column)
        for name in written
        for column in documented[name]
        if column not in written[name]
    ]
    assert (missing, stale) == ([], [])


def test_every_record_field_stands_on_the_formats_page() -> None:
    from dataclasses import fields

    from divlogic.records import Record

    section = (
        (DOCS / "formats.md").read_text(encoding="utf-8").split("## Records")[1].split("\n## ")[0]
    )
    listed = re.findall(r"^\| `(\w+)` \|", section, flags=re.MULTILINE)
    assert sorted(listed) == sorted(field.name for field in fields(Record))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_divlogic_command_that_is_printed_exists_with_its_options(page: Path) -> None:
    import click

    from divlogic.cli import cli

    wrong = []
    for line in filter(re.compile(r"divlogic\b").match, _commands(page)):
        command: click.Command | None = cli
        _, *rest = line.split()
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            command = command.get_command(click.Context(command), rest.pop(0))
        options = {word for word in rest if word.startswith("--")} - {"--help"}
        if command is None or options - {option for one in command.params for option in one.opts}:
            wrong.append(line)
    assert not wrong


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_console_block_holds_commands_that_the_environment_has(page: Path) -> None:
    strange = [line for line in _commands(page) if line.split()[0] not in {*ELSEWHERE, "divlogic"}]
    assert not strange


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_to_a_file_resolves(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [
        link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link
    ]
    broken = [link for link in links if link and not (page.parent / link).exists()]
    assert not broken


def test_the_picture_shows_every_phase() -> None:
    from tools.docs.picture import picture

    shown = re.findall(r'class="name"[^>]*>(\w+)<', picture())
    assert sorted(shown) == sorted(PHASE_KEYS)


def test_the_item_of_the_picture_has_the_answer_that_it_shows() -> None:
    from tools.docs.picture import ITEM_ANSWER, ITEM_OPTIONS, ITEM_PREMISES

    from divlogic.logic import entails, minimal_premises, parse

    premises = [parse(formula) for formula, _ in ITEM_PREMISES]
    options = [parse(formula) for formula, _ in ITEM_OPTIONS]
    assert [entails(premises, option) for option in options] == [
        place == ITEM_ANSWER for place in range(len(options))
    ]
    assert minimal_premises(premises, options[ITEM_ANSWER]) == tuple(range(len(premises)))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stripped_of_outputs(notebook: Path) -> None:
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert not any(cell["metadata"] for cell in cells)


def test_a_notebook_becomes_one_page_with_the_same_bytes_every_time(tmp_path: Path) -> None:
    from divlogic.paper.notebooks import execute_notebooks

    notebook = tmp_path / "small.ipynb"
    write_notebook(
        notebook,
        "import sys\nfrom matplotlib import pyplot as plt\nfrom divlogic.paper.notebooks import show_figure\n"
        "print(6 * 7)\nprint('noise', file=sys.stderr)\nfigure, axis = plt.subplots()\n"
        "axis.plot([1, 3])\nshow_figure(figure, 'a rising line')",
    )
    pages = [tmp_path / "a" / "small.html", tmp_path / "b" / "small.html"]
    other = tmp_path / "other.ipynb"
    write_notebook(
        other, "import matplotlib\nmatplotlib.rcParams['lines.linewidth'] = 9\nplt = noise = 1"
    )
    execute_notebooks((notebook,), out=tmp_path / "a", workdir=tmp_path)
    execute_notebooks((other, notebook), out=tmp_path / "b", workdir=tmp_path)
    text = pages[0].read_text(encoding="utf-8")
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert "42" in text and 'alt="a rising line"' in text
    assert "<script" not in text and "<link" not in text
    assert ">noise" not in text
    assert json.loads(notebook.read_text(encoding="utf-8"))["cells"][0]["outputs"] == []


@pytest.mark.integration
@pytest.mark.slow
def test_mkdocs_builds_strictly_and_asks_nothing_of_the_network(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    command = f"-m mkdocs build --strict --quiet --site-dir {tmp_path}/site"
    given = [sys.executable, *command.split()]
    built = subprocess.run(given, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    for page in (tmp_path / "site").rglob("*.html"):
        # The canonical address is named, and not fetched.
        tags = re.findall(r"<(?:script|link|img)[^>]*>", page.read_text())
        fetched = []
        for tag in tags:
            if 'rel="canonical"' not in tag and re.search(r'(?:src|href)="(https?:)?//', tag):
                fetched.append(tag)
        assert not fetched, page


def _commands(page: Path) -> list[str]:
    """Return the commands of a page's console blocks, without prompts and comments."""
    blocks = re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [
        line.removeprefix("$ ").split("  #")[0].strip() for line in lines if line.startswith("$ ")
    ]


def _documented_columns() -> tuple[list[str], dict[str, list[str]]]:
    """Return the columns of all tables that the formats page explains, and by file those of one table."""
    text = (DOCS / "formats.md").read_text(encoding="utf-8").split("## Tables")[1]
    common, *sections = re.split(r"^### `([^`]+)`$", text, flags=re.MULTILINE)
    return _names(common), dict(zip(sections[::2], map(_names, sections[1::2]), strict=True))


def _names(text: str) -> list[str]:
    """Return the names that a list explains: `one`, `two`: …; `three`: …"""
    lines = re.findall(r"^- (.*)$", text, flags=re.MULTILINE)
    named = [
        found for line in lines for found in re.findall(r"(?:^|; )((?:`[^`]+`(?:, )?)+):", line)
    ]
    return [name for names in named for name in re.findall(r"`([^`]+)`", names)]


def test_parameters_that_the_docs_give_on_the_command_line_are_allowed() -> None:
    given = [
        (page.name, name, text)
        for page in sorted((ROOT / "docs").rglob("*.md"))
        for name, text in re.findall(r"'(\w+)=(\{.*\})'", page.read_text(encoding="utf-8"))
    ]
    assert any(page == "recipes.md" for page, *_ in given)
    for page, name, text in given:
        assert validate({name: yaml.safe_load(text)}, page)


def test_the_python_of_the_chinese_page_gives_what_it_shows() -> None:
    found = doctest.testfile(str(ROOT / "docs/zh.md"), module_relative=False)
    assert found.attempted >= 4
    assert found.failed == 0
