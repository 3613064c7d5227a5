"""Recorded results: a clone restores them without computing, and a computed tree equals what is recorded."""

from __future__ import annotations

import pytest

from tests.integration.workspace import digests, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]

CLEAN = "Data and pipelines are up to date."


def clone(recorded, tmp_path):
    run(tmp_path, "git", "clone", "--quiet", str(recorded), "clone")
    return tmp_path / "clone"


def test_repro_leaves_nothing_to_do(recorded):
    assert CLEAN in run(recorded, "dvc", "status").stdout
    assert run(recorded, "git", "status", "--porcelain").stdout == ""


def test_a_clone_restores_and_then_has_nothing_to_do(recorded, tmp_path):
    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "pull")
    run(folder, "snakemake", "--touch", "--cores", "1", "all")
    assert digests(folder) == digests(recorded)
    assert CLEAN in run(folder, "dvc", "status").stdout
    assert "Nothing to be done" in run(folder, "snakemake", "all").stderr
    assert digests(folder) == digests(recorded)


def test_a_clone_that_computes_everything_itself_ends_clean(recorded, tmp_path):
    folder = clone(recorded, tmp_path)
    run(folder, "snakemake", "--cores", "2", "all")
    assert CLEAN in run(folder, "dvc", "status").stdout


def test_a_restored_stage_does_not_run_an_earlier_one_again(recorded, tmp_path):
    folder = clone(recorded, tmp_path)
    run(folder, "dvc", "pull", "benchmarks", "--with-deps")
    set_params(folder, {"benchmarks": {"divlogiceval": {"splits": {"test": 12}}}})
    done = run(folder, "dvc", "repro")
    assert "Running stage 'benchmarks'" in done.stdout
    assert "Running stage 'corpora'" not in done.stdout
    assert "Running stage 'sentences'" not in done.stdout
