"""What a model answered in the workflow, once recorded, stands in later runs while the questions are the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from divlogic.io.files import read_json
from tests.integration.local_models import SCRIPTED, asked_of, scripted_file
from tests.integration.workspace import TINY, environment, run, set_params
from tests.support import csv_rows

pytestmark = [pytest.mark.integration, pytest.mark.slow]
KETTLE = "Kettle"


def rows(folder: Path, system: str, table: str = "table1") -> list[dict[str, str]]:
    found = csv_rows(folder / "results" / "evaluation" / f"{table}.csv")
    return [row for row in found if row["system"] == system]


def scores(row: dict[str, str]) -> tuple[str, str, str]:
    return row["ACC"], row["CIR"], row["PC"]


def evaluate(folder: Path) -> None:
    run(folder, "snakemake", "results/evaluation/table1.csv", "--cores", "1")


@pytest.fixture
def served(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A finished workspace, and a file that its runs can serve."""
    folder = shutil.copytree(workspace, tmp_path / "run")
    python = environment(folder)["PATH"].split(os.pathsep)[0]
    monkeypatch.setenv("DIVLOGIC_LOCAL_MODEL", f"{python}/python")
    # The server's interpreter finds the stand-in; runs set PYTHONPATH to their own code.
    weights = scripted_file(folder, answer="Answer: B", crash_at=[30])
    launcher = tmp_path / "python"
    launcher.write_text(
        f'#!/bin/sh\nPYTHONPATH={SCRIPTED} exec {python}/python "$@"\n', encoding="utf-8"
    )
    launcher.chmod(0o755)
    monkeypatch.setenv("DIVLOGIC_LOCAL_MODEL", str(launcher))
    return folder, weights


def test_recorded_answers_stand_in_the_tables_until_the_questions_change(
    served: tuple[Path, Path],
) -> None:
    folder, weights = served
    model: dict[str, Any] = {
        "name": f"local/{weights.name}",
        "label": KETTLE,
        "benchmarks": ["divlogiceval"],
        "prompts": ["zero_shot"],
    }
    with_kettle = {"evaluation": {"models": [*TINY["evaluation"]["models"], model]}}
    set_params(folder, with_kettle)
    evaluate(folder)
    (live,) = rows(folder, KETTLE)
    # One letter whatever it is asked: CIR is 0. 24 instances in four rotations, one of which crashed the server.
    assert float(live["CIR"]) == 0
    assert len(asked_of(weights)) == 24 * 4 + 1
    log = (folder / "logs" / "evaluation" / "run_model" / f"{KETTLE}.log").read_text(
        encoding="utf-8"
    )
    assert "its server crashed (killed by SIGKILL" in log

    answers = f"data/interim/evaluation/{KETTLE}.jsonl.gz"
    run(folder, "divlogic", "record", answers, "--model", KETTLE, "--out", "data/recorded/kettle")
    # While the run's own model is the recorded one, it stands in the tables once.
    evaluate(folder)
    assert not rows(folder, f"{KETTLE} (recorded)")

    set_params(folder, TINY)
    evaluate(folder)
    (recorded,) = rows(folder, f"{KETTLE} (recorded)")
    assert scores(recorded) == scores(live)
    assert not rows(folder, KETTLE)
    assert rows(folder, f"{KETTLE} (recorded)", "table8")
    assert len(asked_of(weights)) == 24 * 4 + 1

    test = folder / "data" / "evaluation" / "rotations" / "divlogiceval" / "zero_shot.jsonl.gz"
    before = test.read_bytes()
    set_params(folder, {"benchmarks": {"divlogiceval": {"splits": {"test": 21}}}})
    evaluate(folder)
    assert test.read_bytes() != before
    assert not rows(folder, f"{KETTLE} (recorded)")
    note = (folder / "results" / "evaluation" / "table1.md").read_text(encoding="utf-8")
    assert "recorded on another version" in note
    reports = read_json(folder / "data/interim/evaluation/recorded/models.json.gz")
    # Beside those of the models whose answers are shipped.
    kettle = [report["file"] for report in reports if report["file"].startswith("kettle")]
    assert kettle == ["kettle: divlogiceval, zero_shot"]
