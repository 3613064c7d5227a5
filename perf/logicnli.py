"""How fast LogicNLI is generated, per core.

    python perf/logicnli.py [--seconds 4] [--out FILE.json]

Rates are instances per second of processor time, the best of some rounds: other work on the machine slows processor
time too, so that the best round says most about the code. Memory is the peak of a fresh process.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from divlogic.benchmarks.logicnli.build import write_drawn, write_realised
from divlogic.benchmarks.logicnli.instances import group_records
from divlogic.benchmarks.logicnli.lexicon import pools
from divlogic.benchmarks.logicnli.parameters import LogicNLIParameters
from divlogic.benchmarks.logicnli.sets import SetPlan, plans
from divlogic.benchmarks.logicnli.theories import Group
from divlogic.benchmarks.logicnli.wording import word_group
from divlogic.draws import Draws

ROUNDS = 5
SEED = 1


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=4.0, help="processor time per rate")
    options.add_argument("--largest", type=int, default=100_000, help="largest run of the memory curve")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    figures: dict[str, float] = {}
    for preset, names in (
        ("as_published", ("train", "train_r", "test_g", "test_t")),
        ("balanced", ("train", "test", "train_r", "test_g", "test_t")),
    ):
        sets = {plan.name: plan for plan in plans(LogicNLIParameters(preset=preset), "full")}
        for name in names:
            groups = list(blocks(sets[name], 40))
            figures[f"{preset} {name}: drawn"] = rate(
                lambda plan=sets[name]: blocks(plan, 40), arguments.seconds
            )
            figures[f"{preset} {name}: worded"] = rate(
                lambda groups=groups: map(worded, groups), arguments.seconds
            )
            figures[f"{preset} {name}: records"] = rate(
                lambda groups=groups: map(recorded, groups), arguments.seconds
            )
    for size in (1_000, 10_000, 100_000):
        if size <= arguments.largest:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                figures[f"peak memory in MiB, {size:,} instances"] = pool.apply(peak, (size,))
    for name, value in figures.items():
        print(f"{name:45} {value:12,.0f}")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def blocks(plan: SetPlan, count: int) -> Iterator[Group]:
    """Draw the first blocks of a set."""
    for number in range(min(count, plan.blocks)):
        yield from plan.block(number, SEED)


def worded(group: Group) -> Group:
    """Word a group."""
    words = word_group(group, pools()["train"], Draws(SEED, group.index))
    for item in group.items:
        words.sentences(group, item)
    return group


def recorded(group: Group) -> Group:
    """Make the rows of a group, with proofs."""
    for record in group_records(group, SEED, "balanced"):
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
    parameters = LogicNLIParameters.model_validate(section)
    with tempfile.TemporaryDirectory() as folder:
        drawn = Path(folder, "drawn.jsonl.gz")
        write_drawn(drawn, 0, 1, seed=SEED, parameters=parameters, corpus_source="embedded")
        write_realised(drawn, Path(folder, "realised.jsonl.gz"), seed=SEED, preset="balanced")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
