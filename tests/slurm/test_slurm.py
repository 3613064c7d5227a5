"""The sharded generation as SLURM jobs, on a cluster of two nodes that the test starts: the bytes of a local run.

Not part of `make test`: run it as root with `make test-slurm`, where Debian's slurm-wlm and munge are installed.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

from tests.integration.workspace import ROOT, TINY, copy_tree, digests, run, set_params

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        "DIVLOGIC_SLURM" not in os.environ, reason="starts a SLURM cluster: make test-slurm"
    ),
]

CLUSTER = str(ROOT / "tests" / "slurm" / "cluster.sh")
TARGETS = ("sentences", "benchmarks")
SHARDS = {
    "sentences": {"shards": 3},
    "benchmarks": {
        "divlogiceval": {"shards": 4},
        "justlogic": {"shards": 2},
        "logicnli": {"shards": 2},
    },
}
SHARDED = {"filter_sentences": 3, "draw_instances": 4 + 2 + 2, "realise_instances": 4 + 2 + 2}


@pytest.fixture(scope="module", autouse=True)
def what_is_needed():
    """Whoever asks for these tests is told what is missing, rather than seeing them pass over."""
    needed = {
        "SLURM (apt-get install slurm-wlm)": shutil.which("slurmctld") and shutil.which("slurmd"),
        "munge (apt-get install munge)": shutil.which("munged"),
        "the executor plugin (pip install 'divlogic[slurm]')": importlib.util.find_spec(
            "snakemake_executor_plugin_slurm"
        ),
        "root (slurmd starts jobs as their owner)": os.geteuid() == 0,
    }
    missing = [name for name, there in needed.items() if not there]
    if missing:
        pytest.fail(f"this machine lacks {', '.join(missing)}", pytrace=False)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A workspace in which the generation ran on this machine, uncut."""
    folder = copy_tree(tmp_path_factory.mktemp("local"))
    set_params(folder, TINY)
    run(folder, "snakemake", "--cores", "2", *TARGETS)
    return folder


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    """A workspace in which it ran as SLURM jobs in more shards, and SLURM's list of the jobs."""
    folder = copy_tree(tmp_path_factory.mktemp("submitted"))
    set_params(folder, TINY, SHARDS)
    # The profile's own resources are for a node of a real cluster; here a job must fit beside others on any machine.
    # A real cluster has accounts and an accounting database, which this one lacks.
    command = (
        "snakemake --profile profiles/slurm --default-resources mem_mb=600 runtime=10 slurm_account=none"
        " --set-resources filter_sentences:mem_mb=600"
        " --slurm-status-command squeue --slurm-init-seconds-before-status-checks 2"
        f" --seconds-between-status-checks 2 -- {' '.join(TARGETS)}"
        " && squeue --states all --noheader --array --format '%T %i %N %k' > queue.txt"
    )
    run(folder, CLUSTER, "bash", "-c", command)
    return folder, (folder / "queue.txt").read_text(encoding="utf-8").splitlines()


def test_slurm_jobs_make_the_bytes_of_a_local_run(local, submitted):
    made = digests(submitted[0])
    assert len(made) > 20
    assert made == digests(local)


def test_every_shard_was_a_slurm_job_that_completed(submitted):
    queue = submitted[1]
    assert {line.split()[0] for line in queue} == {"COMPLETED"}
    for rule, shards in SHARDED.items():
        assert sum(f"rule_{rule}_" in line for line in queue) == shards, rule


def test_both_nodes_took_jobs(submitted):
    assert {line.split()[2] for line in submitted[1]} == {"node1", "node2"}


def test_shards_that_are_ready_together_were_submitted_as_one_array(submitted):
    for jobs in ("filter_sentences", "draw_instances", "realise_instances_wildcards_divlogiceval"):
        arrays = {
            line.split()[1].partition("_")[0] for line in submitted[1] if f"rule_{jobs}_" in line
        }
        assert len(arrays) == 1, jobs


def test_a_workflow_on_slurm_has_nothing_left_to_do(submitted):
    assert "Nothing to be done" in run(submitted[0], "snakemake", *TARGETS).stderr


def test_nothing_of_the_cluster_is_left(submitted):
    alive = [
        path.parent.name
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if b"divlogic-slurm." in _bytes_of(path)
    ]
    assert alive == []


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process has ended meanwhile
        return b""
