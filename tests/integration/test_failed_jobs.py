"""What a job that fails in a finished tree leaves, and that the next run makes it good: memory, disk and clock."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from pathlib import Path

import pytest

from divlogic.io.files import row_count
from divlogic.models.requests import read_responses
from tests.integration.workspace import digests, refused, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

SHORTER = {"sentences": {"max_tokens": 12}}
"""A parameter of the sentence filter, which no later job of the phase has."""


@pytest.fixture
def finished(workspace: Path, tmp_path: Path) -> Path:
    """A copy of the finished run, with Snakemake's account of it."""
    return shutil.copytree(workspace, tmp_path / "finished")


def interrupted(folder: Path, limit: str, *command: str) -> str:
    """Run a command under a limit set by the shell; return what it said when it failed."""
    said = refused(folder, "bash", "-c", f"{limit}; exec {shlex.join(command)}")
    assert not list((folder / "data").rglob(".*.tmp"))
    return said


def test_a_job_killed_for_memory_in_a_finished_tree_is_run_again(
    finished: Path, tmp_path: Path
) -> None:
    twin = shutil.copytree(finished, tmp_path / "twin")
    for folder in (finished, twin):
        set_params(folder, SHORTER)
    programs = tmp_path / "programs"
    programs.mkdir()
    real = shutil.which("divlogic")
    killing = f'case "$1 $2" in "sentences filter") kill -9 $$;; esac\nexec {real} "$@"\n'
    (programs / "divlogic").write_text(f"#!/bin/sh\n{killing}", encoding="utf-8")
    (programs / "divlogic").chmod(0o755)
    command = ("snakemake", "--cores", "2", "sentences")
    said = interrupted(finished, f"export PATH={programs}:$PATH", *command)
    assert "the job was killed (signal 9), as the system does where memory runs out" in said
    assert not (finished / "data/interim/sentences/0.jsonl.gz").exists()
    # All that the phase is for is there from the run before.
    assert (finished / "results/sentences/filter.csv").exists()
    for folder in (finished, twin):
        run(folder, *command)
    assert digests(finished) == digests(twin)
    assert "Nothing to be done" in run(finished, *command).stderr


def test_a_limit_on_files_ends_the_run_in_a_sentence_and_the_next_run_goes_on(
    fresh: Path, workspace: Path
) -> None:
    command = ("snakemake", "--cores", "2", "corpora")
    # Python cuts its own bytecode at the limit, too; no module has as much.
    said = interrupted(fresh, "ulimit -f 200", *command)
    assert (
        "larger than a file may be here; raise the limit (ulimit -f) and run the same command again."
        in said
    )
    run(fresh, *command)
    for name in ("nli", "generics", "wikipedia"):
        path = f"data/interim/corpora/{name}.jsonl.gz"
        assert (fresh / path).read_bytes() == (workspace / path).read_bytes()


def test_a_file_of_a_clock_that_is_ahead_stops_the_run_and_is_named(fresh: Path) -> None:
    pairs = fresh / "data/embedded/genres/pairs.jsonl"
    ahead = time.time() + 3600
    os.utime(pairs, (ahead, ahead))
    command = ("snakemake", "--cores", "2", "corpora")
    said = interrupted(fresh, ":", *command)
    assert "data/embedded/genres/pairs.jsonl" in said and "touch FILE" in said
    pairs.touch()
    run(fresh, *command)
    assert "Nothing to be done" in run(fresh, *command).stderr


def test_a_run_whose_jobs_cannot_start_removes_nothing(fresh: Path, tmp_path: Path) -> None:
    run(fresh, "snakemake", "--cores", "2", "corpora")
    before = digests(fresh)
    assert before
    here = Path(sys.executable).parent
    again = (str(here / "snakemake"), "--cores", "2", "--forceall", "corpora")
    other = tmp_path / "other"
    other.mkdir()
    (other / "divlogic").write_text("#!/usr/bin/python3\n", encoding="utf-8")
    (other / "divlogic").chmod(0o755)
    ahead = time.time() + 3600
    for path, sentence in (
        ("/usr/bin:/bin", "the program `divlogic` is not on PATH, and every job calls it"),
        (f"{other}:/usr/bin:/bin", "of another environment than this Snakemake"),
        (f"{here}:/usr/bin:/bin", "data/registry.yaml is of"),
    ):
        if "registry" in sentence:  # the clock was set back
            os.utime(fresh / "data/registry.yaml", (ahead, ahead))
        said = refused(fresh, "env", f"PATH={path}", *again)
        assert sum(line.startswith("divlogic: ") for line in said.splitlines()) == 1
        assert sentence in said and "command not found" not in said and "rule " not in said
        assert digests(fresh) == before
    (fresh / "data/registry.yaml").touch()
    run(fresh, *again)
    assert digests(fresh) == before


def test_files_of_a_clock_that_is_behind_change_nothing(finished: Path) -> None:
    before = digests(finished)
    merged = finished / "data/sentences/groups.jsonl.gz"
    os.utime(merged, (1, 1))
    run(finished, "snakemake", "--cores", "2", "sentences")
    assert digests(finished) == before


def test_results_of_a_run_that_nothing_accounts_for_are_not_taken(finished: Path) -> None:
    shutil.rmtree(finished / ".snakemake")
    said = refused(finished, "snakemake", "--cores", "1", "all", "--config", "seed=1")
    assert "nothing here says which parameters its files were made with" in said
    run(finished, "snakemake", "--touch", "--cores", "1", "all")
    assert "Nothing to be done" in run(finished, "snakemake", "--cores", "1", "all").stderr


def test_a_damaged_intermediate_file_is_named_and_made_again_once_it_is_deleted(
    finished: Path,
) -> None:
    before = digests(finished)
    drawn = finished / "data/interim/benchmarks/justlogic/drawn/0.jsonl.gz"
    drawn.write_bytes(drawn.read_bytes()[:-40])
    command = ("snakemake", "--cores", "2", "benchmarks")
    said = interrupted(finished, ":", *command)
    assert "data/interim/benchmarks/justlogic/drawn/0.jsonl.gz: damaged gzip data" in said
    assert "delete it and run the same command again" in said
    drawn.unlink()
    run(finished, *command)
    assert digests(finished) == before


def test_two_clones_with_one_store_of_answers_end_with_the_same_bytes(
    finished: Path, tmp_path: Path
) -> None:
    twin = shutil.copytree(finished, tmp_path / "twin")
    models = {"evaluation": {"models": [{"name": "baseline/uniform", "runs": 3}]}}
    for folder in (finished, twin):
        set_params(folder, models)
        shutil.rmtree(folder / ".divlogic")
        (folder / ".divlogic").symlink_to(tmp_path / "shared")
    (tmp_path / "shared").mkdir()
    answers = "data/interim/evaluation/baseline-uniform.jsonl.gz"
    both = (
        f"(cd {twin} && snakemake --cores 1 {answers}) & snakemake --cores 1 {answers} && wait $!"
    )
    run(finished, "bash", "-c", both)
    assert (finished / answers).read_bytes() == (twin / answers).read_bytes()
    (store,) = (tmp_path / "shared/responses").iterdir()
    asked = row_count(finished / answers)
    assert len(read_responses(store)) == asked
