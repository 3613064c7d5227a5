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
from tests.unit.sentences.conftest import negate

from .conftest import sentence

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


@pytest.mark.parametrize(("subject", "denied"), INDEFINITE.items())
@pytest.mark.parametrize("predicate", PREDICATES)
def test_an_indefinite_subject_is_denied_as_a_whole_and_back(
    subject: str, denied: str, predicate: str
) -> None:
    several = subject.startswith("two") or "group" in subject
    be, have = ("are/VBP", "have/VBP") if several else ("is/VBZ", "has/VBZ")
    positive = sentence(f"{subject} {predicate.format(be=be, have=have)}")
    negative = negate(positive)
    assert negative is not None
    assert text_of(negative).startswith(denied + " ")
    assert "n't" not in text_of(negative)
    assert negate(negative) == positive or text_of(negate(negative) or ()) == text_of(positive)


def test_a_definite_subject_keeps_the_negation_at_its_verb() -> None:
    negative = negate(sentence("the/DT man/NN is/VBZ outside/RB"))
    assert negative is not None
    assert text_of(negative) == "the man isn't outside"


@pytest.mark.parametrize(
    "tagged",
    [
        "a/DT man/NN and/CC a/DT woman/NN are/VBP dancing/VBG",
        "a/DT man/NN is/VBZ n't/RB dancing/VBG",
        "forty/CD men/NNS are/VBP dancing/VBG",
    ],
)
def test_a_subject_that_no_single_word_denies_is_refused(tagged: str) -> None:
    assert negate(sentence(tagged)) is None
    assert negate(sentence(tagged), "as_published") is not None


@pytest.mark.parametrize("tagged", cases(__file__, "unclear"))
def test_a_denial_of_unclear_reach_is_refused(tagged: str) -> None:
    assert negate(sentence(tagged), "as_published")
    assert negate(sentence(tagged)) is None


@pytest.mark.parametrize(("tagged", "written", "denied"), cases(__file__, "quantified"))
def test_several_that_nothing_counts_get_a_quantifier_that_a_denial_reaches(
    tagged: str, written: str, denied: str
) -> None:
    found = quantified(sentence(tagged))
    assert text_of(found) == written
    negative = negate(found)
    assert negative is not None and text_of(negative) == denied
    assert text_of(negate(negative) or ()) == written


@pytest.mark.parametrize(
    "tagged", ["goats/NNS are/VBP the/DT main/JJ transport/NN", "doors/NNS are/VBP typically/RB wooden/JJ"]
)
def test_what_holds_of_a_kind_alone_is_said_of_none_of_its_members(tagged: str) -> None:
    with pytest.raises(Refused, match="quantifier"):
        quantified(sentence(tagged))


def test_a_hypothesis_does_not_come_to_say_more() -> None:
    with pytest.raises(Refused, match="contrary"):
        quantified(sentence("goats/NNS do/VBP n't/RB sing/VB"), stronger=False)


@pytest.mark.parametrize("outcome", ["contraries", "contradictories"])
def test_a_denial_that_may_be_false_together_with_its_sentence_is_refused(reason, outcome: str) -> None:
    expected = {"contraries": {"contrary"}, "contradictories": {"kept"}}[outcome]
    for tagged in cases(__file__, outcome):
        assert {reason(tagged, negation="wide_scope")} == expected, tagged


def test_a_fraction_is_no_number_that_no_stands_before() -> None:
    assert negate(sentence("two/CD thirds/NNS of/IN goats/NNS are/VBP asleep/JJ")) is None


@pytest.mark.parametrize(("tagged", "kind"), cases(__file__, "generic"))
def test_a_stands_for_a_kind_where_no_event_is_told(tagged: str, kind: bool) -> None:
    tokens = sentence(tagged)
    assert generic(tokens, analyse(tokens)) is kind


@pytest.mark.parametrize(
    ("word", "denies"),
    [
        ("unethical", True), ("lacks", True), ("impossible", True), ("dishonest", True), ("unhappy.", True),
        ("under", False), ("inside", False), ("united", False), ("important", False), ("goat", False),
    ],
)  # fmt: skip
def test_a_word_that_denies_is_known_by_its_stem(word: str, denies: bool) -> None:
    assert source_checks.hides_negation(word) is denies


@pytest.mark.parametrize(
    ("tagged", "written"),
    [
        ("the/DT man/NN is/VBZ outside/RB", "a man is outside"),
        ("the/DT old/JJ man/NN is/VBZ outside/RB", "an old man is outside"),
        ("the/DT men/NNS are/VBP outside/RB", "some men are outside"),
        ("the/DT two/CD men/NNS are/VBP outside/RB", "two men are outside"),
        ("a/DT dog/NN is/VBZ outside/RB", "a dog is outside"),
    ],
)
def test_a_definite_hypothesis_is_told_of_somebody(tagged: str, written: str) -> None:
    premise = sentence("a/DT man/NN walks/VBZ in/IN the/DT park/NN")
    assert text_of(introduced(sentence(tagged), premise)) == written


@pytest.mark.parametrize(
    "tagged", ["the/DT sun/NN is/VBZ shining/VBG", "the/DT tallest/JJS man/NN is/VBZ outside/RB"]
)
def test_what_is_one_of_its_kind_cannot_be_told_of_somebody(tagged: str) -> None:
    with pytest.raises(Refused, match="definite_subject"):
        introduced(sentence(tagged), sentence("a/DT man/NN walks/VBZ"))


@pytest.mark.parametrize(("text", "fault"), cases(__file__, "faults"))
def test_faults_of_the_source_are_named(text: str, fault: str | None) -> None:
    assert source_checks.problem(text) == fault


@pytest.mark.parametrize(("text", "refused"), cases(__file__, "sensitive"))
def test_sensitive_sentences_are_refused(text: str, refused: bool) -> None:
    assert source_checks.sensitive(text) is refused


SUBJECTS = ["two/CD boys/NNS", "a/DT girl/NN", "the/DT dogs/NNS", "a/DT man/NN in/IN a/DT hat/NN"]
PARTICIPLES = ["riding/VBG", "wearing/VBG", "sing/VBG", "consisting/VBG", "seated/VBN", "running/VBG"]
RESTS = ["a/DT bicycle/NN", "purple/NN strives/NNS", "in/IN a/DT row/NN", "two/CD males/NNS perform/NN", ""]


@given(st.sampled_from(SUBJECTS), st.sampled_from(PARTICIPLES), st.sampled_from(RESTS))
def test_a_repaired_sentence_parses_and_keeps_its_words(subject: str, participle: str, rest: str) -> None:
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


@pytest.mark.parametrize(
    "tagged",
    [
        "children/NNS sing/VBG a/DT folk/NN song/NN",
        "a/DT girl/NN wearing/VBG purple/NN strives/NNS to/TO win/VB",
        "a/DT band/NN consisting/VBG of/IN two/CD males/NNS and/CC a/DT female/NN perform/NN on/IN stage/NN",
    ],
)
def test_a_participle_that_is_none_gets_no_auxiliary(tagged: str) -> None:
    with pytest.raises(Refused):
        with_auxiliary(sentence(tagged))


def test_the_subject_is_named_through_collections_and_coordination() -> None:
    assert told("a/DT group/NN of/IN men/NNS are/VBP outside/RB").heads == ("man",)
    assert told("a/DT man/NN and/CC a/DT woman/NN are/VBP outside/RB").heads == ("man", "woman")
    assert told("there/EX is/VBZ a/DT dog/NN in/IN the/DT yard/NN").heads == ("dog",)


def test_words_that_say_more_entail_words_that_say_less() -> None:
    def content(tagged: str) -> Content:
        return content_of(text_of(sentence(tagged)), told(tagged))

    narrow = content("a/DT woman/NN is/VBZ jogging/VBG in/IN a/DT park/NN")
    wide = content("a/DT person/NN is/VBZ outside/RB")
    assert narrow.entails(wide) and not wide.entails(narrow)
    assert not narrow.entails(content("a/DT man/NN is/VBZ outside/RB"))
    assert not narrow.entails(content("two/CD people/NNS are/VBP outside/RB"))


def test_joined_verbs_are_denied_together_and_only_under_wide_scope() -> None:
    tokens = sentence("a/DT man/NN sits/VBZ on/IN a/DT bench/NN and/CC reads/VBZ a/DT book/NN")
    negative = negate(tokens)
    assert negative is not None
    assert text_of(negative) == "no man sits on a bench and reads a book"
    assert text_of(negate(negative) or ()) == text_of(tokens)
    assert negate(tokens, "as_published") is None
    assert negate(sentence("the/DT man/NN sits/VBZ and/CC reads/VBZ")) is None
    assert negate(sentence("a/DT man/NN is/VBZ sitting/VBG and/CC reading/VBG")) is not None
    assert negate(sentence("a/DT man/NN sits/VBZ and/CC reading/VBG")) is None


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
