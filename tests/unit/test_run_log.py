"""The log of a run: one line per job, and the last line of the log of a job that takes long."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from snakemake_logger_plugin_divlogic import Job, LogHandler, nearest_target
from tests.contract.graph import ROOT


def handler(dryrun: bool = False) -> LogHandler:
    made = LogHandler(SimpleNamespace(dryrun=dryrun), None)
    made.setFormatter(logging.Formatter("%(message)s"))
    return made


def record(message: str = "", **values: Any) -> logging.LogRecord:
    made = logging.LogRecord("snakemake", logging.INFO, "", 0, message, (), None)
    made.__dict__.update(values)
    return made


def test_a_job_is_one_line_when_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    log = handler()
    log.emit(record("Select jobs to execute..."))
    values = {
        "jobid": 7,
        "rule_name": "draw_instances",
        "wildcards": {"benchmark": "justlogic", "shard": "0"},
    }
    log.emit(record(event=LogEvent.JOB_INFO, **values))
    log.emit(record(event=LogEvent.SHELLCMD, shellcmd="divlogic benchmarks draw"))
    log.emit(record(event=LogEvent.JOB_FINISHED, job_id=7))
    log.emit(record(event=LogEvent.PROGRESS, done=3, total=135))
    assert capsys.readouterr().err == "[  3/135] draw_instances justlogic 0  0.0 s\n"


def test_a_fault_of_a_server_is_shown_while_its_job_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, path = handler(), tmp_path / "model.log"
    path.write_text("my-model: server: status 500\n", encoding="utf-8")
    log.emit(record(event=LogEvent.JOB_INFO, jobid=7, rule_name="run_model", log=[str(path)]))
    log.show_running()
    log._running[7].started -= 11
    log.show_running()
    path.write_text("my-model: given up\n", encoding="utf-8")
    log.show_running()
    assert capsys.readouterr().err == "        run_model: my-model: server: status 500\n"


def test_errors_and_messages_stay_as_snakemake_writes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = handler()
    log.emit(record("Error in rule draw", event=LogEvent.JOB_ERROR))
    log.emit(record("Nothing to be done"))
    assert capsys.readouterr().err == "Error in rule draw\nNothing to be done\n"


KILLED, SKEWED = "returned non-zero exit status 137.", "a clock skew problem in your network"


@pytest.mark.parametrize(("said", "advice"), [(KILLED, "memory"), (SKEWED, "touch FILE")])
def test_a_job_that_was_killed_and_clocks_that_differ_come_with_what_to_do(
    said: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    handler().emit(record(said))
    first, second = capsys.readouterr().err.splitlines()
    assert first == said
    assert advice in second and "run the same command again" in second


def test_a_dry_run_shows_every_job_in_snakemakes_form(capsys: pytest.CaptureFixture[str]) -> None:
    handler(dryrun=True).emit(
        record("rule draw: ...", event=LogEvent.JOB_INFO, jobid=1, rule_name="draw")
    )
    assert capsys.readouterr().err == "rule draw: ...\n"


def test_the_last_line_of_a_progress_bar_is_the_last_line_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "run.log"
    path.write_text("started\n10 of 60 answers\r20 of 60 answers\r", encoding="utf-8")
    assert (
        Job("run_model", [str(tmp_path / "none.log"), str(path)]).last_line() == "20 of 60 answers"
    )
    assert Job("run_model", []).last_line() == ""


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("evalution", "evaluation"),
        ("results/paper/indx.html", "results/paper/index.html"),
        ("xyz", None),
    ],
)
def test_the_nearest_target_is_named(given: str, meant: str | None) -> None:
    assert nearest_target(given, ROOT) == (f"\nDid you mean '{meant}'?" if meant else "")


def test_on_a_terminal_the_line_of_a_running_job_is_written_anew(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("snakemake_logger_plugin_divlogic._TERMINAL", True)
    log = handler()
    log._write("        run_model: 3 of 9 answers", end="")
    log._write("[1/2] run_model")
    assert (
        capsys.readouterr().err
        == "\r\033[K        run_model: 3 of 9 answers\r\033[K[1/2] run_model\n"
    )
