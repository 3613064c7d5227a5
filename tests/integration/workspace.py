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
from subprocess import DEVNULL
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
TINY: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("tiny.yaml").read_text(encoding="utf-8")
)
SETTINGS = ("airport", "archive", "campus", "chess", "clubs", "detective", "exhibits", "hospital")
"""Scenarios that lead to no other ones; to decide all fifty would take as long as a phase."""

PRODUCTS = (
    *("data/sentences", "data/benchmarks", "data/evaluation", "results"),
    *(
        "data/interim/corpora",
        "data/interim/tagger",
        "data/interim/diversity",
        "data/interim/evaluation",
    ),
    *("data/interim/prior_knowledge", "data/interim/contamination", "data/interim/paper"),
)
"""What must not depend on cores or shards; the rest of data/interim is one file per shard."""


CLEAN = "Data and pipelines are up to date."
"""What `dvc status` says where nothing is left to do."""

GIT = {"NAME": "test", "EMAIL": "test@example.org"}


def copy_tree(target: Path) -> Path:
    """Copy every file that git tracks or would track, but for the tests, which no run reads; return ``target``."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        source = ROOT / name
        if source.is_file() and not name.startswith("tests/"):
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
    git = {
        f"GIT_{role}_{what}": name for role in ("AUTHOR", "COMMITTER") for what, name in GIT.items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return (
        os.environ
        | git
        | {"PYTHONPATH": str(folder / "src"), "PATH": path, "DVC_NO_ANALYTICS": "1"}
    )


def run(folder: Path, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder; fail with its output if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True
    )
    if check and done.returncode != 0:
        raise AssertionError(
            f"{' '.join(command)} failed:\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
        )
    return done


def refused(folder: Path, *command: str) -> str:
    """Run a command that must fail, and return what it said."""
    done = run(folder, *command, check=False)
    assert done.returncode != 0, done.stdout
    return done.stdout + done.stderr


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
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 600
    while (
        process.poll() is None
        and time.monotonic() < deadline
        and not _states(folder, marker) - before
    ):
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
