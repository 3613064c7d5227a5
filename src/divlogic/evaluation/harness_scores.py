"""Scores for lm-evaluation-harness, on the standard library alone: the export copies this file into the task folder.

The harness calls :func:`process_results` for each rotation and hands the collected items to the aggregations, which
put the rotations of an instance together. A test compares them with :mod:`divlogic.evaluation.metrics`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from divlogic.models.letters import LETTERS, parse_answer

Item = list[Any]
"""Instance, rotation, gold and predicted option content (-1 for none)."""


def load_rotations(file: str, **_: Any) -> dict[str, Any]:
    """Load the rotation rows that lie beside this file, as the split ``test``."""
    import datasets

    path = Path(__file__).with_name(file)
    return {"test": datasets.Dataset.from_json(str(path), cache_dir=None, keep_in_memory=True)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, Item]:
    """Return one item per metric: instance, rotation, gold and predicted option content (-1 for none)."""
    letter = parse_answer(results[0])
    rotation = doc["rotation"]
    gold = (LETTERS.index(doc["gold"]) + rotation) % len(LETTERS)
    predicted = (LETTERS.index(letter) + rotation) % len(LETTERS) if letter else -1
    item = [doc["instance"], rotation, gold, predicted]
    return {"acc": item, "cir": item, "pc": item, "answers_read": item}


def accuracy(items: list[Item]) -> float:
    """ACC: share of unrotated instances that are right."""
    return _mean(predicted == gold for _, rotation, gold, predicted in items if rotation == 0)


def circular(items: list[Item]) -> float:
    """CIR: share of instances of which all rotations are right."""
    return _mean(all(gold == predicted for gold, predicted in pairs) for pairs in _instances(items))


def partial_circular(items: list[Item]) -> float:
    """PC: mean of c/4 · (1 + Σ p log4 p) over the instances; -1 is an outcome of its own (DivLogicEval, Eq. 2)."""
    return _mean(_partial(pairs) for pairs in _instances(items))


def answers_read(items: list[Item]) -> float:
    """Share of answers that name an option."""
    return _mean(predicted >= 0 for *_, predicted in items)


def _partial(pairs: list[tuple[int, int]]) -> float:
    correct = sum(gold == predicted for gold, predicted in pairs)
    picks = [predicted for _, predicted in pairs]
    shares = [picks.count(pick) / len(picks) for pick in sorted(set(picks))]
    return max(0.0, correct / len(pairs) * (1 + sum(p * math.log(p, len(LETTERS)) for p in shares)))


def _instances(items: list[Item]) -> Iterable[list[tuple[int, int]]]:
    by_instance: dict[Any, list[tuple[int, int]]] = {}
    for instance, _, gold, predicted in items:
        by_instance.setdefault(instance, []).append((gold, predicted))
    return by_instance.values()


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else float("nan")
