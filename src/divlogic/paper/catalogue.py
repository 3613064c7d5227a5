"""The papers' tables: how each is laid out, in which unit its columns are, and where our numbers for it stand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from divlogic.benchmarks.registry import TITLES
from divlogic.paper.measured import Benchmarks, Independence, Labels, Source, Splits, Systems
from divlogic.paper.measured_llmeval_logic import Composition, Scores
from divlogic.paper.measured_logicnli import (
    ACCURACIES,
    CONNECTIVES,
    DIAGNOSIS,
    INDICATORS,
    SIZES,
    SYMBOLS,
    Learners,
    SetSizes,
)
from divlogic.paper.model import Kind
from divlogic.published import PrintedTable, read_published

PAPERS = ("DivLogicEval", "ILogicEval", "JustLogic", "LogicNLI", "LLMEval-Logic")
"""Order of the papers in the report; others follow by name."""

KINDS: dict[str, Kind] = {
    "instances": "count",
    "vocabulary": "count",
    "options": "count",
    "size": "count",
    "training": "count",
    "validation": "count",
    "test": "count",
    "kl": "bits",
    "reading_difficulty": "grade",
    "accuracy": "percent",
    "random_probability": "percent",
    "delta": "percent",
    "fols": "count",
    "average_length": "count",
    "maximum_length": "count",
    "hops": "count",
    "facts_and_rules": "count",
    "subjects": "count",
    "predicates": "count",
    "items": "count",
    "labels": "text",
    "source": "text",
    "domains": "text",
}
"""Unit of each measure of a benchmark; systems are always scored in percent."""

CONSTANTS = ("options", "random_probability")
"""Measures that the design of a benchmark fixes: to find them again reproduces nothing."""

HEADS = {
    "benchmark": "Benchmark",
    "system": "System",
    "version": "Version",
    "setting": "Setting",
    "metric": "Metric",
}
COLUMN_HEADS = {
    "kl": "KL (bits)",
    "reading_difficulty": "Reading difficulty",
    "random_probability": "Random probability",
    "delta": "|Δ|",
    "Delta": "Δ",
    "performance": "Performance",
    "fols": "#FOLs",
    "facts_and_rules": "Facts and rules",
    "domain": "Commonsense: domain",
    "predicate": "Commonsense: predicate",
    "labels": "Labels E:C:N(:P)",
    "sub_questions": "Sub-questions",
    "fewest_sub_questions": "Fewest sub-questions",
    "most_sub_questions": "Most sub-questions",
    "value": "Value",
    "score": "Score",
}
SETTINGS = {
    "zero_shot": "0-shot",
    "zero_shot run3": "0-shot, run 3",
    "three_shot": "3-shot",
    "few_shot": "few-shot",
    "chain_of_thought": "chain of thought",
}

_SCORES = ("system", "version", "setting", "metric")
_METRICS = {name: name for name in ("ACC", "CIR", "PC")}
_TYPES = {
    "Test": "test", "Test-3e1c": "test_3e1c", "Test-3c1e": "test_3c1e", "Test-3e1e": "test_3c1e",
    "Test-missing": "test_missing",
}  # fmt: skip
_RUNS = {**{f"run{number}": f"run{number}" for number in range(1, 6)}, "CV": "CV"}
_LOGIC = {"Origin": "origin", "NoLR": "nolr", "Delta": "delta"}
_SYMBOLS = {"DivLogicEval": "divlogiceval", "s-DivLogicEval": "s_divlogiceval"}


@dataclass(frozen=True)
class Layout:
    """How a printed table is shown.

    Attributes:
        title: what it is about.
        rows: keys of its cells that make a row; ``column`` is the key that makes a column.
        source: makes the source of the measured numbers from (results folder, size of ILogicEval's test set).
        notes: tables of the results, without suffix, whose notes say how the numbers were obtained.
        remark: which of several measured numbers is compared, where the paper leaves it open.
        head: head of the first column, where it is not that of its key.
    """

    title: str
    rows: tuple[str, ...]
    column: str = "column"
    source: Callable[[Path, int | None], Source] | None = None
    notes: tuple[str, ...] = ()
    remark: str = ""
    head: str = ""


LAYOUTS: dict[tuple[str, str], Layout] = {
    ("DivLogicEval", "Table 1"): Layout(
        "ACC against CIR and PC",
        ("system", "version", "setting"),
        "metric",
        lambda results, _: Systems(results, "evaluation/table1", _METRICS, (), "divlogiceval"),
        ("evaluation/table1",),
    ),
    ("DivLogicEval", "Table 2"): Layout(
        "Five runs and their coefficient of variation",
        ("system", "version", "metric"),
        source=lambda results, _: Systems(results, "evaluation/table2", _RUNS, ("metric",), "divlogiceval"),
        notes=("evaluation/table2",),
    ),
    ("DivLogicEval", "Table 3"): Layout(
        "The prompt, and the prompt that asks not to reason logically",
        _SCORES,
        source=lambda results, _: Systems(results, "evaluation/table3", _LOGIC, ("benchmark", "metric")),
        notes=("evaluation/table3",),
    ),
    ("DivLogicEval", "Table 4"): Layout(
        "Vocabulary and divergence from Wikipedia",
        ("benchmark",),
        "measure",
        lambda results, _: Benchmarks(
            results,
            "diversity/table4",
            {"instances": "instances", "vocabulary": "vocabulary_lower", "kl": "kl_bits"},
            TITLES,
        ),
        ("diversity/table4",),
        "Vocabulary is compared with vocabulary_lower (lower-cased tokens); the phase's own table has both counts.",
    ),
    ("DivLogicEval", "Table 5"): Layout(
        "Further training on the sources, and what it does",
        ("system", "version", "setting"),
        remark="No run here trains Llama 2; learners that are trained here stand in results/contamination/table5.csv.",
    ),
    ("DivLogicEval", "Table 6"): Layout(
        "Natural language against symbols",
        _SCORES,
        source=lambda results, _: Systems(results, "evaluation/table6", _SYMBOLS, ("shots", "metric")),
        notes=("evaluation/table6",),
    ),
    ("DivLogicEval", "Table 7"): Layout(
        "Benchmarks compared: source, options, size",
        ("benchmark",),
        "measure",
        lambda results, _: Benchmarks(results, "diversity/table7", {"options": "options"}, TITLES),
        remark="Options are counted from the instances here; sizes are as published, since no run has all splits.",
    ),
    ("DivLogicEval", "Table 8"): Layout(
        "Scores per question type",
        _SCORES,
        source=lambda results, _: Systems(
            results, "evaluation/table8", _TYPES, ("shots", "metric"), "divlogiceval"
        ),
        notes=("evaluation/table8",),
    ),
    ("DivLogicEval", "Section 3.3"): Layout(
        "Options that GPT-3.5 completes word for word",
        ("system", "metric"),
        remark="No run here asks GPT-3.5; models that are trained here stand in results/contamination/guessing.csv.",
    ),
    ("DivLogicEval", "Section 4.2"): Layout("Human performance", _SCORES),
    ("ILogicEval", "Table 1"): Layout(
        "ReClor after training on further data first",
        ("system", "setting"),
        remark="No run here has ReClor; encoders that are trained here stand in results/contamination/transfer.csv.",
    ),
    ("ILogicEval", "Table 2"): Layout(
        "Five runs and their coefficient of variation",
        ("system", "version", "metric"),
        source=lambda results, _: Systems(results, "evaluation/table2", _RUNS, ("metric",), "ilogiceval"),
        notes=("evaluation/table2",),
    ),
    ("ILogicEval", "Table 3"): Layout(
        "Scores per question type",
        _SCORES,
        source=lambda results, size: Systems(
            results, "evaluation/table8", _TYPES, ("shots", "metric"), "ilogiceval", size
        ),
        notes=("evaluation/table8",),
    ),
    ("ILogicEval", "Table 4"): Layout("Natural language against symbols", _SCORES),
    ("ILogicEval", "Table 5"): Layout(
        "Benchmarks compared: source, options, splits, vocabulary",
        ("benchmark",),
        "measure",
        lambda results, _: Splits(
            results, "diversity/table7", {"options": "options", "vocabulary": "vocabulary_lower"}, TITLES
        ),
        remark="Options, words and the size of the split that is here are counted from its instances. The printed"
        " vocabulary is that of all splits, which no run has.",
    ),
    ("ILogicEval", "Section 5.2"): Layout("Human performance on symbols", _SCORES),
    ("JustLogic", "Natural language complexity"): Layout(
        "Reading difficulty and vocabulary",
        ("benchmark",),
        "measure",
        lambda results, _: Benchmarks(
            results,
            "diversity/complexity",
            {"reading_difficulty": "flesch_kincaid_as_published", "vocabulary": "vocabulary_justlogic"},
            TITLES,
        ),
        ("diversity/complexity",),
    ),
    ("JustLogic", "Proving its prior knowledge independence"): Layout(
        "Accuracy without the context",
        ("benchmark",),
        "measure",
        lambda results, _: Independence(results, "prior_knowledge/independence", TITLES),
        ("prior_knowledge/independence",),
        "Compared with the answers that the authors recorded, scored again, rows without an answer left out.",
    ),
    ("JustLogic", "LLM Performance on JustLogic"): Layout(
        "Accuracy of models and people",
        ("system", "setting"),
        source=lambda results, _: Labels(results, "evaluation/label_accuracy", {"Accuracy (%)": "accuracy"}),
        notes=("evaluation/label_accuracy",),
    ),
    ("LogicNLI", "Table 1"): Layout(
        "Benchmarks compared: logic, language, commonsense",
        ("benchmark",),
        "measure",
        lambda results, _: SetSizes(results, ("fols",), titles={"LogicNLI": "LogicNLI Train"}),
        remark="#FOLs of LogicNLI: connectives and quantifiers counted in the formulas of the release.",
    ),
    ("LogicNLI", "Table 2"): Layout(
        "Sizes and lengths of LogicNLI and d-LogicNLI",
        ("benchmark",),
        "measure",
        lambda results, _: SetSizes(results, SIZES, ("LogicNLI", "d-LogicNLI")),
        ("benchmarks/logicnli/sets",),
        head="Split",
        remark="Printed with a column per split. Train and Dev. are compared with LogicNLI_sim, the public release;"
        " the labels of that release are derived again in `results/diversity/label_audit.csv`.",
    ),
    ("LogicNLI", "Table 3"): Layout("Hyper-parameters", ("metric",), "system", head="Parameter"),
    ("LogicNLI", "Table 4"): Layout(
        "Accuracy, robustness, generalization, traceability",
        ("system",),
        source=lambda results, _: Learners(
            results, DIAGNOSIS, ACCURACIES, {"Test-A": "Test-A", "Test-G": "Test-G"}, "LogicNLI"
        ),
        notes=("evaluation/logicnli/diagnosis", "benchmarks/logicnli/floors"),
        remark="In percent, #Target and #Proof excepted.",
    ),
    ("LogicNLI", "Table 5"): Layout(
        "Sizes and lengths of the set of each connective",
        ("benchmark",),
        "measure",
        lambda results, _: SetSizes(results, SIZES, tuple(SYMBOLS)),
        head="Connective",
    ),
    ("LogicNLI", "Table 6"): Layout(
        "Performance on each connective and quantifier",
        ("system",),
        source=lambda results, _: Learners(results, CONNECTIVES, SYMBOLS, {name: name for name in SYMBOLS}),
        notes=("evaluation/logicnli/connectives", "benchmarks/logicnli/floors"),
        remark="Without ¬ the sign of the statement alone is right in 66.7 %, so that this, not 33.3, is the floor.",
    ),
    ("LogicNLI", "Table 7"): Layout(
        "With and without Paradox: d-LogicNLI and LogicNLI",
        ("system", "setting"),
        source=lambda results, _: Learners(results, DIAGNOSIS, INDICATORS, {}),
        notes=("evaluation/logicnli/diagnosis",),
        remark="The column printed as P-Acc holds the accuracy on Test-A; that is what learners are measured by there.",
    ),
    ("LLMEval-Logic", "Abstract and Section 2.2"): Layout(
        "Composition",
        ("benchmark",),
        "measure",
        lambda results, _: Composition(results),
        remark="The numbers that the paper's text states, held-back items included; its tables are not transcribed.",
    ),
    ("LLMEval-Logic", "Released files"): Layout(
        "Composition of the public part",
        ("benchmark",),
        "measure",
        lambda results, _: Composition(results),
        remark="Four fifths of the items are public; the authors hold the others back.",
    ),
    ("LLMEval-Logic", "Abstract"): Layout(
        "Best scores",
        ("system", "setting", "metric"),
        source=lambda results, _: Scores(results),
        remark="What the paper's text states; its tables are not transcribed. Further rows: baselines and models here.",
    ),
    ("LLMEval-Logic", "Table 1 (authors' blog of 2026-05-12)"): Layout(
        "Answer accuracy, the rows that the authors' blog has",
        ("system", "version", "setting", "metric"),
        remark="Means of three runs, copied from the blog with their deviation; the paper's own table is not here.",
    ),
    ("LLMEval-Logic", "Authors' README"): Layout(
        "Agreement of three judges",
        ("system", "setting", "metric"),
        remark="Pairwise Cohen's kappa as the authors' README gives it; a run's own is in evaluation/llmeval_logic.",
    ),
}


def layout_of(table: PrintedTable) -> Layout:
    """Return how a printed table is shown; one that is not in the catalogue is shown as published."""
    known = LAYOUTS.get((table.paper, table.number))
    if known:
        return known
    if "benchmark" in table.cells[0].keys:
        return Layout(table.place, ("benchmark",), "measure")
    return Layout(table.place, _SCORES)


def name_of(table: PrintedTable) -> str:
    """Return a table's file name: ``divlogiceval_table4``, ``justlogic_natural_language_complexity``."""
    number = re.sub(r"^Table ", "table", table.number)
    return re.sub(r"[^a-z0-9]+", "_", f"{table.paper} {number}".casefold()).strip("_")


def file_names(published: Path) -> list[str]:
    """Return the file names of the report's tables, in its order."""
    return [name_of(table) for table in sorted(read_published(published).tables(), key=order_of)]


def title_of(benchmark: str) -> str:
    """Return how the papers write a benchmark's name."""
    return {**TITLES, "logiqa": "LogiQA"}.get(benchmark, benchmark)


def order_of(table: PrintedTable) -> tuple[int, str, int, int, str]:
    """Return the sorting key of a table: by paper, numbered tables first."""
    place = PAPERS.index(table.paper) if table.paper in PAPERS else len(PAPERS)
    number = re.fullmatch(r"Table (\d+)", table.number)
    return (place, table.paper, 0 if number else 1, int(number[1]) if number else 0, "")
