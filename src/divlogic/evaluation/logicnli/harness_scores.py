"""Scores for lm-evaluation-harness, on the standard library alone: the export copies this file into the task folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from divlogic.models.letters import option_named

Item = list[Any]
"""Quartet, right label, predicted label (None for none)."""


def load_statements(file: str, **_: Any) -> dict[str, Any]:
    """Load the statements that lie next to this file, as the split ``test``."""
    import datasets

    path = Path(__file__).with_name(file)
    return {"test": datasets.Dataset.from_json(str(path), cache_dir=None, keep_in_memory=True)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, Item]:
    """Return one item per metric: quartet, right label, predicted label (None for none)."""
    item = [doc["quartet"], doc["gold"], option_named(results[0] or "", tuple(doc["options"]))]
    return {"acc": item, "quartet_em": item, "answers_read": item}


def accuracy(items: list[Item]) -> float:
    """Share of statements that are judged right."""
    return _mean(gold == predicted for _, gold, predicted in items)


def quartet_em(items: list[Item]) -> float:
    """Share of quartets all of whose items are right."""
    quartets: dict[Any, list[bool]] = {}
    for name, gold, predicted in items:
        quartets.setdefault(name, []).append(gold == predicted)
    return _mean(map(all, quartets.values()))


def answers_read(items: list[Item]) -> float:
    """Share of answers that name a label."""
    return _mean(predicted is not None for *_, predicted in items)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else float("nan")
