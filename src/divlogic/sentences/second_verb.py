"""A second verb after the main one, be it tagged as a verb or not: what a one-verb sentence may not have."""

from __future__ import annotations

from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import can_be_verb, is_only_verb, lemma_of
from divlogic.sentences.phrases import is_modifier
from divlogic.sentences.tokens import (
    ADJECTIVES,
    NEGATORS,
    NOUNS,
    RELATIVES,
    VERBS,
    Number,
    Refused,
    Sentence,
    Token,
)

_AFTER_VERB = frozenset({"IN", "TO", "DT", "PRP$", "RP", "RB", "CD", "."})
_HIDING = frozenset({"NNS", "NN", "JJ", "IN", "RB"})
"""Tags that the tagger gives to a verb by mistake."""
_CLAUSE_OPENERS = frozenset({"as", "before", "after", "like", "than"})


def check_rest(tokens: Sentence, start: int, existential: bool) -> None:
    """Refuse a second verb or a subordinate clause after the verb group."""
    participle_allowed = existential
    for index in range(start, len(tokens)):
        token, before = tokens[index], tokens[index - 1]
        if _is_harmless(token):
            continue
        word = token.lower
        if (
            token.tag in RELATIVES
            or word in lexicon.SUBORDINATORS
            or (word == "that" and token.tag in ("IN", "WDT"))
        ):
            raise Refused("subordinate_clause")
        if word in NEGATORS:
            raise Refused("negative_word")
        if word in lexicon.BE or word in lexicon.HAVE or word in lexicon.DO:
            if before.tag == "TO" and word in ("have", "do"):
                continue
            raise Refused("several_verbs")
        if token.tag == "RB" and is_only_verb(word):
            raise Refused("several_verbs")
        if word in _CLAUSE_OPENERS and _opens_clause(tokens, index):
            raise Refused("subordinate_clause")
        if token.tag in VERBS:
            if joins_verbs(tokens, start, index):
                continue
            if token.tag in ("VB", "VBP") and _after_to(tokens, index):
                continue
            if token.tag in ("VBG", "VBN", "VBD") and is_modifier(tokens, index):
                continue
            if participle_allowed and token.tag in ("VBG", "VBN") and before.tag in NOUNS:
                participle_allowed = False
                continue
            raise Refused("several_verbs")
        if _is_hidden_verb(tokens, index):
            raise Refused("several_verbs")


@lru_cache(maxsize=100_000)
def _is_harmless(token: Token) -> bool:
    """Return whether a word is neither a verb nor the opening of a clause, whatever stands around it."""
    word, tag = token.lower, token.tag
    opens = tag in RELATIVES or word in lexicon.SUBORDINATORS or word in _CLAUSE_OPENERS or word == "that"
    finite = word in lexicon.BE or word in lexicon.HAVE or word in lexicon.DO or word in NEGATORS
    may_hide = tag in _HIDING and (can_be_verb(word) or is_only_verb(word))
    return not (opens or finite or may_hide or tag in VERBS)


def joins_verbs(tokens: Sentence, start: int, index: int) -> bool:
    """Return whether *and* joins a verb to the main one, in one form: *a man sits and reads*, *is sitting and reading*.

    Only a subject with *a*, a number or *some* may have two: it is denied as a whole (*no man sits and reads*), while
    *n't* would reach the first verb only.
    """
    first = tokens[0]
    if first.lower not in ("a", "an", "some", "one") and first.tag != "CD":
        return False
    main, token = tokens[start - 1], tokens[index]
    return (
        tokens[index - 1].lower == "and"
        and index > start
        and token.tag in ("VBZ", "VBP", "VBD", "VBG")
        and token.tag == main.tag
        and lemma_of(token.lower, token.tag) is not None
    )


def has_joined_verbs(tokens: Sentence, start: int) -> bool:
    """Return whether a sentence has two verbs joined by *and*; ``start`` is the end of the first verb group."""
    return any(joins_verbs(tokens, start, index) for index in range(start + 1, len(tokens)))


def may_be_finite(tokens: Sentence, index: int, number: Number) -> bool:
    """Return whether a noun could as well be the finite verb of a subject of that number (*a parade wave to them*)."""
    token, before = tokens[index], tokens[index - 1]
    after = tokens[index + 1].tag if index + 1 < len(tokens) else "."
    if token.tag not in ("NN", "NNS", "JJ") or before.tag in ("DT", "PRP$", "CD", "POS", "TO"):
        return False
    if number != "plural" and token.tag == "NNS" and lemma_of(token.lower, "VBZ") is not None:
        return before.tag in NOUNS and after in _AFTER_VERB
    if number == "singular" or token.tag == "NNS" or lemma_of(token.lower, "VBP") is None:
        return False
    if before.tag in ("NNS", "NNPS") or after in ("DT", "PRP$", "TO"):
        return True
    if before.tag in NOUNS and token.lower in lexicon.SCENE_VERBS:
        return True
    return before.tag in NOUNS | ADJECTIVES and after in _AFTER_VERB and not _in_noun_phrase(tokens, index)


def _is_hidden_verb(tokens: Sentence, index: int) -> bool:
    """Return whether a word tagged as a noun is rather a verb: *and reads a book*, *as the sun sets*."""
    token, before = tokens[index], tokens[index - 1]
    if token.tag not in _HIDING or not can_be_verb(token.lower):
        return False
    after = tokens[index + 1].tag if index + 1 < len(tokens) else "."
    if token.tag == "NN" and before.tag == "CC" and after in _AFTER_VERB:
        past = lemma_of(token.lower, "VBD")
        if past not in (None, token.lower):  # *was tired and sat/NN by the door*
            return True
    if after in ("DT", "PRP$", "PRP") and (token.tag == "NNS" or lemma_of(token.lower, "VBG") is not None):
        return True
    if token.tag == "NNS":
        if before.tag == "CC" and after in _AFTER_VERB:
            return lemma_of(token.lower, "VBZ") is not None
        return before.tag == "NN" and _has_article(tokens, index - 1) and after in _AFTER_VERB
    # A gerund that the tagger took for a noun or an adjective: *and eating/NN lunch*, *a man waving/NN*.
    if token.lower.endswith("ing") and lemma_of(token.lower, "VBG") is not None:
        return (before.tag in NOUNS and not _is_thing_compound(tokens, index)) or before.tag in (
            "CC",
            "RB",
            "IN",
            ",",
        )
    if before.tag == "CC" and token.tag == "NN" and lemma_of(token.lower, "VBP") is not None:
        return after in ("DT", "PRP$", "TO", "RP") and not _has_article(tokens, index)
    return False


def _opens_clause(tokens: Sentence, index: int) -> bool:
    """Return whether a word such as *as* is followed by a noun that may be a verb: *as the fans watch*."""
    for i in range(index + 2, len(tokens)):
        token, before = tokens[i], tokens[i - 1].tag
        if token.tag not in ("NN", "NNS", "JJ") or not can_be_verb(token.lower):
            continue
        after = tokens[i + 1].tag if i + 1 < len(tokens) else "."
        if before in NOUNS or (before in ADJECTIVES and token.lower in lexicon.SCENE_VERBS):
            return True
        if before in ADJECTIVES and token.tag == "NNS" and after in _AFTER_VERB:
            return True
    return False


def _after_to(tokens: Sentence, index: int) -> bool:
    before = index - 1
    while before and tokens[before].tag == "RB":
        before -= 1
    return tokens[before].tag == "TO"


def _in_noun_phrase(tokens: Sentence, index: int) -> bool:
    """Return whether a noun belongs to a phrase that an article or the like opens."""
    while index and tokens[index].tag in NOUNS | ADJECTIVES:
        index -= 1
    return tokens[index].tag in ("DT", "PRP$", "CD", "POS")


def _is_thing_compound(tokens: Sentence, index: int) -> bool:
    """Return whether an *-ing* word goes on a compound noun (*a swimming pool*, *a rock climbing wall*)."""
    return (
        index + 1 < len(tokens)
        and tokens[index + 1].tag in NOUNS
        and not lexicon.is_animate(tokens[index - 1].lower)
    )


def _has_article(tokens: Sentence, index: int) -> bool:
    """Return whether a singular noun has *a* or *an* in front of it."""
    while index >= 0 and tokens[index].tag in NOUNS | ADJECTIVES:
        index -= 1
    return index >= 0 and tokens[index].lower in ("a", "an")
