"""What the workflow measured of LogicNLI and LLMEval-Logic: public parts beside the print, own rows behind."""

from __future__ import annotations

from typing import Any

from divlogic.paper.measured import (
    COMPOSITION,
    FLOORS,
    GENERATED,
    LOGICNLI_SETS,
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


def test_of_sets_drawn_as_published_the_lengths_are_compared_and_not_what_the_draw_was_given() -> None:
    drawn = {
        "source": "as published",
        "benchmark": "LogicNLI Train",
        "instances": 16000,
        "facts_and_rules": 24,
    }
    several = drawn | {"benchmark": "LogicNLI Train-R(s)", "facts_and_rules": "10/ 12"}
    lengths = {"average_length": 252.9, "maximum_length": 293}
    rows = rows_of("LogicNLI", "Table 2", {LOGICNLI_SETS: [drawn | lengths, several | lengths]})
    one, other = [{name: number.measured for name, number in row.numbers.items()} for row in rows]
    assert (one, other) == (lengths, {"maximum_length": 293})
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
        FLOORS: [{"system": "sign", "Test-A": 26.0, "∧": 66.7}],
        DIAGNOSIS: [learner, {"system": "bag_of_words", "setting": "d-LogicNLI", "test": 33.3}],
        CONNECTIVES: [{"system": "sign", "fol_and": 25.0}],
    }
    floor, measured = rows_of("LogicNLI", "Table 4", tables)
    assert floor.words == {"system": "sign (as published)"}
    number = measured.numbers["Test-A"]
    assert (number.measured, number.low, number.high, number.other) == (25.0, 24.0, 26.0, GENERATED)
    assert [numbers["∧"] for _, numbers in own(rows_of("LogicNLI", "Table 6", tables))] == [66.7, 25.0]
    settings = [words["setting"] for words, _ in own(rows_of("LogicNLI", "Table 7", tables))]
    assert settings == ["LogicNLI", "d-LogicNLI"]


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
