"""Word statistics: texts without words stop nothing, and ties are decided by the order of the classes."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from divlogic.models.baselines import Ranker
from divlogic.models.learners import BagOfWords
from divlogic.models.prompts import ParsedPrompt
from divlogic.models.words import fit_transform, highest_scored, most_probable
from divlogic.records import Record

SIGNS = [
    Record(f"i{number}", "signs", "test", "", "", ("", "..."), number % 2, "x")
    for number in range(6)
]


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


class Fitted:
    """A classifier whose probabilities are its input."""

    classes_ = np.array(["contradiction", "entailment", "neutral"])

    def predict_proba(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows


@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_classes_that_differ_in_the_last_bits_alone_are_tied(noise: float) -> None:
    rows = np.array([[0.2, 0.4 + noise, 0.4 - noise], [0.1, 0.2, 0.7 + noise]])
    assert most_probable(Fitted(), rows).tolist() == ["entailment", "neutral"]


class Scored:
    """A linear classifier whose scores are its input."""

    def __init__(self, *classes: str) -> None:
        self.classes_ = np.array(classes)

    def decision_function(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows


@pytest.mark.parametrize("noise", [0.0, 1e-12, -1e-12])
def test_scores_that_differ_in_the_last_bits_alone_are_tied(noise: float) -> None:
    three = np.array([[-1.0, 0.5 + noise, 0.5 - noise], [-1.0, -0.5, 0.1 + noise]])
    assert highest_scored(Scored("a", "b", "c"), three).tolist() == ["b", "c"]
    assert highest_scored(Scored("a", "b"), np.array([noise, 0.1, -0.1])).tolist() == [
        "a",
        "b",
        "a",
    ]
