"""Rewards and prompts for TRL's trainers; plain functions that other trainers can call, too.

A group reward pays only where all members of a group (a quartet, a three) are answered rightly: a constant answer earns
a quarter of the items of LogicNLI and none of its quartets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from divlogic.errors import needing
from divlogic.library.dataset import Item, score_answer

if TYPE_CHECKING:
    import datasets

Completion = str | Sequence[dict[str, str]]
"""A text, or messages of which the last is the model's."""


def rows(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return a row per item: ``prompt`` (messages), and the columns that the rewards read."""
    return [
        {
            "prompt": [{"role": "user", "content": item["question"]}],
            "answer": item["answer"],
            "benchmark": item["metadata"]["source_dataset"],
            **{name: item["metadata"][name] for name in ("options", "group", "group_size", "source_index")},
        }
        for item in items
    ]


def dataset(items: Iterable[Item]) -> datasets.Dataset:
    """Return the rows as a data set of `datasets` (to be installed by its user)."""
    with needing("datasets"):
        import datasets

    return datasets.Dataset.from_list(rows(items))


def item_reward(completions: Sequence[Completion], **columns: Any) -> list[float]:
    """Return 1 for each right completion and 0 for each other one (a reward function of TRL).

    Args:
        completions: texts or messages.
        **columns: ``answer``, ``benchmark`` and ``options`` of each completion's row; others are not read.
    """
    rows = zip(completions, columns["answer"], columns["benchmark"], columns["options"], strict=True)
    return [
        score_answer(
            completion if isinstance(completion, str) else completion[-1]["content"],
            {"answer": answer, "metadata": {"source_dataset": name, "options": options}},
        )
        for completion, answer, name, options in rows
    ]


def group_reward(
    completions: Sequence[Completion],
    *,
    log_metric: Callable[[str, float], None] | None = None,
    **columns: Any,
) -> list[float | None]:
    """Return 1 where one generation of all members of a group is right, else 0; ``None`` where a member is missing.

    Needs batches that hold whole groups: ``shuffle_dataset=False``, and a batch per device that is a multiple of
    ``group_size * num_generations``.

    Args:
        completions: texts or messages; completions of one prompt are its generations, in order.
        log_metric: is called with ``groups_whole``, the share of completions whose group is complete, and with
            ``items_right``.
        **columns: as for :func:`item_reward`, and ``group``, ``group_size`` and ``source_index``.
    """
    right = item_reward(completions, **columns)
    generation: Counter[tuple[str, int]] = Counter()
    places: list[tuple[str, int, int]] = []
    members: dict[tuple[str, int, int], dict[int, float]] = defaultdict(dict)
    rows = zip(columns["benchmark"], columns["group"], columns["source_index"], right, strict=True)
    for name, group, index, reward in rows:
        place = (name, group, generation[name, index])
        generation[name, index] += 1
        members[place][index] = reward
        places.append(place)
    rewards = [
        min(members[place].values()) if len(members[place]) == size else None
        for place, size in zip(places, columns["group_size"], strict=True)
    ]
    if log_metric and rewards:
        log_metric("groups_whole", sum(reward is not None for reward in rewards) / len(rewards))
        log_metric("items_right", sum(right) / len(right))
    return rewards
