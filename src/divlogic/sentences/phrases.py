"""Subject noun phrases (end, head, number) and the verb group that the finite verb opens."""

from __future__ import annotations

from divlogic.sentences import lexicon
from divlogic.sentences.tokens import (
    ADJECTIVES,
    FINITE,
    NEGATORS,
    NOUNS,
    RELATIVES,
    Kind,
    Number,
    Refused,
    Sentence,
    Token,
    run_end,
)

_OPENERS = NOUNS | ADJECTIVES | {"DT", "PDT", "CD", "VBG", "VBN", "RB", "$"}
_INSIDE = _OPENERS | {"PRP$", "POS", "IN", "CC", "RBR", "RBS", "TO"}
_BEFORE_NOUN = ADJECTIVES | {"VBG", "VBN", "RB", "RBS", "RBR"}
_NOT_ARTICLES = frozenset({"both", "all", "one", "each", "some"})


def subject_of(tokens: Sentence) -> tuple[int, Number]:
    """Return the index of the head noun and the number of a subject noun phrase.

    Raises:
        Refused: the words are no noun phrase with one clear head.
    """
    if not tokens or tokens[0].tag not in _OPENERS:
        if len(tokens) == 1 and tokens[0].tag == "PRP":
            raise Refused("pronoun_subject")
        raise Refused("no_subject")
    if tokens[0].tag == "RB" and tokens[1:] and tokens[1].tag in ("DT", "NNP", "PRP$"):
        raise Refused("no_subject")
    if tokens[0].lower in lexicon.listed("opening_adverbs") and not (
        len(tokens) > 1 and tokens[1].tag == "POS"
    ):
        raise Refused("no_subject")
    for index, token in enumerate(tokens):
        if token.tag in RELATIVES or (token.lower == "that" and token.tag == "IN"):
            raise Refused("relative_clause")
        if token.tag in ("VBG", "VBN") and not is_modifier(tokens, index):
            raise Refused("participle_in_subject")
        if token.tag == "TO" and not (index and tokens[index - 1].lower in ("next", "close")):
            raise Refused("no_subject")
        if token.tag not in _INSIDE or token.lower in lexicon.listed("subordinators"):
            raise Refused("no_subject")
        if token.lower in lexicon.OBJECT_PRONOUNS:
            raise Refused("pronoun_subject")
    in_colour = len(tokens) > 2 and tokens[-2].lower == "in" and tokens[-1].lower in lexicon.COLOURS
    if (
        not in_colour
        and tokens[-1].tag not in NOUNS
        and not (tokens[-1].tag == "CD" and tokens[-2:-1] and tokens[-2].tag in NOUNS)
    ):
        raise Refused("pronoun_subject" if tokens[-1].tag in ("DT", "CD") else "no_subject")
    if any(
        tokens[i].tag == "NN"
        and lexicon.is_animate(tokens[i].lower)
        and tokens[i + 1].tag in NOUNS
        and lexicon.can_be_verb(tokens[i + 1].lower)
        and not lexicon.is_animate(tokens[i + 1].lower)
        for i in range(len(tokens) - 1)
    ):
        # *a man rock climbs*: the second noun may belong to the verb.
        raise Refused("no_subject")
    return _head_and_number(tokens)


def is_modifier(tokens: Sentence, index: int) -> bool:
    """Return whether a participle stands before a noun as an adjective does (*a parked car*, *two smiling boys*)."""
    start = index
    while start and tokens[start - 1].tag in _BEFORE_NOUN and tokens[start - 1].lower != "and":
        start -= 1
    if (
        start > 1
        and tokens[start - 1].lower == "and"
        and tokens[start - 2].tag in ADJECTIVES | {"VBG", "VBN"}
    ):
        return is_modifier((*tokens[: start - 1], *tokens[index:]), start - 1)
    opener = tokens[start - 1] if start else None
    if opener and (opener.tag not in ("DT", "CD", "PRP$", "POS") or opener.lower in _NOT_ARTICLES):
        return False
    for token in tokens[index + 1 : index + 4]:
        if token.tag in NOUNS:
            return True
        if token.tag not in ADJECTIVES and token.tag not in ("VBN", "VBG", "CC"):
            return False
    return False


def is_marked_plural(tokens: Sentence) -> bool:
    """Return whether a word before the noun asks for a plural (*two*, *several*, *these*)."""
    return any(
        token.lower in ("these", "those", "several", "many", "few", "both", "various")
        or (token.tag == "CD" and token.lower not in ("one", "1"))
        for token in tokens[:2]
    )


def _head_and_number(tokens: Sentence) -> tuple[int, Number]:
    """Find the head: the last noun of the first noun phrase; *of* phrases of collections count through."""
    end = next((i for i, token in enumerate(tokens) if token.tag in ("IN", "TO")), len(tokens))
    head = max((i for i in range(end) if tokens[i].tag in NOUNS), default=None)
    if head is None:
        raise Refused("no_subject")
    joined = [
        i
        for i in range(1, len(tokens))
        if tokens[i].lower in ("and", "or") and tokens[i - 1].tag in NOUNS
    ]
    colours = lexicon.COLOURS
    joined = [i for i in joined if tokens[i - 1].lower not in colours or i + 1 == len(tokens)]
    if any(tokens[i].lower == "or" for i in joined or range(len(tokens))):
        raise Refused("no_subject")
    # *a man in a coat and a hat*: what the *and* joins is not certain once a preposition came before it.
    return head, ("plural" if joined[0] < end else "either") if joined else _number(tokens, head)


def _number(tokens: Sentence, head: int) -> Number:
    noun = tokens[head]
    first = tokens[0].lower
    if noun.lower in lexicon.EITHER_NUMBER or lexicon.singular(noun.lower) in (
        "sheep",
        "deer",
        "fish",
    ):
        several = is_marked_plural(tokens[:head]) or (
            noun.tag == "NNS" and first not in ("a", "an")
        )
        return "plural" if several else "either"
    plural = noun.tag in ("NNS", "NNPS") or lexicon.is_plural(noun.lower)
    if plural and first in ("a", "an", "one", "this", "that", "another", "each", "every"):
        raise Refused("agreement")
    if not plural and is_marked_plural(tokens[:head]):
        raise Refused("agreement")
    return "plural" if plural else "singular"


def find_finite(tokens: Sentence) -> int | None:
    """Return the index of the first finite verb, or ``None``; a participle before it is left to the caller."""
    for index, token in enumerate(tokens):
        word = token.lower
        if word in lexicon.BE or word in lexicon.HAVE or word in lexicon.DO:
            return index
        if token.tag == "MD" and word in lexicon.MODALS:
            return index
        if token.tag in FINITE and word.isalpha():
            return index
        if token.tag == "VB" and index and tokens[index - 1].tag not in ("TO", "MD"):
            return index
    return None


def verb_group(tokens: Sentence, finite: int) -> tuple[Kind, int | None, int]:
    """Return what the finite word is, where its negation is, and where its verb group ends."""
    word = tokens[finite].lower
    after = finite + 1
    negation = after if after < len(tokens) and tokens[after].lower in NEGATORS else None
    cursor = run_end(tokens, after, {"RB"})
    following = tokens[cursor] if cursor < len(tokens) else None
    if word in lexicon.BE:
        return "be", negation, _after_be(tokens, finite, negation)
    if (
        word in lexicon.HAVE
        and following
        and (following.lower == "been" or _is_past_participle(following))
    ):
        after_it = tokens[cursor + 1] if cursor + 1 < len(tokens) else None
        # *have tattooed arms*: owned, or done? Both are read, and they are negated differently.
        if following.lower != "been" and after_it is not None and after_it.tag in NOUNS:
            raise Refused("verb_form")
        return (
            "have",
            negation,
            _after_be(tokens, cursor, None) if following.lower == "been" else cursor,
        )
    if word in lexicon.DO and (
        negation is not None or (following and following.tag in ("VB", "VBP"))
    ):
        if negation is None:
            raise Refused("emphatic_do")
        if following is None or not lexicon.can_be_verb(following.lower):
            raise Refused("no_verb")
        return "do", negation, cursor
    if tokens[finite].tag == "MD":
        return "modal", negation, _after_modal(tokens, cursor)
    if negation is not None:
        raise Refused("negative_word")
    return "main", None, finite


def is_verb_adverb(token: Token) -> bool:
    """Return whether a word before the verb is an adverb of the verb (*often*, *quickly*), not of the noun (*here*)."""
    return token.tag == "RB" and (
        token.lower.endswith("ly") or token.lower in ("often", "always", "ever", "never", "also")
    )


def _after_be(tokens: Sentence, be: int, negation: int | None) -> int:
    """Return the end of a group that *be* opens: a participle after adverbs, or *be* (and its negation) alone."""
    alone = be if negation is None else negation
    cursor = run_end(tokens, be + 1, {"RB"})
    if cursor == len(tokens):
        return alone
    token = tokens[cursor]
    if token.lower == "being":
        inner = run_end(tokens, cursor + 1, {"RB"})
        return inner if inner < len(tokens) and tokens[inner].tag in ("VBN", "VBD") else cursor
    if token.tag in ("VBG", "VBN", "VBD"):
        # *are wait for food*, *is broke down*: no participle, or a second finite verb.
        if not lexicon.is_participle(token.lower, "VBG" if token.tag == "VBG" else "VBN"):
            raise Refused("verb_form")
        return cursor
    if token.tag in ("VB", "VBP") or (token.tag == "NN" and lexicon.lemma_of(token.lower, "VBP")):
        after = tokens[cursor + 1].tag if cursor + 1 < len(tokens) else "."
        if after in ("IN", "DT", "RP", "PRP$") and cursor == alone + 1:
            raise Refused("verb_form")
    return alone


def _after_modal(tokens: Sentence, cursor: int) -> int:
    if cursor >= len(tokens):
        raise Refused("no_verb")
    token = tokens[cursor]
    if token.lower == "be":
        return _after_be(tokens, cursor, None)
    if token.lower == "have":
        inner = run_end(tokens, cursor + 1, {"RB"})
        if inner < len(tokens) and tokens[inner].lower == "been":
            return _after_be(tokens, inner, None)
        if inner < len(tokens) and _is_past_participle(tokens[inner]):
            return inner
        return cursor
    if token.tag in ("VB", "VBP") or (token.tag in NOUNS and lexicon.lemma_of(token.lower, "VBP")):
        return cursor
    raise Refused("no_verb")


def _is_past_participle(token: Token) -> bool:
    if token.tag not in ("VBN", "VBD"):
        return False
    if not lexicon.is_participle(token.lower, "VBN"):
        raise Refused("verb_form")
    # *has bright plumage*, *have bells*: the tagger's mistake, *have* is the main verb there.
    return lexicon.has_participle(token.lower) or not lexicon.in_dictionary(token.lower)
