"""Shortcuts that must not change an answer: tokenising at blanks, tagging with a matrix, inflecting from memory."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from nltk.tag.perceptron import PerceptronTagger
from nltk.tokenize.destructive import NLTKWordTokenizer

from divlogic.corpora.tagger import QuickTagger
from divlogic.sentences.lexicon import inflect, is_known, is_participle, lemma_of
from divlogic.sentences.tokens import Reader, text_of

from .conftest import sentence

TRAINING = [
    "the/DT dog/NN runs/VBZ fast/RB ./.",
    "two/CD dogs/NNS run/VBP in/IN the/DT park/NN ./.",
    "a/DT man/NN is/VBZ feeding/VBG the/DT birds/NNS ./.",
    "people/NNS watched/VBD a/DT game/NN in/IN 1999/CD ./.",
    "the/DT well-known/JJ singer/NN can/MD sing/VB 12/CD songs/NNS ./.",
]
WORDS = sorted({item.rsplit("/", 1)[0] for row in TRAINING for item in row.split()})
WORDS += ["unseen", "Oslo", "-", "2001"]

ODD_WORDS = [
    "dog",
    "cannot",
    "gonna",
    "t-shirt",
    "D",
    "more",
    "n",
    "12",
    "Lemme",
    "--",
    "don't",
    "St.",
]


@pytest.fixture(scope="module")
def trained() -> PerceptronTagger:
    tagger = PerceptronTagger(load=False)
    tagger.train(
        [[tuple(item.rsplit("/", 1)) for item in row.split()] for row in TRAINING], nr_iter=3
    )
    return tagger


@given(words=st.lists(st.sampled_from(WORDS), max_size=12))
def test_the_quick_tagger_gives_nltks_tags(trained: PerceptronTagger, words: list[str]) -> None:
    quick = QuickTagger(trained.model.weights, trained.tagdict, trained.classes)
    assert quick.tag(words) == trained.tag(words)


@given(st.lists(st.sampled_from(ODD_WORDS), max_size=8).map(" ".join))
def test_plain_text_is_split_as_the_treebank_tokeniser_does(text: str) -> None:
    class Untagged:
        def tag(self, words: list[str]) -> list[tuple[str, str]]:
            return [(word, "NN") for word in words]

    assert Reader(Untagged()).words(text) == NLTKWordTokenizer().tokenize(text)


def test_the_full_stop_given_to_the_tagger_is_no_token_of_the_sentence(
    trained: PerceptronTagger,
) -> None:
    tokens = Reader(trained).tag(["the", "dog", "runs"])
    assert [token.text for token in tokens] == ["the", "dog", "runs"]


@pytest.mark.parametrize(
    "text",
    ["the dog isn't here", "the man's dog can't swim", "it costs $5", "the boys' toys won't sell"],
)
def test_text_comes_back_from_its_tokens(text: str) -> None:
    words = NLTKWordTokenizer().tokenize(text)
    assert text_of(sentence(" ".join(f"{word}/NN" for word in words))) == text


@pytest.mark.parametrize(
    ("form", "tag", "lemma"),
    [
        ("found", "VBD", "find"),
        ("saw", "VBD", "see"),
        ("lay", "VBD", "lie"),
        ("watches", "VBZ", "watch"),
        ("run", "VBP", "run"),
        ("dove", "VBD", None),
        ("table-top", "VBZ", None),
    ],
)
def test_a_lemma_is_the_one_that_gives_the_form_back(
    form: str, tag: str, lemma: str | None
) -> None:
    assert lemma_of(form, tag) == lemma
    assert lemma is None or inflect(lemma, tag) == form


@pytest.mark.parametrize("form", ["swum/VBN", "got/VBN", "swam/VBN", "wait/VBN", "pour/VBG"])
def test_base_forms_and_plain_past_tenses_are_no_participles(form: str) -> None:
    assert is_participle(*form.split("/")) is (form in ("swum/VBN", "got/VBN"))


@pytest.mark.parametrize("word", ["", "s", "日本", "''", "street.the"])
def test_what_is_no_english_word_is_not_known(word: str) -> None:
    assert not is_known(word)


@given(word=st.text(max_size=8))
def test_of_any_text_it_can_be_said_whether_it_is_a_known_word(word: str) -> None:
    assert is_known(word) in (True, False)
