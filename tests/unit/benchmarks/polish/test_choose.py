"""Which correction of a text is accepted."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.benchmarks.polish.run import connectives, select_proposal, similarity
from divlogic.benchmarks.templates import load_templates
from divlogic.logic import parse

ORIGINAL = "If two man is riding a horse, then a women isn't baking bread."
CORRECTED = "If two men are riding a horse, then a woman isn't baking bread."


@given(st.text("abc", max_size=30), st.text("abc", max_size=30))
def test_similarity_is_that_of_the_definition(left, right):
    pieces = {left[i:j] for i in range(len(left)) for j in range(i + 1, len(left) + 1)}
    expected = max((len(piece) for piece in pieces if piece in right), default=0)
    assert similarity(left, right) == (expected / max(len(left), len(right)) if left or right else 1)


@given(st.text(max_size=40), st.text(max_size=40))
def test_similarity_is_symmetric_between_zero_and_one_and_one_for_equals(left, right):
    assert 0 <= similarity(left, right) == similarity(right, left) <= 1
    assert similarity(left, left) == 1


def test_a_proposal_of_megabytes_is_refused_before_it_is_compared():
    assert select_proposal("ab" * 50 + ".", ["ab" * 4_000_000 + "."], min_ratio=0.1) == "ab" * 50 + "."


def test_a_proposal_must_be_more_alike_than_the_threshold():
    assert select_proposal("abcd", ["abXd"], min_ratio=0.5) == "abcd"
    assert select_proposal("abcd", ["abXd"], min_ratio=0.49) == "abXd"


def test_the_smallest_change_wins_whatever_the_order_of_trials():
    small, large = "A dog runs fast.", "A dog is running fast."
    for proposals in ([small, large], [large, small]):
        assert select_proposal("A dog run fast.", proposals, min_ratio=0.1) == small
    assert select_proposal("A dog run fast.", [small, "A dog run fast."], min_ratio=0.1) == "A dog run fast."


def test_without_a_usable_proposal_the_text_stays():
    assert select_proposal(ORIGINAL, [None, "", "Corrected text:\n" + CORRECTED], min_ratio=0.1) == ORIGINAL


def test_grammar_may_change_while_connectives_stay():
    assert select_proposal(ORIGINAL, [CORRECTED], min_ratio=0.3) == CORRECTED


@pytest.mark.parametrize(
    "proposal",
    [
        "If two men are riding a horse, a woman isn't baking bread.",
        "Only if two men are riding a horse, then a woman isn't baking bread.",
        "Unless two men are riding a horse, then a woman isn't baking bread.",
        "If two men are riding a horse, then a woman is baking bread.",
        "If two men are riding a horse, then a woman isn't baking bread",
        "If two men aren't riding a horse, then a woman is baking bread.",
    ],
)
def test_a_proposal_that_touches_the_logic_is_refused(proposal):
    assert select_proposal(ORIGINAL, [proposal], min_ratio=0.0) == ORIGINAL


def test_negation_counts_as_one_word_however_it_is_spelled():
    assert (
        connectives("It isn't so.") == connectives("It is not so.") == connectives("It isn’t so.") == ("not",)
    )


def test_every_template_has_connectives_that_an_edit_would_change():
    templates = load_templates()
    frames = [frame for heading, frames in templates.frames.items() if heading != "A" for frame in frames]
    clauses = ["the sun shines", "the wind blows", "the rain falls"]
    assert all(connectives(frame.sentence(clauses)) for frame in frames)


def test_generated_sentences_survive_a_model_that_changes_nothing():
    clauses = ["two man is riding", "it rains"]
    text = load_templates().frame(parse("(A→B)"), clauses, 3).sentence(clauses)
    assert select_proposal(text, [text, text], min_ratio=0.5) == text
