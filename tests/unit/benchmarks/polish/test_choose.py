"""Which correction of a text is accepted."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.benchmarks.polish.run import connectives, select_proposal, similarity
from divlogic.benchmarks.templates import load_templates

ORIGINAL = "If two man is riding a horse, then a women isn't baking bread."
CORRECTED = "If two men are riding a horse, then a woman isn't baking bread."


LONG, DOG = "ab" * 50 + ".", "A dog run fast."
CASES = {
    "of megabytes, which is not compared": (LONG, ["ab" * 4_000_000 + "."], 0.1, LONG),
    "as alike as the threshold": ("abcd", ["abXd"], 0.5, "abcd"),
    "more alike than the threshold": ("abcd", ["abXd"], 0.49, "abXd"),
    "the smaller change first": (
        DOG,
        ["A dog runs fast.", "A dog is running fast."],
        0.1,
        "A dog runs fast.",
    ),
    "the smaller change last": (
        DOG,
        ["A dog is running fast.", "A dog runs fast."],
        0.1,
        "A dog runs fast.",
    ),
    "no change in one trial": (DOG, ["A dog runs fast.", DOG], 0.1, DOG),
    "none, an empty one, one with a heading": (
        ORIGINAL,
        [None, "", f"Text:\n{CORRECTED}"],
        0.1,
        ORIGINAL,
    ),
    "grammar alone, connectives stay": (ORIGINAL, [CORRECTED], 0.3, CORRECTED),
}


@given(
    st.text("abc", max_size=30) | st.text(max_size=30),
    st.text("abc", max_size=30) | st.text(max_size=30),
)
def test_similarity_is_that_of_the_definition_and_symmetric_and_one_for_equals(left, right):
    pieces = {left[i:j] for i in range(len(left)) for j in range(i + 1, len(left) + 1)}
    expected = max((len(piece) for piece in pieces if piece in right), default=0)
    assert similarity(left, right) == (
        expected / max(len(left), len(right)) if left or right else 1
    )
    assert 0 <= similarity(left, right) == similarity(right, left) <= similarity(left, left) == 1


@pytest.mark.parametrize(("text", "proposals", "min_ratio", "chosen"), CASES.values(), ids=CASES)
def test_the_smallest_change_that_is_small_enough_is_accepted(text, proposals, min_ratio, chosen):
    assert select_proposal(text, proposals, min_ratio=min_ratio) == chosen


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


@pytest.mark.parametrize("text", ["It isn't so.", "It is not so.", "It isn’t so."])
def test_negation_counts_as_one_word_however_it_is_spelled(text):
    assert connectives(text) == ("not",)


def test_every_template_has_connectives_that_an_edit_would_change():
    templates = load_templates()
    frames = [
        frame for heading, frames in templates.frames.items() if heading != "A" for frame in frames
    ]
    clauses = ["the sun shines", "the wind blows", "the rain falls"]
    assert all(connectives(frame.sentence(clauses)) for frame in frames)
