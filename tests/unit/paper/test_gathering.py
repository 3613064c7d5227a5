"""Printed and measured numbers side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.tables import write_table
from divlogic.paper.gather import gather_tables, write_tables
from divlogic.paper.measured import GENERATED
from divlogic.paper.model import REASONS, Column, ReportTable, TableCell, TableRow, read_tables_json
from divlogic.paper.parameters import PaperParameters
from divlogic.paper.scoreboard import read_scoreboard, score_table, score_tables, total_of, write_scoreboard
from tests.support import csv_rows
from tests.unit.paper.miniature import _write, gathered, write_printed, write_results

PARAMETERS = PaperParameters()
PUBLISHED = Path(__file__).parents[3] / "data" / "published"


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, ReportTable]:
    results, printed = write_results(tmp_path / "results"), write_printed(tmp_path / "published")
    return {table.name: table for table in gathered(results, printed)}


@pytest.fixture
def real_tables(tmp_path: Path) -> dict[str, ReportTable]:
    """The numbers that the papers print, beside a few results."""
    results = write_results(tmp_path / "results")
    return {table.name: table for table in gathered(results, PUBLISHED)}


def cell_of(table: ReportTable, first: str, column: str, **heads: str):
    place = [one.name for one in table.columns].index(column)
    for row in table.rows:
        words = dict(zip(table.heads, row.heads, strict=True))
        if row.heads[0] == first and all(words[name] == text for name, text in heads.items()):
            return row.cells[place]
    raise AssertionError(f"{first} has no row in {table.name}")


def test_a_benchmark_that_is_here_is_compared_with_the_printed_row(tables):
    cell = cell_of(tables["divlogiceval_table4"], "FOLIO", "Vocabulary")
    # Within the tolerance, but on the validation part.
    assert (cell.printed, cell.measured, cell.status) == ("1140", 1130.0, "near")
    kl = cell_of(tables["divlogiceval_table4"], "FOLIO", "KL (bits)")
    assert (kl.status, kl.other) == ("near", "validation instead of test; against 275 excerpts")


def test_a_benchmark_that_is_not_here_is_unavailable(tables):
    assert cell_of(tables["divlogiceval_table4"], "ReClor", "Vocabulary").status == "unavailable"


def test_a_benchmark_that_the_paper_lacks_follows_the_printed_rows(tables):
    table = tables["divlogiceval_table4"]
    assert [row.heads[0] for row in table.rows] == ["FOLIO", "ReClor", "CLUTRR"]
    assert cell_of(table, "CLUTRR", "Vocabulary").status == "measured_only"


def test_a_table_that_another_run_left_is_not_shown(tmp_path):
    results, printed = write_results(tmp_path / "results"), write_printed(tmp_path / "published")
    files = [file for file in results.rglob("*.json") if file.stem != "table4"]
    (table,) = [
        table
        for table in gather_tables(results, printed, PARAMETERS, files)
        if table.name == "divlogiceval_table4"
    ]
    assert all(cell.measured is None for cell in table.cells())
    assert not any("table4.csv" in file for file in table.files)


def test_recorded_answers_meet_the_system_that_gave_them_and_say_how_many_they_are(tables):
    table = tables["ilogiceval_table3"]
    cell = cell_of(table, "ChatGPT", "Test", Setting="0-shot")
    assert (cell.measured, cell.status) == (32.93, "off")
    assert "1,500" in cell.other and "900" in cell.other
    assert cell_of(table, "ChatGPT", "Test", Setting="3-shot").status == "not_asked"
    assert cell_of(table, "baseline/uniform", "Test").status == "measured_only"


def test_a_recorded_row_of_two_benchmarks_says_how_many_instances_each_has(tmp_path):
    results = write_results(tmp_path / "results")
    head = {
        "source": "measured",
        "shots": "0-shot",
        "metric": "ACC",
        "divlogiceval": 30.0,
        "s_divlogiceval": 40.0,
    }
    rows = [
        {**head, "system": "small (recorded)", "divlogiceval_instances": 18, "s_divlogiceval_instances": 18},
        {
            **head,
            "system": "other (recorded)",
            "divlogiceval_instances": 1900,
            "s_divlogiceval_instances": 18,
        },
        {**head, "system": "asked", "divlogiceval_instances": 18, "s_divlogiceval_instances": 18},
    ]
    gpt4 = {"ilogiceval": 33.8, "ilogiceval_instances": 1500, "s_ilogiceval": 39.0}
    rows.append({**head, "divlogiceval": None, "s_divlogiceval": None, "system": "GPT-4 (recorded)", **gpt4})
    write_table(results / "evaluation/table6", tuple({**rows[0], **gpt4}), rows)
    tables = {table.name: table for table in gathered(results, PUBLISHED)}
    names = [row.heads[0] for row in tables["divlogiceval_table6"].rows]
    assert names[-3:] == [
        "small (recorded), 18 instances",
        "other (recorded), 1,900 and 18 instances",
        "asked",
    ]
    cells = [
        cell_of(tables["ilogiceval_table4"], "GPT-4", head, Setting="0-shot", Metric="ACC")
        for head in ("ILogicEval", "s-ILogicEval")
    ]
    assert [cell.measured for cell in cells] == [33.8, 39.0]
    # Answers to 1,500 instances are not those to the paper's 900.
    assert all("1,500" in cell.other and cell.status != "reproduced" for cell in cells)


def test_recorded_answers_are_compared_as_the_paper_scored_them(tables):
    table = tables["justlogic_llm_performance_on_justlogic"]
    cell = cell_of(table, "GPT-4o", "Accuracy (%)")
    assert (cell.measured, cell.status, cell.other) == (65.58, "reproduced", "")
    assert cell_of(table, "gpt-4o (corrected)", "Accuracy (%)").measured == 60.0


def test_a_printed_cell_that_breaks_a_rule_says_so(tables):
    note = cell_of(tables["ilogiceval_table3"], "ChatGPT", "Test", Setting="3-shot").note
    assert "printed 30.1, expected 30.0" in note
    reason = note.partition(" (printed")[0]
    assert [
        text
        for text in tables["ilogiceval_table3"].notes
        if text.casefold().startswith(f"* {reason}".casefold()) and "30.1 [30.0" in text
    ]


def test_a_table_that_no_one_knows_is_shown_as_published(tables):
    cell = cell_of(tables["logicnli_table9"], "BERT", "test")
    assert (cell.printed, cell.status) == ("50.0", "not_measured")


def test_logicnlis_public_splits_are_compared_and_its_other_splits_are_as_published(tmp_path):
    results = write_results(tmp_path / "results")
    rows = [
        {"source": "release", "benchmark": "LogicNLI Dev.", "average_length": 244.6745, "predicates": 95},
        {"source": "generated", "benchmark": "LogicNLI Test-A", "average_length": 274.8, "predicates": 100},
    ]
    write_table(
        results / "benchmarks/logicnli/sets", ("source", "benchmark", "average_length", "predicates"), rows
    )
    (table,) = [table for table in gathered(results, PUBLISHED) if table.name == "logicnli_table2"]
    length = cell_of(table, "LogicNLI Dev.", "Average length")
    assert (length.printed, length.status, length.other) == ("245", "reproduced", "")
    assert cell_of(table, "LogicNLI Dev.", "Predicates").status == "near"
    assert cell_of(table, "LogicNLI Test-A", "Average length").status == "not_measured"
    assert cell_of(table, "LogicNLI Test-A (generated)", "Predicates").status == "measured_only"


def test_the_tables_of_every_paper_are_gathered_under_a_title_of_their_own(real_tables):
    papers = {table.paper for table in real_tables.values()}
    assert papers == {"DivLogicEval", "ILogicEval", "JustLogic", "LogicNLI", "LLMEval-Logic"}
    numbers = [table.number for table in real_tables.values() if table.paper == "LogicNLI"]
    assert numbers == [f"Table {number}" for number in range(1, 8)]
    assert not [
        table.title for table in real_tables.values() if table.title.startswith(("Section", "Abstract"))
    ]


def test_tables_come_by_paper_and_number(tables):
    assert list(tables) == [
        "divlogiceval_table4",
        "ilogiceval_table3",
        "ilogiceval_table5",
        "justlogic_llm_performance_on_justlogic",
        "logicnli_table9",
    ]


def test_tables_survive_their_file(tables, tmp_path):
    path = tmp_path / "tables.json"
    write_json(path, list(tables.values()))
    assert read_tables_json(path) == list(tables.values())


def test_the_csv_has_both_numbers_the_difference_and_where_the_cell_stands(tables, tmp_path):
    write_tables(list(tables.values()), tmp_path / "out")
    row, *_ = csv_rows(tmp_path / "out" / "divlogiceval_table4.csv")
    assert row["Vocabulary"] == "1140"
    assert row["Vocabulary, here"] == "1130"
    assert row["Vocabulary, difference"] == "-10"
    assert row["Vocabulary, status"] == "near"
    assert "How it was done." in (tmp_path / "out" / "divlogiceval_table4.md").read_text(encoding="utf-8")


def test_every_printed_number_stands_in_exactly_one_count(tables, real_tables):
    scores = score_tables([*tables.values(), *real_tables.values()], PARAMETERS)
    for score in scores:
        assert score.cells == total_of([score])["comparable"] + sum(getattr(score, name) for name in REASONS)
    total = total_of(score_tables(list(tables.values()), PARAMETERS))
    assert {name: total[name] for name in ("cells", "comparable", "reproduced", "near", "off", *REASONS)} == {
        "cells": 9,
        "comparable": 4,
        "reproduced": 1,
        "near": 2,
        "off": 1,
        "generated": 0,
        "unavailable": 2,
        "not_asked": 1,
        "not_measured": 2,
        "design": 0,
    }
    assert total["other_part"] == 3


def test_a_number_measured_on_our_own_benchmark_is_not_counted_as_reproduced():
    ours = TableCell("generated", "25.0", 25.0, difference=0.0, other=GENERATED)
    theirs = TableCell("near", "25.0", 25.0, difference=0.0, other="dev instead of test")
    rows = (TableRow(("a",), (ours,)), TableRow(("b",), (theirs,)))
    table = ReportTable("t", "P", "Table 1", "T", ("System",), (Column("ACC", "percent", 1),), rows, (), ())
    score = score_table(table, PARAMETERS)
    counts = total_of([score])
    names = ("cells", "comparable", "near", "generated", "other_part")
    assert [counts[name] for name in names] == [2, 1, 1, 1, 1]


def test_that_four_options_are_four_options_reproduces_nothing(tmp_path):
    results = write_results(tmp_path / "results")
    _write(
        results / "diversity/table7.csv",
        ("benchmark", "options", "source", "note"),
        [("FOLIO", 3, "profile", "from the shipped profile (data/profiles)"), ("ReClor", 5, "measured", "")],
    )
    tables = {table.name: table for table in gathered(results, PUBLISHED)}
    folio = cell_of(tables["divlogiceval_table7"], "FOLIO", "Options")
    assert (folio.status, folio.via, folio.other) == ("design", "profile", "")
    # A wrong constant is still a difference.
    assert cell_of(tables["divlogiceval_table7"], "ReClor", "Options").status == "off"


def test_a_split_that_is_here_whole_has_the_printed_size_and_another_counts_as_another_part(tmp_path):
    results = write_results(tmp_path / "results")
    profile = "from the shipped profile (data/profiles)"
    _write(
        results / "diversity/table7.csv",
        ("benchmark", "size", "vocabulary_lower", "source", "rows_used", "rows_expected", "note"),
        [
            ("FOLIO", 204, 1099, "profile", 204, 204, f"v0.0 validation instead of test; {profile}"),
            ("LogicNLI", 2000, 241, "measured", 2000, 2000, "dev instead of test"),
            ("RuleTaker", 40162, 63, "profile", 40162, 100000, f"test of depth-3, depth-5; {profile}"),
            ("ReClor", 1000, 7000, "measured", 1000, 1000, ""),
            ("ILogicEval", 900, 5000, "measured", 900, 900, "generated here"),
        ],
    )
    table = {table.name: table for table in gathered(results, PUBLISHED)}["ilogiceval_table5"]
    folio, logicnli = (cell_of(table, name, "Validation") for name in ("FOLIO", "LogicNLI"))
    assert (folio.status, folio.via, folio.other) == ("reproduced", "profile", "")
    assert (logicnli.status, logicnli.via, logicnli.other) == ("reproduced", "", "")
    ruletaker = cell_of(table, "RuleTaker", "Test")
    assert (ruletaker.status, ruletaker.other) == ("off", "test of depth-3, depth-5")
    assert cell_of(table, "ReClor", "Test").status == "reproduced"
    assert cell_of(table, "FOLIO", "Vocabulary").other == "v0.0 validation instead of test"
    # Nothing is said of splits that are not here, nor of a benchmark of our own as if it were the paper's.
    for name, split in (("FOLIO", "Test"), ("ReClor", "Validation"), ("ILogicEval", "Test")):
        assert cell_of(table, name, split).status == "not_measured"


def test_the_scoreboard_survives_its_file(tables, tmp_path):
    scores = score_tables(list(tables.values()), PARAMETERS)
    write_scoreboard(scores, tmp_path / "scoreboard.csv", tmp_path / "totals.json")
    assert read_scoreboard(tmp_path / "scoreboard.csv") == scores


def test_of_a_cell_that_prints_several_numbers_the_pair_farthest_apart_is_judged(tmp_path):
    results = write_results(tmp_path / "results")
    lengths = "104.4/ 125.2/ 145.0/ 165.0/ 185.0/ 205.0/ 225.0/ 245.0"
    columns = (
        "source",
        "benchmark",
        "facts_and_rules",
        "average_length",
        "maximum_length",
        "average_lengths",
    )
    rows = [
        ("as published", "LogicNLI Dev-R(s)", "10/ 12", 175, 291, lengths),
        ("as published", "LogicNLI Test-R(s)", "10/ 12", 175, 291, lengths.replace("145", "195")),
        ("as published", "LogicNLI Train-R(s)", "10/ 12", 175, 291, "104/ 125"),
    ]
    rows = [dict(zip(columns, row, strict=True)) for row in rows]
    write_table(results / "benchmarks/logicnli/sets", columns, rows)
    table = {
        table.name: table for table in gather_tables(results, PUBLISHED, PARAMETERS, results.rglob("*.json"))
    }["logicnli_table2"]
    cells = [cell_of(table, f"LogicNLI {name}-R(s)", "Average length") for name in ("Dev", "Test", "Train")]
    # Drawn here, not the paper's: near at best. Of another number of sizes nothing is said.
    assert [cell.status for cell in cells] == ["near", "off", "text"]
    assert cells[1].difference == 50 and cells[1].printed.startswith("104/ 125/ 145")
    write_tables([table], tmp_path / "out")
    here = {
        row["Split"]: row["Average length, here"] for row in csv_rows(tmp_path / "out/logicnli_table2.csv")
    }
    assert here["LogicNLI Dev-R(s)"] == "104/ 125/ 145/ 165/ 185/ 205/ 225/ 245"


def test_only_balanced_sets_are_said_to_be_of_another_construction_than_logicnlis(tmp_path):
    results = write_results(tmp_path / "results")
    for preset, other in (("balanced", True), ("as_published", False)):
        tables = {
            table.name: table
            for table in gather_tables(results, PUBLISHED, PARAMETERS, results.rglob("*.json"), preset)
        }
        for number in (4, 6, 7):
            (remark,) = [note for note in tables[f"logicnli_table{number}"].notes if "Learners" in note]
            assert ("another construction" in remark) is other and ("same model" in remark) is not other


def test_a_missing_scoreboard_says_how_to_make_it(tmp_path):
    with pytest.raises(DivLogicError, match="snakemake paper"):
        read_scoreboard(tmp_path / "scoreboard.csv")


def test_a_scoreboard_without_its_columns_is_refused(tmp_path):
    write_scoreboard([], tmp_path / "scoreboard.csv", tmp_path / "totals.json")
    described = read_json(tmp_path / "scoreboard.json")
    write_json(tmp_path / "scoreboard.json", described | {"columns": [{"name": "paper"}], "rows": [["X"]]})
    with pytest.raises(DivLogicError, match=r"scoreboard\.csv: not a scoreboard"):
        read_scoreboard(tmp_path / "scoreboard.csv")


def test_an_unknown_header_of_printed_numbers_is_refused(tmp_path):
    (tmp_path / "odd.csv").write_text("paper,table\nX,Table 1\n", encoding="utf-8")
    with pytest.raises(DivLogicError, match=r"odd\.csv"):
        gathered(tmp_path, tmp_path)


def test_the_splits_made_here_stand_in_the_row_of_ilogiceval(tmp_path):
    results = write_results(tmp_path / "results")
    row = {
        "benchmark": "ILogicEval",
        "source": "measured",
        "note": "generated here",
        "train": 144,
        "size": 1188,
    }
    write_table(results / "diversity/splits", list(row), [row], "note")
    tables = {table.name: table for table in gathered(results, PUBLISHED)}
    cell = cell_of(tables["ilogiceval_table5"], "ILogicEval", "Training")
    assert (cell.printed, cell.measured, cell.status) == ("10789", 144.0, "generated")


def test_a_model_of_llmeval_logic_meets_its_printed_row_by_name_and_thinking(tmp_path):
    results = write_results(tmp_path / "results")
    columns = ["benchmark", "track", "language", "model", "metric", "score", "low", "high"]
    for model in ("Claude Opus 4.6 (no thinking)", "Claude Opus 4.6 (thinking)"):
        named = ("llmeval_logic_hard", "answer", "zh", model, "item_accuracy")
        row = dict(zip(columns, (*named, 36.2, 30.0, 42.0), strict=True))
        write_table(results / "evaluation/llmeval_logic/scores", columns, [row], "note")
        tables = {table.name: table for table in gathered(results, PUBLISHED)}
        blog = next(table for name, table in tables.items() if "blog" in name)
        cells = [cell for cell in blog.cells() if cell.measured is not None]
        assert [(cell.printed, cell.other) for cell in cells] == [
            ("36.0" if "no" in model else "36.7", "the part that is here")
        ]
