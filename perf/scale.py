"""What one item costs at every step of the generation, and from that what a large run needs.

    python -m perf.scale [--captions 6000] [--items 1e5 1e6 1e8] [--out FILE.json] [--page docs/cluster.md]
    python -m perf.scale --run FOLDER --make 1e5 [--cores 2] --page docs/cluster.md

Every step is run as the workflow runs it, a process of its own, on composed captions, once on a third of them and once
on all: the difference gives the cost of one more unit, the rest is what starting costs. CPU seconds and peak memory are
the kernel's account of the process; bytes are those of the files written; jobs are those of `snakemake --dry-run`.
``--make`` makes a run of the workflow of so many items in the folder that ``--run`` names, a clone of what is
committed; what Snakemake measured there (``logs/**/*.tsv``), of a finished run or not, is set next to these costs.
``--page`` puts the tables into the page.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from perf.machine import machine, timed
from perf.scale_tables import BOUNDED, SHARDED, Cost, between, cost_table, plan_table, run_table

# Nothing heavy is imported: a child's peak memory counts from its parent's size on.
ROOT = Path(__file__).resolve().parents[1]
COPIES = 20  # of the sentence groups: items are cheap, and only many of them tell what one costs
LEAST_ITEMS_PER_CAPTION = 1 / 10
SENTENCE_SHARDS = 32
TARGET = "data/benchmarks/divlogiceval/release"
PER_SHARD = {"items": 10_000, "captions": 250_000}
SPARE = 1.1  # captions that a run composes: the more there are, the more of them repeat each other


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process used, and how many units it made or read."""

    unit: str
    units: int
    cpu_seconds: float
    peak_mib: float
    bytes_written: int


def main() -> None:
    """Measure, print the costs and the plans, and write them as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--captions", type=int, default=6_000, help="caption groups to compose")
    options.add_argument(
        "--items", type=_number, nargs="+", default=[10**5, 10**6, 10**8], help="runs to plan"
    )
    options.add_argument(
        "--part", type=_number, default=10**6, help="items of one run of the workflow"
    )
    options.add_argument("--run", type=Path, help="folder of a large run, set next to the costs")
    options.add_argument(
        "--make", type=_number, help="items of the run that is made in that folder first"
    )
    options.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="cores of that run")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    options.add_argument(
        "--page", type=Path, help="put the tables into this page, between its marks"
    )
    arguments = options.parse_args()
    print(machine())

    with tempfile.TemporaryDirectory(prefix="divlogic-scale-") as name:
        tagger = Path(name, "tagger")
        small = Workspace(Path(name, "small"), arguments.captions // 3, tagger)
        large = Workspace(Path(name, "large"), arguments.captions, tagger)
        costs = [difference(step, small.usage[step], large.usage[step]) for step in large.usage]
        ratios = large.ratios()
    if arguments.make:
        make_run(arguments.run, arguments.make, arguments.cores, ratios)
    jobs = job_counts()

    print(
        f"{'step':22}{'unit':>10}{'start s':>9}{'ms/unit':>9}{'B/unit':>8}{'MiB':>6}{'KiB/unit':>9}"
    )
    for cost in costs:
        print(
            f"{cost.step:22}{cost.unit:>10}{cost.start_seconds:9.2f}{cost.unit_milliseconds:9.4f}"
            f"{cost.unit_bytes:8.0f}{cost.start_mib:6.0f}{cost.unit_kib:9.3f}"
        )
    plans = {}
    for items in arguments.items:
        for parts in sorted({math.ceil(items / arguments.part), 1}, reverse=True):
            plans[f"{items:,} items in {parts:,} run(s)"] = plan(items, parts, costs, ratios, jobs)
    print(json.dumps({"ratios": ratios, "plans": plans}, indent=2))
    if arguments.out:
        figures = {"costs": [asdict(cost) for cost in costs], "ratios": ratios, "plans": plans}
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if arguments.page:
        text = arguments.page.read_text(encoding="utf-8")
        tables = {"costs": cost_table(costs), "plans": plan_table(plans)}
        if arguments.run:
            tables["run"] = run_table(arguments.run, costs)
        for mark, table in tables.items():
            text = between(text, mark, table)
        arguments.page.write_text(text, encoding="utf-8")


def difference(step: str, small: Usage, large: Usage) -> Cost:
    """Return a step's cost: what the larger of two runs used more, per unit, and what is left for starting."""
    units = large.units - small.units
    seconds = max(0.0, large.cpu_seconds - small.cpu_seconds) / units
    kib = max(0.0, large.peak_mib - small.peak_mib) * 1024 / units
    return Cost(
        step,
        large.unit,
        max(0.0, small.cpu_seconds - seconds * small.units),
        seconds * 1e3,
        (large.bytes_written - small.bytes_written) / units,
        small.peak_mib - kib * small.units / 1024,
        kib,
    )


def plan(
    items: int, parts: int, costs: list[Cost], ratios: dict[str, float], jobs: dict[str, int]
) -> dict[str, float | int | str]:
    """Return what ``items`` need, made by ``parts`` runs of the workflow.

    The longest path is the CPU time of one run's steps one after another, the last shard standing for each sharded
    step: a run takes that long however many cores there are, and the runs do not wait for each other.
    """
    part = math.ceil(items / parts)
    counts = {"items": part, "groups": part * ratios["groups_per_item"]}
    counts["captions"] = counts["groups"] * ratios["captions_per_group"]
    shards = {unit: math.ceil(counts[unit] / number) for unit, number in PER_SHARD.items()}
    total = written = 0.0
    memory, hours = {}, {}
    for cost in costs:
        units = counts[cost.unit]
        seconds = units * cost.unit_milliseconds / 1e3
        cut = shards[cost.unit] if cost.step in SHARDED else 1
        total += cost.start_seconds * cut + seconds
        hours[cost.step] = (cost.start_seconds + seconds / cut) / 3600
        written += units * cost.unit_bytes
        most, each = BOUNDED.get(cost.step, (0.0, cost.unit_kib))
        memory[cost.step] = cost.start_mib + most + units / cut * each / 1024
    heaviest, slowest = max(memory, key=memory.__getitem__), max(hours, key=hours.__getitem__)
    return {
        "items_per_run": part,
        "shards_of_items": shards["items"],
        "shards_of_sentences": shards["captions"],
        "sentence_groups_per_run": math.ceil(counts["groups"]),
        "captions_to_compose_per_run": math.ceil(counts["captions"]),
        "jobs": parts * (jobs["run"] + sum(jobs[unit] * shards[unit] for unit in shards)),
        "cpu_hours": round(parts * total / 3600, 1),
        "longest_path_hours_per_run": round(sum(hours.values()), 2),
        "longest_job_hours": round(hours[slowest], 2),
        "longest_job": slowest,
        "disk_gib": round(parts * written / 2**30, 1),
        "largest_memory_mib": round(memory[heaviest]),
        "largest_memory_step": heaviest,
    }


def job_counts() -> dict[str, int]:
    """Return how many jobs a run has, by Snakemake's count: those that no shard adds, and those of each shard."""
    with tempfile.TemporaryDirectory(prefix="divlogic-scale-") as name:
        one, items, captions = (
            dry_run(Path(name), {"items": items, "captions": captions})
            for items, captions in ((1, 1), (2, 1), (1, 2))
        )
    return {"run": 3 * one - items - captions, "items": items - one, "captions": captions - one}


def dry_run(folder: Path, shards: dict[str, int]) -> int:
    """Return the number of jobs of a run in so many shards."""
    command = [
        *snakemake(folder, shards),
        "--dry-run",
        "--forceall",
        "--quiet",
        "rules",
        "--",
        TARGET,
    ]
    done, *_ = timed(command, cwd=ROOT, env=_environment(ROOT))
    total = re.search(r"^total +(\d+)", done.stdout + done.stderr, re.MULTILINE)
    return (
        int(total[1])
        if total
        else sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    )


def snakemake(folder: Path, shards: dict[str, int], test: int = 900) -> list[str]:
    """Return the command of a run of so many test items; its parameters are written into the folder."""
    items = {"shards": shards["items"], "splits": {"test": test, "unpolished": 0}}
    changed = {"sentences": {"shards": shards["captions"]}, "benchmarks": {"divlogiceval": items}}
    path = folder / "scale.json"
    path.write_text(json.dumps(changed), encoding="utf-8")
    return [sys.executable, "-m", "snakemake", "--configfile", str(path)]


def make_run(folder: Path, items: int, cores: int, ratios: dict[str, float]) -> None:
    """Run the workflow in a clone of what is committed, from composed captions to the release."""
    captions = math.ceil(items * ratios["groups_per_item"] * ratios["captions_per_group"] * SPARE)
    shards = {
        unit: math.ceil(count / PER_SHARD[unit])
        for unit, count in (("items", items), ("captions", captions))
    }
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    folder = folder.resolve()
    log = folder / "logs" / "tools" / "compose_captions.tsv"
    log.parent.mkdir(parents=True)
    command = [sys.executable, "-m", "tools.captions", "--tagged", "0", "--groups", str(captions)]
    started = time.perf_counter()
    use = account(command, folder, folder)
    seconds = time.perf_counter() - started
    log.write_text(
        f"s\tmax_rss\tcpu_time\n{seconds:.2f}\t{use.peak_mib:.2f}\t{use.cpu_seconds:.2f}\n",
        encoding="utf-8",
    )
    command = [*snakemake(folder, shards, items // 30 * 30), "--cores", str(cores), "--", TARGET]
    subprocess.run(command, cwd=folder, env=_environment(folder), check=True)


class Workspace:
    """A folder in which every step of the generation ran once, and what each used."""

    def __init__(self, folder: Path, captions: int, tagger: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.usage: dict[str, Usage] = {}
        self.captions = captions
        # Whole rounds of the three question types.
        self.items = int(captions * COPIES * LEAST_ITEMS_PER_CAPTION) // 30 * 30
        test = self.items // 2 // 3 * 3
        self.params = {
            "benchmarks": {
                "divlogiceval": {"splits": {"test": test, "unpolished": self.items - test}}
            },
        }
        self._make_sentences(tagger)
        self._make_items(test)

    def ratios(self) -> dict[str, float]:
        """Return captions composed per sentence group kept, and groups per item."""
        with gzip.open(self.folder / "symbolic.jsonl.gz") as rows:
            needs = [json.loads(row)["needs"] for row in rows]
        return {
            "captions_per_group": round(self.captions / self.groups, 3),
            "groups_per_item": round(sum(needs) / len(needs), 3),
        }

    def _make_sentences(self, tagger: Path) -> None:
        embedded = ROOT / "data" / "embedded"
        compose = ("--groups", self.captions, "--tagged", 0, "--out", "embedded")
        use = self._run(*compose, params=False, module="tools.captions")
        self._keep("compose captions", "captions", self.captions, use, "embedded")
        shutil.copy(embedded / "captions/handwritten.jsonl", self.folder / "embedded/captions")
        where = ("--registry", ROOT / "data" / "registry.yaml", "--embedded", "embedded")
        use = self._run("corpora", "place", "captions", *where, "--out", "captions")
        self._keep("place captions", "captions", self.captions, use, "captions")
        normalise = ("corpora", "normalise", "captions", "--role", "nli", "--out", "nli.jsonl.gz")
        self._keep(
            "normalise captions", "captions", self.captions, self._run(*normalise), "nli.jsonl.gz"
        )
        if not tagger.exists():
            source = ("--in", embedded / "tagger", "--out", tagger, "--report", "tagger.json")
            self._run("corpora", "tagger", *source, params=False)
        self.tagger = tagger
        divide = (
            "sentences",
            "partition",
            "--in",
            "nli.jsonl.gz",
            "--shards",
            SENTENCE_SHARDS,
            "--out",
            "pairs",
        )
        self._keep(
            "divide pairs", "captions", self.captions, self._run(*divide, params=False), "pairs"
        )
        use = self._filter("groups", shards=1)
        self._keep("filter sentences", "captions", self.captions, use, "groups.jsonl.gz")
        outs = (
            "--out",
            "merged.jsonl.gz",
            "--counts-out",
            "filter.csv",
            "--summary-out",
            "summary.json",
        )
        use = self._run("sentences", "merge", "groups.jsonl.gz", "groups.csv", *outs)
        self.groups = json.loads((self.folder / "summary.json").read_bytes())["groups"]
        self._keep("merge sentences", "groups", self.groups, use, "merged.jsonl.gz")
        self._copy_groups("many.jsonl")
        use = self._run(
            "benchmarks", "divlogiceval", "shuffle", "--in", "many.jsonl", "--out", "shuffled.jsonl"
        )
        self._keep("shuffle groups", "groups", self.groups * COPIES, use, "shuffled.jsonl")

    def _make_items(self, test: int) -> None:
        draw = (
            "benchmarks",
            "draw",
            "divlogiceval",
            "--shard",
            "0",
            "--shards",
            "1",
            "--out",
            "symbolic.jsonl.gz",
        )
        self._keep("draw symbolic", "items", self.items, self._run(*draw), "symbolic.jsonl.gz")
        plan_it = (
            "divlogiceval",
            "plan",
            "symbolic.jsonl.gz",
            "--groups",
            "shuffled.jsonl",
            "--out",
            "plan.json",
        )
        self._keep("plan", "items", self.items, self._run("benchmarks", *plan_it), "plan.json")
        self._keep("word", "items", self.items, self._word(), "worded.jsonl.gz")
        assemble = (
            "assemble",
            "divlogiceval",
            "worded.jsonl.gz",
            "--compressed",
            "--out",
            "splits",
        )
        self._keep("assemble", "items", self.items, self._run("benchmarks", *assemble), "splits")
        # Only the test split is confirmed; a run that is all test would pay this for every item.
        confirm = ("verify", "divlogiceval", "--in", "splits/test.jsonl.gz", "--out", "z3.json")
        self._keep("confirm by Z3", "items", test, self._run("benchmarks", *confirm), "z3.json")
        finish = ("divlogiceval", "finish", "--in", "splits")
        finish += ("--out", "finished/text", "--twin", "finished/twin")
        self._keep(
            "finish splits", "items", self.items, self._run("benchmarks", *finish), "finished"
        )
        cut = (
            "ilogiceval",
            "cut",
            "--in",
            "finished/text",
            "--out",
            "ilogiceval",
            "--twin",
            "s-ilogiceval",
        )
        self._keep(
            "cut ILogicEval", "items", self.items, self._run("benchmarks", *cut), "ilogiceval"
        )
        describe = (
            "divlogiceval",
            "describe",
            "finished/text/test.jsonl",
            "finished/text/unpolished.jsonl",
            "--counts",
            "counts.json",
        )
        self._run("benchmarks", *describe, "--out", ".")
        for config, splits in (
            ("divlogiceval", "finished/text"),
            ("s-divlogiceval", "finished/twin"),
            ("ilogiceval", "ilogiceval"),
        ):
            (self.folder / "released").mkdir(exist_ok=True)
            (self.folder / "released" / config).symlink_to(self.folder / splits)
        sources = (
            "--in",
            "released",
            "--results",
            ".",
            "--registry",
            ROOT / "data" / "registry.yaml",
        )
        sources += ("--plan", "plan.json")
        use = self._run(
            "benchmarks", "release", "divlogiceval", "captions", *sources, "--out", "release"
        )
        self._keep("release", "items", self.items, use, "release")

    def _copy_groups(self, name: str) -> None:
        """Write the sentence groups several times over, each copy of a group under an id of its own."""
        with (
            gzip.open(self.folder / "merged.jsonl.gz") as rows,
            (self.folder / name).open("w") as out,
        ):
            for row in rows:
                group = json.loads(row)
                for copy in range(COPIES):
                    group["id"] = hashlib.sha256(
                        f"{copy} {group['premise']['text']}".encode()
                    ).hexdigest()[:12]
                    out.write(json.dumps(group) + "\n")

    def _filter(self, name: str, shards: int) -> Usage:
        where = (
            "--in",
            "nli.jsonl.gz",
            "--tagger",
            self.tagger,
            "--shard",
            "0",
            "--shards",
            str(shards),
        )
        return self._run(
            "sentences", "filter", *where, "--out", f"{name}.jsonl.gz", "--counts", f"{name}.csv"
        )

    def _word(self) -> Usage:
        source = (
            "--in",
            "symbolic.jsonl.gz",
            "--shard",
            "0",
            "groups=shuffled.jsonl",
            "plan=plan.json",
        )
        out = ("--out", "worded.jsonl.gz", "--counts", "counts.json")
        return self._run("benchmarks", "realise", "divlogiceval", *source, *out)

    def _keep(self, step: str, unit: str, units: int, use: Usage, out: str) -> None:
        path = self.folder / out
        files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
        size = sum(file.stat().st_size for file in files)
        self.usage[step] = Usage(unit, units, use.cpu_seconds, use.peak_mib, size)

    def _run(self, *arguments: Any, params: bool = True, module: str = "divlogic.cli") -> Usage:
        """Run a command of a module in the folder."""
        command = [sys.executable, "-m", module, *map(str, arguments)]
        if params and not {"normalise", "verify", "assemble"} & set(arguments[1:3]):
            command += ["--params", json.dumps(self.params)]
        return account(command, self.folder, ROOT)


def account(command: list[str], folder: Path, checkout: Path) -> Usage:
    """Run a command in the folder by the code of a checkout; return the kernel's account of it."""
    with tempfile.TemporaryFile() as stream:
        process = subprocess.Popen(
            command, cwd=folder, env=_environment(checkout), stdout=stream, stderr=stream
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            stream.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{stream.read().decode()}")
    return Usage("", 0, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, 0)


def _environment(checkout: Path) -> dict[str, str]:
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return os.environ | {
        "PATH": programs,
        "PYTHONPATH": f"{checkout / 'src'}{os.pathsep}{checkout}",
    }


def _number(text: str) -> int:
    return int(float(text))


if __name__ == "__main__":
    main()
