"""Scores for lm-evaluation-harness, on the standard library alone: the export copies this file into the task folder."""

from __future__ import annotations

from pathlib import Path

from divlogic.models.option_names import option_named


def load_statements(file, **_):
    """Load the statements that lie beside this file, as the split ``test``."""
    import datasets

    path = Path(__file__).with_name(file)
    return {"test": datasets.Dataset.from_json(str(path), cache_dir=None, keep_in_memory=True)}


def process_results(doc, results):
    """Return one item per metric: quartet, right label, predicted label (None for none)."""
    item = [doc["quartet"], doc["gold"], option_named(results[0] or "", tuple(doc["options"]))]
    return {"acc": item, "quartet_em": item, "answers_read": item}


def accuracy(items):
    """Share of statements that are judged right."""
    return _mean(gold == predicted for _, gold, predicted in items)


def quartet_em(items):
    """Share of quartets all of whose items are right."""
    quartets = {}
    for name, gold, predicted in items:
        quartets.setdefault(name, []).append(gold == predicted)
    return _mean(map(all, quartets.values()))


def answers_read(items):
    """Share of answers that name a label."""
    return _mean(predicted is not None for *_, predicted in items)


def _mean(values):
    values = list(values)
    return sum(values) / len(values) if values else float("nan")
