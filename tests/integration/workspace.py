"""A copy of the repository's working tree with tiny parameters, in which the real workflow is run."""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
TINY: dict[str, Any] = {
    "sentences": {"shards": 1},
    "benchmarks": {
        "divlogiceval": {"splits": {"test": 24, "unpolished": 12}, "fresh": 60},
        "justlogic": {"per_depth": 20, "fresh": 12, "shards": 1},
        "logicnli": {
            "shards": 1,
            "balanced": {
                "quartets": 3,
                "robust_quartets": 1,
                "deep_quartets": 1,
                "traced_quartets": 3,
                "degraded_quartets": 1,
                "connective_quartets": 1,
            },
        },
        "llmeval_logic": {"hardener": {"items": 24, "shards": 1}},
    },
    "diversity": {
        "as_published": {"repeats": 3},
        "corrected": {"repeats": 3},
        "sensitivity": {"repeats": 2, "sizes": [500, 1000]},
    },
    "prior_knowledge": {"resamples": 100, "shortcuts": {"folds": 2}},
    "contamination": {
        "seeds": 1,
        "train_pairs": 60,
        "test_pairs": 30,
        "leaked": 4,
        "resamples": 100,
        "learnability": {"sizes": [40, 80], "tested": 48},
    },
    "evaluation": {
        "prompts": ["zero_shot"],
        "models": [{"name": "baseline/uniform", "runs": 2}, {"name": "baseline/symbolic_reader"}],
        "resamples": 100,
    },
}
"""The smallest run in which every phase has something to do; one benchmark is drawn in two shards."""
SETTINGS = ("airport", "archive", "campus", "chess", "clubs", "detective", "exhibits", "hospital")
"""Scenarios that lead to no other ones; to decide all fifty would take as long as a phase."""

PRODUCTS = (
    *("data/sentences", "data/benchmarks", "data/evaluation", "results"),
    *("data/interim/corpora", "data/interim/tagger", "data/interim/diversity", "data/interim/evaluation"),
    *("data/interim/prior_knowledge", "data/interim/contamination", "data/interim/paper"),
)
"""What must not depend on cores or shards; the rest of data/interim is one file per shard."""


def copy_tree(target: Path) -> Path:
    """Copy every file that git tracks or would track; return ``target``."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    return target


def set_params(folder: Path, *changes: dict[str, Any]) -> None:
    """Merge changes into the folder's params.yaml; with :data:`TINY` shorten captions and scenarios, too."""
    if TINY in changes:
        for scenarios in (folder / "data/embedded/scenarios").glob("*.yaml"):
            if scenarios.stem not in SETTINGS:
                scenarios.unlink()
        captions = folder / "data/embedded/captions/composed.jsonl.gz"
        rows = gzip.decompress(captions.read_bytes()).splitlines(keepends=True)
        captions.write_bytes(gzip.compress(b"".join(rows[:1424]), mtime=0))
    path = folder / "params.yaml"
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    for change in changes:
        _merge(values, change)
    path.write_text(yaml.safe_dump(values, sort_keys=False), encoding="utf-8")


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of a run: this interpreter's programs, the folder's own code, a name for git."""
    found = dict(os.environ)
    found["PYTHONPATH"] = str(folder / "src")
    found["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{found['PATH']}"
    found |= {
        "GIT_AUTHOR_NAME": "test",
        "GIT_AUTHOR_EMAIL": "test@example.org",
        "GIT_COMMITTER_NAME": "test",
        "GIT_COMMITTER_EMAIL": "test@example.org",
        "DVC_NO_ANALYTICS": "1",
    }
    return found


def run(folder: Path, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder; fail with its output if it fails."""
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(command)} failed:\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}")
    return done


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every product, by relative path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for product in PRODUCTS
        for path in sorted((folder / product).rglob("*"))
        if path.is_file() and path.name not in {".gitignore", ".snakemake_timestamp"}
    }


def kill_when(folder: Path, marker: str, *command: str) -> bool:
    """Start a command, and kill it with all its children (SIGKILL) as soon as a new or newer file matches ``marker``.

    Return whether it was killed, rather than at its end before that.
    """
    before = _states(folder, marker)
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 600
    while process.poll() is None and time.monotonic() < deadline and not _states(folder, marker) - before:
        time.sleep(0.02)
    alive = process.poll() is None
    if alive:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return alive


def _states(folder: Path, marker: str) -> set[tuple[Path, int]]:
    """Return the files that match, each with the time of its last change."""
    found = set()
    for path in folder.glob(marker):
        with suppress(FileNotFoundError):  # A half-written file that was renamed meanwhile.
            found.add((path, path.stat().st_mtime_ns))
    return found


def _merge(values: dict[str, Any], change: dict[str, Any]) -> None:
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(values.get(key), dict):
            _merge(values[key], value)
        else:
            values[key] = value
