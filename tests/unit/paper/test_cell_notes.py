"""The notes on single cells of a table."""

from __future__ import annotations

from divlogic.paper.gather import CellKey, CellRemark, cell_notes

PART = CellRemark("subset: first 40 instances")


def place(system: str, metric: str, column: str, version: str = "") -> CellKey:
    return CellKey(
        {"system": system, "version": version, "setting": "0-shot", "metric": metric}, column
    )


def test_a_reason_stands_once_with_the_cells_of_each_row() -> None:
    doubts = [CellRemark("a share is a whole number", "29.9", "29.7 or 30.0")]
    cells = [
        (place("GPT", "ACC", "Test", "gpt-1"), doubts),
        (place("GPT", "CIR", "Test", "gpt-1"), []),
        (place("GPT", "CIR", "Test-3e1c", "gpt-1"), doubts),
        (place("Other", "ACC", "Test"), doubts),
    ]
    assert cell_notes(cells) == [
        "* A share is a whole number. Printed [expected]: GPT 0-shot: ACC Test 29.9 [29.7 or 30.0], CIR Test-3e1c 29.9"
        " [29.7 or 30.0]; Other 0-shot: ACC Test 29.9 [29.7 or 30.0]."
    ]


def test_a_remark_on_all_cells_of_a_row_names_the_row_alone() -> None:
    cells = [(place("GPT", metric, "Test"), [PART]) for metric in ("ACC", "CIR")]
    assert cell_notes(cells) == ["* Subset: first 40 instances: GPT 0-shot."]
    cells.append((place("GPT", "PC", "Test"), []))
    assert cell_notes(cells) == ["* Subset: first 40 instances: GPT 0-shot: ACC Test, CIR Test."]


def test_two_versions_of_a_system_are_told_apart() -> None:
    cells = [(place("GPT", "ACC", "Test", version), [PART]) for version in ("one", "two")]
    assert cell_notes(cells) == ["* Subset: first 40 instances: GPT one 0-shot; GPT two 0-shot."]


def test_a_cell_says_its_doubt_in_full() -> None:
    assert CellRemark("a rule", "1", "2").alone == "a rule (printed 1, expected 2)"
    assert PART.alone == PART.reason
