"""Group rewards by hand: batches as trainers put them together, and what docs/library.md pays for each row.

A group (LogicNLI's quartet, JustLogic's three) is paid 1 only if all its members are right; where a member is missing,
its rows get None. The nth answer to each member belongs to the nth try of the group.
"""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest

import divlogic
from divlogic.library import trl

WRONG = "Answer: I would rather not say"
Row = dict[str, Any]


def quartets(*, seed: int, level: int, count: int = 1, name: str = "logicnli") -> list[Row]:
    """Return the rows of the first groups of a data set, in order."""
    data = divlogic.create(name, size=12, seed=seed, level=level)
    size = 3 if name == "justlogic" else 4
    return trl.rows(data[: size * count])


def right(row: Row) -> str:
    return f"It follows.\n\nAnswer: {row['answer']}"


def paid(batch: list[tuple[Row, Any]]) -> list[float | None]:
    """Return the group reward of a batch of rows and what was answered to them."""
    rows = [row for row, _ in batch]
    names = {name for row in rows for name in row} - {"prompt"}
    columns = {name: [row.get(name) for row in rows] for name in names}
    prompts = [row["prompt"] for row in rows]
    return trl.group_reward(completions=[answer for _, answer in batch], prompts=prompts, **columns)


def test_a_group_that_is_right_is_paid_and_a_constant_answer_is_not() -> None:
    rows = quartets(seed=71, level=3)
    assert paid([(row, right(row)) for row in rows]) == [1, 1, 1, 1]
    for label in ("entailment", "neutral", "contradiction", "self_contradiction"):
        assert paid([(row, f"Answer: {label}") for row in rows]) == [0, 0, 0, 0]
    for spoilt in range(4):
        batch = [(row, WRONG if i == spoilt else right(row)) for i, row in enumerate(rows)]
        assert paid(batch) == [0, 0, 0, 0]


def test_a_constant_answer_earns_a_quarter_of_the_items_of_a_quartet() -> None:
    rows = quartets(seed=72, level=2, count=3)
    for label in ("entailment", "neutral", "contradiction", "self_contradiction"):
        columns = {name: [row[name] for row in rows] for name in rows[0] if name != "prompt"}
        rewards = trl.item_reward(completions=[label] * 12, **columns)
        assert sum(value for value in rewards if value) == 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"seed": 1, "level": 2}, {"seed": 2, "level": 2}),
        ({"seed": 1, "level": 2}, {"seed": 1, "level": 4}),
        ({"seed": 1, "level": 2}, {"seed": 1 + 2**32, "level": 2}),
    ],
    ids=["two seeds", "two levels", "seeds alike in 32 bits"],
)
def test_halves_of_two_data_sets_are_no_group(first: Row, second: Row) -> None:
    some, others = quartets(**first), quartets(**second)
    halves = [*some[:2], *others[2:]]
    assert paid([(row, right(row)) for row in halves]) == [None, None, None, None]


def test_halves_of_two_generators_are_no_group() -> None:
    some = quartets(seed=1, level=2)
    others = quartets(seed=1, level=2, name="justlogic")
    assert paid([(row, right(row)) for row in [*some[:2], *others[:2]]]) == [None] * 4
    # Beside a whole three, half a quartet stays unpaid and takes nothing from it.
    batch = [(row, right(row)) for row in [*others, *some[:2]]]
    assert paid(batch) == [1, 1, 1, None, None]


def test_a_wrong_answer_costs_its_own_group_alone() -> None:
    some, others = quartets(seed=1, level=2), quartets(seed=1, level=4)
    woven = list(itertools.chain.from_iterable(zip(some, others, strict=True)))
    batch = [(row, WRONG if row is some[0] else right(row)) for row in woven]
    assert paid(batch) == [0, 1, 0, 1, 0, 1, 0, 1]


def test_two_groups_of_one_data_set_are_kept_apart() -> None:
    rows = quartets(seed=73, level=2, count=2)
    batch = [(row, WRONG if i == 5 else right(row)) for i, row in enumerate(rows)]
    assert paid(batch) == [1, 1, 1, 1, 0, 0, 0, 0]
    halves = [*rows[:2], *rows[4:6]]
    assert paid([(row, right(row)) for row in halves]) == [None] * 4


def test_each_try_of_a_group_is_paid_by_itself() -> None:
    rows = quartets(seed=74, level=3)
    batch = []
    for i, row in enumerate(rows):
        # Two answers to each prompt, one after the other; the second one to the first prompt is wrong.
        batch += [(row, right(row)), (row, WRONG if i == 0 else right(row))]
    assert paid(batch) == [1, 0, 1, 0, 1, 0, 1, 0]


def test_three_tries_of_two_groups_in_any_order_of_the_prompts() -> None:
    one, two = quartets(seed=75, level=2), quartets(seed=76, level=2)
    # By try: the first group is right in the first and third one, the second group in the second one only.
    wanted_of = {"one": [1, 0, 1], "two": [0, 1, 0]}
    prompts = [("one", place, row) for place, row in enumerate(one)]
    prompts += [("two", place, row) for place, row in enumerate(two)]
    random.Random(5).shuffle(prompts)
    batch, wanted = [], []
    for name, place, row in prompts:
        for number in range(3):
            # A try that fails fails at another member each time.
            fails = wanted_of[name][number] == 0 and place == number
            batch.append((row, WRONG if fails else right(row)))
            wanted.append(wanted_of[name][number])
    assert paid(batch) == wanted


@pytest.mark.parametrize("missing", range(4))
def test_a_group_without_a_member_is_not_paid(missing: int) -> None:
    rows = quartets(seed=77, level=2)
    there = [row for i, row in enumerate(rows) if i != missing]
    assert paid([(row, right(row)) for row in there]) == [None, None, None]


def test_a_try_that_lacks_a_member_is_not_paid_and_the_whole_one_is() -> None:
    rows = quartets(seed=78, level=2)
    batch = [(row, right(row)) for row in rows for _ in range(2)]
    del batch[-1]
    assert paid(batch) == [1, None, 1, None, 1, None, 1]


def test_rows_of_other_tasks_are_nobody_s() -> None:
    rows = quartets(seed=79, level=2)
    foreign = {**rows[0], "benchmark": "gsm8k", "answer": "42"}
    batch = [(foreign, "42"), *((row, right(row)) for row in rows), (foreign, "Answer: 42")]
    assert paid(batch) == [None, 1, 1, 1, 1, None]
    alone = {"prompt": rows[0]["prompt"], "answer": "42"}
    batch = [(alone, "42"), *((row, right(row)) for row in rows)]
    assert paid(batch) == [None, 1, 1, 1, 1]


def said(row: Row) -> list[Any]:
    """Return forms of a right answer: texts, parts, tools' replies before and after it, thoughts beside it."""
    text = right(row)
    calls = [
        {"role": "assistant", "content": None, "tool_calls": [{}]},
        {"role": "tool", "content": WRONG},
    ]
    return [
        [{"role": "assistant", "content": text}],
        [{"role": "assistant", "content": [{"type": "text", "text": text}]}],
        [{"role": "assistant", "content": text}, {"role": "tool", "content": "ok"}],
        [*calls, {"role": "assistant", "content": text}],
        [{"role": "assistant", "content": text, "reasoning_content": "Or is it neutral?"}],
    ]


@pytest.mark.parametrize("form", range(5))
def test_a_group_is_paid_whatever_form_its_messages_have(form: int) -> None:
    rows = quartets(seed=80, level=2)
    assert paid([(row, said(row)[form]) for row in rows]) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "nothing",
    [
        [],
        "",
        None,
        [{"role": "assistant"}],
        [{"role": "assistant", "content": None}],
        [{"role": "assistant", "content": []}],
        [{"role": "assistant", "content": [{"type": "image", "url": "x"}]}],
        [{"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "look"}}]}],
        [{"role": "tool", "content": "ok"}],
    ],
    ids=lambda value: repr(value)[:40],
)
def test_no_text_is_a_wrong_answer_and_never_an_error(nothing: Any) -> None:
    rows = quartets(seed=81, level=2)
    batch = [(row, nothing if i == 2 else right(row)) for i, row in enumerate(rows)]
    assert paid(batch) == [0, 0, 0, 0]
    [row] = rows[2:3]
    columns = {name: [row[name]] for name in row if name != "prompt"}
    assert trl.item_reward(completions=[nothing], **columns) == [0]


def test_a_mixture_of_whole_groups_pays_every_row() -> None:
    mixed = divlogic.mix({"logicnli": 1, "justlogic": 1}, size=24, groups=True)
    rows = trl.rows(mixed[index] for index in range(24))
    for block in (rows[:12], rows[12:]):
        assert paid([(row, right(row)) for row in block]) == [1] * 12
        assert paid([(row, WRONG) for row in block]) == [0] * 12


def test_rows_that_were_stored_as_json_keep_their_groups() -> None:
    # What a trainer gets after a round trip through a file of JSON.
    rows = json.loads(json.dumps(quartets(seed=82, level=2, count=2)))
    batch = [(row, right(row)) for row in reversed(rows)]
    assert paid(batch) == [1] * 8
