"""What a run says at its beginning and at its end, and the numbers that two runs are compared by."""

from __future__ import annotations

import json
import os
from pathlib import Path

from divlogic.io.files import write_json, write_text
from divlogic.paper.metrics import write_metrics
from divlogic.paper.run_summary import run_summary
from tests.unit.paper.miniature import FINDINGS


def test_a_run_ends_with_what_was_made_of_what_was_wanted_its_warnings_and_where_to_look(
    tmp_path: Path,
) -> None:
    write_json(tmp_path / "data/interim/paper/findings.json", FINDINGS)
    write_text(tmp_path / "results/paper/index.html", "page")
    write_text(tmp_path / "logs/new.log", "fine\nwarning: 2 malformed rows left out\n")
    write_text(tmp_path / "logs/old.log", "warning: of an earlier run\n")
    os.utime(tmp_path / "logs/old.log", (1, 1))
    text = "\n".join(run_summary(tmp_path, 134.0, since=1000))
    assert "DivLogicEval: test 3" in text
    assert "unpolished of DivLogicEval: 3 of 9 wanted" in text and "20 groups" in text
    assert "warnings 1  logs/new.log: warning: 2 malformed rows left out" in text
    assert "earlier run" not in text
    assert "2 min 14 s" in text and "results/paper/index.html" in text


def test_a_run_without_a_report_says_what_was_made_of_what_was_wanted_and_no_numbers_of_an_earlier_one(
    tmp_path: Path,
) -> None:
    findings = tmp_path / "data/interim/paper/findings.json"
    write_json(findings, FINDINGS)
    os.utime(findings, (1, 1))
    plan = {
        "groups": 5_199,
        "wanted": {"test": 5_004, "unpolished": 144},
        "made": {"test": 600, "unpolished": 144},
    }
    write_json(tmp_path / "data/interim/benchmarks/divlogiceval/plan.json", plan)
    lines = run_summary(tmp_path, 5.0, since=0)
    assert lines[0].startswith("made        test of DivLogicEval: 600 of 5,004 wanted.")
    assert "5,199 groups" in lines[0]
    assert lines[1].split() == ["unpolished", "of", "DivLogicEval:", "144"]
    assert len(lines) == 3 and lines[2].startswith("time")


def test_a_run_of_one_phase_says_how_long_it_took(tmp_path: Path) -> None:
    assert run_summary(tmp_path, 5.0, since=0) == ["time        0 min 5 s"]


def test_the_metrics_hold_what_was_made(tmp_path: Path) -> None:
    write_json(tmp_path / "findings.json", FINDINGS)
    write_metrics(tmp_path / "metrics.json", tmp_path / "findings.json")
    found = json.loads((tmp_path / "metrics.json").read_text(encoding="utf-8"))
    assert found["benchmarks"]["yield"] == {"unpolished": 0.3333}
    assert found["benchmarks"]["disagreements"] == 0
