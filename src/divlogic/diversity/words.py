"""Word tokens: NLTK's word tokenizer, several times faster with the same tokens, and plain letters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol

from divlogic.diversity.sentence_split import SentenceSplitter
from divlogic.io.imports import lean

_CACHE_LIMIT = 1 << 18  # distinct chunks remembered; bounds the memory of a run over any amount of text
_CLOSERS = frozenset("])}>\"'»”’")
ALPHABETIC = re.compile(r"[a-z]+")
_SIMPLE = r"(\(?)([A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)('s)?(\)?)"  # what NLTK cuts nowhere but between these parts
_SIMPLE_INNER = re.compile(_SIMPLE + r"([,;:?!]?)")
_SIMPLE_FINAL = re.compile(_SIMPLE + r"([.,;:?!]?)")
_CONTRACTED = frozenset(("cannot", "gimme", "gonna", "gotta", "lemme", "wanna"))  # NLTK cuts these in two
_NOT_LETTERS = bytes(
    byte | 0x20 if 65 <= byte <= 90 else (byte if 97 <= byte <= 122 else 32) for byte in range(256)
)


_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_HAN = re.compile(f"[{_HAN}]")
_CHARACTERS = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+|[^\w\s]")


class Tokenizer(Protocol):
    """Turns a text into its tokens."""

    def __call__(self, text: str) -> list[str]: ...


class WordTokenizer:
    """The tokens of ``nltk.word_tokenize``, sentence by sentence.

    NLTK runs some thirty regular expressions over each sentence. All but the rule for the final full stop
    look no further than the next blank, so each chunk between blanks is tokenized once and remembered.
    """

    def __init__(self, split_sentences: SentenceSplitter) -> None:
        with lean("nltk"):
            from nltk.tokenize import NLTKWordTokenizer

        self._split = split_sentences
        self._tokenize = NLTKWordTokenizer().tokenize
        self._inner = lru_cache(maxsize=_CACHE_LIMIT)(self._inner_tokens)
        self._final = lru_cache(maxsize=_CACHE_LIMIT)(self._final_tokens)

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of ``text`` in order."""
        tokens: list[str] = []
        inner = self._inner
        for sentence in self._split(text):
            chunks = sentence.split()
            if len(chunks) < 2 or sentence.count(" ") != len(chunks) - 1 or sentence[0] in "'\"":
                # Other blanks than single spaces mean something to NLTK, and so does a quote at the very start.
                tokens += self._tokenize(sentence)
                continue
            last = chunks.pop()
            while chunks and not set(last.split(" ", 1)[0]) - _CLOSERS:
                last = f"{chunks.pop()} {last}"  # brackets and quotes may stand behind the final full stop
            for chunk in chunks:
                tokens += inner(chunk)
            tokens += self._final(last)
        return tokens

    def _inner_tokens(self, chunk: str) -> list[str]:
        return _simple_tokens(_SIMPLE_INNER.fullmatch(chunk)) or self._tokenize(f"x {chunk} x")[1:-1]

    def _final_tokens(self, chunk: str) -> list[str]:
        return _simple_tokens(_SIMPLE_FINAL.fullmatch(chunk)) or self._tokenize(f"x {chunk}")[1:]


def _simple_tokens(match: re.Match[str] | None) -> list[str]:
    """Return the tokens of a chunk that NLTK cuts between the groups of the match alone; none of any other."""
    if match is None or not _CONTRACTED.isdisjoint(match[2].lower().split("-")):
        return []
    return [part for part in match.groups() if part]


class ByScript:
    """Characters of a text that holds Chinese, words of any other.

    Chinese is not segmented into words: a segmenter is a model of its own, and its dictionary would decide what counts
    as a word. Each Han character is a token, and so is each run of other letters or digits and each sign.
    """

    def __init__(self, words: Tokenizer) -> None:
        self._words = words

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of ``text`` in order."""
        if text.isascii() or not _HAS_HAN.search(text):
            return self._words(text)
        return _CHARACTERS.findall(text)


def countable(tokens: Iterable[str]) -> list[str]:
    """Return what type-token statistics count: :func:`alphabetic` tokens, and Han characters."""
    found = []
    for token in tokens:
        if token.isascii():
            found += alphabetic((token,))
        elif _HAS_HAN.fullmatch(token):
            found.append(token)
    return found


def letter_tokens(text: str) -> list[str]:
    """Return the runs of ASCII letters, lower-cased: no linguistics, but an order of magnitude faster."""
    return text.encode("utf-8", "replace").translate(_NOT_LETTERS).decode("ascii").split()


def alphabetic(tokens: Iterable[str]) -> list[str]:
    """Return the tokens that are all letters a-z once lower-cased (JustLogic's rule ``^[a-z]+$``)."""
    match = ALPHABETIC.fullmatch
    return [token for token in (token.lower() for token in tokens) if match(token)]
