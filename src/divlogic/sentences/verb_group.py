"""The finite verb of a sentence and the verb group that it opens."""

from __future__ import annotations

from divlogic.sentences import lexicon
from divlogic.sentences.grammar import FINITE, NOUNS, Kind, Refused
from divlogic.sentences.inflection import can_be_verb, has_participle, in_dictionary, is_participle, lemma_of
from divlogic.sentences.tokens import NEGATORS, Sentence, Token


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
    cursor = _skip_adverbs(tokens, after)
    following = tokens[cursor] if cursor < len(tokens) else None
    if word in lexicon.BE:
        return "be", negation, _after_be(tokens, finite, negation)
    if word in lexicon.HAVE and following and (following.lower == "been" or _is_past_participle(following)):
        after_it = tokens[cursor + 1] if cursor + 1 < len(tokens) else None
        # *have tattooed arms*: owned, or done? Both are read, and they are negated differently.
        if following.lower != "been" and after_it is not None and after_it.tag in NOUNS:
            raise Refused("verb_form")
        return "have", negation, _after_be(tokens, cursor, None) if following.lower == "been" else cursor
    if word in lexicon.DO and (negation is not None or (following and following.tag in ("VB", "VBP"))):
        if negation is None:
            raise Refused("emphatic_do")
        if following is None or not can_be_verb(following.lower):
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
    cursor = _skip_adverbs(tokens, be + 1)
    if cursor == len(tokens):
        return alone
    token = tokens[cursor]
    if token.lower == "being":
        inner = _skip_adverbs(tokens, cursor + 1)
        return inner if inner < len(tokens) and tokens[inner].tag in ("VBN", "VBD") else cursor
    if token.tag in ("VBG", "VBN", "VBD"):
        # *are wait for food*, *is broke down*: no participle, or a second finite verb.
        if not is_participle(token.lower, "VBG" if token.tag == "VBG" else "VBN"):
            raise Refused("verb_form")
        return cursor
    if token.tag in ("VB", "VBP") or (token.tag == "NN" and lemma_of(token.lower, "VBP")):
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
        inner = _skip_adverbs(tokens, cursor + 1)
        if inner < len(tokens) and tokens[inner].lower == "been":
            return _after_be(tokens, inner, None)
        if inner < len(tokens) and _is_past_participle(tokens[inner]):
            return inner
        return cursor
    if token.tag in ("VB", "VBP") or (token.tag in NOUNS and lemma_of(token.lower, "VBP")):
        return cursor
    raise Refused("no_verb")


def _is_past_participle(token: Token) -> bool:
    if token.tag not in ("VBN", "VBD"):
        return False
    if not is_participle(token.lower, "VBN"):
        raise Refused("verb_form")
    # *has bright plumage*, *have bells*: the tagger's mistake, *have* is the main verb there.
    return has_participle(token.lower) or not in_dictionary(token.lower)


def _skip_adverbs(tokens: Sentence, index: int) -> int:
    while index < len(tokens) and tokens[index].tag == "RB":
        index += 1
    return index
