"""Tables and figures of JustLogic."""

from __future__ import annotations

from collections.abc import Iterator

from divlogic.benchmarks.registry import TITLES
from divlogic.paper.declaration import (
    GENERATED,
    Figure,
    Keys,
    MeasuredRow,
    ResultRow,
    Results,
    TableDeclaration,
    benchmark_rows,
    folded,
    numbers_of,
)


def _independence(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the authors' recorded answers, and probes and models as rows of their own."""
    for row in results(table.reads[0]):
        if row["source"] == "published":
            continue
        title = TITLES.get(row["benchmark"], row["benchmark"])
        preset = f", {row['preset']}" if row["preset"] else ""
        compared = row["source"] == "recorded" and row["preset"] != "corrected"

        def fits(keys: Keys, name: str = row["benchmark"], compared: bool = compared) -> bool:
            return compared and keys["benchmark"] == name

        numbers = numbers_of(row, table.columns, "", "recording" if compared else "")
        yield MeasuredRow(numbers, fits, {"benchmark": f"{title}, {row['system']}{preset}"})


def _accuracy(table: TableDeclaration, results: Results) -> Iterator[MeasuredRow]:
    """Yield the systems by name and setting, scored as the paper scores them."""
    for row in results(table.reads[0]):
        if row["source"] == "published":
            continue
        recorded = row["source"] == "recorded"

        def fits(keys: Keys, row: ResultRow = row) -> bool:
            same = folded(row["system"]) == folded(keys["system"]) and row["setting"] == keys["setting"]
            return same and row["preset"] != "corrected"

        numbers = numbers_of(
            row, table.columns, "" if recorded else GENERATED, "recording" if recorded else ""
        )
        preset = f" ({row['preset']})" if row["preset"] else ""
        yield MeasuredRow(numbers, fits, {"system": row["system"] + preset, "setting": row["setting"]})


TABLES = (
    TableDeclaration(
        paper="JustLogic",
        number="Natural language complexity",
        title="Reading difficulty and vocabulary",
        rows=("benchmark",),
        column="measure",
        reads=("diversity/complexity",),
        columns={"reading_difficulty": "flesch_kincaid_as_published", "vocabulary": "vocabulary_justlogic"},
        measured=benchmark_rows,
    ),
    TableDeclaration(
        paper="JustLogic",
        number="Proving its prior knowledge independence",
        title="Accuracy without the context",
        rows=("benchmark",),
        column="measure",
        reads=("prior_knowledge/independence",),
        columns={name: name for name in ("accuracy", "random_probability", "delta")},
        measured=_independence,
        remark="Compared with the answers that the authors recorded, scored again, rows without an answer left out.",
    ),
    TableDeclaration(
        paper="JustLogic",
        number="LLM Performance on JustLogic",
        title="Accuracy of models and people",
        rows=("system", "setting"),
        reads=("evaluation/label_accuracy",),
        columns={"Accuracy (%)": "accuracy"},
        measured=_accuracy,
    ),
)

FIGURES = (
    Figure(
        "readability",
        "Reading difficulty, published, reproduced and corrected",
        "JustLogic's Flesch–Kincaid grades as published, as reproduced, and with sentence boundaries kept.",
        "justlogic_natural_language_complexity",
    ),
    Figure(
        "independence",
        "Accuracy without the context",
        "JustLogic's test of prior knowledge: accuracy of answers given without the context; a bar marks guessing.",
        "justlogic_proving_its_prior_knowledge_independence",
    ),
    Figure(
        "justlogic_groups",
        "What makes JustLogic's items hard",
        "Accuracy on JustLogic by depth of the argument and by its forms; the dotted line marks guessing.",
        "justlogic_llm_performance_on_justlogic",
    ),
)
