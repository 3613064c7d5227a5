"""Log-probabilities: answers by likelihood, and what is recorded where a server gives them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.requests import read_responses
from tests.integration.fault_runs import run, stored
from tests.integration.fault_server import Handler, serving
from tests.unit.evaluation.samples import rotations

pytestmark = pytest.mark.integration


def test_likelihood_takes_the_likeliest_letter_and_records_all(tmp_path: Path) -> None:
    asked = rotations(3, "likelihood")
    likely = {" C": 0.5, "A": 0.2, "The": 0.3}
    with serving(lambda handler, *_: handler.say("The", logprobs=likely)) as (address, handler):
        summary = run(tmp_path / "store.sqlite", address, asked)
        assert (summary.answered, summary.unreadable) == (12, 0)
        assert {(body["max_tokens"], body["logprobs"], body["top_logprobs"]) for body in handler.bodies} == {
            (1, True, 20)
        }
        found = stored(tmp_path / "store.sqlite", address, asked)
    assert {p.predicted for p in found} == {"C"}
    assert found[0].logprobs == {"A": pytest.approx(math.log(0.2)), "C": pytest.approx(math.log(0.5))}


def test_likelihood_at_a_server_without_log_probabilities_is_said_at_once(tmp_path: Path) -> None:
    asked = rotations(20, "likelihood")
    with serving() as (address, handler):
        with pytest.raises(DivLogicError, match=r"gives no log-probabilities.*another prompt style"):
            run(tmp_path / "store.sqlite", address, asked)
        assert handler.asked.total() <= 4


def test_a_tokenizer_without_the_letters_is_named_after_a_few_questions(tmp_path: Path) -> None:
    asked = rotations(20, "likelihood")
    words = {"The": 0.6, "Answer": 0.4}
    with serving(lambda handler, *_: handler.say("The", logprobs=words)) as (address, handler):
        with pytest.raises(
            DivLogicError, match=r"none of the letters A, B, C, D .*tokenizer.*generated answers"
        ):
            run(tmp_path / "store.sqlite", address, asked)
        assert handler.asked.total() <= 8 + 4
    # These answers say nothing and are not kept: nothing of them would stand in the way of a later run.
    assert not read_responses(tmp_path / "store.sqlite")


def test_single_questions_without_a_letter_are_unreadable_answers(tmp_path: Path) -> None:
    asked = rotations(20, "likelihood")

    def sometimes(handler: Handler, prompt: str, before: int) -> None:
        odd = handler.asked.total() % 5 != 0
        handler.say("The", logprobs={"The": 0.6} if odd else {"The": 0.6, "B": 0.1})

    with serving(sometimes) as (address, _):
        summary = run(tmp_path / "store.sqlite", address, asked, concurrency=1)
    assert (summary.answered, summary.unanswered) == (80, 0)
    assert summary.unreadable == 64


def test_log_probabilities_are_recorded_where_a_server_gives_them_and_missed_by_nobody(
    tmp_path: Path,
) -> None:
    def gives(handler: Handler, prompt: str, before: int) -> None:
        handler.say("B", logprobs={"B": 0.7, "D": 0.1})

    def refuses(handler: Handler, prompt: str, before: int) -> None:
        if "logprobs" in handler.bodies[-1]:
            handler.reply(400, b"unknown field logprobs")

    for name, behaviour, letters in (("gives", gives, {"B", "D"}), ("refuses", refuses, None)):
        store = tmp_path / f"{name}.jsonl"
        with serving(behaviour) as (address, _):
            summary = run(store, address, rotations(), concurrency=1)
        assert (summary.answered, summary.faults.total()) == (12, 0)
        for response in read_responses(store).values():
            assert (response.logprobs and set(response.logprobs)) == letters
