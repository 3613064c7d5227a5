"""Answers to ten drawn prompts, each worth what a reader of the prompt says, through the documented doors."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

import divlogic
from divlogic.library import trl

ROWS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("prompts.yaml").read_text(encoding="utf-8")
)
KEPT: dict[str, dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("prompts_items.yaml").read_text(encoding="utf-8")
)
READ_AGAIN = "read the prompt again and judge the answers anew"


def named(row: dict[str, Any]) -> str:
    return f"{row['name']} {row['seed']} {row['index']}"


def drawn(row: dict[str, Any]) -> dict[str, Any]:
    """Return the item of a prompt: the one that was read, where another one is drawn today."""
    if row["digest"] in KEPT:
        return KEPT[row["digest"]]
    data = divlogic.create(row["name"], size=12, seed=row["seed"], level=row["level"])
    item: dict[str, Any] = data[row["index"]]
    return item


def answers() -> list[Any]:
    """Return a case per answer: its prompt, its text, what it must earn, and the share of it that is right."""
    cases = []
    for row in ROWS:
        for number, (text, earns, *share) in enumerate(row["answers"], start=1):
            part = float(Fraction(share[0])) if share else float(earns)
            wrong = row.get("wrong", {}).get(number)
            marks = [pytest.mark.xfail(strict=True, reason=wrong)] if wrong else []
            name = f"{named(row)} answer {number}"
            case = pytest.param(row, text, earns, part, id=name, marks=marks)
            cases.append(case)
    return cases


def by_columns(item: dict[str, Any], completion: Any) -> dict[str, Any]:
    """Return what TRL hands to a reward: a list per column."""
    [row] = trl.rows([item])
    columns = {name: [value] for name, value in row.items()}
    prompts = columns.pop("prompt")
    return {"completions": [completion], "prompts": prompts, **columns}


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_prompt_is_the_one_that_was_read(row: dict[str, Any]) -> None:
    shown = drawn(row)["question"]
    digest = hashlib.sha256(shown.encode()).hexdigest()[:16]
    assert row["digest"] == digest, f"{READ_AGAIN}, then record {digest}"


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_recorded_answer_is_the_one_that_follows(row: dict[str, Any]) -> None:
    answer = drawn(row)["answer"]
    if row["name"] == "llmeval_logic":
        assert divlogic.score_answer(row["right"], drawn(row)) == 1
    else:
        assert answer == row["right"]


@pytest.mark.parametrize(("row", "text", "earns", "part"), answers())
def test_an_answer_earns_what_a_reader_of_the_prompt_gives(
    row: dict[str, Any], text: str, earns: int, part: float
) -> None:
    item = drawn(row)
    data = divlogic.create(row["name"], size=12, seed=row["seed"], level=row["level"])
    assert divlogic.score_answer(text, item) == earns
    assert data.score_answer(text, item) == earns
    assert divlogic.score_answer(text, item, credit="each") == pytest.approx(part)


@pytest.mark.parametrize(("row", "text", "earns", "part"), answers())
def test_a_trainer_pays_the_same_for_texts_and_for_messages(
    row: dict[str, Any], text: str, earns: int, part: float
) -> None:
    item = drawn(row)
    message = [{"role": "assistant", "content": text}]
    assert trl.item_reward(**by_columns(item, text)) == [earns]
    assert trl.item_reward(**by_columns(item, message)) == [earns]
    assert trl.sub_question_reward(**by_columns(item, message)) == [pytest.approx(part)]


def messages() -> list[Any]:
    return [
        pytest.param(row, given, earns, id=f"{named(row)} messages {number}")
        for row in ROWS
        for number, (given, earns) in enumerate(row.get("messages", []), start=1)
    ]


@pytest.mark.parametrize(("row", "given", "earns"), messages())
def test_of_messages_the_last_text_of_the_model_counts(
    row: dict[str, Any], given: list[dict[str, Any]], earns: int
) -> None:
    assert trl.item_reward(**by_columns(drawn(row), given)) == [earns]
