"""What a run says at its beginning and at its end, and the numbers that two runs are compared by."""

from __future__ import annotations

import json
import os
from pathlib import Path

from divlogic.io.files import write_text
from divlogic.paper.findings import metrics_of
from divlogic.paper.scoreboard import run_summary
from tests.unit.paper.miniature import FINDINGS


def written(path: Path, text: str, at: float) -> None:
    write_text(path, text)
    os.utime(path, (at, at))


def test_a_run_ends_with_what_it_made_its_warnings_and_where_to_look(tmp_path: Path) -> None:
    made = tmp_path / "data/benchmarks"
    written(made / "divlogiceval/test.jsonl", "{}\n" * 3, 2000)
    written(made / "justlogic/test.jsonl", "{}\n" * 5, 1)
    plan = {"groups": 20, "wanted": {"test": 3, "unpolished": 9}, "made": {"test": 3, "unpolished": 3}}
    written(tmp_path / "data/interim/benchmarks/divlogiceval/plan.json", json.dumps(plan), 2000)
    write_text(tmp_path / "results/paper/index.html", "page")
    written(tmp_path / "results/paper/paper.pdf", "of an earlier run", 1)
    write_text(tmp_path / "logs/new.log", "fine\nwarning: 2 malformed rows left out\n")
    written(tmp_path / "logs/old.log", "warning: of an earlier run\n", 1)
    text = "\n".join(run_summary(tmp_path, 134.0, since=1000))
    assert "made        DivLogicEval: test 3" in text and "JustLogic" not in text
    assert "unpolished of DivLogicEval: 3 of 9 wanted" in text and "20 groups" in text
    assert "warnings 1  logs/new.log: warning: 2 malformed rows left out" in text
    assert "earlier run" not in text
    assert "2 min 14 s" in text and "results/paper: index.html (divlogic report --open)" in text


def test_labels_are_verified_only_by_a_report_that_is_newer_than_the_instances(tmp_path: Path) -> None:
    report = tmp_path / "results/benchmarks/logicnli/z3.json"
    written(report, json.dumps({"instances": 2, "disagreements": 0}), 1500)
    written(tmp_path / "data/benchmarks/logicnli/test.jsonl", "{}\n{}\n", 2000)
    text = "\n".join(run_summary(tmp_path, 1.0, since=1000))
    assert "not verified; run: snakemake results/benchmarks/logicnli/z3.json" in text
    os.utime(report, (2500, 2500))
    text = "\n".join(run_summary(tmp_path, 1.0, since=1000))
    assert "verified    LogicNLI (generated): 2 instances with Z3, 0 contradicted" in text
    assert run_summary(tmp_path, 1.0, since=3000) == ["time        0 min 1 s"]


def test_a_run_of_one_phase_says_how_long_it_took(tmp_path: Path) -> None:
    assert run_summary(tmp_path, 5.0, since=0) == ["time        0 min 5 s"]


def test_the_metrics_are_a_run_in_six_numbers() -> None:
    metrics = metrics_of(FINDINGS, {"DivLogicEval": 2.5}, {"reproduced": 29})
    expected = {"instances": 3, "contradicted": 0, "worded_freely": 0.5, "worst_probe": 0.4}
    assert metrics == {**expected, "kl": 2.5, "reproduced": 29}
