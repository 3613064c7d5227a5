"""Negation: the right verb, the right form, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from divlogic.sentences.tokens import text_of
from tests.support import cases
from tests.unit.sentences.conftest import negate

from .conftest import sentence

SINGULAR = [
    "the/DT dog/NN",
    "a/DT young/JJ woman/NN in/IN a/DT red/JJ coat/NN",
    "Maria/NNP",
    "the/DT parked/VBN bus/NN",
]
PLURAL = ["two/CD boys/NNS", "people/NNS", "a/DT man/NN and/CC a/DT woman/NN", "the/DT old/JJ trains/NNS"]
REST = ["", "near/IN the/DT river/NN", "with/IN a/DT blue/JJ kite/NN", "to/TO buy/VB bread/NN", "outside/RB"]
PRESENT = {"run": "runs", "carry": "carries", "watch": "watches", "go": "goes", "have": "has", "do": "does"}
PAST = {"run": "ran", "carry": "carried", "find": "found", "go": "went", "have": "had", "teach": "taught"}
ADVERBS = ["", "quietly/RB", "often/RB"]


def negated(tagged: str) -> str | None:
    result = negate(sentence(tagged), "as_published")
    return None if result is None else text_of(result)


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
    tokens = sentence(f"{parts[0]} {parts[1]} {rest}")
    once = negate(tokens, "as_published")
    assert once is not None
    twice = negate(once, "as_published")
    assert twice is not None
    assert text_of(twice) == text_of(tokens)
    assert text_of(once) != text_of(tokens)


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


@pytest.mark.parametrize(("positive", "negative"), cases(__file__, "verb_groups"))
def test_the_verb_group_decides_the_form(positive: str, negative: str) -> None:
    assert negated(positive) == negative


@pytest.mark.parametrize(("negative", "positive"), cases(__file__, "reverted"))
def test_a_negated_sentence_reverts_to_its_positive_form(negative: str, positive: str) -> None:
    assert negated(negative) == positive


@pytest.mark.parametrize(("one", "other"), cases(__file__, "quantified"))
def test_quantified_subjects_are_negated_with_the_right_scope(one: str, other: str) -> None:
    assert negated(one) == other
    back = negate(negate(sentence(one)) or ())
    assert back is not None
    assert text_of(back) == text_of(sentence(one))


def test_some_in_the_predicate_becomes_any_and_back() -> None:
    assert negated("the/DT man/NN buys/VBZ some/DT bread/NN") == "the man doesn't buy any bread"
    assert negated("the/DT man/NN does/VBZ n't/RB buy/VB any/DT bread/NN") == "the man buys some bread"


@pytest.mark.parametrize("tagged", cases(__file__, "uncertain"))
def test_sentences_whose_negation_is_not_certain_have_none(tagged: str) -> None:
    assert negated(tagged) is None


def test_a_verb_that_is_followed_by_an_object_alone_is_negated() -> None:
    found = negated("the/DT goats/NNS had/VBD complete/JJ control/NN")
    assert found == "the goats didn't have complete control"
    assert negated("a/DT bowl/NN of/IN bread/NN and/CC butter/NN is/VBZ on/IN the/DT table/NN") is not None


@pytest.mark.parametrize(("denied", "positive"), cases(__file__, "articles"))
def test_an_article_goes_with_how_a_word_is_read_aloud(denied: str, positive: str) -> None:
    result = negate(sentence(denied))
    assert result is not None and text_of(result) == positive
