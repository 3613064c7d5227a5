"""The tables of perf/scale.py: what each step costs, what runs need by these costs, and what one run has taken."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

PAIRS_PER_CAPTION = 4.746
BOUNDED = {
    "compose captions": (4.0, 0.03),
    "normalise captions": (4.0, 0.32),
    "divide pairs": (128.0, 0.0),
    "filter sentences": (220.0, 0.0),
    "confirm by Z3": (40.0, 0.0),
    "release": (30.0, 0.03),
}
"""MiB that a step takes beyond what it starts with, however much it reads, and KiB that it then holds per unit.

Differences between small runs do not show these: hashes of 10 to 30 bytes (captions, pairs, ids), 64 MiB of rows before
they are written, 200,000 pairs that are filtered at once, Z3 itself, a thousand rows of a table.
"""
RULES = {
    "place_corpus/embedded/captions": "place captions",
    "normalise_corpora": "normalise captions",
    "partition_pairs": "divide pairs",
    "filter_sentences": "filter sentences",
    "merge_sentences": "merge sentences",
    "shuffle_groups": "shuffle groups",
    "draw_instances": "draw symbolic",
    "plan_instances": "plan",
    "realise_instances": "word",
    "assemble_divlogiceval": "assemble",
    "verify_labels": "confirm by Z3",
    "polish_split": "finish splits",
    "cut_ilogiceval": "cut ILogicEval",
    "release_benchmark": "release",
}
"""Where under ``logs/<phase>/`` a run's jobs have their measurements, and the step that they do."""
SHARDED = ("filter sentences", "draw symbolic", "word")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a step costs: CPU seconds to start, and CPU milliseconds, bytes written and KiB of memory per unit."""

    step: str
    unit: str
    start_seconds: float
    unit_milliseconds: float
    unit_bytes: float = 0.0
    start_mib: float = 0.0
    unit_kib: float = 0.0


def between(text: str, mark: str, table: str) -> str:
    """Return a page with the table in the place of what stands between two marks."""
    start, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    if start not in text or end not in text:
        sys.exit(f"the page has no place {start} ... {end}")
    before, _, rest = text.partition(start)
    return f"{before}{start}\n{table}{end}{rest.partition(end)[2]}"


def cost_table(costs: list[Cost]) -> str:
    """Return what each step costs, as Markdown."""
    rows = [
        "| step | per | CPU to start, s | CPU each, ms | bytes each | memory, MiB |",
        "| --- | --- | --: | --: | --: | --: |",
    ]
    for cost in costs:
        more = f" + {cost.unit_kib:.2f} KiB each" if cost.unit_kib >= 0.01 else ""
        if cost.step in BOUNDED:
            most, each = BOUNDED[cost.step]
            more = f" + {most:.0f}" + (f" + {each:.2f} KiB each" if each else " at most")
        jobs = "" if cost.step in SHARDED else " (one job)"
        rows.append(
            f"| {cost.step}{jobs} | {cost.unit.removesuffix('s')} | {cost.start_seconds:.1f} |"
            f" {cost.unit_milliseconds:.3f} | {cost.unit_bytes:,.0f} | {cost.start_mib:.0f}{more} |"
        )
    return "\n".join(rows) + "\n"


def plan_table(plans: dict[str, dict[str, float | int]]) -> str:
    """Return what the planned runs need, as Markdown."""
    names = [*next(iter(plans.values()))]
    rows = [f"| | {' | '.join(plans)} |", f"| --- |{' --: |' * len(plans)}"]
    for name in names:
        cells = [f"{p[name]:,}" if isinstance(p[name], float | int) else str(p[name]) for p in plans.values()]
        rows.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def run_table(run: Path, costs: list[Cost]) -> str:
    """Return what a run of the workflow took, step by step, beside what these costs say of as many units.

    CPU seconds are Snakemake's samples, the last up to half a minute before a job's end; memory is the largest job's.
    """
    units = _units_of(run)
    rows = [
        "| step | jobs | units | CPU, s | by the costs above, s | longest job, s | memory, MiB |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    known = {cost.step: cost for cost in costs}
    spent = planned = 0.0
    for place, step in RULES.items():
        if not units[known[step].unit] or (step == "filter sentences" and not units["groups"]):
            continue  # the run has not come so far
        jobs = [
            _measured(file) for file in sorted(run.glob(f"logs/*/{place}*"), key=str) if file.suffix == ".tsv"
        ]
        jobs += [_measured(file) for file in sorted(run.glob(f"logs/*/{place}/**/*.tsv"))]
        if not jobs:
            continue
        cost = known[step]
        count = units[cost.unit]
        due = cost.start_seconds * len(jobs) + count * cost.unit_milliseconds / 1e3
        cpu = sum(job["cpu_time"] for job in jobs)
        spent, planned = spent + cpu, planned + due
        rows.append(
            f"| {step} | {len(jobs):,} | {count:,} | {cpu:,.0f} | {due:,.0f} | {max(job['s'] for job in jobs):,.0f} |"
            f" {max(job['max_rss'] for job in jobs):,.0f} |"
        )
    rows.append(f"| together | | | {spent:,.0f} | {planned:,.0f} | | |")
    return "\n".join(rows) + "\n"


def _units_of(run: Path) -> dict[str, int]:
    """Return the captions, groups and items of a run; of one that is not finished, 0 for what is not there yet."""
    found = dict.fromkeys(("captions", "groups", "items"), 0)
    for log in run.glob("logs/corpora/place_corpus/embedded/captions.log"):
        rows = re.search(r"([\d,]+) rows", log.read_text(encoding="utf-8"))
        found["captions"] = round(int(rows[1].replace(",", "")) / PAIRS_PER_CAPTION) if rows else 0
    summary, plan_file = (
        run / "results/sentences/summary.json",
        run / "data/interim/benchmarks/divlogiceval/plan.json",
    )
    if summary.is_file():
        found["groups"] = json.loads(summary.read_bytes())["groups"]
    if plan_file.is_file():
        found["items"] = sum(json.loads(plan_file.read_bytes())["made"].values())
    return found


def _measured(file: Path) -> dict[str, float]:
    """Read what Snakemake measured of a job."""
    names, values = (line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[:2])
    return {
        name: float(value)
        for name, value in zip(names, values, strict=True)
        if name in ("s", "max_rss", "cpu_time")
    }
