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
    plan = {
        "groups": 20,
        "wanted": {"test": 3, "unpolished": 9},
        "made": {"test": 3, "unpolished": 3},
    }
    written(tmp_path / "data/interim/benchmarks/divlogiceval/plan.json.gz", json.dumps(plan), 2000)
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


def test_labels_are_verified_only_by_a_report_that_is_newer_than_the_instances(
    tmp_path: Path,
) -> None:
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


def test_the_metrics_are_a_run_in_seven_numbers() -> None:
    metrics = metrics_of(FINDINGS, {"DivLogicEval": 2.5}, {"reproduced": 11, "counted": 18})
    expected = {"instances": 3, "contradicted": 0, "worded_freely": 0.5, "worst_probe": 0.4}
    assert metrics == {**expected, "kl": 2.5, "reproduced": 11, "counted": 18}


def test_a_run_names_the_tables_in_which_the_users_own_data_got_a_row(tmp_path: Path) -> None:
    written(tmp_path / "data/imported/my_quiz.jsonl.gz", "{}\n", 1)
    table = "benchmark,instances,kl_bits\nLogicNLI,9,1.5\nmy_quiz,20,\n"
    written(tmp_path / "results/diversity/table4.csv", table, 2000)
    written(tmp_path / "results/diversity/other.csv", "benchmark,n\nLogicNLI,9\n", 2000)
    written(tmp_path / "results/diversity/earlier.csv", "benchmark,n\nmy_quiz,9\n", 1)
    rows = "benchmark,probe,n\nmy_quiz,words,20\nmy_quiz,options,20\n"
    written(tmp_path / "results/prior_knowledge/independence.csv", rows, 2000)
    said = [line for line in run_summary(tmp_path, 1.0, since=1000) if "my_quiz" in line]
    assert said == [
        "your data   results/diversity/table4.csv: benchmark my_quiz, instances 20",
        "            results/prior_knowledge/independence.csv: benchmark my_quiz, probe words, n 20"
        " (and 1 more rows)",
    ]
