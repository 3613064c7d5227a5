"""Word statistics of texts without words: nothing is learnt, nothing stops."""

from __future__ import annotations

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from divlogic.models.baselines import Ranker
from divlogic.models.learners import BagOfWords
from divlogic.models.prompts import ParsedPrompt
from divlogic.models.words import fit_transform
from divlogic.records import Record

SIGNS = [Record(f"i{number}", "signs", "test", "", "", ("", "..."), number % 2, "x") for number in range(6)]


def test_texts_without_words_have_one_column_of_noughts() -> None:
    vectors = TfidfVectorizer(min_df=5)
    matrix = fit_transform(vectors, ["", "..."])
    assert matrix.shape == (2, 1)
    assert matrix.nnz == vectors.transform(["a lamp"]).nnz == 0


def test_texts_with_words_are_fitted_as_ever() -> None:
    texts = ["a red lamp", "a blue lamp"]
    own = fit_transform(TfidfVectorizer(), iter(texts))
    assert np.array_equal(own.toarray(), TfidfVectorizer().fit_transform(texts).toarray())


def test_baselines_answer_questions_without_words() -> None:
    classifier = BagOfWords(seed=1)
    classifier.fit(SIGNS)
    assert set(classifier.predict(SIGNS)) <= {"", "..."}
    ranker = Ranker(SIGNS, context=True)
    item = ParsedPrompt("", "", ("", "..."))
    assert ranker.choose(item, np.random.default_rng(1)) in (0, 1)
