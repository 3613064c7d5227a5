"""The scoreboard in the terminal."""

from __future__ import annotations

import webbrowser
from dataclasses import fields

import pytest
from click.testing import CliRunner

from divlogic.cli import cli
from divlogic.errors import DivLogicError
from divlogic.paper.scoreboard import TableScore, show_scoreboard, write_scoreboard

LONG = "Table 5: Benchmarks compared: source, options, splits, vocabulary and whatever else may be in a long title"
SHORT, BITS = "Table 4: Divergence", "count ±2%; bits ±0.05"


def score_of(paper: str, table: str, title: str, tolerance: str, **counts: int) -> TableScore:
    """Return the score of a table; what is not said is 0."""
    names = [field.name for field in fields(TableScore) if field.type == "int"]
    return TableScore(paper, table, title, tolerance=tolerance, **dict.fromkeys(names, 0) | counts)


SCORES = [
    score_of(
        "DivLogicEval",
        "one",
        SHORT,
        BITS,
        cells=24,
        reproduced=5,
        near=3,
        off=7,
        other_part=12,
        unavailable=9,
    ),
    score_of(
        "ILogicEval",
        "two",
        LONG,
        "count ±2%",
        cells=42,
        reproduced=2,
        counted=1,
        other_part=3,
        generated=2,
        unavailable=4,
        withdrawn=20,
        people=11,
        design=2,
    ),
]


@pytest.mark.parametrize("width", [80, 100, 140, 200])
def test_each_table_has_one_line_that_fits_the_terminal(capsys, width):
    show_scoreboard(SCORES, width)
    board, _, words = capsys.readouterr().out.partition("All")
    lines = [line for line in board.splitlines() if "Table " in line and ":" in line]
    assert len(lines) == 2
    assert all(len(line) <= width for line in board.splitlines())
    numbers = lines[0].partition("Divergence")[2].split()
    # Narrow: one column for the 9 that are not compared; wide: those that some table has, `unavailable` among them.
    shown = ["5", "·", "3", "7", "9"] if width < 150 else ["5", "·", "3", "7", "·", "·", "9"]
    assert numbers[: len(shown)] == shown
    assert "±0.05" in board + words


def test_the_totals_are_said_in_a_sentence(capsys):
    show_scoreboard(SCORES, 80)
    said = " ".join(capsys.readouterr().out.split())
    assert "7 of 18 numbers that can be compared here are reproduced, 1 are counts of rows" in said
    assert "3 near (off by little" in said
    assert "Of the other 48 printed numbers:" in said
    assert "20 withdrawn: the score of a model that its provider no longer serves" in said
    assert "unknown" not in said


@pytest.mark.parametrize(
    ("page", "browser", "sentence"),
    [
        (False, True, "snakemake paper"),
        (True, False, "no browser could be started"),
        (True, True, "None"),
    ],
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
