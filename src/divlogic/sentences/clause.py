"""The main clause of a tagged sentence: its subject, and its one verb group, after which no other verb may follow."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.lexicon import can_be_verb, inflect, is_only_verb, lemma_of
from divlogic.sentences.phrases import (
    find_finite,
    is_modifier,
    is_verb_adverb,
    subject_of,
    verb_group,
)
from divlogic.sentences.tokens import (
    ADJECTIVES,
    NEGATORS,
    NOUNS,
    RELATIVES,
    VERBS,
    Kind,
    Number,
    Refused,
    Sentence,
    Token,
    run_end,
    run_start,
)

_AFTER_VERB = frozenset({"IN", "TO", "DT", "PRP$", "RP", "RB", "CD", "."})
_HIDING = frozenset({"NNS", "NN", "JJ", "IN", "RB"})
"""Tags that the tagger gives to a verb by mistake."""
_CLAUSE_OPENERS = frozenset({"as", "before", "after", "like", "than"})


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
    _check_rest(tokens, last + 1, existential)
    _check_agreement(tokens[finite], kind, number)
    return Clause(subject, head, number, kind, finite, negation, last, existential)


def _existential_number(tokens: Sentence, finite: int) -> Number:
    """Return the number of what *there is* tells of."""
    for index in range(finite + 1, min(finite + 8, len(tokens))):
        token = tokens[index]
        if token.lower in ("a", "an", "one", "another"):
            vague = any(
                after.lower in lexicon.VAGUE_AFTER_A for after in tokens[index + 1 : index + 2]
            )
            return "either" if vague else "singular"
        if token.tag == "CD":
            return "plural"
        if token.tag in NOUNS:
            noun = tokens[run_end(tokens, index, NOUNS) - 1]
            if noun.lower in lexicon.EITHER_NUMBER:
                return "either"
            plural = noun.tag in ("NNS", "NNPS") or noun.lower in lexicon.PLURAL_NOUNS
            return "plural" if plural else "singular"
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
    if (
        kind == "main"
        and token.tag == "VBZ"
        and inflect(lemma_of(word, "VBZ") or "", "VBZ") != word
    ):
        raise Refused("not_negatable")


def _check_rest(tokens: Sentence, start: int, existential: bool) -> None:
    """Refuse a second verb or a subordinate clause after the verb group."""
    participle_allowed = existential
    for index in range(start, len(tokens)):
        token, before = tokens[index], tokens[index - 1]
        word = token.lower
        if (
            token.tag in RELATIVES
            or word in lexicon.listed("subordinators")
            or (word == "that" and token.tag in ("IN", "WDT"))
            or (word in _CLAUSE_OPENERS and _opens_clause(tokens, index))
        ):
            raise Refused("subordinate_clause")
        if word in NEGATORS:
            raise Refused("negative_word")
        if word in lexicon.BE or word in lexicon.HAVE or word in lexicon.DO:
            if before.tag == "TO" and word in ("have", "do"):
                continue
            raise Refused("several_verbs")
        if token.tag in VERBS:
            if (
                _joins_verbs(tokens, start, index)
                or (token.tag in ("VB", "VBP") and _first_before(tokens, index, {"RB"}).tag == "TO")
                or (token.tag in ("VBG", "VBN", "VBD") and is_modifier(tokens, index))
            ):
                continue
            if participle_allowed and token.tag in ("VBG", "VBN") and before.tag in NOUNS:
                participle_allowed = False
                continue
            raise Refused("several_verbs")
        if (token.tag == "RB" and is_only_verb(word)) or _is_hidden_verb(tokens, index):
            raise Refused("several_verbs")


def _joins_verbs(tokens: Sentence, start: int, index: int) -> bool:
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
    return any(_joins_verbs(tokens, start, index) for index in range(start + 1, len(tokens)))


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
    opener = _first_before(
        tokens, index + 1, NOUNS | ADJECTIVES
    )  # of the noun phrase, if it is one
    belongs = opener.tag in ("DT", "PRP$", "CD", "POS")
    return before.tag in NOUNS | ADJECTIVES and after in _AFTER_VERB and not belongs


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
    if after in ("DT", "PRP$", "PRP") and (
        token.tag == "NNS" or lemma_of(token.lower, "VBG") is not None
    ):
        return True
    if token.tag == "NNS":
        if before.tag == "CC" and after in _AFTER_VERB:
            return lemma_of(token.lower, "VBZ") is not None
        return before.tag == "NN" and _has_article(tokens, index - 1) and after in _AFTER_VERB
    # A gerund that the tagger took for a noun or an adjective: *and eating/NN lunch*, *a man waving/NN*.
    if token.lower.endswith("ing") and lemma_of(token.lower, "VBG") is not None:
        joined = before.tag in ("CC", "RB", "IN", ",")
        # It goes on a compound noun in *a swimming pool*, *a rock climbing wall*.
        compound = after in NOUNS and not lexicon.is_animate(before.lower)
        return joined or (before.tag in NOUNS and not compound)
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


def _first_before(tokens: Sentence, index: int, tags: AbstractSet[str]) -> Token:
    """Return the last word before ``index`` that has none of the tags; if there is none, the first word."""
    return tokens[max(run_start(tokens, index, tags) - 1, 0)]


def _has_article(tokens: Sentence, index: int) -> bool:
    """Return whether a singular noun has *a* or *an* in front of it."""
    start = run_start(tokens, index + 1, NOUNS | ADJECTIVES)
    return start > 0 and tokens[start - 1].lower in ("a", "an")
