"""A workflow killed in any phase loses nothing and, run again, ends with the same bytes."""

from __future__ import annotations

import shutil

import pytest

from divlogic.files import read_jsonl
from tests.integration.workspace import digests, kill_when, run

pytestmark = pytest.mark.integration


@pytest.mark.parametrize(
    ("phase", "marker"),
    [
        ("corpora", "logs/corpora/normalise_corpora/*.log"),
        ("sentences", "logs/sentences/filter_sentences/*.log"),
        ("sentences, halfway through a file", "data/interim/sentences/**/.*.tmp"),
        ("benchmarks", "logs/benchmarks/word_instances/*.log"),
        ("benchmarks, halfway through a file", "data/interim/benchmarks/**/.*.tmp"),
        ("diversity", "logs/diversity/measure_*.log"),
        ("evaluation", "logs/evaluation/run_model/*.log"),
    ],
)
def test_a_run_killed_in_a_phase_ends_with_the_same_bytes_when_run_again(workspace, fresh, phase, marker):
    kill_when(fresh, marker, "snakemake", "--cores", "2", "all")
    run_again(fresh)
    assert digests(fresh) == digests(workspace), phase


@pytest.mark.parametrize(
    ("phases", "marker"),
    [
        (("prior_knowledge", "paper"), "logs/prior_knowledge/*.log"),
        (("paper",), "logs/paper/*.log"),
        (("paper",), "logs/paper/run_notebook/*.log"),
    ],
    ids=["prior_knowledge", "paper", "paper, in a notebook"],
)
def test_a_run_killed_in_a_last_phase_ends_with_the_same_bytes_when_run_again(
    workspace, tmp_path, phases, marker
):
    # These phases come last: a copy of a finished run, from which their outputs are taken away, is soon there.
    undone = shutil.copytree(workspace, tmp_path / "undone", symlinks=True)
    for folder in (
        "logs",
        *(f"{above}/{phase}" for phase in phases for above in ("data/interim", "results")),
    ):
        shutil.rmtree(undone / folder)
    kill_when(undone, marker, "snakemake", "--cores", "2", "all")
    run_again(undone)
    assert digests(undone) == digests(workspace), phases


def run_again(folder):
    """Run the workflow in a folder in which it was killed, to the end."""
    # A killed Snakemake leaves its lock and says how to take it away.
    refused = run(folder, "snakemake", "--cores", "2", "all", check=False)
    if refused.returncode != 0:
        assert "--unlock" in refused.stderr
        run(folder, "snakemake", "--unlock")
        run(folder, "snakemake", "--cores", "2", "all")
    left = [path for product in ("data", "results") for path in (folder / product).rglob(".*.tmp")]
    assert left == []


def test_no_answer_of_a_killed_run_is_asked_again(workspace, fresh):
    kill_when(fresh, ".divlogic/responses/*.jsonl", "snakemake", "--cores", "2", "all")
    run(fresh, "snakemake", "--unlock")
    run(fresh, "snakemake", "--cores", "2", "all")
    for store in (fresh / ".divlogic/responses").glob("*.jsonl"):
        keys = [row["key"] for _, row in read_jsonl(store, on_problem=lambda number, problem: None)]
        assert len(keys) == len(set(keys)), store.name
