"""The filter: what is kept, in what form, and the reason why the rest is dropped (DivLogicEval, Appendix C)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import cases

from .conftest import Keep

Reason = Callable[..., str]


@pytest.mark.parametrize(("tagged", "why"), cases(__file__, "reasons"))
def test_every_drop_names_its_reason(reason: Reason, tagged: str, why: str) -> None:
    assert reason(tagged) == why


def test_what_nobody_should_do_denies_no_should(reason: Reason) -> None:
    assert reason("The/DT man/NN should/MD sing/VB a/DT song/NN", source_faults="keep") == "kept"
    for subject in ("The/DT man/NN", "No/DT man/NN"):
        assert reason(f"{subject} should/MD sing/VB a/DT song/NN") == "uncertain_modal"


def test_a_to_infinitive_is_no_second_verb_and_an_auxiliary_with_its_verb_is_one(keep: Keep) -> None:
    kept = keep("A/DT man/NN has/VBZ been/VBN trying/VBG to/TO catch/VB a/DT bus/NN")
    assert kept.negated == "a man hasn't been trying to catch a bus"


def test_the_kept_form_fits_into_the_middle_of_a_sentence(keep: Keep) -> None:
    assert keep("Dogs/NNS are/VBP running/VBG outside./RB").text == "dogs are running outside"
    assert keep("Oslo/NNP is/VBZ a/DT cold/JJ city/NN").text == "Oslo is a cold city"
    assert keep("BBC/NNP reporters/NNS are/VBP in/IN town/NN").text == "BBC reporters are in town"
    assert keep("Asian/JJ elephants/NNS eat/VBP rice/NN").text == "Asian elephants eat rice"


def test_names_that_are_also_words_are_not_guessed(reason: Reason) -> None:
    assert reason("Stone/NNP Grove/NNP is/VBZ singing/VBG") == "uncertain_name"


def test_a_spelled_out_negation_is_contracted_so_that_negating_twice_is_exact(keep: Keep) -> None:
    kept = keep("The/DT man/NN is/VBZ not/RB wearing/VBG a/DT hat/NN")
    assert (kept.text, kept.negated) == ("the man isn't wearing a hat", "the man is wearing a hat")
    kept = keep("The/DT man/NN can/MD not/RB see/VB the/DT sea/NN")
    assert (kept.text, kept.negated) == ("the man can't see the sea", "the man can see the sea")


@pytest.mark.parametrize(("tagged", "text"), cases(__file__, "auxiliaries"))
def test_a_missing_auxiliary_is_put_back_with_agreement(keep: Keep, tagged: str, text: str) -> None:
    assert keep(tagged).text == text


@pytest.mark.parametrize("tagged", cases(__file__, "uncertain_participles"))
def test_no_auxiliary_is_guessed_where_the_participle_may_tell_of_another_noun(
    reason: Reason, tagged: str
) -> None:
    assert reason(tagged) == "bare_participle"


def test_a_verb_tagged_as_a_plural_noun_is_found_where_only_a_verb_fits(keep: Keep) -> None:
    kept = keep("A/DT dog/NN jumps/NNS over/IN a/DT log/NN")
    assert kept.negated == "a dog doesn't jump over a log"
    kept = keep("A/DT man/NN in/IN a/DT gray/JJ shirt/NN sorts/NNS through/IN papers/NNS")
    assert kept.negated == "a man in a gray shirt doesn't sort through papers"


def test_no_with_a_noun_of_unknown_countability_is_dropped(reason: Reason, keep: Keep) -> None:
    assert reason("There/EX is/VBZ no/DT sarcasm/NN in/IN it/NN") != "kept"
    assert keep("There/EX is/VBZ no/DT dog/NN outside/RB").negated == "there is a dog outside"


def test_length_and_marks_are_parameters(reason: Reason) -> None:
    tagged = "The/DT old/JJ man/NN is/VBZ singing/VBG"
    assert reason(tagged, min_tokens=6) == "too_short"
    assert reason(tagged, max_tokens=4) == "too_long"
    assert reason("The/DT well-known/JJ man/NN is/VBZ singing/VBG", forbidden_marks="-") == "forbidden_mark"


@pytest.mark.parametrize(("tagged", "why"), cases(__file__, "mended"))
def test_what_the_tagger_mends_in_the_writers_place_is_dropped(reason: Reason, tagged: str, why: str) -> None:
    assert reason(tagged) == why
    assert reason(tagged, source_faults="keep") != why


def test_sentences_that_resemble_such_slips_are_kept(reason: Reason) -> None:
    assert reason("Three/CD dogs/NNS bring/VBP water/NN outside/RB") == "kept"
    assert reason("A/DT group/NN of/IN dancers/NNS performs/VBZ") == "kept"
    assert reason("Three/CD women/NNS are/VBP standing/VBG outside/RB") == "kept"
    assert reason("The/DT chef/NN kept/VBD few/JJ knives/NNS") == "kept"
