"""What the workflow measured of LogicNLI and LLMEval-Logic: public parts beside the print, own rows behind."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from divlogic.paper import measured
from divlogic.paper.measured import (
    GENERATED,
    LOGICNLI_SETS,
    MeasuredRow,
    is_generated,
    measured_rows,
)
from divlogic.paper.model import TABLES
from tests.support import cases
from tests.unit.paper.miniature import unlike

Tables = dict[str, list[dict[str, Any]]]
GIVEN: Any = cases(__file__, "given")


def rows_of(paper: str, number: str, tables: Tables) -> list[MeasuredRow]:
    return measured_rows(TABLES[paper, number], lambda path: tables.get(path, []))


def own(rows: list[MeasuredRow]) -> list[list[dict[str, Any]]]:
    """Return the words and the numbers of the rows that stand behind the printed ones."""
    return [
        [dict(row.words), {name: number.measured for name, number in row.numbers.items()}]
        for row in rows
        if row.words is not None
    ]


@pytest.mark.parametrize(
    ("paper", "number", "tables", "keys", "measure", "said"), cases(__file__, "printed")
)
def test_a_printed_cell_meets_what_was_measured_of_it(
    paper: str,
    number: str,
    tables: Tables,
    keys: dict[str, str],
    measure: str,
    said: dict[str, Any] | None,
) -> None:
    rows = [row.numbers for row in rows_of(paper, number, tables) if row.fits(keys)]
    found = next((numbers[measure] for numbers in rows if measure in numbers), None)
    assert found is None if said is None else found is not None and unlike(found, said) == {}


@pytest.mark.parametrize(("paper", "number", "tables", "rows"), cases(__file__, "own"))
def test_what_is_not_printed_stands_in_rows_of_its_own(
    paper: str, number: str, tables: Tables, rows: list[list[dict[str, Any]]]
) -> None:
    assert own(rows_of(paper, number, tables)) == rows


def test_rows_of_their_own_say_what_was_generated_and_their_intervals() -> None:
    number = rows_of("LogicNLI", "Table 4", GIVEN["learners"])[-1].numbers["Test-A"]
    assert (number.measured, number.low, number.high, number.other) == (25.0, 24.0, 26.0, GENERATED)
    settings = [
        words["setting"] for words, _ in own(rows_of("LogicNLI", "Table 7", GIVEN["learners"]))
    ]
    assert settings == ["LogicNLI", "d-LogicNLI"]
    remarks = [
        row.numbers["score"].other for row in rows_of("LLMEval-Logic", "Abstract", GIVEN["scores"])
    ]
    assert remarks == ["the part that is here", GENERATED]


def test_of_sets_drawn_as_published_the_lengths_are_compared_and_what_the_draw_was_given_is_design() -> (
    None
):
    drawn = {
        "source": "as published",
        "benchmark": "LogicNLI Train",
        "instances": 16000,
        "facts_and_rules": 24,
    }
    lists = {"average_lengths": "110.5/ 130.2", "maximum_lengths": "170/ 211"}
    several = drawn | {"benchmark": "LogicNLI Train-R(s)", "facts_and_rules": "10/ 12"} | lists
    lengths = {"average_length": 252.9, "maximum_length": 293}
    rows = rows_of("LogicNLI", "Table 2", {LOGICNLI_SETS: [drawn | lengths, several | lengths]})
    one, other = [
        {name: number.measured for name, number in row.numbers.items()} for row in rows[:2]
    ]
    assert other == {"instances": 16000, **lengths} and one == other | {"facts_and_rules": 24}
    assert [cell.several for cell in rows[1].numbers.values()] == [
        (),
        (110.5, 130.2),
        (170.0, 211.0),
    ]
    status = {name: number.status for row in rows for name, number in row.numbers.items()}
    assert {name for name, status in status.items() if status == "design"} == {
        "instances",
        "facts_and_rules",
    }
    (remark,) = {number.other for row in rows for number in row.numbers.values()}
    assert "drawn here" in remark and not is_generated(remark)


@pytest.mark.parametrize(("paper", "number"), TABLES)
def test_a_run_without_these_tables_has_printed_rows_only(paper: str, number: str) -> None:
    assert own(rows_of(paper, number, {})) == []


@pytest.mark.parametrize(("paper", "number"), [key for key, one in TABLES.items() if one.measured])
def test_a_row_that_a_table_does_not_know_is_named_and_left_out(paper: str, number: str) -> None:
    declared = TABLES[paper, number]
    said: list[str] = []
    with patch.object(measured, "say", said.append):
        for path in declared.reads:
            for source in ("measured", "release", "recorded", "as published", "generated"):
                odd: dict[str, Any] = {
                    "benchmark": "LogicNLI Test-Z",
                    "system": None,
                    "source": source,
                    "metric": ["not", "a", "text"],
                    "instances": "many",
                }
                rows_of(paper, number, {path: [odd]})
    assert all(text.startswith(f"warning: {paper}, {number}: row 1 of results/") for text in said)


def test_the_warning_names_the_row_and_the_rows_beside_it_stay() -> None:
    known = {"source": "release", "benchmark": "LogicNLI Train", "instances": 16000}
    odd = {"benchmark": "a set of tomorrow"}
    said: list[str] = []
    with patch.object(measured, "say", said.append):
        rows = rows_of("LogicNLI", "Table 2", {LOGICNLI_SETS: [odd, known]})
    assert [row.numbers["instances"].measured for row in rows] == [16000]
    (warning,) = said
    assert "row 1 of results/benchmarks/logicnli/sets.csv (a set of tomorrow)" in warning


@pytest.mark.parametrize("is_here", [True, False])
def test_printed_cells_of_divlogiceval_are_compared_with_the_authors_set_where_it_is_here(
    is_here: bool,
) -> None:
    made = {"benchmark": "DivLogicEval", "source": "measured", "note": "generated here"}
    authors = {"benchmark": "DivLogicEval (authors')", "source": "measured", "note": ""}
    counted = [made | {"instances": 300, "vocabulary_lower": 5000}]
    if is_here:
        counted.insert(0, authors | {"instances": 900, "vocabulary_lower": 6748})
    rows = rows_of("DivLogicEval", "Table 4", {"diversity/table4": counted})
    fitting = [row for row in rows if row.numbers and row.fits({"benchmark": "divlogiceval"})]
    found = fitting[0].numbers["vocabulary"]
    assert (found.measured, is_generated(found.other)) == (
        (6748, False) if is_here else (5000, True)
    )
