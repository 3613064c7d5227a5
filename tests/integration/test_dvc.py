"""Recorded results: a run is what DVC records, however it is made, and a clone computes and records the same.

What `make restore` fetches is in test_sharing.py, with which this file shares the recorded repository.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.contract.graph import dvc_stages
from tests.integration.workspace import CLEAN, digests, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_a_recorded_run_leaves_nothing_to_do(recorded: Path) -> None:
    assert CLEAN in run(recorded, "dvc", "status").stdout
    assert run(recorded, "git", "status", "--porcelain").stdout == ""


def test_a_clone_that_runs_every_stage_on_one_core_ends_with_the_bytes_of_the_run_on_two(
    recorded: Path, clone: Path, tmp_path: Path
) -> None:
    # A profile that an environment variable names wins over profiles/default, which takes all cores.
    profile = tmp_path / "one"
    profile.mkdir()
    (profile / "config.yaml").write_text("cores: 1\nscheduler: greedy\n", encoding="utf-8")
    said = run(clone, "env", f"SNAKEMAKE_PROFILE={profile}", "dvc", "repro").stdout
    assert all(f"Running stage '{stage}'" in said for stage in dvc_stages())
    assert digests(clone) == digests(recorded)
    assert CLEAN in run(clone, "dvc", "status").stdout
    assert run(clone, "git", "status", "--porcelain").stdout == ""


def test_a_direct_run_in_a_clone_enters_what_it_made_in_the_cache(
    recorded: Path, clone: Path
) -> None:
    for product in ("data", "results", ".snakemake"):
        shutil.copytree(recorded / product, clone / product, dirs_exist_ok=True)
    (clone / "results/paper/metrics.json").unlink()
    assert CLEAN not in run(clone, "dvc", "status").stdout
    run(clone, "snakemake", "--cores", "2", "all")
    assert CLEAN in run(clone, "dvc", "status").stdout
    shutil.rmtree(clone / "results")
    run(clone, "dvc", "checkout")
    assert digests(clone) == digests(recorded)


def test_a_restored_stage_makes_what_other_parameters_concern_and_runs_no_earlier_one(
    recorded: Path, clone: Path
) -> None:
    run(clone, "dvc", "pull", "measurements", "--with-deps")
    set_params(clone, {"diversity": {"type_token": {"segment": 20}}})
    said = run(clone, "dvc", "repro", "measurements").stdout
    assert [stage for stage in dvc_stages() if f"Running stage '{stage}'" in said] == [
        "measurements"
    ]
    before, after = digests(recorded), digests(clone)
    changed = [path for path in after if after[path] != before.get(path)]
    assert "results/diversity/statistics.csv" in changed
    assert all("/diversity/" in path for path in changed)
