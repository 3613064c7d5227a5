"""What a full file system leaves of a set and of a release: nothing, and a sentence."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from divlogic.benchmarks.made import JUSTLOGIC
from divlogic.benchmarks.spec import ReleaseFacts
from divlogic.io.files import write_json, write_jsonl
from divlogic.io.imports import load
from divlogic.io.tables import write_listing
from divlogic.library.dataset import create

MOUNTED = ("unshare", "--mount", "sh", "-c")
"""Runs a script that may mount file systems, which only its own programs see."""
TWICE = """
mount -t tmpfs -o size=$1 none disk
shift
"$@" && exit 99
find disk -mindepth 1 | grep . && exit 98
mount -o remount,size=64m disk
"$@" && test -s disk/new/README.md
"""
"""A command on a file system of $1 bytes, on which it must fail and leave nothing, and again with room."""


def can_mount() -> bool:
    """Return whether this process may mount a file system."""
    try:
        command = [*MOUNTED, "mount -t tmpfs none /mnt"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def new_set(folder: Path) -> str:
    """Return the command that creates a set."""
    return "create justlogic --size 30 --format parquet"


def new_release(folder: Path) -> str:
    """Write what a release is made of; return the command that makes it."""
    known: ReleaseFacts = load(JUSTLOGIC.release)
    splits = folder / "in/justlogic"
    splits.mkdir(parents=True)
    few = {"allotment": "once", "per_depth": 10}
    sets = {split: create("justlogic", split=split, **few).records() for split in JUSTLOGIC.splits}
    rows = {
        split: write_jsonl(splits / f"{split}.jsonl", (one.to_json() for one in records))
        for split, records in sets.items()
    }
    for name in known.reports.values():
        write_listing((folder / "reports" / name).with_suffix(""), ("label",), [{"label": "True"}])
    write_json(folder / "reports/z3.json", {"instances": rows["test"], "disagreements": 0})
    params = '{"benchmarks":{"justlogic":{"per_depth":10}}}'
    registry = Path("data/registry.yaml").absolute()
    return f"benchmarks release justlogic --in in --results reports --params {params} --registry {registry}"


@pytest.mark.skipif("not can_mount()", reason="mounts a file system (root on Linux)")
@pytest.mark.parametrize(
    ("command", "size", "named"),
    [
        (new_set, "16k", "new/items.parquet"),
        (new_set, "64k", "new/records.jsonl"),
        (new_release, "16k", "new"),
    ],
)
def test_a_full_disk_is_a_sentence_leaves_nothing_and_the_next_run_goes_on(
    tmp_path: Path, command: Callable[[Path], str], size: str, named: str
) -> None:
    words = ["divlogic", *command(tmp_path).split(), "--out", "disk/new"]
    (tmp_path / "disk").mkdir()
    script = [*MOUNTED, TWICE, "sh", size, *words]
    done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    said = f"divlogic: disk/{named}: the disk is full; free some space and run the same command again.\n"
    assert said in done.stderr
    assert "Traceback" not in done.stderr
