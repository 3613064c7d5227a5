"""Negation: the right verb, the right form, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.sentences.tokens import text_of
from tests.support import cases

from .conftest import denied, negate, sentence

SINGULAR = [
    "the/DT dog/NN",
    "a/DT young/JJ woman/NN in/IN a/DT red/JJ coat/NN",
    "Maria/NNP",
    "the/DT parked/VBN bus/NN",
]
PLURAL = [
    "two/CD boys/NNS",
    "people/NNS",
    "a/DT man/NN and/CC a/DT woman/NN",
    "the/DT old/JJ trains/NNS",
]
REST = [
    "",
    "near/IN the/DT river/NN",
    "with/IN a/DT blue/JJ kite/NN",
    "to/TO buy/VB bread/NN",
    "outside/RB",
]
PRESENT = {
    "run": "runs",
    "carry": "carries",
    "watch": "watches",
    "go": "goes",
    "have": "has",
    "do": "does",
}
PAST = {
    "run": "ran",
    "carry": "carried",
    "find": "found",
    "go": "went",
    "have": "had",
    "teach": "taught",
}
ADVERBS = ["", "quietly/RB", "often/RB"]


@st.composite
def verb_groups(draw: st.DrawFn) -> tuple[str, str]:
    """A positive verb group with the subject it goes with: (subject, verb group), both tagged."""
    plural = draw(st.booleans())
    subject = draw(st.sampled_from(PLURAL if plural else SINGULAR))
    adverb = draw(st.sampled_from(ADVERBS))
    be, have = ("are/VBP", "have/VBP") if plural else ("is/VBZ", "has/VBZ")
    past_be = "were/VBD" if plural else "was/VBD"
    lemma = draw(st.sampled_from(sorted(PRESENT)))
    past = draw(st.sampled_from(sorted(PAST.values())))
    present = f"{lemma}/VBP" if plural else f"{PRESENT[lemma]}/VBZ"
    modal = draw(st.sampled_from(["can/MD", "will/MD", "could/MD", "would/MD", "should/MD"]))
    group = draw(
        st.sampled_from(
            [
                f"{adverb} {present}",
                f"{adverb} {past}/VBD",
                f"{be} {adverb} walking/VBG",
                f"{past_be} being/VBG painted/VBN",
                f"{have} {adverb} fallen/VBN",
                f"{have} been/VBN sleeping/VBG",
                f"{modal} {adverb} {lemma}/VB",
                f"{modal} be/VB seen/VBN",
                f"{be} cold/JJ",
                f"{past_be} in/IN a/DT hurry/NN",
            ]
        )
    )
    return subject, group


@given(verb_groups(), st.sampled_from(REST))
def test_negating_twice_gives_the_sentence_again(parts: tuple[str, str], rest: str) -> None:
    tagged = f"{parts[0]} {parts[1]} {rest}"
    assert denied(tagged, "as_published", times=2) == text_of(sentence(tagged))
    assert denied(tagged, "as_published") not in (None, text_of(sentence(tagged)))


@given(verb_groups(), st.sampled_from(REST))
def test_words_outside_the_verb_group_stay_and_one_negation_comes_in(
    parts: tuple[str, str], rest: str
) -> None:
    subject, group = parts
    tokens = sentence(f"{subject} {group} {rest}")
    once = negate(tokens, "as_published")
    assert once is not None
    before, after = len(sentence(subject)), len(sentence(rest))
    assert once[:before] == tokens[:before]
    assert once[len(once) - after :] == tokens[len(tokens) - after :]
    assert sum(token.text == "n't" for token in once) == 1
    # At most one word beside *n't* is new (do-support), and at most one changes its form (the main verb).
    assert len(once) - len(tokens) in (1, 2)
    assert len({t.text for t in tokens} - {t.text for t in once}) <= 1


@pytest.mark.parametrize(("tagged", "other"), cases(__file__, "as_published"))
def test_the_verb_group_decides_the_form_of_a_denial_and_of_what_is_no_longer_denied(
    tagged: str, other: str
) -> None:
    assert denied(tagged, "as_published") == other


@pytest.mark.parametrize(("one", "other"), cases(__file__, "quantified"))
def test_quantified_subjects_are_negated_with_the_right_scope(one: str, other: str) -> None:
    assert denied(one, "as_published") == other
    assert denied(one, times=2) == text_of(sentence(one))


@pytest.mark.parametrize("tagged", cases(__file__, "uncertain"))
def test_sentences_whose_negation_is_not_certain_have_none(tagged: str) -> None:
    assert denied(tagged, "as_published") is None


@pytest.mark.parametrize(("tagged", "other"), cases(__file__, "wide_scope"))
def test_a_denial_of_the_whole_sentence_is_worded_as_it_is_read_aloud(
    tagged: str, other: str | None
) -> None:
    assert denied(tagged) == other
