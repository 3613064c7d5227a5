"""Scores for lm-evaluation-harness, on the standard library alone: the export copies this file into the task folder.

The harness calls :func:`process_results` for each question and hands the collected items to the aggregations, which
put the rotations of an instance, or the statements of a quartet, together. A test compares them with
the workflow's metrics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from divlogic.models.letters import OPTIONS, option_named, parse_answer

Item = list[Any]
"""Instance or quartet, rotation, gold and predicted option content (-1 for none), number of options."""

_Pick = tuple[int, int, int]
"""Gold and predicted option content of one rotation, number of options."""


def load_questions(file: str, **_: Any) -> dict[str, Any]:
    """Load the questions that lie next to this file, as the split ``test``."""
    import datasets

    path = Path(__file__).with_name(file)
    return {"test": datasets.Dataset.from_json(str(path), cache_dir=None, keep_in_memory=True)}


def letters_of(doc: dict[str, Any]) -> list[str]:
    """Return the letters that a question offers; rows say how many only where these are not four."""
    return list(ascii_uppercase[: doc.get("choices") or OPTIONS])


def process_results(doc: dict[str, Any], results: list[Any]) -> dict[str, Item]:
    """Return one item per metric: instance or quartet, rotation, gold and predicted content (-1 for none), options.

    Args:
        doc: the row; with a quartet it is a statement whose answer is a label.
        results: the generated answer; or a log-likelihood, with whether it is the greedy one, of each letter.
    """
    if "quartet" in doc:
        labels = tuple(doc["options"])
        named = option_named(results[0] or "", labels)
        predicted = -1 if named is None else labels.index(named)
        item = [doc["quartet"], 0, labels.index(doc["gold"]), predicted, len(labels)]
        return {"acc": item, "quartet_em": item, "answers_read": item}
    options = len(letters_of(doc))
    if isinstance(results[0], str):
        letter = parse_answer(results[0], options)
    else:
        letter = max(
            zip(results, letters_of(doc), strict=True), key=lambda pair: float(pair[0][0])
        )[1]
    rotation = doc["rotation"]
    gold = (ascii_uppercase.index(doc["gold"]) + rotation) % options
    predicted = (ascii_uppercase.index(letter) + rotation) % options if letter else -1
    item = [doc["instance"], rotation, gold, predicted, options]
    return {"acc": item, "cir": item, "pc": item, "answers_read": item}


def accuracy(items: list[Item]) -> float:
    """ACC: share of unrotated instances that are right."""
    return _mean(predicted == gold for _, rotation, gold, predicted, _ in items if rotation == 0)


def circular(items: list[Item]) -> float:
    """CIR: share of instances of which all rotations are right, or of quartets all of whose statements are."""
    return _mean(
        all(gold == predicted for gold, predicted, _ in picks) for picks in _instances(items)
    )


def partial_circular(items: list[Item]) -> float:
    """PC: mean of c/k · (1 + Σ p logk p), k options; -1 is an outcome of its own (DivLogicEval, Eq. 2)."""
    return _mean(_partial(picks) for picks in _instances(items))


def answers_read(items: list[Item]) -> float:
    """Share of answers that name an option."""
    return _mean(predicted >= 0 for _, _, _, predicted, _ in items)


def _partial(picks: list[_Pick]) -> float:
    correct = sum(gold == predicted for gold, predicted, _ in picks)
    named = [predicted for _, predicted, _ in picks]
    shares = [named.count(one) / len(named) for one in sorted(set(named))]
    options = picks[0][2]
    return max(0.0, correct / len(picks) * (1 + sum(p * math.log(p, options) for p in shares)))


def _instances(items: list[Item]) -> Iterable[list[_Pick]]:
    by_instance: dict[Any, list[_Pick]] = {}
    for instance, _, gold, predicted, options in items:
        by_instance.setdefault(instance, []).append((gold, predicted, options))
    return by_instance.values()


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else float("nan")
