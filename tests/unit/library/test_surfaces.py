"""The second person: answers to shown prompts as people write them earn what they must, through every door."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

import divlogic
from divlogic.library import reasoning_gym, seal, trl
from divlogic.library.lm_eval import utils as lm_eval
from tests.unit.library.test_adapters import needed

SHEET = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
SEED = 42
LEVELS = {"llmeval_logic": 2, "logicnli": 1, "justlogic": 1, "divlogiceval": 1}


READ = json.loads(Path(__file__).with_name("test_surfaces_items.json").read_text(encoding="utf-8"))
"""The items whose prompts were read and answered; the generators may draw other ones by now."""


def drawn(name: str, index: int) -> dict[str, Any]:
    """Return the item of a prompt of the sheet: the one that was read."""
    item: dict[str, Any] = READ[f"{name} {index}"]
    return item


def answers(one: dict[str, Any]) -> list[tuple[str, float | None, float]]:
    """Return each answer to a prompt, what it earns (``None``: it is not read), and the share of it that is right."""
    given = one["answers"]
    if given == "labels":
        given = [[text.format(**one), earns] for text, earns in SHEET["labels"]]
    return [
        (text, earns, float(Fraction(shares[0])) if shares else float(earns or 0))
        for text, earns, *shares in given
    ]


ITEMS = [pytest.param(one, id=f"{one['name']} {one['index']}") for one in SHEET["items"]]


@pytest.mark.parametrize("one", ITEMS)
def test_the_prompt_is_the_one_that_was_read(one: dict[str, Any]) -> None:
    shown = drawn(one["name"], one["index"])["question"]
    digest = hashlib.sha256(shown.encode()).hexdigest()[:12]
    assert SHEET["digests"][f"{one['name']} {one['index']}"] == digest, (
        f"the prompt has changed: read it, and the answers to it, again, then record {digest}"
    )


def scored(item: dict[str, Any], text: str) -> float:
    return divlogic.score_answer(text, item)


def by_columns(item: dict[str, Any], completion: Any) -> float | None:
    """Return the reward of a trainer, which hands over columns."""
    (row,) = trl.rows([item])
    columns = {name: [value] for name, value in row.items() if name != "prompt"}
    return trl.item_reward([completion], **columns)[0]


def by_messages(item: dict[str, Any], text: str) -> float | None:
    message = {"role": "assistant", "content": [{"type": "text", "text": text}]}
    return by_columns(item, [message, {"role": "tool", "content": "ok"}])


def by_rows_of_json(item: dict[str, Any], text: str) -> float:
    """Return the score of an item that was written to a file and read again."""
    return divlogic.score_answer(text, json.loads(json.dumps(item)))


def by_lm_eval(item: dict[str, Any], text: str) -> float:
    return lm_eval.process_results(item, [text])["items"][1]


def by_inspect(item: dict[str, Any], text: str) -> float:
    needed("inspect_ai", "inspect-ai")
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    from divlogic.library.inspect_tasks import item_scorer

    state = TaskState(
        model="mockllm/model",
        sample_id=1,
        epoch=1,
        input=item["question"],
        messages=[],
        output=ModelOutput.from_content("mockllm/model", text),
        metadata={"item": item},
    )
    score = asyncio.run(item_scorer()(state, Target(item["answer"])))
    assert score is not None
    return score.as_float()


def by_reasoning_gym(item: dict[str, Any], text: str) -> float:
    rg = needed("reasoning_gym", "reasoning-gym")
    reasoning_gym.register()
    about = item["metadata"]
    name = about["source_dataset"]
    data = rg.create_dataset(f"divlogic_{name}", seed=SEED, size=12, level=LEVELS[name])
    entry = {**data[about["source_index"]], "question": item["question"], "answer": item["answer"]}
    entry["metadata"] = {**entry["metadata"], **item["metadata"]}
    return float(data.score_answer(text, entry))


def by_verifiers(item: dict[str, Any], text: str) -> float:
    needed("verifiers", "verifiers")
    from types import SimpleNamespace

    from divlogic_env import GroupData, GroupTask

    data = GroupData(id="x", name="x", prompt=item["question"], items=[item])
    said: Any = SimpleNamespace(last_reply=text)
    return float(asyncio.run(GroupTask.right(SimpleNamespace(data=data), said)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "surface",
    [
        scored,
        by_columns,
        by_messages,
        by_rows_of_json,
        by_lm_eval,
        by_inspect,
        by_reasoning_gym,
        by_verifiers,
    ],
)
@pytest.mark.parametrize("one", ITEMS)
def test_an_answer_earns_what_it_must(
    one: dict[str, Any], surface: Callable[[dict[str, Any], str], float | None]
) -> None:
    item = drawn(one["name"], one["index"])
    for text, earns, _ in answers(one):
        assert surface(item, text) == float(earns or 0), text


@pytest.mark.parametrize("one", ITEMS)
def test_unread_and_wrong_are_two_things(one: dict[str, Any]) -> None:
    item = drawn(one["name"], one["index"])
    for text, earns, _ in answers(one):
        assert (divlogic.read_answer(text, item) is None) is (earns is None), text
        # What is read and wrong may earn a little for its form; what is not read earns nothing.
        told = divlogic.score_answer(text, item, format=0.1)
        assert told == {1: 1.0, 0: 0.1, None: 0.0}[earns], text


@pytest.mark.parametrize("one", ITEMS)
def test_each_sub_question_earns_its_share(one: dict[str, Any]) -> None:
    item = drawn(one["name"], one["index"])
    for text, _, share in answers(one):
        assert divlogic.score_answer(text, item, credit="each") == pytest.approx(share), text


def test_a_seal_grades_the_answers_of_the_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each column of the sheet is one test-taker; the items of the sheet stand for those of a seal."""
    chosen = [one for one in SHEET["items"] if one["name"] == "llmeval_logic"]
    items = {f"{one['index']}": drawn(one["name"], one["index"]) for one in chosen}
    drawn_seal = SimpleNamespace(gradings=99, members="group")
    monkeypatch.setattr(seal, "_drawn", lambda folder: drawn_seal)
    monkeypatch.setattr(seal, "_secret", lambda folder: b"")
    monkeypatch.setattr(seal, "_items", lambda commitment, secret: items)
    sheets = [answers(one) for one in chosen]
    for number, column in enumerate(zip(*sheets, strict=False)):
        path = tmp_path / f"{number}.jsonl"
        rows = [
            json.dumps({"id": str(one["index"]), "answer": text})
            for one, (text, _, _) in zip(chosen, column, strict=True)
        ]
        path.write_text("\n".join(rows), encoding="utf-8")
        seal.grade(tmp_path, path, name=str(number))
    logged = [json.loads(line) for line in (tmp_path / seal.LOG).read_text().splitlines()]
    wanted = [
        round(100 * sum(earns or 0 for _, earns, _ in column) / 3, 1)
        for column in zip(*sheets, strict=False)
    ]
    assert [row["percent"] for row in logged] == wanted
