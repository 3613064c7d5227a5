"""What a finished run of the workflow took, from what Snakemake measured of each job; or two runs and their ratios.

    python -m perf.run [FOLDER] [--against FOLDER] [--out FILE.json]

FOLDER is a checkout in which `snakemake all` has finished, `--against` another one, for example a clone of an older
commit. Seconds are those from the start of the first job to the end of the last, by the times of the files in ``logs``
(copy a tree with `cp --archive`). CPU seconds of a job are Snakemake's samples, which miss up to its last half minute.
The two commands that find nothing to do run in FOLDER with its own code, twice: the quicker counts.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from pathlib import Path

from perf.machine import machine, timed

NO_OPS = {
    "snakemake -n all": "Nothing to be done",
    "dvc status": "up to date",
}  # and what each prints


def main() -> None:
    """Print the figures of one run or of two, and write them as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path, nargs="?", default=Path(), help="finished tree")
    options.add_argument("--against", type=Path, help="another finished tree, for the ratios")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    folders = [folder.resolve() for folder in (arguments.folder, arguments.against) if folder]
    jobs = [jobs_of(folder) for folder in folders]
    figures = [
        totals(folder, own) | no_ops(folder) for folder, own in zip(folders, jobs, strict=True)
    ]
    print(machine(), *folders, sep="\n")
    dearest = sorted(jobs[0], key=lambda name: -jobs[0][name]["cpu_time"])[:10]
    for figure, own in zip(figures, jobs, strict=True):
        figure |= {f"CPU seconds: {name}": own[name]["cpu_time"] for name in dearest if name in own}
    for name in figures[0]:
        values = [figure.get(name, "–") for figure in figures]
        cells = [f"{value:,.1f}" if isinstance(value, float) else str(value) for value in values]
        if len(values) == 2 and all(isinstance(value, int | float) and value for value in values):
            cells.append(f"{values[0] / values[1]:.2f}")
        print(f"{name:58}  {'  '.join(f'{cell:>12}' for cell in cells)}")
    if arguments.out:
        arguments.out.write_text(
            json.dumps([machine(), *figures], indent=2) + "\n", encoding="utf-8"
        )


def jobs_of(folder: Path) -> dict[str, dict[str, float]]:
    """Return what was measured of each job, with the time of its end, by its name."""
    jobs = {}
    for file in folder.glob("logs/**/*.tsv"):
        row = next(csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t"))
        job = {key: float(row[key].strip("NA-") or 0) for key in ("s", "max_rss", "cpu_time")}
        jobs[str(file.relative_to(folder / "logs").with_suffix(""))] = job | {
            "end": file.stat().st_mtime
        }
    return jobs or sys.exit(
        f"{folder}: a finished run has its measurements in logs, and none is there"
    )


def totals(folder: Path, jobs: dict[str, dict[str, float]]) -> dict[str, float | str]:
    """Return the sums over the jobs, the largest of them, and the size of the benchmarks."""
    largest = max(jobs, key=lambda name: jobs[name]["max_rss"])
    started = min(job["end"] - job["s"] for job in jobs.values())
    sizes = [file.stat().st_size for file in folder.glob("data/benchmarks/**/*") if file.is_file()]
    return {
        "seconds": max(job["end"] for job in jobs.values()) - started,
        "CPU seconds of all jobs": sum(job["cpu_time"] for job in jobs.values()),
        "jobs": len(jobs),
        "largest memory, MiB": jobs[largest]["max_rss"],
        "job with the largest memory": largest.rpartition("/")[2],
        "data/benchmarks, MiB": sum(sizes) / 2**20,
    }


def no_ops(folder: Path) -> dict[str, float]:
    """Return seconds and CPU seconds of the commands; none of one that fails or has something to do."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "DVC_NO_ANALYTICS": "1"}
    figures = {}
    for command, nothing in NO_OPS.items():
        line = [sys.executable, "-m", *command.split()]
        (done, wall, cpu), again = (timed(line, cwd=folder, env=environment) for _ in range(2))
        if done.returncode or nothing not in done.stdout + done.stderr:
            print(f"{folder}: `{command}` fails or finds something to do", file=sys.stderr)
        else:
            figures[f"{command}, seconds"] = min(wall, again[1])
            figures[f"{command}, CPU seconds"] = min(cpu, again[2])
    return figures


if __name__ == "__main__":
    main()
