"""What is counted of tagged sentences: their words, and how their nouns are used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from divlogic.sentences.tokens import ADJECTIVES, NOUNS, Sentence, Token

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

START, END, NAME, NUMBER = "<s>", "</s>", "<name>", "<number>"
_ADVERBS = frozenset({"RB", "RBR", "RBS"})
_PROPER = frozenset({"NNP", "NNPS"})
_INNER = NOUNS | ADJECTIVES
_PARTICIPLES = frozenset({"VBN", "VBG"})
_DETERMINERS = frozenset({"DT", "PDT", "PRP$", "POS", "CD", "WP$"})
_ALWAYS_DETERMINERS = frozenset({"another", "some", "each", "every", "no", "one", "any", "all"})
_SEVERAL = frozenset(
    {"few", "lot", "couple", "group", "dozen", "pair", "number", "bunch", "variety", "many", "little"}
)
SINGULAR = frozenset({"a", "an", "another", "each", "every"})
"""Determiners of singular nouns."""
_AFTER_MODIFIER = frozenset({"NN", "NNS"})


USES = (
    "bare",
    "determined",
    "with_a",
    "plural",
    "plural_with_a",
    "plurals",
    "modifying",
    "finite",
    "capital",
    "small",
)
"""Uses of nouns: singular heads without and with a determiner (after a word), with *a*; plural heads, those with *a*;
all plurals, and those that stand before another noun. And words that were verbs of the third person, had
a capital within a sentence, or had none.
"""


@dataclass(frozen=True)
class Usage:
    """Counts over a collection of sentences."""

    words: list[str]
    """the vocabulary, sorted"""
    runs: Numbers
    """three words that followed one another, ``(before * n + middle) * n + after`` for a vocabulary of n; sorted"""
    times: Numbers
    """how often each did"""
    uses: dict[str, tuple[Numbers, Numbers]]
    """(word before * n + noun, sorted; how often) by use"""


class Head(NamedTuple):
    """The last noun of a noun phrase."""

    at: int
    article: str | None
    """its determiner in lower case; ``None`` where it has none"""
    before: str
    """the word before its phrase"""
    several: bool
    """whether a word of quantity stands in its phrase (*a few dogs*)"""


def words_of(tokens: Sentence) -> list[str]:
    """Return the words that are counted: in lower case, one word for all names and one for all numbers."""
    return [_word(token) for token in tokens]


def _word(token: Token) -> str:
    if token.text[0].isdigit():
        return NUMBER
    if token.tag in _PROPER and token.text[0].isupper():
        return NAME
    return token.lower


def heads(tokens: Sentence, words: list[str], tag: str) -> Iterator[Head]:
    """Yield the heads of noun phrases that have a tag, *NN* or *NNS*.

    Args:
        tokens: the sentence.
        words: its words, as :func:`words_of` gives them.
        tag: tag of the heads.
    """
    for at, token in enumerate(tokens):
        if token.tag != tag or not words[at].isalpha():
            continue
        if at + 1 < len(tokens) and tokens[at + 1].tag in NOUNS | {"POS", "CD"}:
            continue
        if tag == "NNS" and at + 1 < len(tokens) and tokens[at + 1].tag in ("DT", "PRP$"):
            continue  # *a man pilots his boat*
        first = at - 1
        while first >= 0 and _is_inner(tokens, first, at):
            first -= 1
        several = any(word in _SEVERAL or word == NUMBER for word in words[max(first, 0) : at])
        if first >= 0 and (tokens[first].tag in _DETERMINERS or words[first] in _ALWAYS_DETERMINERS):
            yield Head(at, words[first], words[first - 1] if first else START, several)
        else:
            yield Head(at, None, words[first] if first >= 0 else START, several)


def _is_inner(tokens: Sentence, index: int, head: int) -> bool:
    """Return whether a word may stand between the determiner of a phrase and its head."""
    tag, after = tokens[index].tag, tokens[index + 1].tag
    if tag in _INNER:
        return True
    if tag in _PARTICIPLES:
        # *a parked car*, but not *a man parking cars*
        return index > 0 and tokens[index - 1].tag not in NOUNS
    if index + 1 == head:
        return False
    if tag in _ADVERBS:
        return after in ADJECTIVES | _PARTICIPLES
    # *a black and white coat*
    return (
        tag == "CC"
        and index > 0
        and after in ADJECTIVES | {"VBN"}
        and tokens[index - 1].tag in ADJECTIVES | {"NN", "VBN"}
    )


def modifiers(tokens: Sentence) -> Iterator[int]:
    """Yield the places of plural nouns that stand right before the rest of a noun phrase (*sports cars*)."""
    for at, token in enumerate(tokens[:-1]):
        if token.tag != "NNS":
            continue
        tags = [other.tag for other in tokens[at + 1 : at + 3]]
        adjective = tags[0] == "JJ" and len(tags) > 1 and tags[1] in _AFTER_MODIFIER
        if tags[0] in _AFTER_MODIFIER or adjective:
            yield at


def is_capitalised(token: Token) -> bool:
    """Return whether a word has a capital and small letters behind it; *GAO* has none."""
    return token.text.isalpha() and token.text[0].isupper() and token.text[1:].islower()
