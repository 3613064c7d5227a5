"""Rewards for trainers: who is paid for what, and which rows are none of ours. What is wanted is counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

import divlogic
from divlogic.errors import DivLogicError
from divlogic.library.trl import group_reward, item_reward, rows, sub_question_reward

WRONG = "I cannot say"


def quartet(level: int = 2, seed: int = 1, name: str = "logicnli") -> list[dict[str, Any]]:
    return rows(divlogic.create(name, size=4, seed=seed, level=level))


def columns(of: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the columns of rows, as a trainer hands them over."""
    return {name: [row[name] for row in of] for name in of[0] if name != "prompt"}


def right(of: list[dict[str, Any]]) -> list[str]:
    return [row["answer"] for row in of]


@pytest.mark.parametrize(
    "other",
    [
        {"level": 3},
        {"seed": 2},
        {"name": "divlogiceval"},
    ],
)
def test_halves_of_two_groups_are_no_group(other: dict[str, Any]) -> None:
    first, second = quartet(), quartet(**other)
    halves = [first[0], first[1], second[2], second[3]]
    assert group_reward(right(halves), **columns(halves)) == [None] * 4


def test_halves_of_two_data_sets_of_the_same_items_are_no_group() -> None:
    first, second = quartet(name="divlogiceval"), quartet(name="ilogiceval")
    halves = [first[0], first[1], second[2], second[3]]
    assert group_reward(right(halves), **columns(halves)) == [None] * 4


def test_halves_of_two_configurations_or_files_are_no_group() -> None:
    given: list[dict[str, Any]] = [
        {"noise": [2]},
        {"noise": [4]},
        {"allotment": "once", "split": "d_test"},
    ]
    drawn = [rows(divlogic.create("logicnli", size=4, seed=1, **one)[:4]) for one in given]
    for first, second in ((drawn[0], drawn[1]), (drawn[1], drawn[2])):
        halves = [first[0], first[1], second[2], second[3]]
        assert set(group_reward(right(halves), **columns(halves))) == {None}


def test_a_wrong_item_costs_its_own_group_and_no_other() -> None:
    first, second = quartet(level=2), quartet(level=4)
    # In the order a0 b0 b1 a1 a2 b2 b3 a3; a0 is wrong.
    both = [first[0], second[0], second[1], first[1], first[2], second[2], second[3], first[3]]
    said = [WRONG, *right(both)[1:]]
    assert group_reward(said, **columns(both)) == [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0]


def test_each_generation_of_a_group_stands_for_itself() -> None:
    # Each prompt three times in a row, as trainers repeat them: of the second tries one is wrong.
    tries = [row for row in quartet() for _ in range(3)]
    said = right(tries)
    said[4] = WRONG  # the second try at the second member
    assert group_reward(said, **columns(tries)) == [1.0, 0.0, 1.0] * 4


def test_a_group_that_lacks_a_member_is_not_judged() -> None:
    logged: dict[str, float] = {}
    eight = rows(divlogic.create("logicnli", size=8, seed=1, level=2))
    seven = eight[:7]
    rewards = group_reward(right(seven), log_metric=logged.__setitem__, **columns(seven))
    assert rewards == [1.0] * 4 + [None] * 3
    assert logged == {"groups_whole": pytest.approx(4 / 7), "items_right": 1.0}


@pytest.mark.parametrize("others", ["gsm8k", None])
def test_rows_of_other_tasks_are_not_applicable(others: str | None) -> None:
    row: dict[str, Any] = dict.fromkeys(columns(quartet()))
    foreign = {**row, "benchmark": others, "answer": 42}
    mixed = [foreign, *quartet(), foreign]
    said = ["42", *right(quartet()), "42"]
    for reward in (item_reward, group_reward, sub_question_reward):
        assert reward(said, **columns(mixed)) == [None, 1.0, 1.0, 1.0, 1.0, None]
    logged: dict[str, float] = {}
    group_reward(said, log_metric=logged.__setitem__, **columns(mixed))
    # Of the four items alone.
    assert logged == {"groups_whole": 1.0, "items_right": 1.0}


def test_a_batch_of_other_tasks_alone_is_not_applicable() -> None:
    logged: dict[str, float] = {}
    assert item_reward(["42"], answer=["42"]) == [None]
    assert group_reward(["42"], answer=["42"], log_metric=logged.__setitem__) == [None]
    assert logged == {}


def test_a_row_of_ours_that_lacks_a_column_gets_a_sentence() -> None:
    for name in ("answer", "options", "group_id", "source_index", "group_size"):
        left = {key: values for key, values in columns(quartet()).items() if key != name}
        with pytest.raises(DivLogicError, match=f"has no '{name}'; make the rows with"):
            group_reward(right(quartet()), **left)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def model(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


TOOL = {"role": "tool", "content": "neutral"}
CALL = {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]}
ENTAILED = [{"type": "text", "text": "Answer: "}, {"type": "text", "text": "entailment"}]


@pytest.mark.parametrize(
    ("completion", "reward"),
    [
        ("Answer: entailment", 1.0),
        ([model("Answer: entailment")], 1.0),
        # The last text of the model counts, not its first, and no one else's.
        ([model("Answer: neutral"), user("Sure?"), model("Answer: entailment")], 1.0),
        ([model("Answer: entailment"), user("Sure?"), model("Answer: neutral")], 0.0),
        ([model("Answer: entailment"), TOOL], 1.0),
        ([model("Answer: entailment"), CALL, TOOL], 1.0),
        ([model("Answer: neutral"), user("Answer: entailment")], 0.0),
        ([model("Answer: entailment"), model("")], 1.0),
        ([model("Answer: entailment"), model(None)], 1.0),
        ([model(ENTAILED)], 1.0),
        (
            [model([{"type": "thinking", "thinking": "x", "text": "Answer: neutral"}, *ENTAILED])],
            1.0,
        ),
        ([model([{"type": "image_url", "image_url": {}}])], 0.0),
        ([model(["Answer: entailment"])], 1.0),
        (model("Answer: entailment"), 1.0),
        ([{"content": "Answer: entailment"}], 1.0),
        ([CALL], 0.0),
        ([{"role": "assistant"}], 0.0),
        ([model(7)], 0.0),
        ([TOOL], 0.0),
        ([None], 0.0),
        ([], 0.0),
        ("", 0.0),
        (None, 0.0),
    ],
)
def test_the_last_text_of_the_model_is_its_answer(completion: Any, reward: float) -> None:
    (row,) = [row for row in quartet() if row["answer"] == "entailment"]
    assert item_reward([completion], **columns([row])) == [reward]


def test_sub_questions_can_be_paid_one_by_one() -> None:
    three = {
        "answer": ['{"1":"不一定","2":8,"3":[1,3]}'],
        "benchmark": ["llmeval_logic"],
        "options": [[]],
        "sub_questions": [["necessary", "count_models", "statements_all 4"]],
    }
    for said, share in (
        ('{"1": "否", "2": "八种", "3": "（1）、（3）"}', 1.0),
        ('{"1": "一定", "2": 8, "3": [3, 1]}', 2 / 3),
        ('{"1": "一定", "2": 8, "3": "1或3"}', 1 / 3),
        ('{"2": 8}', 1 / 3),
        ('{"1": "不一定", "2": 8, "3": [1, 3], "4": "是"}', 0.0),
        ("不一定，8，[1, 3]", 0.0),
    ):
        assert sub_question_reward([said], **three) == [pytest.approx(share)]
        assert item_reward([said], **three) == [float(share == 1.0)]
