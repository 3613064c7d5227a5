"""What a clause is about: the head nouns of its subject, and whether the subject is definite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause
from divlogic.sentences.grammar import NOUNS
from divlogic.sentences.noun_phrase import is_marked_plural
from divlogic.sentences.tokens import Sentence

Opener = Literal["indefinite", "definite", "bare", "quantified", "name"]

DEFINITE = frozenset({"the", "this", "that", "these", "those", "his", "her", "its", "their"})
INDEFINITE = frozenset({"a", "an", "one", "another", "some"})
_QUANTIFIED = frozenset({"no", "not", "nobody", "nothing", "none"}) | lexicon.UNIVERSALS


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    Attributes:
        heads: singular forms of the nouns that it names, in lower case: the head, for *a group of men* the men, for
            *a man and a woman* both; of *there is a dog in the yard* the dog.
        opener: how it opens: with *a*, *one*, a number or *some*; with *the* or the like; with no article; with a
            universal or negative word; with a name.
        plural: whether it names several.
    """

    heads: tuple[str, ...]
    opener: Opener
    plural: bool


def subject_of_clause(tokens: Sentence, clause: Clause) -> Subject:
    """Return what a clause is about.

    Args:
        tokens: the positive clause.
        clause: its analysis.
    """
    phrase = _told_of(tokens, clause) if clause.existential else tokens[: clause.subject]
    head = _first_head(phrase) if clause.existential else clause.head
    heads = _heads(phrase, min(head, len(phrase) - 1))
    plural = (
        len(heads) > 1
        or is_marked_plural(phrase)
        or clause.number == "plural"
        or any(lexicon.is_plural(token.lower) for token in phrase if lexicon.singular(token.lower) in heads)
    )
    return Subject(heads, _opener(phrase), plural)


def coordinated(tokens: Sentence) -> bool:
    """Return whether a subject joins several noun phrases (*a man and a woman*), not only adjectives of one."""
    return any(
        token.lower in ("and", "or")
        and index
        and tokens[index - 1].tag in NOUNS
        and tokens[index - 1].lower not in lexicon.COLOURS
        for index, token in enumerate(tokens)
    )


def _told_of(tokens: Sentence, clause: Clause) -> Sentence:
    """Return the noun phrase that *there is* tells of."""
    start = (clause.finite if clause.negation is None else clause.negation) + 1
    end = start
    while end < len(tokens) and tokens[end].tag not in ("IN", "TO", "VBG", "VBN", "RB"):
        end += 1
    if end + 1 < len(tokens) and tokens[end].lower == "of":
        end += 1
        while end < len(tokens) and tokens[end].tag not in ("IN", "TO", "VBG", "RB"):
            end += 1
    return tokens[start:end] or tokens[-1:]


def _first_head(phrase: Sentence) -> int:
    end = next((i for i, token in enumerate(phrase) if token.tag in ("IN", "TO", "CC")), len(phrase))
    return max((i for i in range(end) if phrase[i].tag in NOUNS), default=0)


def _heads(phrase: Sentence, head: int) -> tuple[str, ...]:
    """Name the head, through *a group of*, and the nouns that *and* joins to it before any preposition."""
    found = [phrase[head].lower]
    if found[0] in lexicon.COLLECTIONS and head + 1 < len(phrase) and phrase[head + 1].lower == "of":
        end = next((i for i in range(head + 2, len(phrase)) if phrase[i].tag in ("IN", "CC")), len(phrase))
        nouns = [token.lower for token in phrase[head + 2 : end] if token.tag in NOUNS]
        found = nouns[-1:] or found
    end = next((i for i, token in enumerate(phrase) if token.tag in ("IN", "TO")), len(phrase))
    for index in range(end):
        if phrase[index].lower != "and":
            continue
        if index and phrase[index - 1].tag in NOUNS and phrase[index - 1].lower not in lexicon.COLOURS:
            found.append(phrase[index - 1].lower)
            found += [token.lower for token in phrase[index + 1 : end] if token.tag in NOUNS][-1:]
    return tuple(sorted({"person" if noun == "people" else lexicon.singular(noun) for noun in found}))


def _opener(phrase: Sentence) -> Opener:
    first = phrase[0]
    if first.lower in DEFINITE:
        return "definite"
    if first.lower in INDEFINITE or first.tag == "CD" or first.lower in lexicon.INDEFINITES:
        return "indefinite"
    if first.lower in _QUANTIFIED or first.lower in lexicon.HARD_QUANTIFIERS:
        return "quantified"
    return "name" if first.tag in ("NNP", "NNPS") else "bare"
