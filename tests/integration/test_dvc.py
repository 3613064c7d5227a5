"""Recorded results: a run is what DVC records, however it is made, and a clone computes and records the same.

What `make restore` fetches is in test_sharing.py, with which this file shares the recorded repository.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.contract.graph import dvc_stages
from tests.integration.workspace import digests, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

CLEAN = "Data and pipelines are up to date."


def clone(recorded: Path, tmp_path: Path) -> Path:
    run(tmp_path, "git", "clone", "--quiet", str(recorded), "clone")
    return tmp_path / "clone"


def test_a_recorded_run_leaves_nothing_to_do(recorded: Path) -> None:
    assert CLEAN in run(recorded, "dvc", "status").stdout
    assert run(recorded, "git", "status", "--porcelain").stdout == ""


def test_a_clone_that_runs_every_stage_on_one_core_ends_with_the_bytes_of_the_run_on_two(
    recorded: Path, tmp_path: Path
) -> None:
    folder = clone(recorded, tmp_path)
    # A profile that an environment variable names wins over profiles/default, which takes all cores.
    profile = tmp_path / "one"
    profile.mkdir()
    (profile / "config.yaml").write_text("cores: 1\nscheduler: greedy\n", encoding="utf-8")
    said = run(folder, "env", f"SNAKEMAKE_PROFILE={profile}", "dvc", "repro").stdout
    assert all(f"Running stage '{stage}'" in said for stage in dvc_stages())
    assert digests(folder) == digests(recorded)
    assert CLEAN in run(folder, "dvc", "status").stdout
    assert run(folder, "git", "status", "--porcelain").stdout == ""


def test_a_direct_run_in_a_clone_enters_what_it_made_in_the_cache(recorded: Path, tmp_path: Path) -> None:
    folder = clone(recorded, tmp_path)
    for product in ("data", "results", ".snakemake"):
        shutil.copytree(recorded / product, folder / product, dirs_exist_ok=True)
    for product in ("data/interim/paper", "results/paper"):
        shutil.rmtree(folder / product)
    assert CLEAN not in run(folder, "dvc", "status").stdout
    run(folder, "snakemake", "--cores", "2", "all")
    assert CLEAN in run(folder, "dvc", "status").stdout
    shutil.rmtree(folder / "results")
    run(folder, "dvc", "checkout")
    assert digests(folder) == digests(recorded)


def test_a_restored_stage_makes_what_other_parameters_concern_and_runs_no_earlier_one(
    recorded: Path, tmp_path: Path
) -> None:
    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "pull", "diversity", "--with-deps")
    set_params(folder, {"diversity": {"type_token": {"segment": 20}}})
    said = run(folder, "dvc", "repro", "diversity").stdout
    assert [stage for stage in dvc_stages() if f"Running stage '{stage}'" in said] == ["diversity"]
    before, after = digests(recorded), digests(folder)
    changed = [path for path in after if after[path] != before.get(path)]
    assert "results/diversity/statistics.csv" in changed
    assert all("/diversity/" in path for path in changed)
