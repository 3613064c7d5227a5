"""Rewards and prompts for TRL's trainers; plain functions that other trainers can call, too.

A group reward pays only where all members of a group (a quartet, a three) are answered rightly: a constant answer earns
a quarter of the items of LogicNLI and none of its quartets. Where a data set holds rows of other tasks, too, these get
``None`` from every reward: not applicable, as TRL has it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from divlogic.errors import DivLogicError, needing
from divlogic.library.dataset import Credit, Item, names, score_answer

if TYPE_CHECKING:
    import datasets

Completion = str | Sequence[Any] | Mapping[str, Any] | None
"""A text, or the messages of a conversation; of these the last text of the model is its answer."""

_COLUMNS = ("options", "sub_questions", "group_id", "group_size", "source_index")
"""Metadata of an item that its row has; a generator without sub-questions has an empty list of them."""

_THOUGHTS = ("thinking", "reasoning", "redacted_thinking")
"""Types of the parts of a message that are no answer."""


def rows(items: Iterable[Item]) -> list[dict[str, Any]]:
    """Return a row per item: ``prompt`` (messages), and the columns that the rewards read."""
    return [_row(item) for item in items]


def _row(item: Item) -> dict[str, Any]:
    metadata = {"sub_questions": [], **item["metadata"]}
    return {
        "prompt": [{"role": "user", "content": item["question"]}],
        "answer": item["answer"],
        "benchmark": metadata["source_dataset"],
        **{name: metadata[name] for name in _COLUMNS},
    }


def dataset(items: Iterable[Item]) -> datasets.Dataset:
    """Return the rows as a data set of `datasets` (to be installed by its user)."""
    with needing("datasets"):
        import datasets

    return datasets.Dataset.from_list(rows(items))


def item_reward(completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Return 1 for each right completion and 0 for each other one (a reward function of TRL).

    Args:
        completions: texts or messages.
        **columns: those of :func:`rows`, one value for each completion; others are not read.

    Returns:
        ``None`` for a row of another task: one whose ``benchmark`` is no generator.
    """
    return _rewards(completions, columns, "all")


def sub_question_reward(completions: Sequence[Completion], **columns: Any) -> list[float | None]:
    """Return what :func:`item_reward` does, but of an item with sub-questions the share that is right."""
    return _rewards(completions, columns, "each")


def group_reward(
    completions: Sequence[Completion],
    *,
    log_metric: Callable[[str, float], None] | None = None,
    **columns: Any,
) -> list[float | None]:
    """Return 1 where one generation of all members of a group is right, else 0; ``None`` where a member is missing.

    Needs batches that hold whole groups: ``shuffle_dataset=False``, and a batch per device that is a multiple of
    ``group_size * num_generations``. Of several generators, ``divlogic.mix(..., groups=True)`` draws whole groups.

    Args:
        completions: texts or messages; completions of one item are its generations, in order.
        log_metric: is called with ``groups_whole``, the share of completions whose group is complete, and with
            ``items_right``; both of the rows that are items.
        **columns: those of :func:`rows`.
    """
    right = _rewards(completions, columns, "all")
    generations: Counter[tuple[str, int]] = Counter()
    # A try at a group: its id, and the how-manieth generation of its members.
    tries: list[tuple[str, int] | None] = []
    members: dict[tuple[str, int], dict[int, float]] = defaultdict(dict)
    for place, reward in enumerate(right):
        if reward is None:
            tries.append(None)
            continue
        group, index = _value(columns, "group_id", place), _value(columns, "source_index", place)
        one_try = (group, generations[group, index])
        generations[group, index] += 1
        members[one_try][index] = reward
        tries.append(one_try)
    rewards = [
        _of_group(members[one_try], _value(columns, "group_size", place)) if one_try else None
        for place, one_try in enumerate(tries)
    ]
    items = [reward for reward in right if reward is not None]
    if log_metric and items:
        log_metric("groups_whole", sum(reward is not None for reward in rewards) / len(items))
        log_metric("items_right", sum(items) / len(items))
    return rewards


def _of_group(members: Mapping[int, float], size: int) -> float | None:
    """Return the reward of a group from those of its members that are there."""
    return min(members.values()) if len(members) == size else None


def _rewards(
    completions: Sequence[Completion], columns: Mapping[str, Any], credit: Credit
) -> list[float | None]:
    # Rows of other tasks alone may lack the columns altogether.
    tasks = columns.get("benchmark") or [None] * len(completions)
    known = names()
    rewards: list[float | None] = []
    for place, (completion, task) in enumerate(zip(completions, tasks, strict=True)):
        if task not in known:
            rewards.append(None)
            continue
        about = {
            "source_dataset": task,
            "options": _value(columns, "options", place),
            "sub_questions": columns["sub_questions"][place] if "sub_questions" in columns else [],
        }
        item = {"answer": _value(columns, "answer", place), "metadata": about}
        rewards.append(score_answer(answer_text(completion), item, credit=credit))
    return rewards


def _value(columns: Mapping[str, Any], name: str, place: int) -> Any:
    """Return the value of a column for an item, which has one in each row that :func:`rows` made."""
    values = columns.get(name)
    if values is None or values[place] is None:
        raise DivLogicError(
            f"completion {place + 1}: its row has no '{name}'; make the rows with divlogic.library.trl.rows."
        )
    return values[place]


def answer_text(completion: Completion) -> str:
    """Return the text of a completion: of messages that of the last one that the model wrote text in; else nothing.

    A message may have a text, parts of which some are texts, or calls of tools alone. Results of tools and what a user
    says are not the model's; thoughts in parts of their own are no answer.
    """
    if isinstance(completion, str):
        return completion
    messages = [completion] if isinstance(completion, Mapping) else completion or ()
    for message in reversed(list(messages)):
        if isinstance(message, str):
            text = message
        elif isinstance(message, Mapping) and message.get("role", "assistant") == "assistant":
            text = _content_text(message.get("content"))
        else:
            continue
        if text.strip():
            return text
    return ""


def _content_text(content: Any) -> str:
    """Return the text of a message's content, a text or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and part.get("type") not in _THOUGHTS:
            text = part.get("text")
            texts.append(text if isinstance(text, str) else "")
    return "".join(texts)
