"""Compounds whose parts a hyphen should join before a noun: *a snow covered mountain*, *a well respected man*."""

from __future__ import annotations

import re

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import lemmas_of

_OPENERS = (
    r"(?:an?|the|some|two|three|four|five|no|his|her|its|their|in|on|of|at|with|by|near|into|over|down|along|across"
    r"|through|wearing|has|have|having)"
)
NUMBERS = rf"(?:one|{'|'.join(sorted(lexicon.NUMBERS))}|\d{{1,3}})"
"""A number in words or digits, but no year."""
_AFTER_NOUN = r"(?:covered|filled|soaked|lined|colou?red|based|powered|themed|shaped|sized)"
_AFTER_ADJECTIVE = r"(?:haired|eyed|sleeved|skinned|legged|rimmed|toned|sided|sized|clad)"
_AFTER_NUMBER = r"(?:legged|wheeled|sided|headed|armed|winged)"
_PATTERNS = (
    re.compile(rf"\b{_OPENERS} (?P<noun>[a-z]+) {_AFTER_NOUN} (?P<next>[A-Za-z]+)"),
    re.compile(rf"\b{_OPENERS} (?:[a-z]+ )?(?P<adjective>[a-z]+) {_AFTER_ADJECTIVE} (?P<next>[A-Za-z]+)"),
    re.compile(rf"\b{_OPENERS} (?:[a-z]+ )?(?P<quality>[a-z]+) looking (?P<next>[A-Za-z]+)"),
    re.compile(r"\b(?:bright|dark|light|golden|rainbow|multi) colou?red (?P<next>[A-Za-z]+)"),
    re.compile(rf"\b{NUMBERS} {_AFTER_NUMBER} (?P<next>[A-Za-z]+)"),
    re.compile(
        r"\b(?:an?|the|very|some|two|three) (?:well|ill) [a-z]+(?:ed|wn|ght|pt|id|ade|one) (?P<next>[A-Za-z]+)"
    ),
    re.compile(rf"\b(?:an?|in|the) all (?:{'|'.join(sorted(lexicon.COLOURS))}) (?P<next>[A-Za-z]+)"),
    re.compile(
        r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?P<superlative>[a-z]+est)"
        r" (?P<next>[A-Za-z]+)"
    ),
    re.compile(
        rf"\ban? {NUMBERS} (?!(?:percent|hundred|thousand|million|billion)\b)(?P<noun>[a-z]+) (?P<next>[A-Za-z]+)"
    ),
    re.compile(
        rf"\b{NUMBERS} (?:year|month|week|day) old\b|\ban? {NUMBERS} (?:years|months|weeks|days) old\b"
    ),
)
_CLUE = re.compile(
    rf"\b(?:{_AFTER_NOUN}|{_AFTER_ADJECTIVE}|{_AFTER_NUMBER}|looking|well|ill|all|old|[a-z]+est|{NUMBERS})\b"
)
_PARTICLES = lexicon.word_set(
    "up down out over under off in on at into through around back away forward ahead like"
)


def lacks_hyphen(text: str) -> bool:
    """Return whether the parts of a compound before a noun stand unjoined.

    Args:
        text: a sentence with its words parted by single blanks.
    """
    # The patterns are tried only where a word of one of them stands.
    return _CLUE.search(text) is not None and any(
        _is_compound(match.groupdict()) for pattern in _PATTERNS for match in pattern.finditer(text)
    )


def _is_compound(parts: dict[str, str | None]) -> bool:
    noun, adjective, quality, superlative = map(parts.get, ("noun", "adjective", "quality", "superlative"))
    following = parts.get("next")
    if following is not None and not _may_follow(following, {"NOUN"} if quality else {"NOUN", "ADJ"}):
        return False
    if noun is not None:
        return (
            noun not in lexicon.FUNCTION_WORDS and "NOUN" in lemmas_of(noun) and not lexicon.is_plural(noun)
        )
    if adjective is not None:
        return "ADJ" in lemmas_of(adjective)
    # *A patient looking tired*, *a second forest fire*: nouns.
    word = quality or superlative
    return word in (None, "old") or ("ADJ" in lemmas_of(word) and "NOUN" not in lemmas_of(word))


def _may_follow(word: str, kinds: set[str]) -> bool:
    """Return whether a word may belong to the noun phrase of the compound: one of these kinds, or a name."""
    if word[0].isupper():
        return True
    return (
        word not in lexicon.FUNCTION_WORDS
        and word not in _PARTICLES
        and not kinds.isdisjoint(lemmas_of(word))
    )
