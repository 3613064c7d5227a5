"""What readers of single premises and of derived clauses know of fresh quartets: the probes, printed.

    python -m perf.shortcuts_of_quartets [--quartets 2000] [--seed 31] [--construction square] [--out FILE.json]

For each question type, boosted trees see of each option, on fresh symbolic quartets: how often each end of it stands at
each place of each kind of rule and with which sign, which signs stand beside each other in a premise, and what follows
from the ends in one, two, three and four premises. Quartets are never split between training and test. The accuracy
must be that of guessing below k-1 steps in parity quartets, and up to t premises in square quartets of t rounds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.divlogiceval.propositions import (
    CLAUSES,
    IMPLICATION,
    NEGATED,
    NOT_AND,
    OPTIONS,
    OR,
    Proposition,
    Quartet,
)
from divlogic.benchmarks.divlogiceval.quartets import draw_quartet
from divlogic.benchmarks.divlogiceval.sizes import QUESTION_TYPES
from perf.machine import machine

FOLDS = 3
STEPS = 4


def main() -> None:
    """Draw, train, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quartets", type=int, default=2000, help="quartets of each type")
    options.add_argument("--seed", type=int, default=31)
    options.add_argument("--construction", choices=("square", "parity"), default="square")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    print(machine())
    settings = DivLogicEvalParameters(construction=arguments.construction)
    rows = []
    for kind in QUESTION_TYPES:
        quartets = [
            draw_quartet(kind, arguments.seed, number, settings)
            for number in range(arguments.quartets)
        ]
        for steps in range(STEPS + 1):
            right = answered(quartets, steps)
            for depth in sorted({quartet.depth for quartet in quartets}):
                own = [
                    one
                    for one, quartet in zip(right, quartets, strict=True)
                    if quartet.depth == depth
                ]
                hits, count = round(sum(map(sum, own))), OPTIONS * len(own)
                low, high = wilson(hits, count)
                rows.append(
                    {
                        "type": kind,
                        "steps": steps,
                        "premises_needed": depth,
                        "instances": count,
                        "accuracy": round(100 * hits / count, 1),
                        "low": round(100 * low, 1),
                        "high": round(100 * high, 1),
                    }
                )
                print("  ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson, 1927)."""
    z = 1.959964
    share = hits / count
    centre, scale = share + z * z / (2 * count), 1 + z * z / count
    spread = z * ((share * (1 - share) + z * z / (4 * count)) / count) ** 0.5
    return (centre - spread) / scale, (centre + spread) / scale


def answered(quartets: Sequence[Quartet], steps: int) -> list[list[float]]:
    """Return for each quartet and member whether the option that seems likeliest is right (ties in equal shares)."""
    rows = np.array(
        [features(quartet, member, steps) for quartet in quartets for member in range(OPTIONS)]
    )
    # Listwise: each option's numbers, and how they differ from the mean of all four.
    rows = np.concatenate([rows, rows - rows.mean(axis=1, keepdims=True)], axis=2)
    wanted = np.tile(np.eye(OPTIONS), (len(quartets), 1))
    fold = np.repeat(np.arange(len(quartets)) % FOLDS, OPTIONS)
    scores = np.zeros(wanted.shape)
    for held in range(FOLDS):
        model = HistGradientBoostingClassifier(max_iter=80, learning_rate=0.15, random_state=1)
        train = fold != held
        model.fit(rows[train].reshape(-1, rows.shape[2]), wanted[train].ravel())
        tested = rows[~train].reshape(-1, rows.shape[2])
        scores[~train] = model.predict_proba(tested)[:, 1].reshape(-1, OPTIONS)
    scores = np.round(scores, 7)
    best = scores == scores.max(axis=1, keepdims=True)
    right = (best * wanted).sum(axis=1) / best.sum(axis=1)
    found: list[list[float]] = right.reshape(-1, OPTIONS).tolist()
    return found


def features(quartet: Quartet, member: int, steps: int) -> list[list[float]]:
    """Return what is seen of each option of one member."""
    passage = quartet.passages[member]
    reached = reach(passage, steps)
    rows = []
    for _, first, last in quartet.options:
        if quartet.conclusion is not None:
            # The option is p→y, the conclusion p→q, either of them perhaps as its contrapositive.
            fresh, goal = quartet.conclusion[1:]
            if fresh >> 1 not in {first >> 1, last >> 1}:
                fresh, goal = goal ^ 1, fresh ^ 1
            first, last = (last if first == fresh else first ^ 1), goal
        rows.append([*places(passage, first, last), *levels(reached, first, last)])
    return rows


def places(passage: Sequence[Proposition], first: int, last: int) -> list[float]:
    """Count the places of the ends by rule, side of the arrow and sign, and the signs that stand together."""
    counts: dict[Any, int] = defaultdict(int)
    for kind, *literals in passage:
        for at, literal in enumerate(literals):
            for end, name in ((first, 0), (last, 1)):
                if literal >> 1 == end >> 1:
                    counts[name, kind, at == len(literals) - 1, literal ^ end] += 1
        variables = [literal >> 1 for literal in literals]
        if first >> 1 in variables and last >> 1 in variables:
            signs = (
                literals[variables.index(first >> 1)] ^ first,
                literals[variables.index(last >> 1)] ^ last,
            )
            counts["together", signs] += 1
    keys = [
        *[
            (name, kind, behind, sign)
            for name in (0, 1)
            for kind in (IMPLICATION, NOT_AND, OR)
            for behind in (False, True)
            for sign in (0, 1)
        ],
        *[("together", (one, other)) for one in (0, 1) for other in (0, 1)],
    ]
    return [float(counts[key]) for key in keys]


def reach(passage: Sequence[Proposition], steps: int) -> list[dict[int, set[int]]]:
    """Return for 1 ... ``steps`` + 1 premises what each literal implies by so many of them (none for 0 steps)."""
    edges: dict[int, set[int]] = defaultdict(set)
    for kind, *literals in passage:
        clause = [
            literal ^ negated for literal, negated in zip(literals, NEGATED[kind], strict=True)
        ]
        for one, other in CLAUSES[kind]:
            edges[clause[one] ^ 1].add(clause[other])
            edges[clause[other] ^ 1].add(clause[one])
    found = []
    current = {literal: set(out) for literal, out in edges.items()}
    for _ in range(steps):
        current = {
            literal: out.union(*[edges[to] for to in out]) if out else out
            for literal, out in current.items()
        }
        found.append(current)
    return found


def levels(reached: Sequence[dict[int, set[int]]], first: int, last: int) -> list[float]:
    """Return by step which signs of the other end each end reaches, and how many literals."""
    found: list[float] = []
    for level in reached:
        for start, goal in ((first, last), (first ^ 1, last), (last ^ 1, first ^ 1), (last, first)):
            out = level.get(start, set())
            found += [float(goal in out), float(goal ^ 1 in out), float(len(out))]
    return found


if __name__ == "__main__":
    main()
