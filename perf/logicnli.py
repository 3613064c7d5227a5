"""How fast LogicNLI is generated, per core.

    python -m perf.logicnli [--seconds 4] [--out FILE.json]      rates per core, and memory
    python -m perf.logicnli --table2 [--preset balanced]         all sets with the sizes of Table 2, two shards
    python -m perf.logicnli --embedded                           the sets of an embedded run, every label proven

Rates are instances per second of processor time, the best of some rounds: other work on the machine slows processor
time too, so that the best round says most about the code. Memory is the peak of a fresh process. The other two run the
commands of the workflow's rules, two at a time, and print wall and processor seconds.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson

from divlogic.benchmarks import generate
from divlogic.benchmarks.logicnli.draw import SetPlan, plans
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.realise import WordedGroup, pools, realise, resources
from divlogic.benchmarks.logicnli.set_names import SETS, is_test
from divlogic.benchmarks.logicnli.theories import Group
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.draws import Draws
from divlogic.io.files import row_count
from perf.machine import machine

ROUNDS = 5
SEED = 1
SHARDS = 2
CORES = 2


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=4.0, help="processor time per rate")
    options.add_argument(
        "--blocks", type=int, default=40, help="blocks of a set that are made at a time"
    )
    options.add_argument(
        "--largest", type=int, default=100_000, help="largest run of the memory curve"
    )
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    options.add_argument("--table2", action="store_true", help="make all sets of Table 2 instead")
    options.add_argument(
        "--embedded", action="store_true", help="make and confirm an embedded run's sets instead"
    )
    options.add_argument(
        "--preset", action="append", choices=("as_published", "balanced"), help="of --table2"
    )
    arguments = options.parse_args()
    print(machine())
    if arguments.table2 or arguments.embedded:
        figures = {}
        for preset in (
            (arguments.preset or ("as_published", "balanced")) if arguments.table2 else ()
        ):
            figures |= made(f"{preset}, sizes of Table 2", preset, "full", confirmed=False)
        if arguments.embedded:
            figures |= made("embedded run", "balanced", "embedded", confirmed=True)
    else:
        figures = rates(arguments.seconds, arguments.blocks, arguments.largest)
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def rates(seconds: float, count: int, largest: int) -> dict[str, float]:
    """Measure and print rates per core and peaks of memory."""
    figures: dict[str, float] = {}
    for preset, names in (
        ("as_published", ("train", "train_r", "test_g", "test_t")),
        ("balanced", ("train", "test", "train_r", "test_g", "test_t")),
    ):
        sets = {plan.name: plan for plan in plans(LogicNLIParameters(preset=preset), "full")}
        for name in names:
            groups = list(blocks(sets[name], count))
            figures[f"{preset} {name}: drawn"] = rate(
                lambda plan=sets[name]: blocks(plan, count), seconds
            )
            figures[f"{preset} {name}: worded"] = rate(
                lambda groups=groups: map(worded, groups), seconds
            )
            figures[f"{preset} {name}: records"] = rate(
                lambda groups=groups: map(recorded, groups), seconds
            )
    for size in (1_000, 10_000, 100_000):
        if size <= largest:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                figures[f"peak memory in MiB, {size:,} instances"] = pool.apply(peak, (size,))
    for name, value in figures.items():
        print(f"{name:45} {value:12,.0f}")
    return figures


def blocks(plan: SetPlan, count: int) -> Iterator[Group]:
    """Draw the first blocks of a set."""
    for number in range(min(count, plan.blocks)):
        yield from plan.block(number, SEED)


def worded(group: Group) -> Group:
    """Word a group."""
    words = WordedGroup(group, pools()["train"], Draws(SEED, group.index))
    for item in group.items:
        words.texts(item)
    return group


def recorded(group: Group) -> Group:
    """Make the rows of a group, with proofs."""
    for record in realise(group, resources({}), LogicNLIParameters(), SEED):
        orjson.dumps(record.to_json())
    return group


def rate(work: Callable[[], Iterator[Group]], seconds: float) -> float:
    """Return instances per second of the best round."""
    best = 0.0
    for _ in range(ROUNDS):
        start, done = time.process_time(), 0
        while time.process_time() - start < seconds / ROUNDS:
            done += sum(len(group.items) for group in work())
        best = max(best, done / (time.process_time() - start))
    return best


def peak(instances: int) -> float:
    """Return the peak memory in MiB of drawing and wording about so many instances."""
    section = {"balanced": {"quartets": max(1, instances // 60)}}
    run = BenchmarksRun.model_validate({"seed": SEED, "benchmarks": {"logicnli": section}})
    with tempfile.TemporaryDirectory() as folder:
        drawn, out = Path(folder, "drawn.jsonl.gz"), Path(folder, "realised.jsonl.gz")
        generate.draw("logicnli", shard=0, shards=1, out=drawn, params=run)
        counts = Path(folder, "counts.json")
        generate.realise("logicnli", source=drawn, shard=0, out=out, counts=counts, params=run)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def made(title: str, preset: str, source: str, *, confirmed: bool) -> dict[str, float]:
    """Run the commands that make all sets, and those that confirm them if asked; return seconds by step."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="divlogic-logicnli-") as name:
        folder, out = Path(name), Path(name, "sets")
        parameters = json.dumps(
            {"seed": SEED, "corpus_source": source, "benchmarks": {"logicnli": {"preset": preset}}}
        )
        start = ["divlogic", "benchmarks"]
        settings = ["--params", parameters]
        shards = []
        for shard in map(str, range(SHARDS)):
            drawn, worded = f"{folder}/drawn/{shard}.jsonl.gz", f"{folder}/realised/{shard}"
            which = ["logicnli", "--shard", shard, *settings]
            draw = [*start, "draw", *which, "--shards", str(SHARDS), "--out", drawn]
            word = [*start, "realise", *which, "--in", drawn, "--out", f"{worded}.jsonl.gz"]
            shards.append([draw, [*word, "--counts", f"{worded}.counts.json"]])
        realised = [
            f"{folder}/realised/{{0..{SHARDS - 1}}}.{end}" for end in ("jsonl.gz", "counts.json")
        ]
        own = [*start, "logicnli"]
        sets = [*own, "sets", *realised, "--statistics", f"{folder}/sets.json", "--out", str(out)]
        figures |= timed(f"{title}: drawn and worded", shards)
        figures |= timed(f"{title}: sets", [[sets]])
        if confirmed:
            files = [str(out / f"{name}.jsonl") for name in SETS if is_test(name)]
            reports = [f"{folder}/confirmed/{shard}.json" for shard in range(SHARDS)]
            share = ["--shards", str(SHARDS), "--shard"]
            parts = [
                [[*own, "confirm", *files, *share, str(shard), "--out", report]]
                for shard, report in enumerate(reports)
            ]
            figures |= timed(f"{title}: confirmed", parts)
            merged = [*own, "confirmed", *reports, "--out", f"{folder}/z3.json"]
            figures |= timed(f"{title}: reported", [[merged]])
        rows = sum(row_count(file) for file in out.glob("[!.]*.jsonl*"))
    figures[f"{title}: in all"] = sum(
        value for key, value in figures.items() if not key.endswith("CPU")
    )
    print(
        f"{title + ': in all':45} {figures[title + ': in all']:8.1f} s   {rows:,} rows", flush=True
    )
    return figures


def timed(name: str, chains: list[list[list[str]]]) -> dict[str, float]:
    """Run chains of commands, two chains at a time; print and return wall and processor seconds."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with ThreadPoolExecutor(CORES) as pool:
        list(
            pool.map(
                lambda chain: [subprocess.run(command, check=True) for command in chain], chains
            )
        )
    took, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name:45} {took:8.1f} s {cpu:8.1f} s of CPU", flush=True)
    return {name: took, f"{name}, CPU": cpu}


if __name__ == "__main__":
    main()
