"""Word tokens are NLTK's, only sooner."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st
from nltk.tokenize import NLTKWordTokenizer

from divlogic.diversity.sentence_split import rule_splitter
from divlogic.diversity.words import WordTokenizer, alphabetic, letter_tokens
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
