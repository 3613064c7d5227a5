"""Words and syllables as py-readability-metrics 1.4.5 counts them, without its cost.

That package tokenizes with NLTK's TweetTokenizer, drops tokens that are one common punctuation mark, and
counts vowel pairs. The tokenizer's patterns never cross a blank, but for telephone numbers and spaced dots;
so the text is cut at all other blanks and every piece is counted once.
"""

from __future__ import annotations

import re

from divlogic.io.imports import lean

_CACHE_LIMIT = 1 << 18
_PUNCTUATION = frozenset(".,/#!$%'^&*;:{}=-_`~()")  # what is no word; "?" and quotation marks are
_VOWELS = "aeiouy"
_PAIR = re.compile(f"[{_VOWELS}]{{1,2}}")
_SIMPLE = re.compile(r"([A-Za-z]+)[.,!?]?")  # a word that no pattern of the tokenizer cuts otherwise

# A blank is no cut where a telephone number or an ellipsis could go on behind it (";" and "&": entities of them).
_CUT = re.compile(r"(?<![0-9*\-.);\s])\s+|\s+(?![0-9(*\-.&\s])")


class TweetWords:
    """Counts (words, syllables) of texts; remembers every piece between blanks."""

    def __init__(self) -> None:
        with lean("nltk"):
            from nltk.tokenize import TweetTokenizer

        self._tokenize = TweetTokenizer().tokenize
        self._known: dict[str, tuple[int, int]] = {}

    def count(self, text: str) -> tuple[int, int]:
        """Return the number of words and of syllables of ``text``."""
        known, words, syllables = self._known, 0, 0
        for piece in _CUT.split(text):
            found = known.get(piece)
            if found is None:
                found = self._learn(piece)
            words += found[0]
            syllables += found[1]
        return words, syllables

    def _learn(self, piece: str) -> tuple[int, int]:
        simple = _SIMPLE.fullmatch(piece)
        words = (
            [simple[1], *("?" if piece.endswith("?") else "")]
            if simple
            else [t for t in self._tokenize(piece) if t not in _PUNCTUATION]
        )
        if len(self._known) >= _CACHE_LIMIT:
            self._known.clear()
        self._known[piece] = (len(words), sum(map(vowel_pairs, words)))
        return self._known[piece]


def vowel_pairs(word: str) -> int:
    """Count syllables by vowels: short words have one; a silent final e(s) and an initial y are dropped.

    Vowels are taken in pairs from the left, so three in a row count twice. The count can be 0.
    """
    word = word.lower()
    if len(word) <= 3:
        return 1
    ending = 3 if word.endswith("es") else 2 if word.endswith("e") else 0
    if ending and word[-ending] not in "laeiouy":
        word = word[:-ending]
    return len(_PAIR.findall(word.removeprefix("y")))
