"""What a benchmark should not put into a model's mouth: sensitive content, insults, judgements of groups, violence.

Captions hardly have any; sentences of speeches, magazines and novels (MultiNLI) do. The lists are closed, so that what
they refuse can be read here; results/sentences/filter.csv counts them as ``offensive``. They refuse more than needs
be: a sentence that names a party or a creed is dropped whatever it says of it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.source_checks import sensitive

GENRES = frozenset({"nineeleven"})
"""Genres that are refused as a whole: the report on the attacks of 11 September 2001."""

_INSULTS = lexicon.alternatives("insults")
_GROUPS = lexicon.alternatives("groups")
_VIOLENCE = lexicon.alternatives("violence")
_PHRASES = re.compile(rf"\b(?:{lexicon.alternatives('violent_phrases')})\b", re.IGNORECASE)
_WORD = re.compile(f"(?:{_INSULTS}|{_GROUPS}|{_VIOLENCE})", re.IGNORECASE)


def outcome(text: str, genre: str | None = None) -> str | None:
    """Return why a sentence is not to be shown, ``sensitive`` or ``offensive``, or ``None``.

    The sentence filter refuses by it and the audit of the English counts by it.
    """
    if sensitive(text):
        return "sensitive"
    return "offensive" if genre in GENRES or offends(text) else None


def offends(text: str) -> bool:
    """Return whether a sentence insults, judges a group of people, or tells of violence."""
    return any(map(_offends, text.replace("-", " ").split())) or _PHRASES.search(text) is not None


@lru_cache(maxsize=50_000)
def _offends(word: str) -> bool:
    bare = word.strip(".,;:!?'\"()").removesuffix("'s").removesuffix("'")
    return _WORD.fullmatch(bare) is not None


_OF_NATURE = frozenset({"fat", "suck", "sucks", "inferior", "ugly", "disgusting", "ass", "savage"})
"""Insults that are plain words in statements on nature."""
_PEOPLE = re.compile(rf"\b(?:{lexicon.alternatives('judged_people')})\b", re.IGNORECASE)


def judges_people(text: str) -> bool:
    """Return whether a generic statement judges a group of people, or tells of what they do to each other."""
    words = [word.strip(".,'").lower() for word in text.replace("-", " ").split()]
    return _PEOPLE.search(text) is not None or any(
        word not in _OF_NATURE and _JUDGEMENT.fullmatch(word) for word in words
    )


_JUDGEMENT = re.compile(f"(?:{_INSULTS}|{_GROUPS})", re.IGNORECASE)
