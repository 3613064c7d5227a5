"""A workflow in other shards, killed in every phase, loses nothing, asks nothing twice and ends with the same bytes."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from tests.integration.workspace import digests, kill_when, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]


PHASES = (
    "logs/corpora/normalise_corpora/*.log",
    "logs/sentences/filter_sentences/*.log",
    "data/interim/sentences/**/.*.tmp",
    "logs/benchmarks/realise_instances/**/*.log",
    "data/interim/benchmarks/**/.*.tmp",
    "logs/diversity/measure_*.log",
    "logs/prior_knowledge/*.log",
    ".divlogic/responses/*.sqlite",
    "logs/evaluation/run_baselines.log",
    "logs/paper/*.log",
    "logs/paper/run_notebooks.log",
)
"""Files by which a run shows that it has reached a phase, in their order: logs, and files half written.

A half-written file lives for a moment. Where a busy machine misses it the run goes on to its end, and nothing is left
to kill in the phases after it: half of the places are enough.
"""


MORE_SHARDS = {
    "sentences": {"shards": 3},
    "benchmarks": {"divlogiceval": {"shards": 5}, "justlogic": {"shards": 3}},
}
"""Neither these nor a kill may show in the bytes, so that one run stands for both."""


def test_a_run_in_other_shards_killed_in_every_phase_ends_with_the_same_bytes(workspace, fresh):
    set_params(fresh, MORE_SHARDS)
    killed = 0
    for marker in PHASES:
        # Logs of the run before say nothing of the next one.
        shutil.rmtree(fresh / "logs", ignore_errors=True)
        if kill_when(fresh, marker, "snakemake", "--cores", "2", "all"):
            killed += 1
            # What `snakemake --unlock` does, without its start of many seconds; the last run below is unlocked by it.
            for lock in (fresh / ".snakemake" / "locks").iterdir():
                lock.unlink()
    assert killed >= len(PHASES) // 2, "most runs ended before the phase that they were to be killed in"
    assert kill_when(fresh, "logs/**/*.log", "snakemake", "--cores", "2", "--forcerun", "write_page", "all")
    refused = run(fresh, "snakemake", "--cores", "2", "all", check=False)
    assert refused.returncode != 0 and "--unlock" in refused.stderr
    run(fresh, "snakemake", "--unlock")
    run(fresh, "snakemake", "--cores", "2", "all")
    left = [path for product in ("data", "results") for path in (fresh / product).rglob(".*.tmp")]
    assert left == []
    assert digests(fresh) == digests(workspace)
    for store in (fresh / ".divlogic/responses").glob("*.sqlite"):
        connection = sqlite3.connect(store)
        counts = connection.execute("SELECT COUNT(*), COUNT(DISTINCT key) FROM answers").fetchone()
        assert counts[0] == counts[1], f"{store.name}: an answer was asked for twice"
