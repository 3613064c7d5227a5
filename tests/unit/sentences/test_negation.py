"""Negation: the right verb, the right form, and back again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlogic.sentences.tokens import sentence, text_of
from tests.unit.sentences.conftest import negate

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


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ("the/DT dog/NN runs/VBZ", "the dog doesn't run"),
        ("dogs/NNS run/VBP", "dogs don't run"),
        ("the/DT dog/NN lay/VBD on/IN the/DT mat/NN", "the dog didn't lie on the mat"),
        ("the/DT girl/NN can/MD swim/VB", "the girl can't swim"),
        ("the/DT bus/NN will/MD come/VB", "the bus won't come"),
        ("the/DT gods/NNS often/RB talked/VBD", "the gods didn't often talk"),
        ("the/DT girl/NN does/VBZ yoga/NN", "the girl doesn't do yoga"),
        ("the/DT girl/NN has/VBZ to/TO go/VB", "the girl doesn't have to go"),
        ("the/DT girl/NN has/VBZ gone/VBN", "the girl hasn't gone"),
        ("the/DT man/NN may/MD go/VB", "the man may not go"),
        ("the/DT man/NN used/VBD to/TO sing/VB", "the man didn't use to sing"),
    ],
)
def test_the_verb_group_decides_the_form(positive: str, negative: str) -> None:
    assert negated(positive) == negative


@pytest.mark.parametrize(
    ("negative", "positive"),
    [
        ("the/DT dog/NN does/VBZ n't/RB run/VB", "the dog runs"),
        ("the/DT dog/NN did/VBD n't/RB go/VB", "the dog went"),
        ("the/DT dog/NN ca/MD n't/RB swim/VB", "the dog can swim"),
        ("the/DT bus/NN wo/MD n't/RB come/VB", "the bus will come"),
        ("the/DT dogs/NNS are/VBP n't/RB here/RB", "the dogs are here"),
        ("not/RB everyone/NN is/VBZ asleep/JJ", "everyone is asleep"),
    ],
)
def test_a_negated_sentence_reverts_to_its_positive_form(negative: str, positive: str) -> None:
    assert negated(negative) == positive


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("some/DT dogs/NNS are/VBP barking/VBG", "no dogs are barking"),
        ("someone/NN is/VBZ eating/VBG something/NN", "no one is eating anything"),
        ("somebody/NN sings/VBZ", "nobody sings"),
        ("everyone/NN is/VBZ outside/RB", "not everyone is outside"),
        ("all/PDT the/DT men/NNS sing/VBP", "not all the men sing"),
        ("there/EX is/VBZ a/DT dog/NN outside/RB", "there is no dog outside"),
        ("there/EX is/VBZ an/DT old/JJ man/NN", "there is no old man"),
        ("there/EX are/VBP dogs/NNS outside/RB", "there are no dogs outside"),
        ("there/EX are/VBP two/CD dogs/NNS", "there aren't two dogs"),
        ("there/EX are/VBP twelve/JJ dogs/NNS", "there aren't twelve dogs"),
        ("there/EX are/VBP some/DT dogs/NNS", "there aren't any dogs"),
        ("there/EX is/VBZ someone/NN outside/RB", "there is no one outside"),
    ],
)
def test_quantified_subjects_are_negated_with_the_right_scope(one: str, other: str) -> None:
    assert negated(one) == other
    back = negate(negate(sentence(one)) or ())
    assert back is not None
    assert text_of(back) == text_of(sentence(one))


def test_some_in_the_predicate_becomes_any_and_back() -> None:
    assert negated("the/DT man/NN buys/VBZ some/DT bread/NN") == "the man doesn't buy any bread"
    assert negated("the/DT man/NN does/VBZ n't/RB buy/VB any/DT bread/NN") == "the man buys some bread"


@pytest.mark.parametrize(
    "tagged",
    [
        "few/JJ dogs/NNS bark/VBP",
        "most/JJS dogs/NNS bark/VBP",
        "both/DT dogs/NNS bark/VBP",
        "each/DT dog/NN barks/VBZ",
        "a/DT few/JJ dogs/NNS bark/VBP",
        "there/EX are/VBP dogs/NNS and/CC a/DT cat/NN outside/RB",
        "the/DT dog/NN never/RB barks/VBZ",
        "the/DT dog/NN is/VBZ barking/VBG too/RB",
        "the/DT dog/NN does/VBZ bark/VB",
        "everyone/NN is/VBZ n't/RB outside/RB",
        "the/DT rain/NN does/VBZ n't/RB bother/VB her/PRP at/IN all/DT",
        "the/DT goat/NN is/VBZ n't/RB lame/JJ any/DT longer/RBR",
        "the/DT goat/NN is/VBZ n't/RB hungry/JJ any/DT more/RBR",
        "no/DT barns/NNS are/VBP open/JJ any/RB longer/RB",
        "there/EX are/VBP no/DT barns/NNS anywhere/RB near/IN the/DT river/NN",
        "there/EX is/VBZ a/DT barn/NN somewhere/RB near/IN the/DT river/NN",
        # What is no sentence of one verb.
        "",
        "a/DT dog/NN near/IN a/DT tree/NN",
        "the/DT dog/NN who/WP is/VBZ old/JJ sleeps/VBZ",
        "the/DT dog/NN sleeps/VBZ and/CC snores/VBZ",
        "two/CD dogs/NNS barks/VBZ",
        # A verb that the tagger took for another word is not left behind: not *doesn't have undergone*.
        "the/DT soup/NN has/VBZ undergone/RP a/DT change/NN",
        "the/DT staff/NN screens/NNS less/RBR often/RB than/IN the/DT experts/NNS recommend/VBP",
        "the/DT goat/NN was/VBD full/JJ of/IN hay/NN and/CC sat/NN by/IN the/DT barn/NN",
    ],
)
def test_sentences_whose_negation_is_not_certain_have_none(tagged: str) -> None:
    assert negated(tagged) is None


def test_a_verb_that_is_followed_by_an_object_alone_is_negated() -> None:
    found = negated("the/DT goats/NNS had/VBD complete/JJ control/NN")
    assert found == "the goats didn't have complete control"
    assert negated("a/DT bowl/NN of/IN bread/NN and/CC butter/NN is/VBZ on/IN the/DT table/NN") is not None


@pytest.mark.parametrize(
    ("denied", "positive"),
    [
        ("no/DT UN/NNP court/NN is/VBZ here/RB", "a UN court is here"),
        ("no/DT SUV/NN is/VBZ here/RB", "an SUV is here"),
        ("no/DT X-ray/NN is/VBZ here/RB", "an X-ray is here"),
        ("no/DT NASA/NNP probe/NN is/VBZ here/RB", "a NASA probe is here"),
        ("no/DT Iron/NNP cauldron/NN is/VBZ here/RB", "an Iron cauldron is here"),
        ("no/DT unicorn/NN is/VBZ here/RB", "a unicorn is here"),
    ],
)
def test_an_article_goes_with_how_a_word_is_read_aloud(denied: str, positive: str) -> None:
    result = negate(sentence(denied))
    assert result is not None and text_of(result) == positive
