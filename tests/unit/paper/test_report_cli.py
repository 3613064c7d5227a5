"""The scoreboard in the terminal."""

from __future__ import annotations

import webbrowser

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.paper.scoreboard import TableScore, show_scoreboard, write_scoreboard

LONG = "Table 5: Benchmarks compared: source, options, splits, vocabulary and whatever else may be in a long title"
SHORT, BITS = "Table 4: Divergence", "count ±2%; bits ±0.05"
SCORES = [
    TableScore("DivLogicEval", "one", SHORT, 24, 5, 3, 7, 12, 0, 9, 0, 0, 0, BITS),
    TableScore("ILogicEval", "two", LONG, 42, 3, 0, 0, 3, 2, 4, 20, 11, 2, "count ±2%"),
]


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_each_table_has_one_line_that_fits_the_terminal(capsys, width):
    show_scoreboard(SCORES, width)
    board, _, words = capsys.readouterr().out.partition("All")
    lines = [line for line in board.splitlines() if "Table " in line and ":" in line]
    assert len(lines) == 2
    assert all(len(line) <= width for line in board.splitlines())
    assert lines[0].split()[-8 if width < 130 else -12 :][:3] == ["5", "3", "7"]
    assert "±0.05" in board + words


def test_the_totals_are_said_in_a_sentence(capsys):
    show_scoreboard(SCORES, 80)
    said = " ".join(capsys.readouterr().out.split())
    assert "8 of 18 numbers reproduced that can be reproduced here, 3 near (off by little" in said
    assert "Of the other 48 printed numbers:" in said
    assert "20 the model was not asked in this run" in said


@pytest.mark.parametrize(
    ("page", "browser", "sentence"),
    [(False, True, "snakemake paper"), (True, False, "no browser could be started"), (True, True, "None")],
)
def test_a_report_is_opened_or_a_sentence_says_what_is_missing(
    tmp_path, monkeypatch, page, browser, sentence
):
    write_scoreboard(SCORES, tmp_path / "scoreboard.csv", tmp_path / "totals.json")
    if page:
        (tmp_path / "index.html").touch()
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or browser)
    done = CliRunner().invoke(cli, ["report", "--in", str(tmp_path / "scoreboard.csv"), "--open"])
    assert opened == [(tmp_path / "index.html").as_uri()] * page
    assert sentence in str(done.exception) and isinstance(done.exception, DivLogicError | None)
