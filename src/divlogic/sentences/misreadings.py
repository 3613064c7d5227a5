"""Slips that the tagger reads over: it finds a verb, or the number of a noun, where the writer has none."""

from __future__ import annotations

from itertools import pairwise

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause
from divlogic.sentences.grammar import NOUNS, Refused
from divlogic.sentences.inflection import lemma_of
from divlogic.sentences.tokens import Sentence

_COUNTED = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])


def check_head(tokens: Sentence, clause: Clause) -> None:
    """Refuse subjects and verbs that the tagger mends in the writer's place.

    These are a gerund as the finite verb (*three dogs drinking water*), a person in the singular with a plural verb
    (*three woman are*), a number for what was counted (*six are correlated*), and other words taken for the verb (*the
    board ignores advice from committees linked with it*, *people with carts full of bags*, *a crowd on the buildings
    steps*).

    Raises:
        Refused: the sentence has one of these.
    """
    finite, head = tokens[clause.finite], tokens[clause.head]
    if clause.kind == "main" and (
        finite.lower == "full" or (finite.lower.endswith("ing") and lemma_of(finite.lower, "VBG"))
    ):
        raise Refused("verb_form")
    before = tokens[
        max(clause.finite - 2, clause.head + 1) : clause.finite
    ]  # not: *a group of dancers performs*
    if finite is tokens[-1] and len(before) == 2 and before[0].lower == "the" and before[1].tag == "NNS":
        raise Refused("no_verb")
    for noun, article in pairwise(tokens[: clause.subject]):
        if noun.tag in NOUNS and article.lower in ("a", "an", "the") and lemma_of(noun.lower, "VBZ"):
            raise Refused("several_verbs")
    if head.lower in _COUNTED:
        raise Refused("no_subject")
    if head.tag == "NNS" and head.text.islower() and lexicon.is_person(head.lower) and _is_one(head.lower):
        raise Refused("agreement")
    past = clause.kind == "main" and finite.tag == "VBD" and lemma_of(finite.lower, "VBN")
    if past and any(token.tag == "JJ" and lemma_of(token.lower, "VBZ") for token in tokens[: clause.subject]):
        raise Refused("several_verbs")


def _is_one(noun: str) -> bool:
    return (
        lexicon.singular(noun) == noun and not lexicon.is_plural(noun) and noun not in lexicon.EITHER_NUMBER
    )
