"""How much longer `dvc repro` takes than `snakemake all`, both from nothing, in copies of the tree.

    python -m perf.repro [--cores 2] [--times 1]

Each of DVC's stages starts Snakemake anew, which reads the workflow and its imports (some 2 s of CPU), and no two
stages run side by side: that is the difference. The two take turns, so that a machine that gets slower slows both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from perf.machine import machine, timed

ROOT = Path(__file__).resolve().parents[1]
GOAL = 1.15


def main() -> None:
    """Run both and print seconds, CPU seconds and the ratio."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    options.add_argument("--times", type=int, default=1)
    arguments = options.parse_args()
    print(machine())
    commands = {
        "snakemake all": ["snakemake", "--cores", str(arguments.cores), "all"],
        "dvc repro": ["dvc", "repro"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(arguments.times):
        for name, command in commands.items():
            took, cpu = run(command, arguments.cores)
            seconds[name].append(took)
            print(f"{name:14}{took:8.1f} s{cpu:9.1f} s of CPU", flush=True)
    direct, by_dvc = (statistics.median(seconds[name]) for name in commands)
    print(f"ratio {by_dvc / direct:.2f}, wanted {GOAL} at most")
    sys.exit(by_dvc / direct > GOAL)


def run(command: list[str], cores: int) -> tuple[float, float]:
    """Run a command in a fresh clone of what is committed; return seconds and CPU seconds."""
    with tempfile.TemporaryDirectory(prefix="divlogic-repro-") as name:
        clone = Path(name, "clone")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        (clone / "dvc.lock").unlink(missing_ok=True)
        profile = clone / "profiles" / "default" / "config.yaml"
        profile.write_text(
            profile.read_text("utf-8").replace("cores: all", f"cores: {cores}"), "utf-8"
        )
        paths = f"{clone / 'src'}{os.pathsep}{clone}"
        done, took, cpu = timed(command, cwd=clone, env=os.environ | {"PYTHONPATH": paths})
        if done.returncode:
            log = Path(tempfile.gettempdir(), f"{command[0]}-repro.log")
            log.write_text(done.stdout + done.stderr, encoding="utf-8")
            sys.exit(f"{' '.join(command)} failed; see {log}")
        shutil.rmtree(clone, ignore_errors=True)
    return took, cpu


if __name__ == "__main__":
    main()
