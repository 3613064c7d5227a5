"""Readability agrees with its oracles: py-readability-metrics as published, textstat where both must agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from nltk.tokenize import NLTKWordTokenizer

from divlogic.diversity.profile import msttr, mtld
from divlogic.diversity.readability import (
    by_spelling,
    irregular_words,
    pronouncing_dictionary,
    readability_as_published,
    readability_corrected,
    syllable_counter,
    tweet_counter,
    vowel_pairs,
)
from divlogic.diversity.words import (
    alphabetic,
    letter_tokens,
    punkt_splitter,
    rule_splitter,
    word_tokenizer,
)
from divlogic.errors import DivLogicError
from tests.support import cases
from tests.unit.diversity.texts import AWKWARD, PROSE

SYLLABLES = syllable_counter(irregular_words())
TWEETS = tweet_counter()
_PIECES = (
    "a rhythm queue eyes do: D: P; 555 123 4567 5551234567 (555) 1 800 . .. ... :-) <b> &amp; &#46; http://x.org/y"
    " a.b@c.de #tag @me don't well-known U.S. 3.50 1/2 yes? no! (so) 'x' ---- ==== he's x_y naïve 你好 👍🏽 -> @ # ; -"
)
PIECES = st.sampled_from(_PIECES.split())


@pytest.fixture
def oracle(monkeypatch: pytest.MonkeyPatch) -> Iterator[type]:
    """py-readability-metrics with this project's sentence rules, since Punkt's data is not in the repository."""
    import readability
    from readability.text import Analyzer

    monkeypatch.setattr(Analyzer, "_tokenize_sentences", lambda self, text: rule_splitter(text))
    yield readability.Readability


@pytest.fixture
def textstat(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """textstat without its download: syllables by hyphenation only."""
    import textstat
    from textstat.backend.counts import _count_syllables

    monkeypatch.setattr(_count_syllables, "get_cmudict", lambda lang: {})
    yield textstat


@pytest.mark.parametrize("text", [PROSE, PROSE + " ".join(AWKWARD), PROSE.replace(". ", ".")])
def test_grade_and_ease_as_published_are_those_of_py_readability_metrics(
    oracle: type, text: str
) -> None:
    expected = oracle(text)
    found = readability_as_published([text], rule_splitter, TWEETS, len(text))
    assert found["flesch_kincaid"] == expected.flesch_kincaid().score
    assert found["flesch_ease"] == expected.flesch().score


BLANKS = st.sampled_from([" ", "  ", "\n", ""])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=10), st.lists(BLANKS, min_size=10, max_size=10))
def test_words_and_syllables_are_those_of_the_tweet_tokenizer(
    pieces: list[str], blanks: list[str]
) -> None:
    from readability.text import Analyzer

    text = "".join(piece + blank for piece, blank in zip(pieces, blanks, strict=False))
    analyzer = Analyzer()
    analyzer._dale_chall_set = analyzer._spache_set = set()
    analyzer._tokenize_sentences = lambda text: []  # type: ignore[method-assign]
    expected = analyzer._statistics(text)
    assert TWEETS(text) == (expected["num_words"], expected["num_syllables"])


@given(st.text(alphabet="aeiouylsxbc'-", min_size=1, max_size=9))
def test_vowel_pairs_are_the_packages_syllables(word: str) -> None:
    from readability.text.syllables import count

    assert vowel_pairs(word) == count(word)


def test_only_the_first_characters_are_scored_and_contexts_are_joined_with_nothing(
    oracle: type,
) -> None:
    contexts = [PROSE] * 40
    expected = oracle("".join(contexts)[:10_000])
    found = readability_as_published(iter(contexts), rule_splitter, TWEETS)
    assert found["flesch_kincaid"] == expected.flesch_kincaid().score


def test_fused_sentences_raise_the_published_grade_but_not_the_corrected_one() -> None:
    sentences = [sentence.strip() + "." for sentence in PROSE.split(".") if sentence.strip()] * 3
    published, separate = (
        readability_as_published([sentence + mark for sentence in sentences], rule_splitter, TWEETS)
        for mark in ("", " ")
    )
    corrected = readability_corrected(sentences, SYLLABLES)
    whole = readability_corrected([" ".join(sentences)], SYLLABLES)
    assert (published["flesch_kincaid"] or 0) > (separate["flesch_kincaid"] or 99) + 5
    assert corrected == whole


def test_a_text_below_a_hundred_words_has_no_published_grade() -> None:
    assert (
        readability_as_published(["Only a few words."], rule_splitter, TWEETS)["flesch_kincaid"]
        is None
    )
    assert readability_corrected([], SYLLABLES)["flesch_kincaid"] is None


PLAIN = (
    "The farmer planted apples beside the river. His daughter painted windows. Winter storms damaged the garden. "
    "Seven horses wandered over the hill. The doctor walked home."
)


@pytest.mark.parametrize(
    ("text", "within"),
    [
        (PLAIN, 1.0),
        ("The cat sat on the mat. The dog ran to the park.", 1e-9),
        ("Ten men went up the hill at dawn.", 1e-9),
    ],
    ids=["plain prose", "words of one syllable", "a sentence of such words"],
)
def test_the_corrected_scores_are_textstats(textstat, text, within):
    found = readability_corrected([text], SYLLABLES)
    counted = textstat.lexicon_count(text), textstat.sentence_count(text)
    assert (found["words"], found["sentences"]) == counted
    assert found["flesch_kincaid"] == pytest.approx(textstat.flesch_kincaid_grade(text), abs=within)
    ease = pytest.approx(textstat.flesch_reading_ease(text), abs=within)
    assert within == 1.0 or found["flesch_ease"] == ease


@pytest.mark.parametrize(("count", "words"), cases(__file__, "common"))
def test_syllables_of_common_words(count: int, words: str) -> None:
    assert {word: SYLLABLES(word) for word in words.split()} == dict.fromkeys(words.split(), count)


@pytest.mark.parametrize(("word", "count"), cases(__file__, "compounds"))
def test_syllables_of_compounds_possessives_and_abbreviations(word: str, count: int) -> None:
    assert SYLLABLES(word) == count


def test_the_dictionary_earns_its_place() -> None:
    words = irregular_words()
    assert all(count >= 1 for count in words.values())
    assert sum(by_spelling(word) != count for word, count in words.items()) > 100


@given(st.text(max_size=20))
def test_any_word_has_a_syllable(word: str) -> None:
    assert SYLLABLES(word) >= 1


def test_a_pronouncing_dictionary_is_read_and_its_first_pronunciation_counts(
    tmp_path: Path,
) -> None:
    path = tmp_path / "cmudict"
    path.write_text(
        ";;; note\nLION  L AY1 AH0 N\nFIRE  F AY1 ER0\nFIRE(2)  F AY1 R\nKAZOO 1 K AH0 Z UW1\n"
    )
    counter = syllable_counter(pronouncing_dictionary(path))
    assert (counter("fire"), counter("kazoo"), counter("museum")) == (2, 2, 3)
    path.write_text("nothing\n")
    with pytest.raises(DivLogicError, match="no pronunciation"):
        pronouncing_dictionary(path)


def test_a_sentence_without_a_word_does_not_count() -> None:
    found = readability_corrected(["One two. ... !!\n\n***\nThree."], SYLLABLES)
    assert found["sentences"] == 2


TOKENIZE = word_tokenizer(rule_splitter)
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


@settings(max_examples=600, deadline=None)
@given(
    st.lists(CHUNKS, max_size=12).map(" ".join)
    | st.text(alphabet="aZ9 .,'\"()-:?!\n`", max_size=40)
)
def test_tokens_are_those_of_nltk_whatever_stands_side_by_side(text: str) -> None:
    assert TOKENIZE(text) == nltk_tokens(text)


@given(st.text(max_size=60))
def test_letter_tokens_are_the_runs_of_letters(text: str) -> None:
    assert letter_tokens(text) == [run.lower() for run in re.findall(r"[A-Za-z]+", text)]


def test_alphabetic_tokens_have_no_digit_mark_or_accent() -> None:
    assert alphabetic(["The", "3rd", "naïve", "n't", "fox", ".", "well-known", "US"]) == [
        "the",
        "fox",
        "us",
    ]


PUNKT = {
    "abbrev_types.txt": "dr\ne.g\nu.s\n",
    "collocations.tab": "##number##\tstreet\n",
    "sent_starters.txt": "the\nhe\n",
    "ortho_context.tab": "the\t46\nhe\t46\nbrown\t42\n",
}
"""A tiny set of Punkt's parameters."""


@pytest.mark.parametrize(
    "sentences",
    [
        ["It rained.", '"Stay," he said.', "3 boats left!", "Why?"],
        ["Dr. J. Brown met Mrs. Hill.", "They spoke, e.g. Of tides."],
        ["All owls hoot\n", "Uma is an owl"],
    ],
    ids=["a full stop before a capital", "abbreviations and initials do not", "a line break"],
)
def test_what_ends_a_sentence(sentences):
    found = rule_splitter(" ".join(sentences).replace("\n ", "\n"))
    assert found == [sentence.strip() for sentence in sentences]


@pytest.mark.parametrize("text", [PROSE, *AWKWARD, " Leading blank. Then more."])
def test_punkt_of_a_folder_splits_as_nltk_does(text: str, tmp_path: Path) -> None:
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = {"dr", "e.g", "u.s"}
    parameters.collocations = {("##number##", "street")}
    parameters.sent_starters = {"the", "he"}
    parameters.ortho_context.update({"the": 46, "he": 46, "brown": 42})
    english = tmp_path / "tokenizers" / "punkt_tab" / "english"
    english.mkdir(parents=True)
    for name, content in PUNKT.items():
        (english / name).write_text(content, encoding="utf-8")
    assert punkt_splitter(tmp_path)(text) == PunktSentenceTokenizer(parameters).tokenize(text)


def test_a_folder_without_punkt_is_told(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="Punkt's English parameters"):
        punkt_splitter(tmp_path)


WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=60)


def test_msttr_is_the_mean_over_full_segments() -> None:
    assert msttr(["a", "b", "a", "a", "c"], 2) == pytest.approx((1 + 0.5) / 2)
    assert msttr(["a"], 2) is None


@pytest.mark.parametrize(
    ("words", "found"),
    [
        # The ratio falls to 0.5 at every second token, both ways.
        ("aaaa", 2.0),
        # No full factor; the ratio ends at 0.75, (1 - 0.75) / (1 - 0.72) of one.
        ("abca", 4 / (0.25 / 0.28)),
        ("abcd", None),
    ],
    ids=[
        "a factor each time the ratio falls to the threshold",
        "the remainder in part",
        "no repetition",
    ],
)
def test_mtld_counts_factors(words, found):
    assert mtld(list(words), 0.72) == (None if found is None else pytest.approx(found))


@given(WORDS)
def test_mtld_does_not_depend_on_the_reading_direction(words: list[str]) -> None:
    found = mtld(words)
    assert mtld(words[::-1]) == (None if found is None else pytest.approx(found))
