"""Attack the balanced benchmarks with everything that can be counted, together, on fresh instances of another seed.

    python perf/attack_shortcuts.py [--seed 4711] [--per-depth 3000] [--depths 4 5 6 7] [--per-type 3000]
        [--statements data/interim/benchmarks/justlogic/statements.jsonl] [--out FILE.json]

The probes of the workflow look at one kind of clue each and use few trees, so that a run stays short. Here boosted
trees of three times the size see all of them at once and more: where the words of a statement or the variables of an
option stand, how far apart, what stands next to them, how character n-grams are shared among options and with the
passage; and of JustLogic logistic regression on the n-grams of the statement. Whatever follows by inference is left
out. Five folds.
Instances drawn together are in one fold and count as one draw.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlogic.benchmarks.divlogiceval.fresh import fresh_records
from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.justlogic.build import write_symbolic, write_worded
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.logic import And, Formula, Implies, Not, Or, Var, parse, variables
from divlogic.prior_knowledge.parameters import ProbeParameters, ShortcutParameters
from divlogic.prior_knowledge.probe import PROBE, probe
from divlogic.prior_knowledge.shortcuts import features, learners
from divlogic.prior_knowledge.shortcuts.measure import cluster_of, interval, kind_of, measure
from divlogic.prior_knowledge.shortcuts.patterns import read_clause
from divlogic.records import Record, read_records

FOLDS = 5
SENTENCE = 5


def main() -> None:
    """Draw, attack, print the table, and write it as JSON if asked."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", type=int, default=4711)
    options.add_argument("--depths", type=int, nargs="*", default=[1, 2, 3, 4, 5, 6, 7])
    options.add_argument("--per-depth", type=int, default=3000)
    options.add_argument("--per-type", type=int, default=3000, help="DivLogicEval; 0: not at all")
    options.add_argument(
        "--statements", type=Path, default=Path("data/interim/benchmarks/justlogic/statements.jsonl")
    )
    options.add_argument("--out", type=Path, help="write the rows as JSON")
    arguments = options.parse_args()
    learners._TREES.update(max_iter=60, learning_rate=0.15)
    rows: list[dict[str, Any]] = []
    if arguments.per_type:
        attack_divlogiceval(arguments.per_type, arguments.seed, rows)
    for depth in arguments.depths:
        attack_justlogic(depth, arguments.per_depth, arguments.statements, arguments.seed, rows)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def attack_divlogiceval(count: int, seed: int, rows: list[dict[str, Any]]) -> None:
    """Attack fresh symbolic instances of the balanced preset, type by type."""
    every = list(fresh_records("balanced", DivLogicEvalParameters(), seed, count))
    known = measure(
        every, benchmark="DivLogicEval", limits={}, parameters=ShortcutParameters(folds=FOLDS), seed=seed
    )
    for kind in sorted({kind_of(record) for record in every}):
        for row in known:
            if row.type == kind:
                add(rows, "DivLogicEval", kind, row.probe, (row.accuracy, row.low, row.high), row.instances)
        own = [record for record in every if kind_of(record) == kind]
        folds, clusters = dealt(own, seed)
        sizes, answers = [4] * len(own), [record.answer or 0 for record in own]
        lists = [together(record) for record in own]
        for name, count in (("counts, places", -SENTENCE), ("and sentences", None)):
            seen = features.listwise([[row[:count] for row in options] for options in lists])
            right = learners.ranked(seen, sizes, answers, folds, seed)
            add(rows, "DivLogicEval", kind, name, interval(right, clusters), len(own))


def together(record: Record) -> features.Rows:
    """Return what can be counted of each option, the places of its variables, and :data:`SENTENCE` numbers more.

    These see which variables stand in one sentence, and of which form it is: one step of inference, as the workflow's
    probe ``neighbours``.
    """
    premises = [text.strip() for text in record.formulas["premises"]] if record.formulas else []
    grams = [ngrams(option) for option in record.options]
    passage = ngrams(record.context)
    found = []
    read = [clause for text in [*premises, *record.options] if (clause := read_clause(text)) is not None]
    goal = read_clause(record.formulas["conclusion"] or "") if record.formulas else None
    every = zip(
        record.options,
        features.surface(record.options),
        features.overlap(record.context, record.options),
        features.option_roles(read[: len(premises)], goal, read[len(premises) :]),
        strict=True,
    )
    for at, (option, *counted) in enumerate(every):
        places = [
            [number for number, premise in enumerate(premises) if name in premise]
            for name in re.findall("[A-H]", option)
        ]
        flat = [place for own in places for place in own] or [-1]
        gaps = [abs(one - other) for one in places[0] for other in places[-1]] if places else []
        found.append(
            [
                *counted[0], *counted[1], *counted[2],
                float(np.mean([len(grams[at] & other) for i, other in enumerate(grams) if i != at])),
                float(min(flat)), float(max(flat)), float(np.mean(flat)), float(len(flat)),
                # From here on: SENTENCE.
                float(min(gaps, default=-1)), float(max(gaps, default=-1)),
                float(sum([premises[place].count("¬") for place in flat if place >= 0])),
                float(sum([len(premises[place]) for place in flat if place >= 0])),
                len(grams[at] & passage) / max(len(grams[at]), 1),
            ]
        )  # fmt: skip
    return found


def attack_justlogic(depth: int, count: int, statements: Path, seed: int, rows: list[dict[str, Any]]) -> None:
    """Attack fresh instances of one depth, as a run draws them with this seed."""
    parameters = JustLogicParameters.model_validate({"depths": [depth], "per_depth": count})
    with tempfile.TemporaryDirectory() as folder:
        drawn, worded = Path(folder, "drawn.jsonl"), Path(folder, "worded.jsonl")
        write_symbolic(drawn, 0, 1, seed=seed, parameters=parameters, corpus_source="full")
        write_worded(drawn, statements, worded, seed=seed, parameters=parameters)
        records = list(read_records(worded))
    answers = probe(records, ProbeParameters(most_instances=None), seed)
    guessed = {one.instance: one.predicted == one.gold for one in answers if one.model == PROBE}
    known = measure(
        records,
        benchmark="JustLogic",
        limits={},
        parameters=ShortcutParameters(folds=FOLDS),
        seed=seed,
        guessed=guessed,
    )
    for row in known:
        add(rows, "JustLogic", f"depth {depth}", row.probe, (row.accuracy, row.low, row.high), row.instances)
    folds, clusters = dealt(records, seed)
    numbers = np.array([counted(record) for record in records])
    right = learners.classified(numbers, [record.answer or 0 for record in records], folds, seed)
    add(rows, "JustLogic", f"depth {depth}", "all together", interval(right, clusters), len(records))
    numbers = np.array([one_sentence(record) for record in records])
    right = learners.classified(numbers, [record.answer or 0 for record in records], folds, seed)
    add(rows, "JustLogic", f"depth {depth}", "one sentence", interval(right, clusters), len(records))


def counted(record: Record) -> list[float]:
    """Return everything that can be counted of a statement and its passage, without any inference."""
    sentences = re.split(r"(?<=[.!?])\s+", record.context)
    words = set(features.tokens(record.question)) - features._LINK
    covered = [
        len(words.intersection(features.tokens(sentence))) / max(len(words), 1) for sentence in sentences
    ]
    holders = [at for at, share in enumerate(covered) if share > 0.6] or [-1]
    grams, passage = ngrams(record.question), ngrams(record.context)
    lengths = [len(features.tokens(sentence)) for sentence in sentences]
    near = [at + step for at in holders for step in (-1, 1) if at >= 0 and 0 <= at + step < len(sentences)]
    return [
        *features.statement_shape(record.context, record.question),
        *features.statement_overlap(record.context, record.question),
        float(features.words_missing(record.context, record.question)),
        float(holders[0]), float(holders[-1]), float(np.mean(holders)), float(len(holders)),
        holders[-1] / len(sentences), float(len(sentences) - holders[-1]),
        float(sum([features.negations(sentences[at]) for at in holders if at >= 0])),
        float(sum([features.negations(sentences[at]) for at in near])),
        float(features.negations(sentences[0])), float(features.negations(sentences[-1])),
        *sorted(covered, reverse=True)[:4], *[0.0] * max(0, 4 - len(covered)),
        float(max(lengths)), float(min(lengths)), float(np.std(lengths)), float(lengths[0]), float(lengths[-1]),
        len(grams & passage) / max(len(grams), 1), float(len(passage)),
    ]  # fmt: skip


def one_sentence(record: Record) -> list[float]:
    """Return how the sentences that mention a statement speak of it, read one by one: what one step of inference sees.

    For each atom of the query its mentions in a premise of its own, before an arrow, behind one and in a disjunction,
    for it and against it.
    """
    formulas = record.formulas or {}
    query = parse(formulas["query"])
    names = sorted(variables(query), key=formulas["query"].index)
    rows = []
    for name in names[:2]:
        counts: Counter[tuple[str, bool]] = Counter()
        for text in formulas["premises"]:
            mentions(parse(text), name, "fact", True, counts)
        rows.append([counts[place, side] for place in _PLACES for side in (False, True)])
    pad = [0] * (2 * len(_PLACES) * (2 - len(rows)))
    return [*map(float, [*rows[0], *(rows[1] if rows[1:] else pad)]), float(formulas["query"].startswith("¬")),
            float("→" in formulas["query"]), float("∨" in formulas["query"])]  # fmt: skip


_PLACES = ("fact", "before", "behind", "either")


def mentions(
    formula: Formula, name: str, place: str, favours: bool, counts: Counter[tuple[str, bool]]
) -> None:
    """Count where a variable stands in a formula, and whether the formula speaks for it there."""
    match formula:
        case Var(own):
            counts[place, favours] += own == name
        case Not(inner):
            mentions(inner, name, place, not favours, counts)
        case Implies(left, right):
            mentions(left, name, "before", not favours, counts)
            mentions(right, name, "behind", favours, counts)
        case Or(left, right) | And(left, right):
            mentions(left, name, "either", favours, counts)
            mentions(right, name, "either", favours, counts)


def ngrams(text: str) -> set[str]:
    """Return the character trigrams of a text."""
    plain = text.lower()
    return {plain[at : at + 3] for at in range(len(plain) - 2)}


def dealt(records: Sequence[Record], seed: int) -> tuple[Any, list[Any]]:
    """Deal what was drawn together out to folds; return the fold of each record, and its cluster."""
    clusters = [cluster_of(record) for record in records]
    order = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    fold = np.random.default_rng(seed).permutation(len(order)) % FOLDS
    return np.array([fold[order[name]] for name in clusters]), clusters


def add(
    rows: list[dict[str, Any]], benchmark: str, kind: str, name: str, found: tuple[float, ...], count: int
) -> None:
    """Add a row and print it."""
    accuracy, low, high = (round(100 * value, 1) for value in found)
    rows.append(
        {"benchmark": benchmark, "type": kind, "probe": name, "accuracy": accuracy, "low": low, "high": high,
         "instances": count}
    )  # fmt: skip
    print(f"{benchmark:14}{kind:18}{name:16}{accuracy:6.1f} ({low:.1f} to {high:.1f}){count:8,}", flush=True)


if __name__ == "__main__":
    main()
