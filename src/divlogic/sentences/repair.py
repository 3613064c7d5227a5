"""Repair of a tagged sentence before it is analysed: verbs tagged as nouns, spelled-out *not*, missing auxiliaries."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Literal

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause, may_be_finite
from divlogic.sentences.lexicon import is_manner_adverb, is_only_finite, is_only_verb, lemma_of
from divlogic.sentences.negation import CONTRACTED, UNCONTRACTED
from divlogic.sentences.phrases import find_finite, is_modifier, is_verb_adverb, subject_of
from divlogic.sentences.tokens import ADJECTIVES, NOUNS, VERBS, Refused, Sentence, Token, run_start

_VERB_FOLLOWERS = frozenset({"IN", "DT", "RB", "RP", "TO", "PRP$", "JJ", "CD", "."})
_PLACES = lexicon.word_set("in on at from near by behind under outside inside beside along")
_OF_FEATURES = lexicon.word_set(
    "blowing hanging flowing covering flying dripping reading showing saying"
)
"""What hair, hats and shirts do themselves."""


_OF_STATES = lexicon.listed("participles_of_states")
"""Participles that do not name an activity."""
_PERFORMED = lexicon.SCENE_VERBS | lexicon.word_set(
    "perform play dance strive wear hold carry ride work"
)


def repaired(tokens: Sentence) -> Sentence:
    """Return the sentence with contracted negation, verb tags where only a verb fits, and its auxiliary put back.

    Raises:
        Refused: an auxiliary is missing and it is not certain which one.
    """
    tokens = _contracted(tuple(map(_with_tag_of_form, tokens)))
    if find_finite(tokens) is None:
        tokens = _with_verb_tag(tokens)
    return with_auxiliary(tokens)


def with_auxiliary(tokens: Sentence) -> Sentence:
    """Put *is* or *are* before the bare participle of a caption (*two boys riding bicycles*; Appendix C).

    Raises:
        Refused: the participle may belong to another noun than the subject, or the subject's number is not certain.
    """
    finite = find_finite(tokens)
    if finite is not None and not _is_safe_participle(tokens, finite):
        return tokens
    place = next(
        (
            i
            for i, t in enumerate(tokens)
            if t.tag in ("VBG", "VBN") and i and not is_modifier(tokens, i)
        ),
        finite,
    )
    if finite is not None:
        place = min(finite, place if place is not None else finite)
    if place is None:
        return tokens
    if tokens[place].tag != "VBG" and not _is_safe_participle(tokens, place):
        raise Refused("bare_participle")
    word = tokens[place].lower
    # *children sing/VBG a song*: the tagger's mistake; *a band consisting of ...*: a property, no activity.
    if tokens[place].tag == "VBG" and (lemma_of(word, "VBG") is None or word in _OF_STATES):
        raise Refused("bare_participle")
    if any(_is_left_over(tokens, i) for i in range(1, len(tokens)) if i != place):
        raise Refused("bare_participle")
    end = place
    while end > 1 and is_verb_adverb(tokens[end - 1]):
        end -= 1
    head, number = subject_of(tokens[:end])
    check_article(tokens[:end], head)
    _check_attachment(tokens[:end], head, tokens[place].lower)
    if number == "either":
        number = _collection_number(tokens[:end], head)
    # Where a noun may be the verb after all, the participle is not (*people riding on a bus wave to the crowd*).
    if any(may_be_finite(tokens, i, number) for i in range(1, len(tokens)) if i != place):
        raise Refused("bare_participle")
    verb = Token("is", "VBZ") if number == "singular" else Token("are", "VBP")
    participle = Token(tokens[place].text, "VBN") if tokens[place].tag == "VBD" else tokens[place]
    return (*tokens[:end], verb, *tokens[end:place], participle, *tokens[place + 1 :])


def _is_left_over(tokens: Sentence, index: int) -> bool:
    """Return whether another word than the participle is a finite verb (*a girl wearing purple strives to win*)."""
    token, word = tokens[index], tokens[index].lower
    if (
        token.tag in ("VBG", "VBN", "RB", "IN", "TO")
        or not word.isalpha()
        or tokens[index - 1].tag == "TO"
    ):
        return False
    following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
    if token.tag not in ADJECTIVES and is_only_finite(word, following):
        return True
    # *two males and a female perform*: the bare form of a verb of scenes, with no article before it.
    bare = lemma_of(word, "VBP") is not None and word in _PERFORMED
    return bare and tokens[index - 1].tag in NOUNS and token.tag not in ("NNS",)


def check_article(subject: Sentence, head: int) -> None:
    """Refuse a singular count noun without article, as headlines have it (*man riding bike*)."""
    noun = subject[head]
    determiners = {"DT", "PDT", "CD", "PRP$", "POS", "NNP", "NNPS"}
    if noun.tag != "NN" or any(token.tag in determiners for token in subject[:head]):
        return
    word = noun.lower
    if word in lexicon.INDEFINITES or word in lexicon.UNIVERSALS or word in lexicon.PLURAL_NOUNS:
        return
    if word not in lexicon.MASS and not word.endswith(lexicon.ABSTRACT_ENDINGS):
        raise Refused("bare_subject")


def _check_attachment(subject: Sentence, head: int, participle: str) -> None:
    """Refuse a participle that may tell of another noun than the head (*a street with people walking*)."""
    noun = subject[head].lower
    prepositions = [i for i, t in enumerate(subject) if t.tag in ("IN", "TO") and i > head]
    if prepositions and noun in lexicon.COLLECTIONS and subject[prepositions[0]].lower == "of":
        prepositions = prepositions[1:]
    if not prepositions and lexicon.singular(noun) not in lexicon.DEPICTIONS:
        return
    features = (
        all(t.lower in lexicon.FEATURES for t in subject[-1:]) and participle not in _OF_FEATURES
    )
    allowed = _PLACES | {"with"} if features else _PLACES
    if (
        lexicon.singular(noun) in lexicon.DEPICTIONS
        or any(subject[i].lower not in allowed for i in prepositions)
        or not (lexicon.is_animate(noun) or noun in lexicon.COLLECTIONS)
        or any(t.tag in NOUNS and lexicon.is_animate(t.lower) for t in subject[prepositions[0] :])
        or any(
            t.lower == "and" and subject[i - 1].tag in NOUNS
            for i, t in enumerate(subject[: prepositions[0]])
        )
    ):
        raise Refused("bare_participle")


def _collection_number(subject: Sentence, head: int) -> Literal["singular", "plural"]:
    """Return the number that *a group of ...* takes: that of what it is a group of."""
    if subject[head].lower not in lexicon.COLLECTIONS or any(t.lower == "and" for t in subject):
        raise Refused("bare_participle")
    if head + 1 < len(subject) and subject[head + 1].lower == "of":
        return "plural"
    return "plural" if subject[head].lower == "couple" else "singular"


def _is_safe_participle(tokens: Sentence, index: int) -> bool:
    token = tokens[index]
    follow = lexicon.SAFE_PARTICIPLES.get(token.lower)
    if follow is None or token.tag not in ("VBN", "VBD") or index + 1 >= len(tokens):
        return False
    return tokens[index + 1].lower in follow


def _contracted(tokens: Sentence) -> Sentence:
    """Write verb and *not* as the contraction that :func:`divlogic.sentences.negation.negated` makes."""
    if tokens[0].lower != "there" and "not" not in [token.lower for token in tokens]:
        return tokens
    found: list[Token] = []
    for index, token in enumerate(tokens):
        if token.lower == "'s" and index == 1 and tokens[0].lower == "there":
            token = Token("is", "VBZ")
        previous = found[-1] if found else None
        verb = (
            previous and previous.lower in lexicon.BE | lexicon.HAVE | lexicon.DO | lexicon.MODALS
        )
        if token.lower == "not" and previous and verb and previous.lower not in UNCONTRACTED:
            found[-1] = Token(CONTRACTED.get(previous.lower, previous.text), previous.tag)
            token = Token("n't", "RB")
        found.append(token)
    words = [t.lower for t in found]
    if words[:1] == ["there"] and words[2:3] == ["n't"] and words[3:4] in (["a"], ["an"]):
        found[2:4] = [Token("no", "DT")]
    return tuple(found)


@lru_cache(maxsize=100_000)
def _with_tag_of_form(token: Token) -> Token:
    """Correct a tag that the form of the word rules out."""
    tag = _tag_of_form(token.lower, token.tag)
    return token if tag == token.tag else Token(token.text, tag)


def _tag_of_form(word: str, tag: str) -> str:
    if (
        tag in ("VBP", "VB")
        and word.endswith("s")
        and lemma_of(word, "VBZ")
        and not lemma_of(word, "VBP")
    ):
        tag = "VBZ"
    elif tag == "VBZ" and not word.endswith("s") and lemma_of(word, "VBP"):
        tag = "VBP"
    elif (
        tag == "VBD"
        and not lemma_of(word, "VBD")
        and (lemma_of(word, "VBZ") or lemma_of(word, "VBP"))
    ):
        tag = "VBZ" if lemma_of(word, "VBZ") else "VBP"
    elif tag == "NN" and word.endswith("s") and lexicon.is_plural(word):
        tag = "NNS"
    elif tag == "JJ" and word in (lexicon.MASCULINE | lexicon.FEMININE) - {"male", "female"}:
        tag = "NNS" if lexicon.is_plural(word) else "NN"
    elif is_manner_adverb(word):
        tag = "RB"
    return tag


def _with_verb_tag(tokens: Sentence) -> Sentence:
    """Tag as a verb the word that only a verb can be: *a dog jumps/NNS over a log*, *the man sang/NN*."""
    for index in range(1, len(tokens)):
        token, before = tokens[index], tokens[index - 1]
        after = tokens[index + 1].tag if index + 1 < len(tokens) else "."
        if token.tag in ("VBG", "VBN") and not is_modifier(tokens, index):
            return tokens
        word, tag = token.lower, None
        if token.tag in VERBS or word in lexicon.FUNCTION_WORDS:
            continue
        if is_only_verb(word):
            tag = next((t for t in ("VBZ", "VBD") if lemma_of(word, t)), None)
        if tag is None and after in _VERB_FOLLOWERS:
            if word[-1] == "s" and lemma_of(word, "VBZ") and _is_singular(tokens[:index]):
                tag = "VBZ"
            elif (
                before.tag == "NNS"
                and lemma_of(word, "VBP")
                and (token.tag != "IN" or is_only_verb(word))
            ):
                tag = "VBP"
        if tag:
            return (*tokens[:index], Token(token.text, tag), *tokens[index + 1 :])
    return tokens


def _is_singular(subject: Sentence) -> bool:
    """Return whether a word in *-s* cannot go on the noun phrase before it, so that it is the verb.

    *a man in a gray shirt sorts*: after *a* no plural can follow; *the dog jumps*: animals and persons seldom modify.
    """
    last = subject[-1]
    if len(subject) == 1:
        return last.lower in lexicon.INDEFINITES or last.lower in ("everyone", "everybody")
    if last.lower in lexicon.COLOURS and subject[-2:-1] and subject[-2].lower == "in":
        return True
    if last.tag not in ("NN", "NNP"):
        return False
    start = run_start(subject, len(subject) - 1, NOUNS | ADJECTIVES | {"VBG", "VBN", "CC", "CD"})
    opener = subject[max(start - 1, 0)].lower
    definite = opener in ("the", "his", "her")
    return opener in ("a", "an", "this", "another") or (definite and lexicon.is_animate(last.lower))


_COUNTED = frozenset(["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])


def check_head(tokens: Sentence, clause: Clause) -> None:
    """Refuse subjects and verbs that the tagger corrects in the writer's place.

    These are a gerund as the finite verb (*three dogs drinking water*), a person in the singular with a plural verb
    (*three woman are*), a number for what was counted (*six are correlated*), and other words taken for the verb (*the
    board ignores advice from committees linked with it*, *people with carts full of bags*, *a crowd on the buildings
    steps*).
    """
    finite, head = tokens[clause.finite], tokens[clause.head]
    gerund = finite.lower.endswith("ing") and lemma_of(finite.lower, "VBG")
    if clause.kind == "main" and (gerund or finite.lower == "full"):
        raise Refused("verb_form")
    # Not: *a group of dancers performs*.
    before = tokens[max(clause.finite - 2, clause.head + 1) : clause.finite]
    if (
        finite is tokens[-1]
        and len(before) == 2
        and before[0].lower == "the"
        and before[1].tag == "NNS"
    ):
        raise Refused("no_verb")
    for noun, article in pairwise(tokens[: clause.subject]):
        if (
            noun.tag in NOUNS
            and article.lower in ("a", "an", "the")
            and lemma_of(noun.lower, "VBZ")
        ):
            raise Refused("several_verbs")
    if head.lower in _COUNTED:
        raise Refused("no_subject")
    if (
        head.tag == "NNS"
        and head.text.islower()
        and lexicon.is_person(head.lower)
        and lexicon.singular(head.lower) == head.lower
        and not lexicon.is_plural(head.lower)
        and head.lower not in lexicon.EITHER_NUMBER
    ):
        raise Refused("agreement")
    past = clause.kind == "main" and finite.tag == "VBD" and lemma_of(finite.lower, "VBN")
    if past and any(
        token.tag == "JJ" and lemma_of(token.lower, "VBZ") for token in tokens[: clause.subject]
    ):
        raise Refused("several_verbs")
