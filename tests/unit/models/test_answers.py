"""Answer formats: prompt fragments, the reading of answers, log-probabilities of letters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st
from inspect_ai.model import Logprob, TopLogprob

from divlogic.models import answers
from divlogic.models.answers import AnswerFormat, Labels, Letters, letter_logprobs, likeliest
from divlogic.records import Record


@pytest.mark.parametrize("form", [Letters(4), Labels(("True", "False", "Uncertain"))])
def test_an_empty_answer_is_none(form: AnswerFormat) -> None:
    assert form.read("") is None
    assert form.read(None) is None


@given(st.integers(1, 26).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_a_letter_is_read_as_it_was_shown_whatever_the_number_of_options(
    case: tuple[int, int],
) -> None:
    count, position = case
    form = Letters(count)
    assert form.read(f"Answer: {form.shown(position)}") == form.names[position]


def test_an_option_may_be_named_by_its_text() -> None:
    options = ("a man sleeps", "a dog runs")
    assert Letters(2).read("Answer: A dog runs.", options) == "B"
    assert Letters(2).read("A dog runs.", options) == "B"
    assert Letters(2).read("Either a dog runs or a man sleeps.", options) is None


def test_labels_that_differ_in_case_alone_are_refused() -> None:
    with pytest.raises(ValueError, match="distinct"):
        Labels(("True", "true"))


def test_a_rubric_is_read_only_when_every_point_is_decided() -> None:
    assert answers.read_verdicts('I think:\n```json\n{"2": false, "1": true}\n```', 2) == [
        True,
        False,
    ]
    assert answers.read_verdicts('{"1": true}', 2) is None
    assert answers.read_verdicts('{"1": true, "2": "yes"}', 2) is None
    assert answers.read_verdicts('{"1": true, "2": true, "3": true}', 2) is None
    assert answers.read_verdicts("1: true\n2. **False**", 2) == [True, False]
    assert answers.read_verdicts("1: true\n2: perhaps", 2) is None
    assert answers.read_verdicts('<think>{"1": true}</think>{"1": false}', 1) == [False]


def test_an_object_counts_up_to_the_next_question() -> None:
    said = 'no {"1": true}, but {"1": false}\n\nQuestion: and now?\n{"1": true}'
    assert answers.last_json_object(said) == {"1": False}
    assert answers.last_json_object('Question: which?\n{"1": true}') == {"1": True}


@given(st.text())
def test_any_text_is_searched_for_json_without_an_error(text: str) -> None:
    assert answers.last_json_object(text + ' {"a": {"b": 1}}') == {"a": {"b": 1}}
    answers.last_json_object(text)


def test_options_that_are_sentences_stand_under_letters_and_others_are_labels() -> None:
    def record(*options: str) -> Record:
        return Record("1", "b", "test", "", "q", options, 0)

    assert answers.format_of(record("a man sleeps", "a dog runs")) == Letters(2)
    assert answers.format_of(record("entailment", "contradiction")) == Labels(
        ("entailment", "contradiction")
    )
    form = answers.format_of(record("True", "False", "Uncertain"))
    assert isinstance(form, Labels) and "Uncertain" in form.hint


ABCD = ("A", "B", "C", "D")


def token(text: str, **alternatives: float) -> Logprob:
    top = [TopLogprob(token=name, logprob=math.log(p)) for name, p in alternatives.items()]
    return Logprob(token=text, logprob=-0.1, top_logprobs=top or None)


def test_spellings_of_one_letter_are_added_up() -> None:
    tokens = [token("B", **{"B": 0.3, " B": 0.2, "A": 0.4, "The": 0.1})]
    found = letter_logprobs(tokens, ABCD)
    assert found["B"] == pytest.approx(math.log(0.5))
    assert found["A"] == pytest.approx(math.log(0.4))
    assert set(found) == {"A", "B"}
    assert likeliest(found) == "B"


def test_the_token_that_spells_the_answer_is_the_one_that_counts() -> None:
    tokens = [token("Answer", A=0.9), token(":"), token(" C", **{" C": 0.6, " D": 0.3})]
    assert set(letter_logprobs(tokens, ABCD, "C")) == {"C", "D"}
    assert letter_logprobs(tokens, ABCD, "B") == {}


def test_a_letter_that_is_named_twice_counts_where_it_is_said_last() -> None:
    tokens = [token("B", B=0.5, A=0.4), token(" fails"), token("B", B=0.9, D=0.05)]
    found = letter_logprobs(tokens, ABCD, "B")
    assert found == pytest.approx({"B": math.log(0.9), "D": math.log(0.05)}, abs=1e-6)


def test_an_alternative_that_a_server_lists_twice_counts_once_with_its_first_probability() -> None:
    top = [TopLogprob(token="B", logprob=math.log(p)) for p in (0.6, 0.1)]
    (found,) = letter_logprobs([Logprob(token="B", logprob=-0.5, top_logprobs=top)], ABCD).items()
    assert found == ("B", pytest.approx(math.log(0.6), abs=1e-6))


def test_a_first_token_that_is_no_letter_gives_none() -> None:
    assert letter_logprobs([token("The", The=0.9)], ABCD) == {}
    assert letter_logprobs([], ABCD) == {}
    assert likeliest({}) is None


def test_of_equal_letters_the_first_is_taken() -> None:
    assert likeliest({"C": -1.0, "B": -1.0}) == "B"
