"""What needs no model: the gold as candidate (must score 100), the majority verdict, the first model."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Sequence

from divlogic.benchmarks.llmeval_logic.schema import formalization_row
from divlogic.evaluation.llmeval_logic.questions import Task, Track

NAMES = ("gold", "majority", "first model")
_VERDICTS = ("possible", "necessary", "unique_solution", "has_alternative", "count_models")


def baseline_replies(tasks: Sequence[Task], name: str, track: Track) -> dict[str, str]:
    """Return the replies of a baseline by item; an item that it says nothing about is left out.

    ``majority`` gives each query type's most frequent answer in the set and lists nothing; ``first model`` does the
    same and, where models are asked for, names the first. Both answer only; ``gold`` also formalizes.
    """
    if name == "gold":
        return {task.id: _gold(task, track) for task in tasks if track == "answer" or task.item}
    if track != "answer":
        return {}
    usual = _usual(tasks)
    first = name == "first model"
    # Free text of the published sets cannot be guessed by type; there a baseline says nothing.
    return {
        task.id: json.dumps({"answers": _guess(task, usual, first)})
        for task in tasks
        if any(question.exact for question in task.questions)
    }


def _gold(task: Task, track: Track) -> str:
    if track == "answer":
        answers = {q.id: json.loads(q.answer) if q.exact else q.answer for q in task.questions}
        return json.dumps({"answers": answers}, ensure_ascii=False)
    assert task.item is not None
    row = formalization_row(task.item.formalization)
    return json.dumps(
        {key: row[key] for key in ("symbols", "premises", "queries", "domain")}, ensure_ascii=False
    )


def _usual(tasks: Sequence[Task]) -> dict[str, object]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for task in tasks:
        for question in task.questions:
            if question.exact and question.type in _VERDICTS:
                counts[question.type][question.answer] += 1
    return {
        kind: json.loads(min(found, key=lambda answer: (-found[answer], answer)))
        for kind, found in counts.items()
    }


def _guess(task: Task, usual: dict[str, object], first: bool) -> dict[str, object]:
    guesses: dict[str, object] = {}
    for question in task.questions:
        guesses[question.id] = usual.get(question.type)
        if first and question.exact and question.type not in _VERDICTS:
            models = json.loads(question.answer)
            guesses[question.id] = models[:1] if isinstance(models, list) else None
    return guesses
