"""The printed numbers of the papers and their audit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.published import PrintedCell, read_published
from divlogic.published.audit import RULES, TABLES, audit

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


@pytest.fixture(scope="module")
def tables() -> dict[str, list[PrintedCell]]:
    return read_published(PUBLISHED).scores(TABLES)


def cell(
    column: str, printed: str, metric: str = "ACC", setting: str = "zero_shot", note: str = ""
) -> PrintedCell:
    return PrintedCell(
        "P", "Table 8", "Appendix", "model", "v1", setting, metric, column, printed, note
    )


def broken(*cells: PrintedCell) -> list[str]:
    return [finding.rule for finding in audit({"t": cells})]


def test_every_printed_row_is_there_once(tables: dict[str, list[PrintedCell]]) -> None:
    assert {name: len(cells) for name, cells in tables.items()} == {
        "divlogiceval_table1": 2 * 3, "divlogiceval_table2": 3 * 6, "divlogiceval_table3": 3 * 3 * 3,
        "divlogiceval_table5": 2 * 4, "divlogiceval_table6": 2 * 3 * 2, "divlogiceval_table8": 8 * 2 * 3 * 4,
        "ilogiceval_table2": 3 * 6, "ilogiceval_table3": 5 * 2 * 3 * 4, "ilogiceval_table4": 2 * 3 * 2,
        "human": 6, "llmeval_logic_best": 2, "llmeval_logic_table1": 4 * 3,
    }  # fmt: skip
    for cells in tables.values():
        keys = Counter((c.paper, c.system, c.version, c.setting, c.metric, c.column) for c in cells)
        assert set(keys.values()) == {1}


def test_the_audit_finds_the_cells_known_to_be_inconsistent(
    tables: dict[str, list[PrintedCell]],
) -> None:
    found = {
        (f.rule, f.cell.table, f.cell.system, f.cell.setting, f.cell.metric, f.cell.column)
        for f in audit(tables)
        if f.cell.paper == "DivLogicEval" and f.rule != "whole_instances"
    }
    third, eighth = (
        ("Table 3", "GPT-3.5", "DivLogicEval"),
        ("Table 8", "GPT-4o", "zero_shot", "ACC"),
    )
    assert found == {
        *(("pc_not_below_cir", *third, "PC", column) for column in ("Origin", "NoLR")),
        *(("same_quantity", *third, metric, "Origin") for metric in ("ACC", "CIR", "PC")),
        *(
            (rule, "Table 8", "Gemini", "zero_shot", "PC", "Test")
            for rule in ("mean_of_types", "between_types")
        ),
        ("mean_of_types", *eighth, "Test"),
        *(("repeated_row", *eighth, f"Test-{kind}") for kind in ("3e1c", "3e1e", "missing")),
        ("known_type", "Table 8", "Mixtral", "zero_shot", "ACC", "Test-3e1e"),
    }


def test_every_rule_of_a_finding_is_explained(tables: dict[str, list[PrintedCell]]) -> None:
    assert {finding.rule for finding in audit(tables)} <= set(RULES)


TYPES = [cell("Test-3e1c", "30.0"), cell("Test-3c1e", "31.0"), cell("Test-missing", "32.0")]


@pytest.mark.parametrize(
    ("test", "rules"), [("31.0", []), ("31.1", []), ("31.2", ["mean_of_types"])]
)
def test_the_mean_of_the_types_is_taken_within_rounding(test: str, rules: list[str]) -> None:
    assert [
        rule for rule in broken(cell("Test", test), *TYPES) if rule != "whole_instances"
    ] == rules


def test_a_subset_need_not_be_balanced() -> None:
    assert (
        broken(*(replace(c, note="subset: first 40") for c in [cell("Test", "31.5"), *TYPES])) == []
    )


@pytest.mark.parametrize(("printed", "rules"), [("60.16", []), ("60.20", ["whole_items"])])
def test_a_mean_over_three_runs_of_246_items_is_a_whole_number_of_738(
    printed: str, rules: list[str]
) -> None:
    base = replace(
        cell("score", printed, metric="Z3+Rubric", setting="Base, fixed"), paper="LLMEval-Logic"
    )
    assert broken(base) == rules


def of_setting(**printed: str) -> list[PrintedCell]:
    return [cell(column, value, setting="s") for column, value in printed.items()]


def runs(cv: str) -> list[PrintedCell]:
    printed = ["30.0", "32.0", "32.4", "30.1", "32.0"]
    return [
        *(cell(f"run{number}", value) for number, value in enumerate(printed, start=1)),
        cell("CV", cv),
    ]


@pytest.mark.parametrize(
    ("cells", "rules"),
    [
        ([cell("Test", "30.0"), cell("Test", "31.0", metric="CIR")], ["cir_not_above_acc"]),
        (of_setting(Origin="30.0", NoLR="28.0", Delta="+2.0"), ["difference"]),
        (of_setting(Origin="30.0", NoLR="28.0", Delta="-2.1"), []),
        (runs("3.3"), []),
        (runs("4.3"), ["variation"]),
        # A share of three hundred instances is a third of a percent.
        ([cell("Test-3e1c", "34.3")], []),
        ([cell("Test-3e1c", "34.1")], ["whole_instances"]),
    ],
)
def test_a_cell_that_others_or_the_number_of_instances_exclude_is_found(
    cells: list[PrintedCell], rules: list[str]
) -> None:
    assert broken(*cells) == rules
