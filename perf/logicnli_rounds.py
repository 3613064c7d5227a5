"""What readers of few rounds know of fresh LogicNLI quartets, measured with a learner on all that they can count.

    python -m perf.logicnli_rounds [--items 4000] [--seed 90301] [--records FILE.jsonl] [--out FILE.json]

A reader of k rounds derives what follows in k rounds. He is right where the depth is at most k; of deeper items he sees
counts: of each round the new literals, the rules that apply, the rules that need what is new, and so on
(divlogic.benchmarks.logicnli.counts). A logistic regression is trained on these, on four fifths of the quartets, and
asked on the rest. Printed are, in percent with 95 % intervals whose units are quartets: what the reader is right in
without a learner, with it, with the four members of a quartet decoded together, and the quartets that are then right
as a whole; the same of the items that are deeper than k, where 25 is guessing; and, of split readers, f rounds forward
and d - 1 - f backward at each depth d. Members decoded together get four different labels: of pure guessing 1 quartet
in 24 is then right as a whole, and 1 in 8 for who knows which two labels go together.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import divlogic
from divlogic.benchmarks.logicnli.premises import read_premises
from divlogic.records import Record, read_records
from perf.machine import machine

FOLDS = 5
DEEPEST = 3
MEMBERS = 4

Array = NDArray[np.float64]
See = Callable[[Record, int], dict[str, int]]


def main() -> None:
    """Draw, train, print a table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=4000)
    options.add_argument("--seed", type=int, default=90301)
    options.add_argument("--records", type=Path, help="records of whole quartets, not fresh ones")
    options.add_argument("--out", type=Path, help="write the figures as JSON")
    arguments = options.parse_args()
    print(machine())
    if arguments.records:
        drawn = list(read_records(arguments.records))
    else:
        drawn = list(
            divlogic.create("logicnli", size=arguments.items, seed=arguments.seed).records()
        )
    records = by_quartet(drawn)
    rows = []
    for rounds in range(DEEPEST + 1):
        rows += measured(f"{rounds} forward", records, rounds, forward)
        rows += measured(f"{rounds} forward, no statement", records, rounds, unasked)
    for depth in sorted({record.depth or 0 for record in records}):
        own = [record for record in records if record.depth == depth]
        rows += measured(f"d = {depth}: {depth - 1} split", own, depth - 1, split)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


def by_quartet(records: Sequence[Record]) -> list[Record]:
    """Return the records of whole quartets, one quartet after the other."""
    quartets: dict[str, list[Record]] = {}
    for record in records:
        quartets.setdefault(str(record.metadata["quartet"]), []).append(record)
    return [one for members in quartets.values() if len(members) == MEMBERS for one in members]


def forward(record: Record, rounds: int) -> dict[str, int]:
    """Return what a reader counts who compares what he derives with the statement."""
    coded = read_premises(record).coded()
    return coded.book.forward(coded.facts, rounds, coded.statement)


def unasked(record: Record, rounds: int) -> dict[str, int]:
    """Return what a reader counts who never reads the statement."""
    coded = read_premises(record).coded()
    return coded.book.forward(coded.facts, rounds)


def split(record: Record, steps: int) -> dict[str, int]:
    """Return what a reader counts who goes some rounds forward and the rest of so many backward."""
    coded = read_premises(record).coded()
    return coded.book.both_ways(coded.facts, steps, coded.statement)


def measured(name: str, records: Sequence[Record], rounds: int, see: See) -> list[dict[str, Any]]:
    """Print and return the rows of one reader, of all items and of those that he cannot decide."""
    labels = np.array([record.answer for record in records])
    depths = np.array([record.depth for record in records])
    seen = [see(record, rounds) for record in records]
    keys = sorted(set().union(*seen))
    counts = np.array([[one.get(key, 0) for key in keys] for one in seen], dtype=np.float64)
    rows = []
    for learner in ("logistic", "trees"):
        chances = answered(counts, labels, learner)
        for part, chosen in (("all", depths > 0), ("deeper", depths > rounds)):
            if not chosen.any():
                continue
            own, right = chances[chosen], labels[chosen]
            together = jointly(own)
            row = {
                "reader": name,
                "learner": learner,
                "items": part,
                "n": int(chosen.sum()),
                "claimed": round(25 + 75 * float((depths[chosen] <= rounds).mean()), 1)
                if see is not unasked
                else 25.0,
                "alone": interval(own.argmax(1) == right),
                "joint": interval(together == right),
                "quartets": round(
                    100 * float((together == right).reshape(-1, MEMBERS).all(1).mean()), 1
                ),
                "counts": len(keys),
                "that differ in a quartet": int(differing(counts[chosen])),
            }
            print("; ".join(f"{key} {value}" for key, value in row.items()), flush=True)
            rows.append(row)
    return rows


def differing(counts: Array) -> int:
    """Return how many counts differ inside some quartet."""
    quartets = counts.reshape(-1, MEMBERS, counts.shape[1])
    return int((quartets.max(1) != quartets.min(1)).any(0).sum())


def answered(counts: Array, labels: Any, learner: str) -> Array:
    """Return the probabilities of the labels, by a learner that was trained on other quartets."""
    # Dealt out at random: the depths take turns in a set.
    places = np.random.default_rng(1).permutation(len(counts) // MEMBERS)
    fold = (places % FOLDS).repeat(MEMBERS)
    chances = np.full((len(counts), MEMBERS), 1 / MEMBERS)
    varied = counts[:, counts.std(0) > 0]
    if not varied.shape[1]:
        return chances
    for number in range(FOLDS):
        asked = fold == number
        model: Any = (
            make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=300))
            if learner == "logistic"
            else HistGradientBoostingClassifier(max_iter=40, max_leaf_nodes=12, random_state=1)
        )
        model.fit(varied[~asked], labels[~asked])
        chances[asked] = model.predict_proba(varied[asked])
    return chances


def jointly(chances: Array) -> Any:
    """Return the labels of members that are told apart: the likeliest way to give each another one."""
    orders = np.array(list(permutations(range(MEMBERS))))
    logs = np.log(chances + 1e-9).reshape(-1, MEMBERS, MEMBERS)
    scores = np.stack(
        [sum(logs[:, at, order[at]] for at in range(MEMBERS)) for order in orders], axis=1
    )
    # What is equally likely is broken by a coin: the first order is not the members'.
    scores += np.random.default_rng(1).uniform(0, 1e-9, scores.shape)
    return orders[scores.argmax(1)].ravel()


def interval(right: Any) -> str:
    """Return the share of right answers with its 95 % interval, quartets taken as units."""
    means = right.reshape(-1, MEMBERS).mean(1)
    half = 1.96 * means.std(ddof=1) / len(means) ** 0.5
    return f"{100 * means.mean():.1f} ±{100 * half:.1f}"


if __name__ == "__main__":
    main()
