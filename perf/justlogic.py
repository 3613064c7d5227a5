"""How fast JustLogic is generated, by depth: threes drawn and worded, in seconds of processor time.

    python -m perf.justlogic [--statements FILE.jsonl] [--instances 300] [--out FILE.json]

The best of some rounds counts: a neighbour on the same core slows processor time too.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from divlogic.benchmarks.justlogic.draw import draw, groups
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.realise import realise, resources
from perf.machine import machine

ROUNDS = 3


def main() -> None:
    """Measure, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    table = Path("data/interim/benchmarks/justlogic/statements.jsonl.gz")
    options.add_argument("--statements", type=Path, default=table, help="table of statements")
    options.add_argument("--instances", type=int, default=300, help="instances per depth")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    print(machine())
    found = resources({"statements": arguments.statements})
    figures = {}
    for depth in range(1, 13):
        parameters = JustLogicParameters(depths=[depth], per_depth=arguments.instances)
        rounds = []
        for seed in range(ROUNDS):
            start = time.process_time()
            threes = [draw(parameters, seed, index) for index in range(groups(parameters, "full"))]
            middle = time.process_time()
            count = sum(len(realise(three, found, parameters, seed)) for three in threes)
            rounds.append((time.process_time() - start, middle - start, count))
        whole, drawing, count = min(rounds)
        figures[depth] = {"items_per_s": count / whole, "share_of_drawing": drawing / whole}
        print(
            f"depth {depth:2}   {count / whole:8,.0f} items/s   {drawing / whole:.0%} of it drawing"
        )
    if arguments.out:
        arguments.out.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
