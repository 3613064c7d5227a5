"""The English says what the formula says: wide negation, indefinite hypotheses, faults of the source, repairs."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings, strategies as st

from divlogic.sentences import source_checks
from divlogic.sentences.clause import analyse
from divlogic.sentences.negation import generic, quantified
from divlogic.sentences.repair import with_auxiliary
from divlogic.sentences.subject import Content, Subject, content_of, introduced, subject_of_clause
from divlogic.sentences.tokens import Refused, text_of
from tests.support import cases

from .conftest import denied, outcome, sentence

INDEFINITE = {
    "a/DT man/NN": "no man",
    "an/DT old/JJ dog/NN": "no old dog",
    "one/CD man/NN": "not one man",
    "two/CD tall/JJ men/NNS": "no two tall men",
    "a/DT group/NN of/IN men/NNS": "no group of men",
}
PREDICATES = [
    "{be} sleeping/VBG near/IN a/DT river/NN",
    "{have} eaten/VBN",
    "ran/VBD home/RB",
    "can/MD swim/VB",
]


def told(tagged: str) -> Subject:
    tokens = sentence(tagged)
    return subject_of_clause(tokens, analyse(tokens))


@pytest.mark.parametrize(("subject", "denial"), INDEFINITE.items())
@pytest.mark.parametrize("predicate", PREDICATES)
def test_an_indefinite_subject_is_denied_as_a_whole_and_back(
    subject: str, denial: str, predicate: str
) -> None:
    several = subject.startswith("two") or "group" in subject
    be, have = ("are/VBP", "have/VBP") if several else ("is/VBZ", "has/VBZ")
    positive = f"{subject} {predicate.format(be=be, have=have)}"
    negative = denied(positive) or ""
    assert negative.startswith(denial + " ") and "n't" not in negative
    assert denied(positive, times=2) == text_of(sentence(positive))


@pytest.mark.parametrize("tagged", cases(__file__, "unclear"))
def test_a_denial_of_unclear_reach_is_refused(tagged: str) -> None:
    assert denied(tagged, "as_published")
    assert denied(tagged) is None


def test_joined_verbs_are_denied_together_and_only_under_wide_scope() -> None:
    tagged = "a/DT man/NN sits/VBZ on/IN a/DT bench/NN and/CC reads/VBZ a/DT book/NN"
    assert denied(tagged) == "no man sits on a bench and reads a book"
    assert denied(tagged, times=2) == text_of(sentence(tagged))
    assert denied(tagged, "as_published") is None


@pytest.mark.parametrize(("tagged", "written", "denial"), cases(__file__, "quantified"))
def test_several_that_nothing_counts_get_a_quantifier_that_a_denial_reaches(
    tagged: str, written: str, denial: str
) -> None:
    found = quantified(sentence(tagged))
    assert text_of(found) == written
    again = " ".join(f"{token.text}/{token.tag}" for token in found)
    assert (denied(again), denied(again, times=2)) == (denial, written)


@pytest.mark.parametrize(("tagged", "stronger", "why"), cases(__file__, "not_quantified"))
def test_no_quantifier_is_put_before_a_kind_or_where_more_would_be_said(
    tagged: str, stronger: bool, why: str
) -> None:
    assert outcome(quantified, sentence(tagged), stronger=stronger) == why


@pytest.mark.parametrize(("tagged", "expected"), cases(__file__, "contraries"))
def test_a_denial_that_may_be_false_together_with_its_sentence_is_refused(
    reason, tagged, expected
) -> None:
    assert reason(tagged, negation="wide_scope") == expected


@pytest.mark.parametrize(("tagged", "kind"), cases(__file__, "generic"))
def test_a_stands_for_a_kind_where_no_event_is_told(tagged: str, kind: bool) -> None:
    tokens = sentence(tagged)
    assert generic(tokens, analyse(tokens)) is kind


@pytest.mark.parametrize(("word", "denies"), cases(__file__, "denying_words"))
def test_a_word_that_denies_is_known_by_its_stem(word: str, denies: bool) -> None:
    assert source_checks.hides_negation(word) is denies


@pytest.mark.parametrize(("tagged", "written"), cases(__file__, "definite"))
def test_a_definite_hypothesis_is_told_of_somebody_unless_there_is_one_of_its_kind(
    tagged: str, written: str
) -> None:
    premise = sentence("a/DT man/NN walks/VBZ in/IN the/DT park/NN")
    assert outcome(introduced, sentence(tagged), premise) == written


@pytest.mark.parametrize(("text", "fault"), cases(__file__, "faults"))
def test_faults_of_the_source_are_named(text: str, fault: str | None) -> None:
    assert source_checks.problem(text) == fault


@pytest.mark.parametrize(("text", "refused"), cases(__file__, "sensitive"))
def test_sensitive_sentences_are_refused(text: str, refused: bool) -> None:
    assert source_checks.sensitive(text) is refused


SUBJECTS = ["two/CD boys/NNS", "a/DT girl/NN", "the/DT dogs/NNS", "a/DT man/NN in/IN a/DT hat/NN"]
PARTICIPLES = [
    "riding/VBG",
    "wearing/VBG",
    "sing/VBG",
    "consisting/VBG",
    "seated/VBN",
    "running/VBG",
]
RESTS = [
    "a/DT bicycle/NN",
    "purple/NN strives/NNS",
    "in/IN a/DT row/NN",
    "two/CD males/NNS perform/NN",
    "",
]


@given(st.sampled_from(SUBJECTS), st.sampled_from(PARTICIPLES), st.sampled_from(RESTS))
def test_a_repaired_sentence_parses_and_keeps_its_words(
    subject: str, participle: str, rest: str
) -> None:
    bare = sentence(f"{subject} {participle} {rest}")
    try:
        repaired = with_auxiliary(bare)
    except Refused:
        assume(False)
        return
    words = [token.text for token in repaired if token.text not in ("is", "are")]
    assert words == [token.text for token in bare]
    assert len(repaired) == len(bare) + 1
    clause = analyse(repaired)
    assert clause.kind == "be"
    assert repaired[clause.last].text == participle.split("/")[0]


@pytest.mark.parametrize("tagged", cases(__file__, "no_participles"))
def test_a_participle_that_is_none_gets_no_auxiliary(tagged: str) -> None:
    with pytest.raises(Refused):
        with_auxiliary(sentence(tagged))


@pytest.mark.parametrize(("tagged", "heads"), cases(__file__, "subjects"))
def test_the_subject_is_named_through_collections_and_coordination(tagged: str, heads: str) -> None:
    assert " ".join(told(tagged).heads) == heads


def test_words_that_say_more_entail_words_that_say_less() -> None:
    def content(tagged: str) -> Content:
        return content_of(text_of(sentence(tagged)), told(tagged))

    narrow = content("a/DT woman/NN is/VBZ jogging/VBG in/IN a/DT park/NN")
    wide = content("a/DT person/NN is/VBZ outside/RB")
    assert narrow.entails(wide) and not wide.entails(narrow)
    assert not narrow.entails(content("a/DT man/NN is/VBZ outside/RB"))
    assert not narrow.entails(content("two/CD people/NNS are/VBP outside/RB"))


def test_idle_commas_are_dropped_and_others_refused() -> None:
    from divlogic.sentences.filtering import _without_idle_commas

    assert _without_idle_commas("A tall, thin man is asleep,.") == "A tall thin man is asleep."
    assert _without_idle_commas("A man, a dog are asleep") == "A man, a dog are asleep"


SLIP = source_checks._FIND["slip"]


@settings(max_examples=1_000)
@given(st.from_regex(SLIP, fullmatch=True, alphabet=st.characters(codec="ascii")))
def test_every_slip_is_found_by_one_of_its_words(slip: str) -> None:
    text = " ".join(f"a tall man {slip} near the lake".split())
    slips = SLIP.search(text) is not None
    assert source_checks.is_slip(text) is slips
