"""Log-probabilities of the letters at the token that gives the answer."""

from __future__ import annotations

import math

import pytest
from inspect_ai.model import Logprob, TopLogprob

from divlogic.models.answers import letter_logprobs, likeliest

LETTERS = ("A", "B", "C", "D")


def token(text: str, **alternatives: float) -> Logprob:
    top = [TopLogprob(token=name, logprob=math.log(p)) for name, p in alternatives.items()]
    return Logprob(token=text, logprob=-0.1, top_logprobs=top or None)


def test_spellings_of_one_letter_are_added_up() -> None:
    tokens = [token("B", **{"B": 0.3, " B": 0.2, "A": 0.4, "The": 0.1})]
    found = letter_logprobs(tokens, LETTERS)
    assert found["B"] == pytest.approx(math.log(0.5))
    assert found["A"] == pytest.approx(math.log(0.4))
    assert set(found) == {"A", "B"}
    assert likeliest(found) == "B"


def test_the_token_that_spells_the_answer_is_the_one_that_counts() -> None:
    tokens = [token("Answer", A=0.9), token(":"), token(" C", **{" C": 0.6, " D": 0.3})]
    assert set(letter_logprobs(tokens, LETTERS, "C")) == {"C", "D"}
    assert letter_logprobs(tokens, LETTERS, "B") == {}


def test_a_first_token_that_is_no_letter_gives_none() -> None:
    assert letter_logprobs([token("The", The=0.9)], LETTERS) == {}
    assert letter_logprobs([], LETTERS) == {}
    assert likeliest({}) is None


def test_of_equal_letters_the_first_is_taken() -> None:
    assert likeliest({"C": -1.0, "B": -1.0}) == "B"
