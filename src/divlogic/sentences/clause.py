"""The main clause of a tagged sentence: its subject, its one verb group, and that they agree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import inflect, lemma_of
from divlogic.sentences.phrases import find_finite, is_verb_adverb, subject_of, verb_group
from divlogic.sentences.second_verb import check_rest
from divlogic.sentences.tokens import NOUNS, Kind, Number, Refused, Sentence, Token


@dataclass(frozen=True, slots=True)
class Clause:
    """Where the parts of a one-verb sentence are.

    Attributes:
        subject: end of the subject, tokens ``0 .. subject - 1``; adverbs before the verb are not part of it.
        head: index of the subject's head noun.
        number: grammatical number of the subject.
        kind: what the finite word is: a form of *be*, auxiliary *have*, negated *do*, a modal, or a main verb.
        finite: index of the finite word.
        negation: index of *n't* or *not* after it, or ``None``.
        last: index of the last word of the verb group (the finite word itself for a main verb or a copula).
        existential: whether the subject is *there*.
    """

    subject: int
    head: int
    number: Number
    kind: Kind
    finite: int
    negation: int | None
    last: int
    existential: bool = False


@lru_cache(maxsize=16)
def analyse(tokens: Sentence) -> Clause:
    """Find the subject and the one verb group of a sentence.

    Raises:
        Refused: there is no verb or more than one, no clear subject, or subject and verb do not agree.
    """
    finite = find_finite(tokens)
    if finite is None:
        raise Refused("no_verb")
    subject = finite
    while subject > 1 and is_verb_adverb(tokens[subject - 1]):
        subject -= 1
    existential = tokens[0].tag == "EX" or (tokens[0].lower == "there" and subject == 1)
    if existential:
        head, number = 0, _existential_number(tokens, finite)
    else:
        head, number = subject_of(tokens[:subject])
    kind, negation, last = verb_group(tokens, finite)
    if existential and kind != "be":
        raise Refused("existential")
    check_rest(tokens, last + 1, existential)
    _check_agreement(tokens[finite], kind, number)
    return Clause(subject, head, number, kind, finite, negation, last, existential)


def _existential_number(tokens: Sentence, finite: int) -> Number:
    """Return the number of what *there is* tells of."""
    for index in range(finite + 1, min(finite + 8, len(tokens))):
        token = tokens[index]
        if token.lower in ("a", "an", "one", "another"):
            return (
                "either"
                if tokens[index + 1 : index + 2] and tokens[index + 1].lower in lexicon.VAGUE_AFTER_A
                else "singular"
            )
        if token.tag == "CD":
            return "plural"
        if token.tag in NOUNS:
            last = index
            while last + 1 < len(tokens) and tokens[last + 1].tag in NOUNS:
                last += 1
            noun = tokens[last].lower
            if noun in lexicon.EITHER_NUMBER:
                return "either"
            return (
                "plural"
                if tokens[last].tag in ("NNS", "NNPS") or noun in lexicon.PLURAL_NOUNS
                else "singular"
            )
        if token.tag == "IN":
            break
    raise Refused("existential")


def _check_agreement(token: Token, kind: Kind, number: Number) -> None:
    """Refuse a verb form that does not go with the number of its subject: most such readings are tagging errors."""
    if number == "either":
        return
    word = token.lower
    singular = word in lexicon.SINGULAR_VERBS or (kind == "main" and token.tag == "VBZ")
    plural = word in lexicon.PLURAL_VERBS or (kind == "main" and token.tag in ("VBP", "VB"))
    if (singular and number == "plural") or (plural and number == "singular") or word == "am":
        raise Refused("agreement")
    if kind == "main" and token.tag == "VBZ" and inflect(lemma_of(word, "VBZ") or "", "VBZ") != word:
        raise Refused("not_negatable")
