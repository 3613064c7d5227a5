"""What the tasks of this folder call: items drawn by the installed package, scored by item and by group."""

from __future__ import annotations

from typing import Any

import divlogic
from divlogic.library.dataset import share_of_groups

Scored = tuple[str, float]
"""Group of an item, and its score."""


def load(
    name: str, size: int = 400, seed: int = 0, level: int | None = None, **_: Any
) -> dict[str, Any]:
    """Draw the items of a task as its split ``test``."""
    import datasets

    drawn = list(divlogic.create(name, size=size, seed=seed, level=level))
    return {"test": datasets.Dataset.from_list(drawn)}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, Scored]:
    """Return the score of a reply under each metric."""
    scored = (doc["metadata"]["group_id"], divlogic.score_answer(results[0], doc))
    return {"items": scored, "groups": scored}


def items(scored: list[Scored]) -> float:
    """Return the share of items that are answered rightly."""
    return sum(score for _, score in scored) / len(scored)


def groups(scored: list[Scored]) -> float:
    """Return the share of groups of which all items are answered rightly."""
    return share_of_groups(scored)
