"""Every measuring script runs, at a small size, in a finished run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.integration.workspace import run

ROOT = Path(__file__).parents[2]
SMALL = {
    "diversity": "--megabytes 0.2",
    "divlogiceval": "--instances 90 --largest 1000",
    "evaluation": "--rotations 400 --calls 20",
    "full_size": "--premises 3000 --instances 30 --cores 1",
    "justlogic": "--instances 3",
    "logicnli": "--seconds 0.02 --blocks 2 --largest 40",
    "logicnli_rounds": "--items 160",
    "run": "--against .",
    "scale": "--captions 600",
    "sentences": "--in data/interim/corpora/nli.jsonl.gz --tagger data/interim/tagger --limit 300 --shards 4",
    "shortcuts_of_quartets": "--quartets 4",
}
"""Arguments of each. local_model needs a model, repro a second run, and llmeval_logic has a test of its own."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_measuring_script_runs_to_its_end(workspace: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "figures.json"
    one = "OMP_NUM_THREADS=1"  # threads of small trees only wait for each other
    command = ("env", one, sys.executable, "-m", f"perf.{name}", *SMALL[name].split())
    printed = run(workspace, *command, "--out", str(out)).stdout
    assert "machine: " in printed
    assert out.stat().st_size > 2
