"""The tables of perf/scale.py: what each step costs, what runs need by these costs, and what one run has taken."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from perf.machine import machine
from perf.run import jobs_of, totals

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
    "tools/compose_captions": "compose captions",
    "corpora/place_corpus/embedded/captions": "place captions",
    "corpora/normalise_corpora/nli": "normalise captions",
    "sentences/partition_pairs": "divide pairs",
    "sentences/filter_sentences": "filter sentences",
    "sentences/merge_sentences": "merge sentences",
    "benchmarks/shuffle_groups": "shuffle groups",
    "benchmarks/draw_instances/divlogiceval": "draw symbolic",
    "benchmarks/plan_instances": "plan",
    "benchmarks/realise_instances/divlogiceval": "word",
    "benchmarks/assemble_divlogiceval": "assemble",
    "benchmarks/verify_labels/divlogiceval": "confirm by Z3",
    "benchmarks/finish_divlogiceval": "finish splits",
    "benchmarks/cut_ilogiceval": "cut ILogicEval",
    "benchmarks/release_benchmark/divlogiceval": "release",
}
"""Where under ``logs`` a run's jobs have their measurements, and the step that they do."""
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


def plan_table(plans: dict[str, dict[str, float | int | str]]) -> str:
    """Return what the planned runs need, as Markdown."""
    names = [*next(iter(plans.values()))]
    rows = [f"| | {' | '.join(plans)} |", f"| --- |{' --: |' * len(plans)}"]
    for name in names:
        cells = [
            f"{p[name]:,}" if isinstance(p[name], float | int) else str(p[name])
            for p in plans.values()
        ]
        rows.append(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def run_table(run: Path, costs: list[Cost]) -> str:
    """Return what a run of the workflow took, step by step, next to what these costs say of as many units.

    CPU seconds are Snakemake's samples, the last up to half a minute before a job's end; memory is the largest job's.
    """
    units, jobs = _units_of(run), jobs_of(run)
    commit = ["git", "-C", str(run), "log", "-1", "--format=%h of %cs"]
    hours = totals(run, jobs)["seconds"] / 3600
    made = subprocess.run(commit, check=True, capture_output=True, text=True).stdout.strip()
    rows = [
        f"Commit {made}: {units['items']:,} instances of the {units['wanted']:,} wanted, from"
        f" {units['captions']:,} captions, in {hours:.1f} hours. M{machine()[1:]}.",
        "",
        "| step | jobs | units | CPU, s | by the costs above, s | longest job, s | memory, MiB |",
        "| --- | --: | --: | --: | --: | --: | --: |",
    ]
    known = {cost.step: cost for cost in costs}
    spent = planned = 0.0
    for place, step in RULES.items():
        own = [job for name, job in jobs.items() if f"{name}/".startswith(f"{place}/")]
        cost = known[step]
        count = units[cost.unit]
        if not own or not count or (step == "filter sentences" and not units["groups"]):
            continue  # the run has not come so far
        due = cost.start_seconds * len(own) + count * cost.unit_milliseconds / 1e3
        cpu = sum(job["cpu_time"] for job in own)
        spent, planned = spent + cpu, planned + due
        rows.append(
            f"| {step} | {len(own):,} | {count:,} | {cpu:,.0f} | {due:,.0f} | {max(job['s'] for job in own):,.0f} |"
            f" {max(job['max_rss'] for job in own):,.0f} |"
        )
    rows.append(f"| together | | | {spent:,.0f} | {planned:,.0f} | | |")
    return "\n".join(rows) + "\n"


def _units_of(run: Path) -> dict[str, int]:
    """Return the captions, groups and items of a run; of one that is not finished, 0 for what is not there yet."""
    found = dict.fromkeys(("captions", "groups", "items", "wanted"), 0)
    for log in run.glob("logs/corpora/place_corpus/embedded/captions.log"):
        rows = re.search(r"([\d,]+) rows", log.read_text(encoding="utf-8"))
        found["captions"] = round(int(rows[1].replace(",", "")) / PAIRS_PER_CAPTION) if rows else 0
    summary, plan_file = (
        run / "results/sentences/summary.json",
        run / "data/interim/benchmarks/divlogiceval/plan.json.gz",
    )
    if summary.is_file():
        found["groups"] = json.loads(summary.read_bytes())["groups"]
    if plan_file.is_file():
        read = json.loads(plan_file.read_bytes())
        found["items"], found["wanted"] = (sum(read[key].values()) for key in ("made", "wanted"))
    return found
