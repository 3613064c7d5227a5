"""Compounds whose parts a hyphen should join before a noun: *a snow covered mountain*, *a well respected man*."""

from __future__ import annotations

import re

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import lemmas_of

_OPENERS = (
    r"(?:an?|the|some|two|three|four|five|no|his|her|its|their|in|on|of|at|with|by|near|into|over|down|along|across"
    r"|through|wearing|has|have|having)"
)
_NUMBERS = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|twenty|thirty"
    r"|forty|fifty|\d+)"
)
_AFTER_NOUN = r"(?:covered|filled|soaked|lined|colou?red|based|powered|themed|shaped|sized)"
_AFTER_ADJECTIVE = (
    r"(?:haired|eyed|sleeved|skinned|legged|handed|headed|wheeled|patterned|rimmed|toned|sided|faced|walled|collared"
    r"|clad|themed|shaped|sized|colou?red|looking)"
)
_PATTERNS = (
    re.compile(rf"\b{_OPENERS} (?P<noun>[a-z]+) {_AFTER_NOUN} (?P<next>[a-z]+)"),
    re.compile(rf"\b{_OPENERS} (?:[a-z]+ )?(?P<adjective>[a-z]+) {_AFTER_ADJECTIVE} (?P<next>[a-z]+)"),
    re.compile(
        r"\b(?:an?|the|very|some|two|three) (?:well|ill) [a-z]+(?:ed|wn|ght|pt|id|ade|one) (?P<next>[a-z]+)"
    ),
    re.compile(rf"\b(?:an?|in|the) all (?:{'|'.join(sorted(lexicon.COLOURS))}) (?P<next>[a-z]+)"),
    re.compile(r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) [a-z]{2,}est [a-z]+"),
    re.compile(
        rf"\ban? {_NUMBERS} (?!(?:percent|hundred|thousand|million|billion)\b)(?P<noun>[a-z]+) (?P<next>[a-z]+)"
    ),
    re.compile(rf"\b{_NUMBERS} (?:year|month|week|day) old\b"),
)
_CLUE = re.compile(rf"\b(?:{_AFTER_NOUN}|{_AFTER_ADJECTIVE}|well|ill|all|old|[a-z]+est|{_NUMBERS})\b")
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
    noun, adjective, following = (parts.get(name) for name in ("noun", "adjective", "next"))
    if following is not None and (
        following in lexicon.FUNCTION_WORDS
        or following in _PARTICLES
        or not {"NOUN", "ADJ"} & lemmas_of(following).keys()
    ):
        return False
    if noun is not None:
        return noun not in lexicon.FUNCTION_WORDS and _is_one(noun)
    return adjective is None or "ADJ" in lemmas_of(adjective)


def _is_one(word: str) -> bool:
    return "NOUN" in lemmas_of(word) and not lexicon.is_plural(word)
