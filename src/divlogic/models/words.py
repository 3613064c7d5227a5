"""The words of a text as the word-statistics baselines count them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

_NO_WORD = "xxnothingxx"


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text; symbols of formulas count as words."""
    return re.findall(r"[a-z']+|[^\w\s.,]", text.casefold())


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
