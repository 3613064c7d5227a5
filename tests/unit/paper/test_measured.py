"""What the workflow measured of LogicNLI and LLMEval-Logic: public parts beside the print, own rows behind."""

from __future__ import annotations

from typing import Any

from divlogic.paper.measured import (
    COMPOSITION,
    FLOORS,
    FROM_PROFILE,
    GENERATED,
    LOGICNLI_SETS,
    SPLITS,
    MeasuredRow,
    is_generated,
    measured_rows,
)
from divlogic.paper.model import TABLES

Tables = dict[str, list[dict[str, Any]]]


DIAGNOSIS, CONNECTIVES = "evaluation/logicnli/diagnosis", "evaluation/logicnli/connectives"


def rows_of(paper: str, number: str, tables: Tables) -> list[MeasuredRow]:
    return measured_rows(TABLES[paper, number], lambda path: tables.get(path, []))


def own(rows: list[MeasuredRow]) -> list[tuple[dict[str, str], dict[str, float]]]:
    return [
        (dict(row.words), {name: number.measured for name, number in row.numbers.items()})
        for row in rows
        if row.words is not None
    ]


SETS = [
    {"source": "generated", "benchmark": "LogicNLI Train", "instances": 20, "facts_and_rules": "8 to 24"},
    {"source": "generated", "benchmark": "∧", "instances": 8, "facts_and_rules": 24},
    {"source": "release", "benchmark": "LogicNLI Train", "instances": 16000, "subjects": 363, "fols": 7},
]


def test_printed_sizes_meet_the_release_and_generated_sets_are_rows_of_their_own() -> None:
    tables: Tables = {LOGICNLI_SETS: SETS}
    rows = rows_of("LogicNLI", "Table 2", tables)
    (train,) = [row for row in rows if row.fits({"benchmark": "LogicNLI Train"})]
    assert (train.numbers["subjects"].measured, train.numbers["subjects"].other) == (363, "")
    assert not [row for row in rows if row.fits({"benchmark": "LogicNLI Dev."})]
    assert own(rows) == [({"benchmark": "LogicNLI Train (generated)"}, {"instances": 20})]
    connectives = own(rows_of("LogicNLI", "Table 5", tables))
    assert connectives == [({"benchmark": "∧ (generated)"}, {"instances": 8, "facts_and_rules": 24})]
    (fols,) = [row for row in rows_of("LogicNLI", "Table 1", tables) if row.fits({"benchmark": "LogicNLI"})]
    assert fols.numbers["fols"].measured == 7


def test_of_sets_drawn_as_published_the_lengths_are_compared_and_what_the_draw_was_given_is_design() -> None:
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
    one, other = [{name: number.measured for name, number in row.numbers.items()} for row in rows[:2]]
    assert (one, other) == (
        {"instances": 16000, "facts_and_rules": 24, **lengths},
        {"instances": 16000, **lengths},
    )
    assert [cell.several for cell in rows[1].numbers.values()] == [(), (110.5, 130.2), (170.0, 211.0)]
    status = {name: number.status for row in rows for name, number in row.numbers.items()}
    assert {name for name, status in status.items() if status == "design"} == {"instances", "facts_and_rules"}
    (remark,) = {number.other for row in rows for number in row.numbers.values()}
    assert "drawn here" in remark and not is_generated(remark)


def test_learners_and_floors_are_rows_of_their_own() -> None:
    learner = {
        "system": "bag_of_words",
        "setting": "LogicNLI",
        "test": 25.0,
        "test_low": 24.0,
        "test_high": 26.0,
    }
    tables: Tables = {
        LOGICNLI_SETS: [
            {"source": "as published", "benchmark": "LogicNLI Test-A", "labels": "1:1:1:1"},
            {"source": "as published", "benchmark": "∧", "labels": "1:1:1"},
            {"source": "generated", "benchmark": "∧", "labels": "1:1:1:1"},
        ],
        FLOORS: [{"system": "sign", "Test-A": 26.0, "∧": 66.7}],
        DIAGNOSIS: [learner, {"system": "bag_of_words", "setting": "d-LogicNLI", "test": 33.3}],
        CONNECTIVES: [{"system": "sign", "fol_and": 25.0}],
    }
    floor, guess, measured = rows_of("LogicNLI", "Table 4", tables)
    assert guess.fits({"system": "Random"}) and not guess.fits({"system": "Human"})
    assert (guess.numbers["Test-A"].measured, guess.numbers["Test-A"].status) == (25.0, "design")
    (of_three,) = [row for row in rows_of("LogicNLI", "Table 6", tables) if row.fits({"system": "Random"})]
    assert round(of_three.numbers["∧"].measured or 0, 1) == 33.3
    assert floor.words == {"system": "sign (as published)"}
    number = measured.numbers["Test-A"]
    assert (number.measured, number.low, number.high, number.other) == (25.0, 24.0, 26.0, GENERATED)
    connectives = own(rows_of("LogicNLI", "Table 6", tables))
    assert [numbers["∧"] for _, numbers in connectives] == [66.7, 25.0]
    # The sets that are made here have other labels than the paper's, which their rows say.
    assert connectives[-1][0]["system"] == "sign, chance 25.0"
    settings = [words["setting"] for words, _ in own(rows_of("LogicNLI", "Table 7", tables))]
    assert settings == ["LogicNLI", "d-LogicNLI"]


def test_sizes_of_whole_benchmarks_need_all_their_splits() -> None:
    measured = {"source": "profile", "rows_used": 2000, "rows_expected": 2000, "note": FROM_PROFILE}
    splits = {"train": 144, "validation": 144, "test": 900, "size": 1188}
    tables: Tables = {
        "diversity/table7": [
            {**measured, "benchmark": "LogicNLI", "size": 2000, "options": 4},
            {**measured, "benchmark": "ReClor", "size": 1000, "options": 4},
        ],
        SPLITS: [{"benchmark": "ILogicEval", **splits}],
        LOGICNLI_SETS: [
            {"source": "release", "benchmark": "LogicNLI Train", "instances": 16000},
            {"source": "release", "benchmark": "LogicNLI Dev.", "instances": 2000},
        ],
    }

    def first(number: str, benchmark: str, measure: str) -> tuple[float | None, str]:
        paper = {"Table 5": "ILogicEval", "Table 7": "DivLogicEval"}[number]
        rows = [row for row in rows_of(paper, number, tables) if row.fits({"benchmark": benchmark})]
        cell = next(row.numbers[measure] for row in rows if measure in row.numbers)
        return cell.measured, cell.other

    assert first("Table 7", "logicnli", "size") == (20000, "")
    assert first("Table 7", "divlogiceval", "size") == (1188, GENERATED)
    assert first("Table 5", "logicnli", "training") == (16000, "")
    assert first("Table 5", "reclor", "test") == (1000, "")


def test_a_recorded_model_says_how_many_statements_it_was_asked() -> None:
    rows = [
        {"system": name, "setting": "LogicNLI", "test": 5.0, "statements": 20}
        for name in ("small (recorded)", "asked")
    ]
    found = own(rows_of("LogicNLI", "Table 4", {DIAGNOSIS: rows}))
    assert [words["system"] for words, _ in found] == ["small (recorded), 20 statements", "asked"]


def test_a_run_without_these_tables_has_printed_rows_only() -> None:
    for paper, number in TABLES:
        assert own(rows_of(paper, number, {})) == []


def test_counts_of_the_part_that_is_here_are_marked_as_such() -> None:
    rows = [
        {"part": "base", "count": "items", "here": 196, "of": 196},
        {"part": "rubrics", "count": "atoms", "here": 547, "of": 1101},
        {"part": "hard", "count": "items", "here": 0, "of": 154},
    ]
    base, hard = rows_of("LLMEval-Logic", "Released files", {COMPOSITION: rows})
    assert base.fits({"benchmark": "llmeval_logic_base"})
    assert (base.numbers["public_items"].measured, base.numbers["public_items"].other) == (196, "")
    assert base.numbers["items"].other
    # Nothing of Hard is here.
    assert hard.numbers == {}


def test_scores_stand_in_rows_of_their_own() -> None:
    rows = [
        {"benchmark": name, "track": track, "model": "m", "metric": metric, "score": 50.0, "low": 40.0, "high": 60.0}
        for name, track, metric in (
            ("llmeval_logic_base", "formalise_fixed", "both"),
            ("llmeval_logic_base", "formalise_fixed", "rubric_atoms"),
            ("llmeval_logic_base", "formalise_free", "both"),
            ("llmeval_logic_generated_hard", "answer", "item_accuracy"),
        )
    ]  # fmt: skip
    found = rows_of("LLMEval-Logic", "Abstract", {"evaluation/llmeval_logic/scores": rows})
    assert [(row.words["setting"], row.words["metric"], row.numbers["score"].other) for row in found] == [
        ("Base, reference symbols given", "Z3+Rubric", "the part that is here"),
        ("Hard (generated)", "Item Accuracy", GENERATED),
    ]
