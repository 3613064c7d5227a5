"""A workflow in other shards, killed in every phase, loses nothing, asks nothing twice and ends with the same bytes."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from tests.integration.workspace import digests, kill_when, refused, run, set_params

pytestmark = [pytest.mark.integration, pytest.mark.slow]


PHASES = {
    "logs/corpora/normalise_corpora/*.log": "normalise_corpora",
    "data/interim/sentences/**/*": "filter_sentences",
    "data/interim/benchmarks/**/*": "realise_instances",
    "logs/diversity/measure_*.log": "measure_divergence",
    "logs/prior_knowledge/*.log": "measure_shortcuts",
    ".divlogic/responses/*.sqlite": "run_baselines",
    "logs/paper/run_notebooks.log": "run_notebooks",
}
"""Files by which a run shows that it has reached a phase, in their order, and the rule that is run for them again.

Files of data may be half written or whole: both stay long enough to be seen. Were no rule forced, a machine that runs
jobs in another order would have nothing left to do in a phase.
"""


MORE_SHARDS = {
    "sentences": {"shards": 3},
    "benchmarks": {"divlogiceval": {"shards": 5}, "justlogic": {"shards": 3}},
}
"""Neither these nor a kill may show in the bytes, so that one run stands for both."""


@pytest.mark.late
def test_a_run_in_other_shards_killed_in_every_phase_ends_with_the_same_bytes(workspace, fresh):
    set_params(fresh, MORE_SHARDS)
    for marker, rule in PHASES.items():
        if marker.startswith(".divlogic"):
            # An earlier run may have asked for every answer.
            shutil.rmtree(fresh / ".divlogic", ignore_errors=True)
        # What `snakemake --unlock` does, without its start of many seconds; the last run below is unlocked by it.
        for lock in (fresh / ".snakemake" / "locks").glob("*"):
            lock.unlink()
        assert kill_when(fresh, marker, "snakemake", "--cores", "2", "--forcerun", rule, "all"), (
            marker
        )
    assert "--unlock" in refused(fresh, "snakemake", "--cores", "2", "all")
    run(fresh, "snakemake", "--unlock")
    run(fresh, "snakemake", "--cores", "2", "all")
    assert not [
        path for product in ("data", "results") for path in (fresh / product).rglob(".*.tmp")
    ]
    assert digests(fresh) == digests(workspace)
    for store in (fresh / ".divlogic/responses").glob("*.sqlite"):
        connection = sqlite3.connect(store)
        counts = connection.execute("SELECT COUNT(*), COUNT(DISTINCT key) FROM answers").fetchone()
        assert counts[0] == counts[1], f"{store.name}: an answer was asked for twice"
