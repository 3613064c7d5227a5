"""Hypotheses that open with *the*: their premise introduces what they are about, but it need not be in the text."""

from __future__ import annotations

from divlogic.sentences import lexicon
from divlogic.sentences.clause import analyse
from divlogic.sentences.grammar import NOUNS, Refused
from divlogic.sentences.subject import coordinated
from divlogic.sentences.tokens import Sentence, Token

_UNIQUE = lexicon.word_set(
    "same only first last next former latter sun moon sky world earth weather ground end"
)


def introduced(tokens: Sentence, premise: Sentence) -> Sentence:
    """Write the subject *the man* of a hypothesis as *a man*, and *the men* as *some men*.

    What holds of the man holds of a man; so whatever entailed the sentence still does. Possessives (*the man's dog*)
    become *a man's dog*.

    Args:
        tokens: the hypothesis, its auxiliary in place.
        premise: its premise.

    Raises:
        Refused: the subject is definite and cannot be written otherwise, though the premise tells of it.
    """
    if tokens[0].lower != "the":
        return tokens
    clause = analyse(tokens)
    subject = tokens[: clause.subject]
    noun = subject[clause.head]
    singular = lexicon.singular(noun.lower)
    if any(token.lower in _UNIQUE or token.tag in ("JJS", "RBS") for token in subject):
        raise Refused("definite_subject")
    if coordinated(subject):
        raise Refused("definite_subject")
    if any(token.text[0].isupper() and token.tag in ("NNP", "NNPS") for token in subject):
        raise Refused("definite_subject")  # *the Republican party*
    possessive = any(token.tag == "POS" for token in subject)
    first = subject[1]
    if first.tag == "CD":  # *the two men*
        return (Token(first.text, first.tag), *tokens[2:])
    if not possessive and (clause.number == "plural" or lexicon.is_plural(noun.lower)):
        return (Token("some", "DT"), *tokens[1:])
    countable = (
        lexicon.is_count(singular)
        or singular in lexicon.COLLECTIONS
        or any(token.tag in NOUNS and lexicon.singular(token.lower) == singular for token in premise)
    )
    if singular in lexicon.MASS or not countable:
        raise Refused("definite_subject")
    article = "an" if lexicon.starts_with_vowel(first.text) else "a"
    return (Token(article, "DT"), *tokens[1:])
