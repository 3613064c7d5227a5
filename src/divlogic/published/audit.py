"""Audit of the published cells: what contradicts another cell, the definitions, or a paper's own construction.

Rules on scores follow from the definitions alone and hold for every model.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import FOLDER
from divlogic.intervals import coefficient_of_variation
from divlogic.io.files import read_yaml
from divlogic.io.log import say
from divlogic.io.tables import write_listing
from divlogic.published.cells import (
    SLACK,
    BrokenRule,
    PrintedCell,
    PrintedNumbers,
    differ,
    no_whole_number,
    read_published,
)

_DECLARED: dict[str, Any] = read_yaml(Path(__file__).with_name("rules.yaml"))
TABLES: list[str] = _DECLARED["tables"]
"""The files whose scores the rules are about."""
RULES: dict[str, str] = _DECLARED["rules"]

_TYPE_PREFIX = "Test-"
_TYPES = ("3e1c", "3c1e", "missing")
_TYPE_SIZE, _TEST_SIZE = 300, 900
_LLMEVAL_BASE, _LLMEVAL_HARD, _LLMEVAL_QUESTIONS, _LLMEVAL_RUNS = 246, 190, 938, 3
_BOUNDS = {
    "PC": ("CIR", "pc_not_below_cir", -1, "at least"),
    "CIR": ("ACC", "cir_not_above_acc", 1, "at most"),
}
"""Metric -> the metric that bounds it, the rule, the side on which it may not lie, and how that is said."""


def audit(tables: Mapping[str, Iterable[PrintedCell]]) -> list[BrokenRule]:
    """Return every published cell that breaks a rule, in the order of the tables and rules.

    Rounding is allowed for: a cell is listed only if no numbers that round to the printed ones obey the rule.
    """
    findings: list[BrokenRule] = []
    for cells in tables.values():
        rows = _rows(cells)
        for check in (_metric_order, _types, _whole_instances, _differences, _variation, _repeated):
            findings += check(rows)
        findings += _unknown_types(cells)
        findings += _whole_items(cells)
    return findings + list(_same_quantity(tables))


def write_audit(printed: PrintedNumbers, out: Path) -> int:
    """Write the findings as csv and json, one row per printed cell and broken rule; return their number.

    The cell of a table of measures stands under its benchmark as ``system`` and its measure as ``column``.
    """
    header = (
        "paper", "table", "system", "version", "setting", "metric", "column", "printed", "rule", "expected", "reason",
    )  # fmt: skip
    rows = []
    for finding in [*audit(printed.scores(TABLES)), *audit_logicnli_cells(printed)]:
        c = finding.cell
        system, column = (c.benchmark, c.measure) if c.measure else (c.system, c.column)
        where = (c.paper, c.table, system, c.version, c.setting, c.metric, column, c.printed)
        rows.append((*where, finding.rule, finding.expected, RULES[finding.rule]))
    write_listing(
        out.with_suffix(""), header, [dict(zip(header, row, strict=True)) for row in rows]
    )
    return len(rows)


Row = dict[str, PrintedCell]
Rows = dict[tuple[str, str, str], Row]
"""(system with the paper that measured it, setting, metric) → printed row."""


def _rows(cells: Iterable[PrintedCell]) -> Rows:
    """Group cells to printed rows."""
    rows: Rows = defaultdict(dict)
    for cell in cells:
        rows[f"{cell.system} ({cell.paper})", cell.setting, cell.metric][cell.column] = cell
    return rows


def _metric_order(rows: Rows) -> Iterator[BrokenRule]:
    for (system, setting, metric), row in rows.items():
        if metric not in _BOUNDS:
            continue
        other, rule, side, words = _BOUNDS[metric]
        for column, cell in row.items():
            bound = rows.get((system, setting, other), {}).get(column)
            if bound is None or column in ("CV", "Delta"):
                continue
            if side * (cell.value - bound.value) > cell.half_unit + bound.half_unit + SLACK:
                yield BrokenRule(cell, rule, f"{words} {bound.printed} ({other})")


def _types(rows: Rows) -> Iterator[BrokenRule]:
    for row in rows.values():
        parts = [cell for column, cell in row.items() if column.startswith(_TYPE_PREFIX)]
        whole = row.get("Test")
        if whole is None or len(parts) != len(_TYPES):
            continue
        values = [cell.value for cell in parts]
        slack = whole.half_unit + max(cell.half_unit for cell in parts) + SLACK
        mean = sum(values) / len(values)
        balanced = not whole.is_subset and whole.system != "Human"
        if balanced and abs(whole.value - mean) > slack:
            yield BrokenRule(whole, "mean_of_types", f"{mean:.1f} (mean of the types)")
        if not min(values) - slack <= whole.value <= max(values) + slack:
            yield BrokenRule(whole, "between_types", f"{min(values)} to {max(values)}")


def _whole_instances(rows: Rows) -> Iterator[BrokenRule]:
    for (_, _, metric), row in rows.items():
        if metric not in ("ACC", "CIR"):
            continue
        for column, cell in row.items():
            if cell.is_subset or cell.system == "Human":
                continue
            size = (
                _TEST_SIZE
                if column == "Test"
                else _TYPE_SIZE
                if column.startswith(_TYPE_PREFIX)
                else 0
            )
            if size and (expected := no_whole_number(cell, size, decimals=1)):
                yield BrokenRule(cell, "whole_instances", expected)


def _whole_items(cells: Iterable[PrintedCell]) -> Iterator[BrokenRule]:
    """LLMEval-Logic prints means over three runs of 246 Base items, or 190 Hard items with 938 sub-questions."""
    for cell in cells:
        if cell.paper != "LLMEval-Logic":
            continue
        items = _LLMEVAL_BASE if cell.setting.startswith("Base") else _LLMEVAL_HARD
        size = _LLMEVAL_RUNS * (
            _LLMEVAL_QUESTIONS if cell.metric == "Sub-Question Accuracy" else items
        )
        if expected := no_whole_number(cell, size, decimals=2):
            yield BrokenRule(cell, "whole_items", expected)


def _differences(rows: Rows) -> Iterator[BrokenRule]:
    for row in (row for row in rows.values() if "Delta" in row):
        printed = row["Delta"]
        first, last = (
            row[name] for name in ("Origin", "NoLR", "origin", "tuned(10x)") if name in row
        )
        slack = first.half_unit + last.half_unit + printed.half_unit + SLACK
        if abs(last.value - first.value - printed.value) > slack:
            yield BrokenRule(printed, "difference", f"{last.value - first.value:+.1f}")


def _variation(rows: Rows) -> Iterator[BrokenRule]:
    for row in (row for row in rows.values() if "CV" in row):
        printed = row["CV"]
        runs = [cell for column, cell in row.items() if column.startswith("run")]
        # The deviation is convex in the runs, so its largest value lies at a corner of the rounding box.
        ends = [(run.value - run.half_unit, run.value, run.value + run.half_unit) for run in runs]
        corners = list(map(coefficient_of_variation, itertools.product(*ends)))
        if (
            not min(corners) - printed.half_unit
            <= printed.value
            <= max(corners) + printed.half_unit
        ):
            value = coefficient_of_variation([cell.value for cell in runs])
            yield BrokenRule(printed, "variation", f"{value:.1f}")


def _repeated(rows: Rows) -> Iterator[BrokenRule]:
    for ((system, setting, metric), row), (key, other) in itertools.product(rows.items(), repeat=2):
        if (key[0], key[2]) == (system, metric) and key[1] < setting:
            columns = [
                column for column in row if column.startswith(_TYPE_PREFIX) and column in other
            ]
            same = bool(columns) and all(row[c].printed == other[c].printed for c in columns)
            if same and row["Test"].printed != other["Test"].printed:
                for column in columns:
                    yield BrokenRule(
                        row[column], "repeated_row", f"other values than in the row {key[1]}"
                    )


def _unknown_types(cells: Iterable[PrintedCell]) -> Iterator[BrokenRule]:
    # A column head is printed once: its first cell stands for it.
    for cell in {cell.column: cell for cell in reversed(list(cells))}.values():
        name = cell.column.removeprefix(_TYPE_PREFIX)
        if name != cell.column and name not in _TYPES:
            yield BrokenRule(cell, "known_type", f"one of {', '.join(_TYPES)}")


def _same_quantity(tables: Mapping[str, Iterable[PrintedCell]]) -> Iterator[BrokenRule]:
    """Compare cells that mean the same quantity in one paper with the first table that prints it in full."""
    printed: dict[tuple[str, ...], PrintedCell] = {}
    cells = [cell for name in tables for cell in tables[name]]
    # The largest table goes first: it is the paper's record of its main experiment.
    cells.sort(key=lambda cell: cell.table not in ("Table 8", "Table 3") or cell.column == "Origin")
    for cell in cells:
        if key := _quantity(cell):
            first = printed.setdefault(key, cell)
            if differ(first, cell):
                yield BrokenRule(cell, "same_quantity", f"{first.printed} ({first.table})")


def _quantity(cell: PrintedCell) -> tuple[str, ...] | None:
    """Name the quantity that a cell of a test score prints, or ``None`` for a cell that stands alone."""
    system = {"GPT4": "GPT-4", "ChatGPT": "GPT-3.5"}.get(cell.system, cell.system)
    # DivLogicEval's Table 1 measured an earlier Gemini than its Table 8, as Table 2 did.
    earlier = (cell.paper, cell.system, cell.table) == ("DivLogicEval", "Gemini", "Table 1")
    setting = cell.setting
    if cell.table == "Table 2" or earlier:
        run = setting.partition(" ")[2] or cell.column
        if run == "CV":
            return None
        setting = "zero_shot" if (cell.paper, run) == ("ILogicEval", "run1") else run
    elif cell.column == "Origin" and setting == "DivLogicEval":
        setting = "zero_shot"
    elif cell.column != "Test" and not (
        cell.table in ("Table 1", "Table 4", "Table 6") and cell.column in ("test", cell.paper)
    ):
        return None
    return cell.paper, system, setting, cell.metric


def audit_published(
    out: Annotated[Path, "Findings (csv)."],
    source: Annotated[Path, "--in", FOLDER, "Printed cells."] = Path("data/published"),
) -> None:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    say(f"{write_audit(read_published(source), out)} findings in {out}")


_BASE = {"Train-R(s)": "Train", "Dev-R(s)": "Dev.", "Test-R(s)": "Test-A"}
_MIXES = (("LogicNLI Train", 12, 12), ("d-LogicNLI Train", 5, 10))
"""Facts and rules of two sets, as recovered from the release and from the printed lengths."""

_FREE_OF_NEGATION = ("∧", "∨", "→", "≡", "∀", "∃")

Sets = dict[tuple[str, str], PrintedCell]
Scores = dict[tuple[str, str, str, str], PrintedCell]


def audit_logicnli_cells(printed: PrintedNumbers) -> list[BrokenRule]:
    """Return every cell of LogicNLI's Tables 2, 4, 6 and 7 that breaks a rule, in the order of the tables."""
    sets = {(cell.benchmark, cell.measure): cell for cell in printed.cells("logicnli_table2")}
    scores = {
        (cell.table, cell.system, cell.setting, cell.column): cell
        for name in ("logicnli_table4", "logicnli_table6", "logicnli_table7")
        for cell in printed.cells(name)
    }
    of_scores = (_targets_and_floors, _twice, _degradations)
    return [
        *_sizes(sets),
        *_sentences(sets),
        *itertools.chain.from_iterable(check(scores) for check in of_scores),
    ]


def _sizes(sets: Sets) -> Iterator[BrokenRule]:
    for (name, measure), cell in sets.items():
        benchmark, _, split = name.partition(" ")
        if measure != "instances" or split not in _BASE:
            continue
        listed = sets[name, "facts_and_rules"].printed.count("/") + 1
        expected = listed * sets[f"{benchmark} {_BASE[split]}", "instances"].value
        if cell.value != expected:
            yield BrokenRule(
                cell, "sizes_of_r", f"{expected:.0f}: {listed} sizes of {expected / listed:.0f}"
            )


def _sentences(sets: Sets) -> Iterator[BrokenRule]:
    """Compare lengths with what as many sentences can hold at most: rules only, and the statement."""
    (first, facts, rules), (second, other_facts, other_rules) = _MIXES
    whole, part = sets[first, "average_length"].value, sets[second, "average_length"].value
    # Two equations: the statement is as long as a fact.
    rules_apart = other_rules * (facts + 1) - rules * (other_facts + 1)
    per_rule = (part * (facts + 1) - whole * (other_facts + 1)) / rules_apart
    per_fact = (whole - rules * per_rule) / (facts + 1)
    for (name, measure), cell in sets.items():
        length = sets[name, "average_length"]
        if measure != "facts_and_rules" or not cell.is_number or not length.is_number:
            continue
        needed = math.ceil((length.value - per_fact) / per_rule)
        if needed > cell.value:
            lengths = f"{length.printed} tokens, at {per_rule:.1f} a rule and {per_fact:.1f} a fact"
            yield BrokenRule(cell, "sentence_length", f"{needed} or more: {lengths}")


def _targets_and_floors(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        under = {"Test-T (P-EM)": "#Target", "Test-T (P-Acc.)": "#Proof"}.get(column)
        if table == "Table 4" and under:
            if expected := no_whole_number(
                cell, scores[table, system, setting, under].value, decimals=2
            ):
                yield BrokenRule(cell, "whole_targets", expected)
        elif table == "Table 6" and system == "Random" and column in _FREE_OF_NEGATION:
            yield BrokenRule(cell, "floor_of_sign", "66.7")


def _twice(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        if (table, setting, column) != ("Table 7", "LogicNLI", "P-Acc"):
            continue
        first, accuracy = (
            scores["Table 4", system, "", name] for name in ("Test-T (P-Acc.)", "Test-A")
        )
        if differ(first, cell):
            same = ", which is Table 4's Test-A" if cell.printed == accuracy.printed else ""
            yield BrokenRule(first, "p_acc_twice", f"{cell.printed} (Table 7)")
            yield BrokenRule(cell, "p_acc_twice", f"{first.printed} (Table 4){same}")


def _degradations(scores: Scores) -> Iterator[BrokenRule]:
    for (table, system, setting, column), cell in scores.items():
        if (table, setting, column) != ("Table 7", "LogicNLI", "δA→G"):
            continue
        within, beyond = (scores["Table 4", system, "", name] for name in ("Test-A", "Test-G"))
        corners = [
            100
            * (1 - (beyond.value + up * beyond.half_unit) / (within.value - up * within.half_unit))
            for up in (-1, 1)
        ]
        if not min(corners) - cell.half_unit <= cell.value <= max(corners) + cell.half_unit:
            yield BrokenRule(cell, "degradation", f"{100 * (1 - beyond.value / within.value):.1f}")
