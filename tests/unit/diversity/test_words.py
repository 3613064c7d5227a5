"""Tokens are NLTK's, only sooner; sentence boundaries by rules and by Punkt; type–token statistics."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from nltk.tokenize import NLTKWordTokenizer

from divlogic.diversity.profile import msttr, mtld, ttr
from divlogic.diversity.words import WordTokenizer, alphabetic, letter_tokens, punkt_splitter, rule_splitter
from divlogic.errors import DivLogicError
from tests.unit.diversity.texts import AWKWARD, PROSE

TOKENIZE = WordTokenizer(rule_splitter)
NLTK = NLTKWordTokenizer().tokenize
_CHUNKS = (
    "the dog's can't cannot don't 'Tis \"go\" (see) [x] end. end.\" end.) e.g. U.S. 3.5 10:30 a,b -- well-known ...  ''"
    " ' \" wanna gimme, : ; ?! dogs' 'em l'air $5 50% #1 @me «oui» “yes” … x.' they're, more'n d'ye ``quoted''"
)
CHUNKS = st.sampled_from(_CHUNKS.split(" "))


def nltk_tokens(text: str) -> list[str]:
    return [token for sentence in rule_splitter(text) for token in NLTK(sentence)]


@pytest.mark.parametrize("text", [PROSE, *AWKWARD])
def test_tokens_are_those_of_nltk(text: str) -> None:
    assert TOKENIZE(text) == nltk_tokens(text)


@settings(max_examples=400, deadline=None)
@given(st.lists(CHUNKS, max_size=12).map(" ".join))
def test_tokens_are_those_of_nltk_whatever_stands_side_by_side(text: str) -> None:
    assert TOKENIZE(text) == nltk_tokens(text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="aZ9 .,'\"()-:?!\n`", max_size=40))
def test_tokens_are_those_of_nltk_for_any_marks(text: str) -> None:
    assert TOKENIZE(text) == nltk_tokens(text)


@given(st.text(max_size=60))
def test_letter_tokens_are_the_runs_of_letters(text: str) -> None:
    assert letter_tokens(text) == [run.lower() for run in re.findall(r"[A-Za-z]+", text)]


def test_alphabetic_tokens_have_no_digit_mark_or_accent() -> None:
    assert alphabetic(["The", "3rd", "naïve", "n't", "fox", ".", "well-known", "US"]) == ["the", "fox", "us"]


def punkt_folder(folder: Path) -> Path:
    """Write a tiny set of Punkt's parameters."""
    english = folder / "tokenizers" / "punkt_tab" / "english"
    english.mkdir(parents=True)
    (english / "abbrev_types.txt").write_text("dr\ne.g\nu.s\n", encoding="utf-8")
    (english / "collocations.tab").write_text("##number##\tstreet\n", encoding="utf-8")
    (english / "sent_starters.txt").write_text("the\nhe\n", encoding="utf-8")
    (english / "ortho_context.tab").write_text("the\t46\nhe\t46\nbrown\t42\n", encoding="utf-8")
    return folder


def test_a_full_stop_before_a_capital_ends_a_sentence() -> None:
    assert rule_splitter('It rained. "Stay," he said. 3 boats left! Why?') == [
        "It rained.",
        '"Stay," he said.',
        "3 boats left!",
        "Why?",
    ]


def test_abbreviations_and_initials_do_not_end_a_sentence() -> None:
    assert len(rule_splitter("Dr. J. Brown met Mrs. Hill. They spoke, e.g. Of tides.")) == 2


def test_a_line_break_ends_a_sentence() -> None:
    assert rule_splitter("All owls hoot\nUma is an owl") == ["All owls hoot", "Uma is an owl"]


@pytest.mark.parametrize("text", [PROSE, *AWKWARD, " Leading blank. Then more."])
def test_punkt_of_a_folder_splits_as_nltk_does(text: str, tmp_path: Path) -> None:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = {"dr", "e.g", "u.s"}
    parameters.collocations = {("##number##", "street")}
    parameters.sent_starters = {"the", "he"}
    parameters.ortho_context.update({"the": 46, "he": 46, "brown": 42})
    assert punkt_splitter(punkt_folder(tmp_path))(text) == PunktSentenceTokenizer(parameters).tokenize(text)


def test_a_folder_without_punkt_is_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="Punkt's English parameters"):
        punkt_splitter(tmp_path)


WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60)


def test_ttr_of_an_empty_text_is_not_defined() -> None:
    assert ttr(0, 0) is None
    assert ttr(3, 4) == 0.75


def test_msttr_is_the_mean_over_full_segments() -> None:
    assert msttr(["a", "b", "a", "a", "c"], 2) == pytest.approx((1 + 0.5) / 2)
    assert msttr(["a"], 2) is None


def test_mtld_counts_a_factor_each_time_the_ratio_falls_to_the_threshold() -> None:
    # Four times "a": the ratio falls to 0.5 at every second token, both ways.
    assert mtld(["a"] * 4, 0.72) == pytest.approx(2.0)


def test_mtld_counts_the_remainder_in_part() -> None:
    # Forward and backward: no full factor; the ratio ends at 0.75, so (1 - 0.75) / (1 - 0.72) of one.
    assert mtld(["a", "b", "c", "a"], 0.72) == pytest.approx(4 / (0.25 / 0.28))


def test_mtld_of_a_text_that_never_repeats_is_not_defined() -> None:
    assert mtld(list("abcd")) is None


@given(WORDS)
def test_mtld_does_not_depend_on_the_reading_direction(words: list[str]) -> None:
    assert (
        mtld(words) == pytest.approx(mtld(words[::-1]))
        if mtld(words) is not None
        else mtld(words[::-1]) is None
    )
