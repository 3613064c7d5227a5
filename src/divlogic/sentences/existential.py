"""Negation of *there is* sentences: *there is a dog* and *there is no dog*."""

from __future__ import annotations

from itertools import pairwise

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause
from divlogic.sentences.grammar import ADJECTIVES, NOUNS, Refused
from divlogic.sentences.tokens import Sentence, Token

_OF_ONE_POLARITY = lexicon.TO_NEGATIVE.keys() | lexicon.TO_POSITIVE.keys()
_NEGATIVE = {"someone": ("no", "one"), "somebody": ("nobody",), "something": ("nothing",)}


def negated(tokens: Sentence, clause: Clause) -> Sentence:
    """Return the negation of a *there is* / *there are* sentence.

    Articles and bare plurals change with *no*, numbers with *n't*, *some* with *n't any*.

    Raises:
        Refused: what *there* tells of is definite, vaguely quantified, or of unknown countability.
    """
    start = clause.finite + 1 if clause.negation is None else clause.negation + 1
    if start >= len(tokens):
        raise Refused("existential")
    opening, rest = tokens[: clause.finite + 1], tokens[start:]
    for token in rest[1:]:
        if token.lower in lexicon.ODD_WHEN_NEGATED or token.lower in _OF_ONE_POLARITY:
            raise Refused("polarity")
    if any(a.lower in ("and", "or") and b.tag in ("DT", "CD", "PRP$") for a, b in pairwise(rest)):
        # *there are no dogs and a cat*: the negation would reach the first half only.
        raise Refused("existential")
    if clause.negation is not None:
        return (*opening, *_without_nt(rest))
    if rest[0].lower in ("no", "nobody", "nothing"):
        return (*opening, *_without_no(rest, plural=tokens[clause.finite].lower in lexicon.PLURAL_VERBS))
    return _with_negation(opening, rest)


def check_countable(tokens: Sentence, clause: Clause) -> None:
    """Refuse *there is no* with a noun that may not take *a* in the positive sentence (*no sarcasm*).

    Raises:
        Refused: the noun is neither known to be countable nor known not to be.
    """
    start = clause.finite + 1
    if (
        clause.negation is not None
        or tokens[start].lower != "no"
        or tokens[clause.finite].lower in lexicon.PLURAL_VERBS
    ):
        return
    head = _head(tokens[start + 1 :])
    if head and head != "one" and not lexicon.is_count(head) and head not in lexicon.MASS:
        raise Refused("countability")


def _with_negation(opening: Sentence, rest: Sentence) -> Sentence:
    first = rest[0].lower
    nt = Token("n't", "RB")
    if first in ("a", "an"):
        if len(rest) > 1 and rest[1].lower in lexicon.VAGUE_AFTER_A:
            raise Refused("quantifier")
        return (*opening, Token("no", "DT"), *rest[1:])
    if first in _NEGATIVE:
        return (*opening, *(Token(word, "NN") for word in _NEGATIVE[first]), *rest[1:])
    if first == "some":
        return (*opening, nt, Token("any", "DT"), *rest[1:])
    if _is_number(rest[0]):
        return (*opening, nt, *rest)
    plural = opening[-1].lower in lexicon.PLURAL_VERBS
    bare = rest[0].tag in NOUNS | ADJECTIVES | {"VBG", "VBN"} and first not in lexicon.HARD_QUANTIFIERS
    if bare and (plural or _head(rest) in lexicon.MASS):
        return (*opening, Token("no", "DT"), *rest)
    raise Refused("quantifier")


def _without_no(rest: Sentence, *, plural: bool) -> Sentence:
    for positive, words in _NEGATIVE.items():
        if tuple(token.lower for token in rest[: len(words)]) == words:
            return (Token(positive, "NN"), *rest[len(words) :])
    after = rest[1:]
    if rest[0].lower != "no" or not after or after[0].lower in ("more", "longer", "such", "other"):
        raise Refused("quantifier")
    if plural or _head(after) in lexicon.MASS:
        return after
    return (Token("an" if lexicon.starts_with_vowel(after[0].text) else "a", "DT"), *after)


def _without_nt(rest: Sentence) -> Sentence:
    if rest[0].lower == "any":
        return (Token("some", "DT"), *rest[1:])
    if _is_number(rest[0]):
        return rest
    raise Refused("quantifier")


def _is_number(token: Token) -> bool:
    return token.tag == "CD" or token.lower in lexicon.NUMBERS  # *twelve* is often taken for an adjective


def _head(rest: Sentence) -> str:
    """Return the last noun of the phrase that ``rest`` opens with."""
    head = ""
    for token in rest:
        if token.tag in NOUNS:
            head = token.lower
        elif token.tag not in ADJECTIVES | {"VBG", "VBN", "CC"}:
            break
    return head
