"""Tokens with Penn Treebank tags, sets of tags, their text, and the refusal that every rule may raise."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Protocol

from divlogic.io.imports import lean
from divlogic.sentences import lexicon

Kind = Literal["be", "have", "do", "modal", "main"]
"""What a finite word is: a form of *be*, auxiliary *have*, negated *do*, a modal, or a main verb."""

Number = Literal["singular", "plural", "either"]

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
FINITE = frozenset({"VBD", "VBP", "VBZ"})
RELATIVES = frozenset({"WDT", "WP", "WP$", "WRB"})


class Refused(Exception):  # noqa: N818 - the outcome of a filter, not an error
    """A sentence that the filter drops; ``reason`` is a column value of the filter's table."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


_SIMPLE = re.compile(r"[A-Za-z0-9 -]*")
_FUSED = re.compile(
    r"--|\b(?:cannot|gonna|gotta|lemme|gimme|wanna|whaddya|whatcha|wha|d|more)\b", re.IGNORECASE
)
"""Words that the tokeniser takes apart though they hold no mark; any other text without marks is split at blanks."""

NEGATORS = frozenset({"n't", "not"})

FORM_TAGS = {
    word: tag for tag, words in lexicon.LISTS["form_tags"].items() for word in words.split()
}
"""Words whose tag follows from their form; the tagger is overruled there."""


class _Token(NamedTuple):
    text: str
    tag: str
    lower: str


class Token(_Token):
    """A word and its Penn Treebank tag; ``lower`` is the word in lower case, made once: the rules ask for it often."""

    __slots__ = ()

    def __new__(cls, text: str, tag: str) -> Token:
        return tuple.__new__(cls, (text, tag, text.lower()))


Sentence = tuple[Token, ...]
"""One sentence in mid-sentence form: no final mark."""


class Tagger(Protocol):
    """Tags a list of words with Penn Treebank tags."""

    def tag(self, words: list[str]) -> list[tuple[str, str]]: ...


@dataclass(frozen=True)
class Reader:
    """Tokenises and tags one sentence at a time; a sentence met again is not tagged again."""

    tagger: Tagger

    def words(self, text: str) -> list[str]:
        """Split ``text`` as the Penn Treebank does (``isn't`` becomes ``is``, ``n't``)."""
        words = text.split()
        if not any(map(_is_taken_apart, words)):
            return words
        tokens: list[str] = _tokenizer().tokenize(text)
        return tokens

    def tag(self, words: list[str]) -> Sentence:
        """Tag the words of a sentence, its final mark left out."""
        # A full stop is put back for the tagger, which was trained on whole sentences.
        tagged = self.tagger.tag([*words, "."])[:-1]
        return tuple([_token(word, tag) for word, tag in tagged])


@lru_cache(maxsize=100_000)
def _is_taken_apart(word: str) -> bool:
    """Return whether the tokeniser may make several tokens of what stands between two blanks."""
    return not _SIMPLE.fullmatch(word) or _FUSED.search(word) is not None


@lru_cache(maxsize=100_000)
def _token(word: str, tag: str) -> Token:
    return Token(word, FORM_TAGS.get(word.lower(), tag))


def run_start(tokens: Sentence, index: int, tags: AbstractSet[str]) -> int:
    """Return the place from which on all words before ``index`` have one of the tags."""
    while index > 0 and tokens[index - 1].tag in tags:
        index -= 1
    return index


def run_end(tokens: Sentence, index: int, tags: AbstractSet[str]) -> int:
    """Return the place up to which all words from ``index`` on have one of the tags."""
    while index < len(tokens) and tokens[index].tag in tags:
        index += 1
    return index


def place_of(tokens: Sentence, start: int, tags: AbstractSet[str]) -> int:
    """Return the first place from ``start`` on of a word that has one of the tags; their end if there is none."""
    return next((at for at in range(start, len(tokens)) if tokens[at].tag in tags), len(tokens))


_JOINING = re.compile(r"['%,;:.)!?$(#]")
"""Without any of these, no two tokens stand together."""


def text_of(tokens: Sentence) -> str:
    """Return the text of a sentence, clitics and marks joined to the word before them."""
    text = " ".join([token.text for token in tokens])
    if not _JOINING.search(text):
        return text
    parts: list[str] = []
    glue = True
    for token in tokens:
        text = token.text
        joined = glue or text == "n't" or (text[0] in "'%,;:.)!?" and parts)
        if not joined:
            parts.append(" ")
        parts.append(text)
        glue = text in ("$", "(", "#")
    return "".join(parts)


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    with lean("nltk"):
        from nltk.tokenize.destructive import NLTKWordTokenizer

    return NLTKWordTokenizer()
