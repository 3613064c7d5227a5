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
    return PrintedCell("P", "Table 8", "Appendix", "model", "v1", setting, metric, column, printed, note)


def broken(*cells: PrintedCell) -> list[str]:
    return [finding.rule for finding in audit({"t": cells})]


def test_every_printed_row_is_there_once(tables: dict[str, list[PrintedCell]]) -> None:
    assert {name: len(cells) for name, cells in tables.items()} == {
        "divlogiceval_table1": 2 * 3,
        "divlogiceval_table2": 3 * 6,
        "divlogiceval_table3": 3 * 3 * 3,
        "divlogiceval_table5": 2 * 4,
        "divlogiceval_table6": 2 * 3 * 2,
        "divlogiceval_table8": 8 * 2 * 3 * 4,
        "ilogiceval_table2": 3 * 6,
        "ilogiceval_table3": 5 * 2 * 3 * 4,
        "ilogiceval_table4": 2 * 3 * 2,
        "human": 6,
        "llmeval_logic_best": 2,
        "llmeval_logic_table1": 4 * 3,
    }
    for cells in tables.values():
        keys = Counter((c.paper, c.system, c.version, c.setting, c.metric, c.column) for c in cells)
        assert set(keys.values()) == {1}


def test_the_audit_finds_the_cells_known_to_be_inconsistent(tables: dict[str, list[PrintedCell]]) -> None:
    found = {
        (f.rule, f.cell.table, f.cell.system, f.cell.setting, f.cell.metric, f.cell.column)
        for f in audit(tables)
        if f.cell.paper == "DivLogicEval" and f.rule != "whole_instances"
    }
    three, eight = "Table 3", "Table 8"
    assert found == {
        ("pc_not_below_cir", three, "GPT-3.5", "DivLogicEval", "PC", "Origin"),
        ("pc_not_below_cir", three, "GPT-3.5", "DivLogicEval", "PC", "NoLR"),
        *(("same_quantity", three, "GPT-3.5", "DivLogicEval", m, "Origin") for m in ("ACC", "CIR", "PC")),
        ("mean_of_types", eight, "Gemini", "zero_shot", "PC", "Test"),
        ("between_types", eight, "Gemini", "zero_shot", "PC", "Test"),
        ("mean_of_types", eight, "GPT-4o", "zero_shot", "ACC", "Test"),
        *(
            ("repeated_row", eight, "GPT-4o", "zero_shot", "ACC", f"Test-{t}")
            for t in ("3e1c", "3e1e", "missing")
        ),
        ("known_type", eight, "Mixtral", "zero_shot", "ACC", "Test-3e1e"),
    }


def test_every_rule_of_a_finding_is_explained(tables: dict[str, list[PrintedCell]]) -> None:
    assert {finding.rule for finding in audit(tables)} <= set(RULES)


TYPES = [cell("Test-3e1c", "30.0"), cell("Test-3c1e", "31.0"), cell("Test-missing", "32.0")]


@pytest.mark.parametrize(("test", "rules"), [("31.0", []), ("31.1", []), ("31.2", ["mean_of_types"])])
def test_the_mean_of_the_types_is_taken_within_rounding(test: str, rules: list[str]) -> None:
    assert [rule for rule in broken(cell("Test", test), *TYPES) if rule != "whole_instances"] == rules


def test_a_subset_need_not_be_balanced() -> None:
    assert broken(*(replace(c, note="subset: first 40") for c in [cell("Test", "31.5"), *TYPES])) == []


def test_circular_may_not_exceed_accuracy() -> None:
    assert broken(cell("Test", "30.0"), cell("Test", "31.0", metric="CIR")) == ["cir_not_above_acc"]


@pytest.mark.parametrize(("printed", "rules"), [("60.16", []), ("60.20", ["whole_items"])])
def test_a_mean_over_three_runs_of_246_items_is_a_whole_number_of_738(printed: str, rules: list[str]) -> None:
    base = replace(cell("score", printed, metric="Z3+Rubric", setting="Base, fixed"), paper="LLMEval-Logic")
    assert broken(base) == rules


def test_a_wrong_difference_is_found() -> None:
    row = [
        cell("Origin", "30.0", setting="s"),
        cell("NoLR", "28.0", setting="s"),
        cell("Delta", "+2.0", setting="s"),
    ]
    assert broken(*row) == ["difference"]
    assert broken(*row[:2], cell("Delta", "-2.1", setting="s")) == []


def test_a_wrong_variation_is_found() -> None:
    runs = [cell(f"run{i}", v) for i, v in enumerate(["30.0", "32.0", "32.4", "30.1", "32.0"], start=1)]
    assert broken(*runs, cell("CV", "3.3")) == []
    assert broken(*runs, cell("CV", "4.3")) == ["variation"]


def test_a_share_of_three_hundred_instances_is_a_third_of_a_percent() -> None:
    assert broken(cell("Test-3e1c", "34.3")) == []
    assert broken(cell("Test-3e1c", "34.1")) == ["whole_instances"]
