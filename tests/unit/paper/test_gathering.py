"""Printed and measured numbers side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.paper.gather import gather_tables, write_tables
from divlogic.paper.measured import GENERATED
from divlogic.paper.model import REASONS, Column, ReportTable, TableCell, TableRow, read_tables_json
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.scoreboard import (
    read_scoreboard,
    score_table,
    score_tables,
    total_of,
    write_scoreboard,
)
from tests.support import cases, csv_rows
from tests.unit.paper.miniature import gathered, unlike, write_printed, write_results

PARAMETERS = PaperParameters()
PUBLISHED = Path(__file__).parents[3] / "data" / "published"
PAPERS = cases(__file__, "papers")


def by_name(
    results: Path, printed: Path = PUBLISHED, preset: str = "balanced"
) -> dict[str, ReportTable]:
    return {table.name: table for table in gathered(results, printed, preset)}


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, ReportTable]:
    return by_name(write_results(tmp_path / "results"), write_printed(tmp_path / "published"))


def cell_of(table: ReportTable, first: str, column: str, heads: dict[str, str]) -> TableCell:
    place = [one.name for one in table.columns].index(column)
    for row in table.rows:
        words = dict(zip(table.heads, row.heads, strict=True))
        if row.heads[0] == first and words.items() >= heads.items():
            return row.cells[place]
    raise AssertionError(f"{first} has no row in {table.name}")


@pytest.mark.parametrize(("table", "first", "column", "heads", "said"), cases(__file__, "small"))
def test_a_cell_says_how_our_number_stands_to_the_printed_one(
    tables, table, first, column, heads, said
):
    assert unlike(cell_of(tables[table], first, column, heads), said) == {}


@pytest.mark.parametrize(("what", "results", "cells"), PAPERS, ids=[what for what, *_ in PAPERS])
def test_our_numbers_stand_where_the_papers_print_theirs(tmp_path, what, results, cells):
    tables = by_name(write_results(tmp_path / "results", results))
    wrong = [unlike(cell_of(tables[table], *place), said) for table, *place, said in cells]
    assert wrong == [{}] * len(cells)


def test_tables_come_by_paper_and_number_and_what_a_paper_lacks_behind_its_rows(tables):
    assert list(tables) == [
        "divlogiceval_table4",
        "ilogiceval_table3",
        "ilogiceval_table5",
        "justlogic_llm_performance_on_justlogic",
        "logicnli_table9",
    ]
    assert [row.heads[0] for row in tables["divlogiceval_table4"].rows] == [
        "FOLIO",
        "ReClor",
        "CLUTRR",
    ]


def test_a_table_that_another_run_left_is_not_shown(tmp_path):
    results, printed = write_results(tmp_path / "results"), write_printed(tmp_path / "published")
    files = [file for file in results.rglob("*.json") if file.stem != "table4"]
    table, *_ = gather_tables(results, printed, PARAMETERS, files)
    assert table.name == "divlogiceval_table4" and not any(
        "table4.csv" in file for file in table.files
    )
    assert all(cell.measured is None for cell in table.cells())


def test_a_recorded_row_of_two_benchmarks_says_how_many_instances_each_has(tmp_path):
    head = {
        "shots": "0-shot",
        "metric": "ACC",
        "divlogiceval": 30,
        "s_divlogiceval": 40,
    }
    rows = [
        {
            **head,
            "system": system,
            "divlogiceval_instances": instances,
            "s_divlogiceval_instances": 18,
        }
        for system, instances in (
            ("small (recorded)", 18),
            ("other (recorded)", 1900),
            ("asked", 18),
        )
    ]
    table = by_name(write_results(tmp_path, {"evaluation/table6": rows}))["divlogiceval_table6"]
    expected = [
        "small (recorded), 18 instances",
        "other (recorded), 1,900 and 18 instances",
        "asked",
    ]
    assert [row.heads[0] for row in table.rows][-3:] == expected


def test_the_cells_that_break_a_rule_are_noted_below_their_table(tables):
    notes = [text for text in tables["ilogiceval_table3"].notes if text.startswith("* So")]
    assert len(notes) == 1 and "30.1 [30.0" in notes[0]


def test_the_tables_of_every_paper_are_gathered_under_a_title_of_their_own(tmp_path):
    tables = by_name(write_results(tmp_path)).values()
    papers = {table.paper for table in tables}
    assert papers == {"DivLogicEval", "ILogicEval", "JustLogic", "LogicNLI", "LLMEval-Logic"}
    numbers = [table.number for table in tables if table.paper == "LogicNLI"]
    assert numbers == [f"Table {number}" for number in range(1, 8)]
    assert not [table.title for table in tables if table.title.startswith(("Section", "Abstract"))]
    for score in score_tables([*tables], PARAMETERS):
        assert score.cells == total_of([score])["comparable"] + sum(
            getattr(score, name) for name in REASONS
        )


def test_tables_and_scores_survive_their_files(tables, tmp_path):
    write_json(tmp_path / "tables.json", list(tables.values()))
    assert read_tables_json(tmp_path / "tables.json") == list(tables.values())
    scores = score_tables(list(tables.values()), PARAMETERS)
    write_scoreboard(scores, tmp_path / "scoreboard.csv", tmp_path / "totals.json")
    assert read_scoreboard(tmp_path / "scoreboard.csv") == scores


def test_the_csv_has_both_numbers_the_difference_and_where_the_cell_stands(tables, tmp_path):
    write_tables(list(tables.values()), tmp_path / "out")
    row, *_ = csv_rows(tmp_path / "out" / "divlogiceval_table4.csv")
    names = [f"Vocabulary{part}" for part in ("", ", here", ", difference", ", status")]
    assert [row[name] for name in names] == ["1140", "1130", "-10", "near"]
    assert "How it was done." in (tmp_path / "out" / "divlogiceval_table4.md").read_text(
        encoding="utf-8"
    )


def test_the_csv_has_all_numbers_of_a_cell_that_prints_several(tmp_path):
    lengths = {"average_lengths": "104.4/ 125.2/ 145.0/ 165.0/ 185.0/ 205.0/ 225.0/ 245.0"}
    row = {
        "source": "as published",
        "benchmark": "LogicNLI Dev-R(s)",
        "average_length": 175,
        **lengths,
    }
    tables = by_name(write_results(tmp_path / "results", {"benchmarks/logicnli/sets": [row]}))
    write_tables([tables["logicnli_table2"]], tmp_path)
    rows = {
        row["Split"]: row["Average length, here"]
        for row in csv_rows(tmp_path / "logicnli_table2.csv")
    }
    assert rows["LogicNLI Dev-R(s)"] == "104/ 125/ 145/ 165/ 185/ 205/ 225/ 245"


def test_every_printed_number_stands_in_exactly_one_count(tables):
    scores = score_tables(list(tables.values()), PARAMETERS)
    for score in scores:
        assert score.cells == total_of([score])["comparable"] + sum(
            getattr(score, name) for name in REASONS
        )
    expected = {"cells": 9, "comparable": 4, "reproduced": 1, "near": 2, "off": 1, "other_part": 3}
    expected |= dict.fromkeys(REASONS, 0) | {"unavailable": 2, "unknown": 3}
    assert total_of(scores).items() >= expected.items()


def test_a_number_measured_on_our_own_benchmark_is_not_counted_as_reproduced():
    ours = TableCell("generated", "25.0", 25.0, difference=0.0, other=GENERATED)
    theirs = TableCell("near", "25.0", 25.0, difference=0.0, other="dev instead of test")
    rows = (TableRow(("a",), (ours,)), TableRow(("b",), (theirs,)))
    table = ReportTable(
        "t", "P", "Table 1", "T", ("System",), (Column("ACC", "percent", 1),), rows, (), ()
    )
    expected = {"cells": 2, "comparable": 1, "near": 1, "generated": 1, "other_part": 1}
    assert total_of([score_table(table, PARAMETERS)]).items() >= expected.items()


def test_only_balanced_sets_are_said_to_be_of_another_construction_than_logicnlis(tmp_path):
    results = write_results(tmp_path)
    for preset, other in (("balanced", True), ("as_published", False)):
        tables = by_name(results, preset=preset)
        for number in (4, 6, 7):
            (remark,) = [
                note for note in tables[f"logicnli_table{number}"].notes if "Learners" in note
            ]
            assert ("another construction" in remark) is other and (
                "same model" in remark
            ) is not other


def test_a_missing_scoreboard_says_how_to_make_it(tmp_path):
    with pytest.raises(DivLogicError, match="snakemake paper"):
        read_scoreboard(tmp_path / "scoreboard.csv")


def test_a_scoreboard_without_its_columns_is_refused(tmp_path):
    write_scoreboard([], tmp_path / "scoreboard.csv", tmp_path / "totals.json")
    described = read_json(tmp_path / "scoreboard.json")
    write_json(
        tmp_path / "scoreboard.json", described | {"columns": [{"name": "paper"}], "rows": [["X"]]}
    )
    with pytest.raises(DivLogicError, match=r"scoreboard\.csv: not a scoreboard"):
        read_scoreboard(tmp_path / "scoreboard.csv")


def test_an_unknown_header_of_printed_numbers_is_refused(tmp_path):
    (tmp_path / "odd.csv").write_text("paper,table\nX,Table 1\n", encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"odd\.csv"):
        gathered(tmp_path, tmp_path)


def test_a_model_of_llmeval_logic_meets_its_printed_row_by_name_and_thinking(tmp_path):
    for model, printed in (("(no thinking)", "36.0"), ("(thinking)", "36.7")):
        row = {
            "benchmark": "llmeval_logic_hard",
            "track": "answer",
            "language": "zh",
            "metric": "item_accuracy",
        }
        row |= {"model": f"Claude Opus 4.6 {model}", "score": 36.2, "low": 30.0, "high": 42.0}
        tables = by_name(write_results(tmp_path, {"evaluation/llmeval_logic/scores": [row]}))
        blog = next(table for name, table in tables.items() if "blog" in name)
        cells = [(cell.printed, cell.other) for cell in blog.cells() if cell.measured is not None]
        assert cells == [(printed, "the part that is here")]
