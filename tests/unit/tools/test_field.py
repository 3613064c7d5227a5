"""The page of the field says what the table has, and how each finding is seen again."""

from __future__ import annotations

from pathlib import Path

from tools.docs.field import TABLE, field_page

from divlogic.field.table import COLUMNS
from divlogic.io.files import write_csv

ROWS: list[dict[str, str]] = [
    {"package": "divlogic", "version": "1.0", "name": "ours", "level": "0", "items": "400", "checked": "400",
     "wrong": "0", "best": "words", "best_right": "25.0", "best_low": "21.0", "best_high": "29.5", "above": "no",
     "guessing": "25.0", "constant_right": "25.0", "shared": "0.0", "again": "100.0", "date": "2026-01-02"},
    {"package": "theirs", "version": "2.0", "name": "nli", "level": "2", "seed": "7", "items": "400",
     "checked": "3000", "wrong": "30", "wrong_low": "0.7", "wrong_high": "1.4", "readings": "one reading: 30",
     "first_wrong": "12", "best": "text", "best_right": "80.0", "best_low": "75.8", "best_high": "83.6",
     "above": "yes", "guessing": "50.0", "cue": "“not” in the question", "cue_rows": "100", "cue_right": "90.0",
     "shared": "99.8", "again": "5.0", "date": "2026-01-02"},
    {"package": "theirs", "version": "2.0", "name": "net", "level": "0", "items": "0",
     "fault": "asks for the network (example.org)", "date": "2026-01-02"},
]  # fmt: skip


def page(folder: Path) -> str:
    (folder / TABLE).parent.mkdir(parents=True)
    rows = [[row.get(name, "") for name in COLUMNS] for row in ROWS]
    write_csv(folder / TABLE, COLUMNS, rows)
    return field_page(folder)


def test_each_environment_has_its_line(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert "3 rows, 3 environments, divlogic 1.0, theirs 2.0, on 2026-01-02" in " ".join(
        text.split()
    )
    assert (
        "| divlogic `ours` | 0 | 400 | 0 of 400 | 25.0 | words 25.0 (21.0–29.5) | 25.0 | 0.0 % |  |"
        in text
    )
    assert "**30 of 3,000**: 1.0 % (0.7–1.4)" in text and "**text 80.0 (75.8–83.6)**" in text
    assert "99.8 %; again 5.0 %" in text and "asks for the network (example.org)" in text


def test_each_package_is_summed_up(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert (
        "- **divlogic**: a probe is above guessing in 0 of 1 rows that were probed; 0 of 400"
        in text
    )
    assert (
        "- **theirs**: a probe is above guessing in 1 of 1 rows that were probed; 30 of 3,000"
        in text
    )


def test_each_finding_has_the_line_that_shows_it_again(tmp_path: Path) -> None:
    text = page(tmp_path)
    assert "$ divlogic field show theirs nli --seed 7 --level 2 --index 12" in text
    assert "| 30.0 points | “not” in the question: 90.0 % of 100 |" in text
    assert "`divlogic audit --package theirs --name nli --levels 2 --seed 7`" in text


def test_a_clean_table_says_so(tmp_path: Path) -> None:
    (tmp_path / TABLE).parent.mkdir(parents=True)
    write_csv(tmp_path / TABLE, COLUMNS, [[ROWS[0].get(name, "") for name in COLUMNS]])
    assert "## Wrong labels\n\nNone was found." in field_page(tmp_path)
