"""Word statistics: the words of a text, vectorisers of texts without words, and decisions that no last bit changes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NO_WORD = "xxnothingxx"

DIGITS = 6
"""Probabilities and scores equal to this number of decimal places are tied."""


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return re.findall(r"[a-z']+|[^\w\s.,]", text.casefold())


class WordCounts:
    """Counts words and pairs of adjacent ones, each sentence once: many texts of a data set share most of theirs.

    Args:
        fewest: texts in which a word or a pair must occur to count.
    """

    def __init__(self, fewest: int) -> None:
        self._fewest, self._growing = fewest, True
        self._columns: dict[str, int] = {}
        self._seen: dict[tuple[str, str], tuple[str, array[int]]] = {}

    def fit_transform(self, texts: Iterable[str]) -> Any:
        """Learn which words and pairs count, and return :meth:`transform` of the same texts."""
        counts = self.transform(texts)
        held = np.bincount(counts.indices, minlength=counts.shape[1])
        kept = sorted(term for term, column in self._columns.items() if held[column] >= self._fewest)
        # Where no word occurs often enough, one that no text has: from texts without words nothing is learnt.
        counts.resize(counts.shape[0], len(self._columns) + 1)
        counts = counts[:, [self._columns[term] for term in kept] or [-1]]
        counts.sort_indices()
        self._columns = {term: column for column, term in enumerate(kept or [""])}
        self._seen, self._growing = {}, False
        return counts

    def transform(self, texts: Iterable[str]) -> Any:
        """Return how often each word and pair, in alphabetical order, occurs; a sparse matrix (texts, columns)."""
        from scipy.sparse import csr_array

        found, ends = array("i"), array("i", [0])  # scikit-learn takes indices of 32 bits
        for text in texts:
            word = ""
            for sentence in text.split("."):  # no word holds a full stop
                seen = self._seen.get((word, sentence))
                if seen is None:
                    seen = self._seen[word, sentence] = self._counted(word, sentence)
                word, columns = seen
                found += columns
            ends.append(len(found))
        values, shape = np.ones(len(found)), (len(ends) - 1, len(self._columns))
        counts = csr_array((values, found, ends), shape=shape)
        counts.sum_duplicates()
        return counts

    def _counted(self, word: str, sentence: str) -> tuple[str, array[int]]:
        """Return the last word of a sentence after a word, and the columns of what counts in it."""
        following = words(sentence)
        terms = [*following, *map(" ".join, pairwise([word, *following] if word else following))]
        columns = self._columns
        if self._growing:
            for term in terms:
                columns.setdefault(term, len(columns))
        return (following or [word])[-1], array("i", [columns[term] for term in terms if term in columns])


def fit_transform(vectors: Any, texts: Iterable[str]) -> Any:
    """Fit a vectoriser of scikit-learn to texts, and return their matrix; shape (texts, columns).

    Where no text has a word that occurs often enough, there is one column, which is zero for every text: from a data
    set without words nothing is learnt, and that is no error.
    """
    count = 0

    def counted() -> Iterator[str]:
        nonlocal count
        for text in texts:
            count += 1
            yield text

    try:
        return vectors.fit_transform(counted())
    except ValueError:
        if not count:
            raise
        vectors.fit([_NO_WORD] * max(count, int(vectors.min_df)))
        return vectors.transform([""] * count)


def rounded(scores: Any) -> NDArray[np.float64]:
    """Return scores of which those that are tied are equal."""
    tied: NDArray[np.float64] = np.asarray(np.round(scores, DIGITS), dtype=np.float64)
    return tied


def most_probable(model: Any, rows: Any) -> NDArray[Any]:
    """Return the most probable class of each row, of tied ones the first in the order of the classes.

    Symmetric data give classes that are equally probable; `predict` then decides by the last bits of its sums, which
    differ between machines and between runs.

    Args:
        model: a fitted classifier of scikit-learn with `predict_proba`.
        rows: shape (n, features).

    Returns:
        The classes, shape (n,).
    """
    return _highest(model.classes_, model.predict_proba(rows))


def highest_scored(model: Any, rows: Any) -> NDArray[Any]:
    """Return the class of each row that a classifier without probabilities scores highest, ties as above.

    Args:
        model: a fitted linear classifier of scikit-learn with `decision_function`.
        rows: shape (n, features).

    Returns:
        The classes, shape (n,).
    """
    scores = np.asarray(model.decision_function(rows))
    if scores.ndim == 1:  # of two classes the score of the second against the first
        scores = np.stack((np.zeros_like(scores), scores), axis=1)
    return _highest(model.classes_, scores)


def _highest(classes: NDArray[Any], scores: NDArray[Any]) -> NDArray[Any]:
    found: NDArray[Any] = classes[rounded(scores).argmax(axis=1)]
    return found
