"""Audit of the published cells: each rule follows from the definitions alone and holds for every model."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

from divlogic.config.command import FOLDER
from divlogic.intervals import coefficient_of_variation
from divlogic.io.log import say
from divlogic.io.tables import write_listing
from divlogic.published import audit_logicnli
from divlogic.published.cells import BrokenRule, PrintedCell, PrintedNumbers, read_published

TABLES = (
    "divlogiceval_table1",
    "divlogiceval_table2",
    "divlogiceval_table3",
    "divlogiceval_table5",
    "divlogiceval_table6",
    "divlogiceval_table8",
    "ilogiceval_table2",
    "ilogiceval_table3",
    "ilogiceval_table4",
    "human",
    "llmeval_logic_best",
    "llmeval_logic_table1",
)
"""The files whose scores the rules are about."""

RULES = {
    "pc_not_below_cir": "PartialCircular is at least Circular for every set of answers (Eq. 2: all four right gives 1)",
    "cir_not_above_acc": "an instance that counts for Circular also counts for Accuracy",
    "mean_of_types": "the question types are equally large, so the test score is the mean of the three",
    "between_types": "a score over all instances lies between the scores of its parts",
    "whole_instances": "a share of instances is a whole number over 300 (a type) or 900 (the test set)",
    "whole_items": "a mean over three runs is a whole number over three times the items or sub-questions",
    "difference": "a printed difference is that of the two printed numbers",
    "variation": "the coefficient of variation is that of the printed runs",
    "same_quantity": "a number that a paper prints twice is the same",
    "repeated_row": "two settings with different test scores do not agree in all three types",
    "known_type": "a column names one of the three question types",
    **audit_logicnli.RULES,
}

_TYPE_PREFIX = "Test-"
_TYPES = ("3e1c", "3c1e", "missing")
_TYPE_SIZE, _TEST_SIZE = 300, 900
_LLMEVAL_BASE, _LLMEVAL_HARD, _LLMEVAL_QUESTIONS, _LLMEVAL_RUNS = 246, 190, 938, 3
_SLACK = 1e-9


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
    for finding in [*audit(printed.scores(TABLES)), *audit_logicnli.audit(printed)]:
        c = finding.cell
        system, column = (c.benchmark, c.measure) if c.measure else (c.system, c.column)
        where = (c.paper, c.table, system, c.version, c.setting, c.metric, column, c.printed)
        rows.append((*where, finding.rule, finding.expected, RULES[finding.rule]))
    write_listing(out.with_suffix(""), header, [dict(zip(header, row, strict=True)) for row in rows])
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
        for other, rule in (("CIR", "pc_not_below_cir"), ("ACC", "cir_not_above_acc")):
            if (metric, other) not in (("PC", "CIR"), ("CIR", "ACC")):
                continue
            for column, cell in row.items():
                bound = rows.get((system, setting, other), {}).get(column)
                if bound is None or column in ("CV", "Delta"):
                    continue
                slack = cell.half_unit + bound.half_unit + _SLACK
                if metric == "PC" and cell.value < bound.value - slack:
                    yield BrokenRule(cell, rule, f"at least {bound.printed} ({other})")
                if metric == "CIR" and cell.value > bound.value + slack:
                    yield BrokenRule(cell, rule, f"at most {bound.printed} ({other})")


def _types(rows: Rows) -> Iterator[BrokenRule]:
    for row in rows.values():
        parts = [cell for column, cell in row.items() if column.startswith(_TYPE_PREFIX)]
        whole = row.get("Test")
        if whole is None or len(parts) != len(_TYPES):
            continue
        values = [cell.value for cell in parts]
        slack = whole.half_unit + max(cell.half_unit for cell in parts) + _SLACK
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
            size = _TEST_SIZE if column == "Test" else _TYPE_SIZE if column.startswith(_TYPE_PREFIX) else 0
            if not size:
                continue
            low = math.floor(cell.value * size / 100)
            shares = [100 * count / size for count in (low, low + 1)]
            if all(abs(share - cell.value) > cell.half_unit + _SLACK for share in shares):
                yield BrokenRule(cell, "whole_instances", f"{shares[0]:.1f} or {shares[1]:.1f}")


def _whole_items(cells: Iterable[PrintedCell]) -> Iterator[BrokenRule]:
    """LLMEval-Logic prints means over three runs of 246 Base items, or 190 Hard items with 938 sub-questions."""
    for cell in cells:
        if cell.paper != "LLMEval-Logic":
            continue
        items = _LLMEVAL_BASE if cell.setting.startswith("Base") else _LLMEVAL_HARD
        size = _LLMEVAL_RUNS * (_LLMEVAL_QUESTIONS if cell.metric == "Sub-Question Accuracy" else items)
        low = math.floor(cell.value * size / 100)
        shares = [100 * count / size for count in (low, low + 1)]
        if all(abs(share - cell.value) > cell.half_unit + _SLACK for share in shares):
            yield BrokenRule(cell, "whole_items", f"{shares[0]:.2f} or {shares[1]:.2f}")


def _differences(rows: Rows) -> Iterator[BrokenRule]:
    for row in rows.values():
        printed = row.get("Delta")
        if printed is None:
            continue
        first, last = (
            cell for column, cell in row.items() if column in ("Origin", "NoLR", "origin", "tuned(10x)")
        )
        slack = first.half_unit + last.half_unit + printed.half_unit + _SLACK
        if abs(last.value - first.value - printed.value) > slack:
            yield BrokenRule(printed, "difference", f"{last.value - first.value:+.1f}")


def _variation(rows: Rows) -> Iterator[BrokenRule]:
    for row in rows.values():
        printed = row.get("CV")
        if printed is None:
            continue
        runs = [cell for column, cell in row.items() if column.startswith("run")]
        # The deviation is convex in the runs, so its largest value lies at a corner of the rounding box.
        corners = [
            coefficient_of_variation(
                [cell.value + sign * cell.half_unit for cell, sign in zip(runs, signs, strict=True)]
            )
            for signs in itertools.product((-1, 0, 1), repeat=len(runs))
        ]
        if not min(corners) - printed.half_unit <= printed.value <= max(corners) + printed.half_unit:
            value = coefficient_of_variation([cell.value for cell in runs])
            yield BrokenRule(printed, "variation", f"{value:.1f}")


def _repeated(rows: Rows) -> Iterator[BrokenRule]:
    for (system, setting, metric), row in rows.items():
        for (other_system, other_setting, other_metric), other in rows.items():
            if (other_system, other_metric) != (system, metric) or other_setting >= setting:
                continue
            columns = [column for column in row if column.startswith(_TYPE_PREFIX) and column in other]
            same = bool(columns) and all(row[c].printed == other[c].printed for c in columns)
            if same and row["Test"].printed != other["Test"].printed:
                for column in columns:
                    yield BrokenRule(
                        row[column], "repeated_row", f"other values than in the row {other_setting}"
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
    for cell in sorted(
        cells, key=lambda cell: cell.table not in ("Table 8", "Table 3") or cell.column == "Origin"
    ):
        key = _quantity(cell)
        if key is None:
            continue
        first = printed.setdefault(key, cell)
        if abs(first.value - cell.value) > first.half_unit + cell.half_unit + _SLACK:
            yield BrokenRule(cell, "same_quantity", f"{first.printed} ({first.table})")


def _quantity(cell: PrintedCell) -> tuple[str, ...] | None:
    """Name the quantity that a cell of a test score prints, or ``None`` for a cell that stands alone."""
    system = {"GPT4": "GPT-4", "ChatGPT": "GPT-3.5"}.get(cell.system, cell.system)
    # DivLogicEval's Tables 1 and 2 measured an earlier Gemini than its Table 8.
    earlier = (
        cell.paper == "DivLogicEval" and cell.system == "Gemini" and cell.table in ("Table 1", "Table 2")
    )
    if cell.table == "Table 2" or earlier:
        run = cell.setting.partition(" ")[2] or cell.column
        if run == "CV":
            return None
        if cell.paper == "ILogicEval" and run == "run1":
            return cell.paper, system, "zero_shot", cell.metric, "Test"
        return cell.paper, system, run, cell.metric, "Test"
    if cell.column == "Origin" and cell.setting == "DivLogicEval":
        return cell.paper, system, "zero_shot", cell.metric, "Test"
    if cell.table in ("Table 1", "Table 4", "Table 6") and cell.column in ("test", cell.paper):
        return cell.paper, system, cell.setting, cell.metric, "Test"
    if cell.column == "Test":
        return cell.paper, system, cell.setting, cell.metric, "Test"
    return None


def audit_published(
    out: Annotated[Path, "Findings (csv)."],
    source: Annotated[Path, "--in", FOLDER, "Printed cells."] = Path("data/published"),
) -> None:
    """List every printed cell that breaks a rule of arithmetic or of the metrics."""
    say(f"{write_audit(read_published(source), out)} findings in {out}")
