"""Readers of k rounds: right from the round on in which the last premise is applied, a guess before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tools.rounds import share_right

import divlogic
from divlogic.records import Record

FORMULAS = {"premises": ["A", "(A→B)", "(B→C)", "(C→D)"], "query": "D"}
CHAIN = Record(
    "1", "justlogic", "test", "", "", ("True", "False", "Uncertain"), 0, formulas=FORMULAS
)


def test_a_chain_takes_a_round_from_each_end() -> None:
    """The denial of the query is followed backwards while the fact is followed forwards."""
    assert [share_right(CHAIN, rounds) for rounds in (0, 1, 2, 3)] == [0.0, 0.0, 1.0, 1.0]
    denied = replace(CHAIN, answer=1, formulas={**FORMULAS, "query": "¬D"})
    assert [share_right(denied, rounds) for rounds in (1, 2)] == [0.0, 1.0]
    open_ = replace(CHAIN, answer=2, formulas={**FORMULAS, "query": "E"})
    assert share_right(open_, 9) == 1.0


@pytest.mark.parametrize("kind", ["3c1e", "3e1c", "missing_premise"])
def test_a_reader_of_no_round_guesses_among_the_options(kind: str) -> None:
    items = divlogic.create("divlogiceval", size=24, seed=1, level=1)
    records = [one for one in items.records() if one.question_type == kind]
    assert records
    assert {share_right(one, 0) for one in records} == {0.25}
    assert {share_right(one, 4) for one in records} == {1.0}


def test_more_rounds_answer_more_sub_questions() -> None:
    records = list(divlogic.create("llmeval_logic", size=6, seed=1, level=1).records())
    shares = [sum(share_right(one, rounds) for one in records) for rounds in (0, 1, 4)]
    assert shares == sorted(shares) and shares[0] < shares[-1]
