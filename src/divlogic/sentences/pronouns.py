"""Pronoun subjects of hypotheses, resolved against the subject of their premise."""

from __future__ import annotations

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause
from divlogic.sentences.grammar import NOUNS, Refused
from divlogic.sentences.tokens import Sentence, Token


def resolved(tokens: Sentence, premise: Sentence, clause: Clause) -> Sentence:
    """Put *the* and the premise's subject noun in place of a leading *he*, *she*, *it* or *they*.

    Args:
        tokens: the hypothesis; its first token is the pronoun.
        premise: the premise.
        clause: the premise's analysis.

    Raises:
        Refused: number, sex or kind do not fit, or another noun of the premise would fit as well.
    """
    pronoun = tokens[0].lower
    phrase = _phrase(pronoun, premise, clause)
    return (*phrase, *tokens[1:])


def _phrase(pronoun: str, premise: Sentence, clause: Clause) -> Sentence:
    if clause.existential or clause.negation is not None:
        raise Refused("pronoun_subject")
    subject = premise[: clause.subject]
    first = subject[0].lower
    if first in lexicon.INDEFINITES or first in lexicon.UNIVERSALS or first in lexicon.HARD_QUANTIFIERS:
        raise Refused("pronoun_subject")
    heads = _heads(subject, clause.head)
    others = [t for i, t in enumerate(premise) if t.tag in NOUNS and i not in heads]
    if not all(_fits(pronoun, subject[head].lower, len(heads), subject, head) for head in heads):
        raise Refused("pronoun_subject")
    # Nouns before the head (*a soccer player*) belong to it.
    before = {i for head in heads for i in _compound(subject, head)}
    rivals = [t for i, t in enumerate(premise) if t in others and i not in before]
    if any(_may_mean(pronoun, t) for t in rivals if not _is_source(subject, t)):
        raise Refused("pronoun_subject")
    phrase: list[Token] = []
    for position, head in enumerate(heads):
        if position:
            phrase.append(Token("and", "CC"))
        noun = _member(subject, head)
        if noun.tag in ("NNP", "NNPS"):
            raise Refused("pronoun_subject")
        compound = [subject[i] for i in _compound(subject, head)] if noun is subject[head] else []
        phrase += [Token("the", "DT"), *compound, noun]
    return tuple(phrase)


def _heads(subject: Sentence, head: int) -> list[int]:
    """Return the head, or both heads of *a man and a woman*."""
    joint = [i for i, t in enumerate(subject) if t.lower == "and" and i > head]
    if not joint:
        if any(t.lower == "and" and i and subject[i - 1].tag in NOUNS for i, t in enumerate(subject[:head])):
            both = [i for i in range(head + 1) if subject[i].tag in NOUNS and _closes_noun_phrase(subject, i)]
            if len(both) == 2 and not any(t.tag == "IN" for t in subject):
                return both
            raise Refused("pronoun_subject")
        return [head]
    raise Refused("pronoun_subject")


def _closes_noun_phrase(subject: Sentence, index: int) -> bool:
    return index + 1 == len(subject) or subject[index + 1].tag not in NOUNS


def _compound(subject: Sentence, head: int) -> list[int]:
    start = head
    while start and subject[start - 1].tag == "NN":
        start -= 1
    return list(range(start, head))


def _member(subject: Sentence, head: int) -> Token:
    """Return the noun to name: that of the *of* phrase of a collection (*a group of women*), else the head."""
    source = _source(subject, head)
    return subject[head] if source is None else source


def _source(subject: Sentence, head: int) -> Token | None:
    if (
        subject[head].lower not in lexicon.COLLECTIONS
        or head + 1 >= len(subject)
        or subject[head + 1].lower != "of"
    ):
        return None
    end = next((i for i in range(head + 2, len(subject)) if subject[i].tag in ("IN", "CC")), len(subject))
    nouns = [t for t in subject[head + 2 : end] if t.tag in NOUNS]
    return nouns[-1] if nouns else None


def _is_source(subject: Sentence, token: Token) -> bool:
    return any(_source(subject, i) is token for i in range(len(subject)))


def _fits(pronoun: str, noun: str, count: int, subject: Sentence, head: int) -> bool:
    source = _source(subject, head)
    if pronoun == "they":
        if source is not None:
            return lexicon.is_plural(source.lower) and lexicon.is_animate(source.lower)
        return (count == 2 or lexicon.is_plural(noun) or noun == "couple") and lexicon.is_animate(noun)
    if count != 1 or source is not None or lexicon.is_plural(noun) or noun in lexicon.COLLECTIONS:
        return False
    if pronoun == "he":
        return lexicon.is_person(noun) and noun not in lexicon.FEMININE and not noun.endswith("woman")
    if pronoun == "she":
        woman = noun.endswith("woman") or not noun.endswith("man")
        return lexicon.is_person(noun) and noun not in lexicon.MASCULINE and woman
    return pronoun == "it" and lexicon.is_animal(noun)


def _may_mean(pronoun: str, token: Token) -> bool:
    """Return whether another noun of the premise could be what the pronoun stands for."""
    noun = token.lower
    if pronoun == "they":
        return token.tag in ("NNS", "NNPS") and (lexicon.is_animate(noun) or token.tag == "NNPS")
    if pronoun == "it":
        return lexicon.is_animal(noun)
    if token.tag in ("NNP", "NNPS"):
        return True
    if lexicon.is_plural(noun) or not lexicon.is_person(noun):
        return False
    return noun not in (lexicon.FEMININE if pronoun == "he" else lexicon.MASCULINE)
