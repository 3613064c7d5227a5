"""The scoreboard in the terminal."""

from __future__ import annotations

import pytest

from divlogic.paper.report_cli import show_scoreboard
from divlogic.paper.scoreboard import Score

LONG = "Table 5: Benchmarks compared: source, options, splits, vocabulary and whatever else may be in a long title"
SCORES = [
    Score("DivLogicEval", "one", "Table 4: Divergence", 24, 5, 10, 3, 0, 9, 12, "count ±2%; bits ±0.05"),
    Score("ILogicEval", "two", LONG, 42, 3, 0, 0, 35, 4, 3, "count ±2%"),
]


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_each_table_has_one_line_that_fits_the_terminal(capsys, width):
    show_scoreboard(SCORES, width)
    board, _, words = capsys.readouterr().out.partition("All")
    lines = [line for line in board.splitlines() if "Table " in line and ":" in line]
    assert len(lines) == 2
    assert all(len(line) <= width for line in board.splitlines())
    assert lines[0].split()[-5 if width < 130 else -9 :][:2] == ["5", "10"]
    assert "±0.05" in board + words


def test_the_totals_are_said_in_a_sentence(capsys):
    show_scoreboard(SCORES, 80)
    said = " ".join(capsys.readouterr().out.split())
    assert "66 printed numbers: 18 measured here, 8 of them within the tolerance (3 more near it)" in said
