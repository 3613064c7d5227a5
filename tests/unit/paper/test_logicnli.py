"""LogicNLI's tables: public splits beside the print, generated sets, learners and floors in rows of their own."""

from __future__ import annotations

from pathlib import Path

from divlogic.io.tables import write_table
from divlogic.paper.measured_logicnli import (
    ACCURACIES,
    CONNECTIVES,
    DIAGNOSIS,
    FLOORS,
    SETS,
    SIZES,
    SYMBOLS,
    Learners,
    SetSizes,
)


def results(folder: Path) -> Path:
    write_table(
        folder / SETS,
        ("source", "benchmark", *SIZES, "fols"),
        [
            {
                "source": "generated",
                "benchmark": "LogicNLI Train",
                "instances": 20,
                "facts_and_rules": "8 to 24",
            },
            {"source": "generated", "benchmark": "∧", "instances": 8, "facts_and_rules": 24},
            {
                "source": "release",
                "benchmark": "LogicNLI Train",
                "instances": 16000,
                "subjects": 363,
                "fols": 7,
            },
        ],
    )
    write_table(folder / FLOORS, ("system", "Test-A", "∧"), [{"system": "sign", "Test-A": 26.0, "∧": 66.7}])
    write_table(
        folder / DIAGNOSIS,
        ("system", "setting", "test", "test_low", "test_high", "targets"),
        [
            {
                "system": "bag_of_words",
                "setting": "LogicNLI",
                "test": 25.0,
                "test_low": 24.0,
                "test_high": 26.0,
            },
            {"system": "bag_of_words", "setting": "d-LogicNLI", "test": 33.3},
        ],
    )
    write_table(folder / CONNECTIVES, ("system", "fol_and"), [{"system": "sign", "fol_and": 25.0}])
    return folder


def test_printed_sizes_meet_the_release_and_generated_sets_are_rows_of_their_own(tmp_path: Path) -> None:
    source = SetSizes(results(tmp_path), SIZES, ("LogicNLI", "d-LogicNLI"))
    train, dev = {"benchmark": "LogicNLI Train"}, {"benchmark": "LogicNLI Dev."}
    found = source.find(train, "subjects")
    assert found and (found.value, found.other) == (363, "")
    assert source.measures(train, "subjects") and not source.measures(dev, "subjects")
    ((words, numbers),) = source.extra()
    assert words == {"benchmark": "LogicNLI Train (generated)"} and set(numbers) == {"instances"}
    ((words, numbers),) = SetSizes(tmp_path, SIZES, tuple(SYMBOLS)).extra()
    assert words == {"benchmark": "∧ (generated)"} and numbers["facts_and_rules"].value == 24
    fols = SetSizes(tmp_path, ("fols",), titles={"LogicNLI": "LogicNLI Train"}).find(
        {"benchmark": "LogicNLI"}, "fols"
    )
    assert fols and fols.value == 7


def test_learners_and_floors_are_rows_of_their_own(tmp_path: Path) -> None:
    table4 = list(
        Learners(results(tmp_path), DIAGNOSIS, ACCURACIES, {"Test-A": "Test-A"}, "LogicNLI").extra()
    )
    assert [words["system"] for words, _ in table4] == ["sign (as published)", "bag of words"]
    assert (table4[1][1]["Test-A"].low, table4[1][1]["Test-A"].high) == (24.0, 26.0)
    table6 = {
        words["system"]: numbers["∧"].value
        for words, numbers in Learners(tmp_path, CONNECTIVES, SYMBOLS, {"∧": "∧"}).extra()
    }
    assert table6 == {"sign (as published)": 66.7, "sign": 25.0}
    both = [words["setting"] for words, _ in Learners(tmp_path, DIAGNOSIS, {"P-Acc": "test"}, {}).extra()]
    assert both == ["LogicNLI", "d-LogicNLI"]


def test_a_recorded_model_says_how_many_statements_it_was_asked(tmp_path: Path) -> None:
    rows = [
        {"system": name, "setting": "LogicNLI", "test": 5.0, "statements": 20}
        for name in ("small (recorded)", "asked")
    ]
    write_table(tmp_path / DIAGNOSIS, tuple(rows[0]), rows)
    found = Learners(tmp_path, DIAGNOSIS, ACCURACIES, {}, "LogicNLI").extra()
    assert [words["system"] for words, _ in found] == ["small (recorded), 20 statements", "asked"]


def test_a_run_without_these_tables_has_printed_rows_only(tmp_path: Path) -> None:
    assert list(SetSizes(tmp_path, SIZES, ("LogicNLI",)).extra()) == []
    source = Learners(tmp_path, DIAGNOSIS, ACCURACIES, {"Test-A": "Test-A"}, "LogicNLI")
    assert list(source.extra()) == [] and source.files == ()
