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


@pytest.mark.parametrize(("tagged", "text", "negated"), cases(__file__, "kept"))
def test_the_kept_form_fits_into_the_middle_of_a_sentence_and_is_negated(
    keep: Keep, tagged: str, text: str, negated: str
) -> None:
    kept = keep(tagged)
    assert (kept.text, kept.negated) == (text, negated)


@pytest.mark.parametrize(("tagged", "text"), cases(__file__, "auxiliaries"))
def test_a_missing_auxiliary_is_put_back_with_agreement(keep: Keep, tagged: str, text: str) -> None:
    assert keep(tagged).text == text


@pytest.mark.parametrize("tagged", cases(__file__, "uncertain_participles"))
def test_no_auxiliary_is_guessed_where_the_participle_may_tell_of_another_noun(
    reason: Reason, tagged: str
) -> None:
    assert reason(tagged) == "bare_participle"


def test_length_and_marks_are_parameters(reason: Reason) -> None:
    tagged = "The/DT old/JJ man/NN is/VBZ singing/VBG"
    assert reason(tagged, min_tokens=6) == "too_short"
    assert reason(tagged, max_tokens=4) == "too_long"
    assert (
        reason("The/DT well-known/JJ man/NN is/VBZ singing/VBG", forbidden_marks="-")
        == "forbidden_mark"
    )


@pytest.mark.parametrize(("tagged", "why"), cases(__file__, "mended"))
def test_what_the_tagger_mends_in_the_writers_place_is_dropped(
    reason: Reason, tagged: str, why: str
) -> None:
    assert reason(tagged) == why
    assert reason(tagged, source_faults="keep") != why


@pytest.mark.parametrize(("premise", "hypothesis", "found"), cases(__file__, "pronouns"))
def test_a_pronoun_gives_way_to_the_noun_where_the_premise_leaves_no_doubt(
    keep: Keep, reason: Reason, premise: str, hypothesis: str, found: str
) -> None:
    if found == "pronoun_subject":
        assert reason(hypothesis, keep(premise)) == found
    else:
        assert keep(hypothesis, keep(premise)).text == found


def test_resolution_can_be_switched_off(keep: Keep, reason: Reason) -> None:
    premise = keep("A/DT man/NN is/VBZ singing/VBG outside/RB")
    hypothesis = "He/PRP is/VBZ outside/RB today/NN"
    assert reason(hypothesis, premise, pronoun_subjects="drop") == "pronoun_subject"
    assert reason(hypothesis, premise, pronoun_subjects="resolve") == "kept"
