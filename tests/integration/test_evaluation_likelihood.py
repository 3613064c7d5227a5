"""Log-probabilities: answers by likelihood, and what is recorded where a server gives them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.models.requests import read_responses
from tests.integration.fault_runs import run, run_served, stored
from tests.integration.fault_server import Behaviour, Handler, serving
from tests.unit.evaluation.samples import rotations

pytestmark = pytest.mark.integration


def test_likelihood_takes_the_likeliest_letter_and_records_all(store: Path) -> None:
    asked = rotations(3, "likelihood")
    likely = {" C": 0.5, "A": 0.2, "The": 0.3}
    with serving(lambda handler, *_: handler.say("The", logprobs=likely)) as (address, handler):
        summary = run(store, address, asked)
        assert (summary.answered, summary.unreadable) == (12, 0)
        sent = {
            (body["max_tokens"], body["logprobs"], body["top_logprobs"]) for body in handler.bodies
        }
        assert sent == {(1, True, 20)}
        found = stored(store, address, asked)
    assert {p.predicted for p in found} == {"C"}
    assert found[0].logprobs == {
        "A": pytest.approx(math.log(0.2)),
        "C": pytest.approx(math.log(0.5)),
    }


def test_likelihood_at_a_server_without_log_probabilities_is_said_at_once(store: Path) -> None:
    asked = rotations(20, "likelihood")
    with serving() as (address, handler):
        with pytest.raises(
            DivLogicError, match=r"gives no log-probabilities.*another prompt style"
        ):
            run(store, address, asked)
        assert handler.asked.total() <= 4


def test_a_tokenizer_without_the_letters_is_named_after_a_few_questions(store: Path) -> None:
    asked = rotations(20, "likelihood")
    words = {"The": 0.6, "Answer": 0.4}
    with serving(lambda handler, *_: handler.say("The", logprobs=words)) as (address, handler):
        with pytest.raises(
            DivLogicError, match=r"none of the letters A, B, C, D .*tokenizer.*generated answers"
        ):
            run(store, address, asked)
        assert handler.asked.total() <= 8 + 4
    # These answers say nothing and are not kept: nothing of them would stand in the way of a later run.
    assert not read_responses(store)


def test_single_questions_without_a_letter_are_unreadable_answers(store: Path) -> None:
    asked = rotations(20, "likelihood")

    def sometimes(handler: Handler, prompt: str, before: int) -> None:
        odd = handler.asked.total() % 5 != 0
        handler.say("The", logprobs={"The": 0.6} if odd else {"The": 0.6, "B": 0.1})

    summary, _ = run_served(store, asked, sometimes, concurrency=1)
    assert (summary.answered, summary.unanswered) == (80, 0)
    assert summary.unreadable == 64


def gives(handler: Handler, prompt: str, before: int) -> None:
    handler.say("B", logprobs={"B": 0.7, "D": 0.1})


def refuses(handler: Handler, prompt: str, before: int) -> None:
    if "logprobs" in handler.bodies[-1]:
        handler.reply(400, b"unknown field logprobs")


@pytest.mark.parametrize(("behaviour", "letters"), [(gives, {"B", "D"}), (refuses, None)])
def test_log_probabilities_are_recorded_where_a_server_gives_them_and_missed_by_nobody(
    store: Path, behaviour: Behaviour, letters: set[str] | None
) -> None:
    summary, _ = run_served(store, rotations(), behaviour, concurrency=1)
    assert (summary.answered, summary.faults.total()) == (12, 0)
    assert all(
        (one.logprobs and set(one.logprobs)) == letters for one in read_responses(store).values()
    )
