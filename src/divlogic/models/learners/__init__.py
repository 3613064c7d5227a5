"""Classifiers of records with labels, behind one interface: fit on records, predict their labels, seeded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Protocol

from divlogic.errors import DivLogicError
from divlogic.models.words import fit_transform, highest_scored, words
from divlogic.records import Record


class Learner(Protocol):
    """Learns from records with answers and labels others; the same records and seed give the same labels."""

    def fit(self, records: Iterable[Record]) -> None:
        """Learn from records, which are read once; does nothing where there is nothing to learn.

        Raises:
            DivLogicError: there is no record, or one lacks what the learner reads.
        """

    def predict(self, records: Sequence[Record]) -> list[str]:
        """Return a label, one of its options, for each record.

        Raises:
            DivLogicError: a record lacks what the learner reads.
        """


def labelled(records: Iterable[Record]) -> Iterator[tuple[Record, str]]:
    """Yield training records with their right labels.

    Raises:
        DivLogicError: there is no record, or one has no answer.
    """
    record = None
    for record in records:
        if record.answer is None:
            raise DivLogicError(
                f"record {record.id} of {record.split} has no answer to learn from; train on labelled records only."
            )
        yield record, record.options[record.answer]
    if record is None:
        raise DivLogicError("there is no record to learn from; give a training set that is not empty.")


class Majority:
    """The label that is most frequent in training; of several, the alphabetically first."""

    def __init__(self) -> None:
        self._label = ""

    def fit(self, records: Iterable[Record]) -> None:
        counts = Counter(label for _, label in labelled(records))
        self._label = min(counts, key=lambda label: (-counts[label], label))

    def predict(self, records: Sequence[Record]) -> list[str]:
        return [self._label] * len(records)


class BagOfWords:
    """A linear classifier by stochastic gradient descent on the TF-IDF of words and pairs of adjacent words.

    Args:
        seed: of the order of training.
        pairs: whether pairs count in addition to single words.
        fewest: records in which a word or a pair must occur to count.
    """

    def __init__(self, seed: int, *, pairs: bool = True, fewest: int = 5) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import SGDClassifier

        # `words` lower-cases and splits already.
        self._features: Any = TfidfVectorizer(analyzer=_words_and_pairs if pairs else words, min_df=fewest)
        self._model: Any = SGDClassifier(alpha=1e-4, max_iter=20, tol=None, random_state=seed % 2**31)

    def fit(self, records: Iterable[Record]) -> None:
        labels: list[str] = []

        def texts() -> Iterator[str]:
            for record, label in labelled(records):
                labels.append(label)
                yield _text(record)

        self._model.fit(fit_transform(self._features, texts()), labels)

    def predict(self, records: Sequence[Record]) -> list[str]:
        rows = self._features.transform(map(_text, records))
        return [str(label) for label in highest_scored(self._model, rows)]


def _text(record: Record) -> str:
    return f"{record.context}\n{record.question}"


def _words_and_pairs(text: str) -> list[str]:
    found = words(text)
    return found + [f"{one} {other}" for one, other in pairwise(found)]
