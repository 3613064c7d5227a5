"""A workflow killed in every phase loses nothing, asks nothing twice and ends with the same bytes."""

from __future__ import annotations

import shutil

import pytest

from divlogic.io.files import read_jsonl
from tests.integration.workspace import digests, kill_when, run

pytestmark = [pytest.mark.integration, pytest.mark.slow]


PHASES = (
    "logs/corpora/normalise_corpora/*.log",
    "logs/sentences/filter_sentences/*.log",
    "data/interim/sentences/**/.*.tmp",
    "logs/benchmarks/realise_instances/**/*.log",
    "data/interim/benchmarks/**/.*.tmp",
    "logs/diversity/measure_*.log",
    "logs/prior_knowledge/*.log",
    ".divlogic/responses/*.jsonl",
    "logs/evaluation/run_model/*.log",
    "logs/paper/*.log",
    "logs/paper/run_notebook/*.log",
)
"""Files by which a run shows that it has reached a phase, in their order: logs, and files half written.

A half-written file lives for a moment. Where a busy machine misses it the run goes on to its end, and nothing is left
to kill in the phases after it: half of the places are enough.
"""


def test_a_run_killed_in_every_phase_ends_with_the_same_bytes(workspace, fresh):
    killed = 0
    for marker in PHASES:
        # Logs of the run before say nothing of the next one.
        shutil.rmtree(fresh / "logs", ignore_errors=True)
        if kill_when(fresh, marker, "snakemake", "--cores", "2", "all"):
            killed += 1
            run(fresh, "snakemake", "--unlock")
    assert killed >= len(PHASES) // 2, "most runs ended before the phase that they were to be killed in"
    run_again(fresh)
    assert digests(fresh) == digests(workspace)
    for store in (fresh / ".divlogic/responses").glob("*.jsonl"):
        keys = [row["key"] for _, row in read_jsonl(store, on_problem=lambda number, problem: None)]
        assert len(keys) == len(set(keys)), f"{store.name}: an answer was asked for twice"


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
