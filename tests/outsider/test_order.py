"""What somebody who reads a drawn file from top to bottom can guess: place and id tell no label."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import divlogic

GROUPS = {"logicnli": 4, "divlogiceval": 4, "ilogiceval": 4, "justlogic": 3}


def drawn(name: str, groups: int) -> list[dict[str, Any]]:
    data = divlogic.create(name, size=groups * GROUPS[name], seed=83, level=2)
    items: list[dict[str, Any]] = data[:]
    return items


@pytest.mark.parametrize(("name", "size"), GROUPS.items(), ids=list(GROUPS))
def test_the_place_within_a_group_tells_no_label(name: str, size: int) -> None:
    items = drawn(name, 60)
    for place in range(size):
        labels = Counter(item["answer"] for item in items[place::size])
        # By chance the commonest of three or four labels has 20 or 15 of 60, and more than 34 once in a thousand runs.
        assert max(labels.values()) <= 34, (place, labels)


@pytest.mark.parametrize("name", GROUPS)
def test_ids_are_unique_and_their_order_tells_no_label(name: str) -> None:
    items = drawn(name, 60)
    order = sorted(items, key=lambda item: item["metadata"]["id"])
    assert len({item["metadata"]["id"] for item in items}) == len(items)
    size = GROUPS[name]
    for place in range(size):
        labels = Counter(item["answer"] for item in order[place::size])
        assert max(labels.values()) <= 34, (place, labels)


@pytest.mark.parametrize("name", [*GROUPS, "llmeval_logic"])
def test_no_two_groups_and_no_two_seeds_share_a_text(name: str) -> None:
    # docs/library.md: two seeds share no item; nor may a group that was drawn twice stand for two.
    size = GROUPS.get(name, 1)
    seen: set[str] = set()
    for seed in (91, 92):
        data = divlogic.create(name, size=30 * size, seed=seed)
        items = data[:]
        texts = {item["question"] for item in items}
        assert len(texts) == len(items)
        assert not texts & seen
        seen |= texts


@pytest.mark.parametrize(("level", "least", "most"), [(1, 1, 1), (2, 2, 3), (3, 4, 5)])
def test_an_item_says_how_many_operators_made_it(level: int, least: int, most: int) -> None:
    # divlogic.levels("llmeval_logic"): min_operators and max_operators of each level.
    configuration = divlogic.levels("llmeval_logic")[level - 1]
    assert configuration == {"min_operators": least, "max_operators": most}
    data = divlogic.create("llmeval_logic", size=12, seed=93, level=level)
    counts = {item["metadata"]["difficulty"]["operators"] for item in data[:]}
    assert counts == set(range(least, most + 1))
