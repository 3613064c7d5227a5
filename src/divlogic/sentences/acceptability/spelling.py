"""Words that no dictionary knows, beside known words of nearly the same letters.

Names are in no dictionary, so that these words cannot be refused as such; but *Coporation*, once, beside *Corporation*,
forty times, is rather a slip, and *Gauve*, thirteen times, beside *gave* a name.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from divlogic.sentences.acceptability.language import Language
from divlogic.sentences.inflection import in_dictionary
from divlogic.sentences.tokens import Token

LEAST = 3
"""Occurrences from which a word may be what another one was meant to be."""
_SHORTEST = 5
_SLIPS = 0.06
"""Misspellings for each occurrence of a word, those counted that are weighed against one name alike: high, as a
misspelling that was met at all is met here."""
_OWN = 0.2
"""What a word that occurs nowhere else counts."""
_LIGATURES = ("ff", "fi", "fl", "ffi")
"""Letters that are lost where a text is taken from a printed page (*dierent*)."""


class Spelling:
    """Judges how words are spelt by how often they and similar ones occur, with or without a capital."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known = {word: times for word, times in language.written(LEAST).items() if word.isalpha()}
        self._near: dict[str, list[str]] = defaultdict(list)
        for word in self._known:
            if len(word) >= _SHORTEST - 1:
                for form in shortened(word):
                    self._near[form].append(word)
        self._rival = lru_cache(maxsize=50_000)(self._find_rival)

    def probability(self, token: Token, opens: bool) -> float:
        """Return the probability that a word is meant as it is spelt.

        Args:
            token: the word.
            opens: it is the first of its sentence, where capitals are not counted.
        """
        word = token.lower
        if len(word) < _SHORTEST or not word.isalpha() or in_dictionary(word):
            return 1.0
        rival = self._rival(word)
        if not rival:
            return 1.0
        times = self._language.used("small", word) + self._language.used("capital", word)
        own = max(0.0, times - (not opens or token.text.islower())) + _OWN
        return own / (own + _SLIPS * rival)

    def _find_rival(self, word: str) -> float:
        """Return how often the most frequent word occurs that this one may be a misspelling of; 0: none."""
        found = {other for form in shortened(word) for other in self._near.get(form, ())}
        found.update(word[:at] + letters + word[at:] for at in range(1, len(word)) for letters in _LIGATURES)
        return max((self._known.get(other, 0.0) for other in found if _may_be(word, other)), default=0.0)


def _may_be(word: str, other: str) -> bool:
    """Return whether a word may be meant to be another one: not its plural, and none that begins otherwise."""
    return other != word and other[0] == word[0] and other.rstrip("s") != word.rstrip("s")


def shortened(word: str) -> set[str]:
    """Return a word and what remains of it without one of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
