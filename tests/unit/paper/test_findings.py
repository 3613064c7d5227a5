"""What the report leads with is taken from the results as they stand."""

from __future__ import annotations

from pathlib import Path

from divlogic.io.tables import write_table
from divlogic.paper.findings import _asked
from divlogic.paper.report import cards
from tests.unit.paper.miniature import FINDINGS

COLUMNS = (
    "system",
    "benchmark",
    "preset",
    "ACC",
    "ACC_low",
    "ACC_high",
    "CIR",
    "PC",
    "instances",
)


def row(system: str, accuracy: float, **changes: object) -> dict[str, object]:
    values = (
        system,
        "divlogiceval",
        "",
        accuracy,
        accuracy - 5,
        accuracy + 5,
        1.0,
        8.0,
        18,
    )
    return dict(zip(COLUMNS, values, strict=True)) | changes


def asked(tmp_path: Path, *rows: dict[str, object]) -> dict[str, object] | None:
    write_table(tmp_path / "table1", COLUMNS, list(rows))
    return _asked(tmp_path / "table1")


def test_the_best_language_model_comes_first_beside_this_runs_guessing(tmp_path: Path) -> None:
    found = asked(
        tmp_path,
        row("small (recorded)", 11.1, preset="as_published", PC=0.7),
        row("small (recorded)", 11.1, preset="corrected", PC=0.3),
        row("larger", 30.0),
        row("elsewhere", 90.0, benchmark="ilogiceval"),
        row("baseline/symbolic_reader", 100.0),
        row("baseline/uniform", 24.9),
    )
    assert found is not None
    models = [(one["model"], one["PC"], one["instances"]) for one in found["models"]]  # type: ignore[index, attr-defined]
    assert models == [("larger", 8.0, 18), ("small (recorded)", 0.3, 18)]
    assert found["guessing"] == {"ACC": 24.9, "CIR": 1.0, "PC": 8.0}


def test_without_a_language_model_there_is_nothing_to_say_of_one(tmp_path: Path) -> None:
    assert asked(tmp_path, row("baseline/uniform", 24.9)) is None


def test_a_run_without_guessing_has_its_expectation(tmp_path: Path) -> None:
    found = asked(tmp_path, row("larger", 30.0))
    assert found is not None and found["guessing"] == {"ACC": 25.0, "CIR": 0.4, "PC": 8.3}


def test_who_was_asked_the_whole_split_comes_before_a_luckier_part(tmp_path: Path) -> None:
    found = asked(tmp_path, row("part", 40.0), row("whole", 25.0, instances=900))
    assert found is not None
    assert [one["model"] for one in found["models"]] == ["whole", "part"]  # type: ignore[attr-defined]


TOTAL = {"cells": 9, "comparable": 4, "reproduced": 2, "near": 1, "counted": 3}


def test_the_first_screen_has_a_number_for_keys_for_leaks_and_for_what_came_out_the_same() -> None:
    found = cards("first", FINDINGS, TOTAL)
    assert [card.number for card in found] == ["0 of 3", "85 %", "2 of 4"]
    # The number is that of one question type, and says so.
    assert "question type missing premise, in symbols, where guessing has 25 %" in found[1].text
    assert "0 points above guessing (DivLogicEval, 3,000 items)" in found[1].text
    assert "as many guessers reach +4 in one run of 20" in found[1].text
    assert "1 more are near, and 3 are counts" in found[2].text
    without = cards("first", FINDINGS | {"shortcuts": None}, TOTAL)
    assert [card.number for card in without] == ["0 of 3", "2 of 4"]


def test_the_other_cards_begin_with_the_probes_and_end_with_what_was_made() -> None:
    found = cards("more", FINDINGS, TOTAL)
    assert (found[0].number, found[-1].head) == ("0", "instances made")
    assert "DivLogicEval parity 0 (−1 to +2); +4" in found[0].text
    assert "Guessing: 24.9 / 0.4 / 8.6." in "".join(card.text for card in found)
    without = cards("more", FINDINGS | {"shortcuts": None, "asked": None, "leak": None}, TOTAL)
    first = ["would carry an unsupported label if worded freely", "labels of others do not follow"]
    assert [card.head for card in without][:2] == first
