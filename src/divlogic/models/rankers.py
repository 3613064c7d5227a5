"""Option rankers that are trained: what word statistics alone can make of the benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from divlogic.models.prompts import ParsedPrompt
from divlogic.models.ties import rounded
from divlogic.models.words import fit_transform, words
from divlogic.records import Record

_NEGATIONS = frozenset({"not", "never", "no", "nobody", "nothing", "neither", "nor", "¬"})
_SEED = 0
_Key = tuple[str, str, frozenset[str]]


class Ranker:
    """Logistic regression on TF-IDF and surface features of each (question, option) pair; the best option wins.

    With ``context`` an option is also compared with the content (cosine, share of its words); without, it is the
    hypothesis-only probe. The numbers enter once plain and once per word of the question, since what speaks for an
    option depends on what is asked.
    """

    def __init__(self, records: Sequence[Record], *, context: bool) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression

        self._context = context
        self._chosen: dict[_Key, str] = {}
        self._options: Any = TfidfVectorizer(
            tokenizer=words, token_pattern=None, ngram_range=(1, 2), min_df=2
        )
        self._questions: Any = TfidfVectorizer(tokenizer=words, token_pattern=None, binary=True)
        texts = [option for record in records for option in record.options]
        fit_transform(self._options, texts + [record.context for record in records])
        fit_transform(self._questions, [record.question for record in records])
        items = [ParsedPrompt(record.context, record.question, record.options) for record in records]
        right = [position == record.answer for record in records for position in range(len(record.options))]
        self._model = LogisticRegression(C=1.0, max_iter=2000, random_state=_SEED, class_weight="balanced")
        self._model.fit(self._features(items), np.array(right))

    def prepare(self, prompts: Sequence[ParsedPrompt]) -> None:
        """Decide many prompts at once, which takes a fraction of the time of one after the other."""
        # The choice depends on the set of options, not on their order: rotations of one instance share it.
        ordered = {_key(prompt): replace(prompt, options=tuple(sorted(prompt.options))) for prompt in prompts}
        wanted = [key for key in ordered if key not in self._chosen]
        scores = self._scores([ordered[key] for key in wanted]) if wanted else []
        for key, own in zip(wanted, scores, strict=True):
            self._chosen[key] = ordered[key].options[int(np.argmax(rounded(own)))]

    def choose(self, prompt: ParsedPrompt, rng: np.random.Generator) -> int | None:
        self.prepare([prompt])
        return prompt.options.index(self._chosen[_key(prompt)])

    def _scores(self, items: Sequence[ParsedPrompt]) -> list[NDArray[np.float64]]:
        """Return the model's decision for each option of each item, up to its constant; shape (options,) each.

        The model is linear, so that the many columns of :meth:`_features` need not be built.
        """
        options, numbers = self._plain(items)
        kinds = numbers.shape[1]
        weights = self._model.coef_[0]
        words_end = options.shape[1]
        questions = self._questions.transform([item.question for item in items])
        crossed = weights[words_end + kinds :].reshape(kinds, questions.shape[1])
        by_numbers = weights[words_end : words_end + kinds] + questions @ crossed.T
        owner = np.repeat(np.arange(len(items)), [len(item.options) for item in items])
        decisions = options @ weights[:words_end] + (numbers * by_numbers[owner]).sum(axis=1)
        ends = np.cumsum([len(item.options) for item in items])[:-1]
        return np.split(np.asarray(decisions, dtype=np.float64), ends)

    def _features(self, items: Sequence[ParsedPrompt]) -> Any:
        """Return the sparse feature matrix, one row per option of each item."""
        from scipy import sparse

        options, numbers = self._plain(items)
        owner = [index for index, item in enumerate(items) for _ in item.options]
        questions = self._questions.transform([item.question for item in items])[owner]
        crossed = [questions.multiply(column.reshape(-1, 1)) for column in numbers.T]
        return sparse.hstack([options, sparse.csr_matrix(numbers), *crossed]).tocsr()

    def _plain(self, items: Sequence[ParsedPrompt]) -> tuple[Any, NDArray[np.float64]]:
        """Return the TF-IDF of the options and their surface numbers, one row per option of each item."""
        options = self._options.transform([option for item in items for option in item.options])
        numbers = np.array([row for item in items for row in self._surface(item)])
        if self._context:
            owner = [index for index, item in enumerate(items) for _ in item.options]
            contexts = self._options.transform([item.context for item in items])[owner]
            cosine = np.asarray(options.multiply(contexts).sum(axis=1)).reshape(-1, 1)
            numbers = np.hstack([numbers, cosine])
        return options, numbers

    def _surface(self, item: ParsedPrompt) -> list[list[float]]:
        """Return length, negations and overlap of each option, each as its distance to the mean of the item."""
        context = set(words(item.context)) if self._context else set()
        rows = []
        for option in item.options:
            own = words(option)
            negations = sum(word in _NEGATIONS or word.endswith("n't") for word in own)
            row = [len(own) / 10.0, float(negations)]
            if self._context:
                row.append(len(set(own) & context) / max(len(set(own)), 1))
            rows.append(row)
        values = np.array(rows)
        distances: list[list[float]] = (values - values.mean(axis=0)).tolist()
        return distances


def _key(prompt: ParsedPrompt) -> _Key:
    return prompt.context, prompt.question, frozenset(prompt.options)
