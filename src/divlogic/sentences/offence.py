"""What a benchmark should not put into a model's mouth: sensitive content, insults, judgements of groups, violence.

Captions hardly have any; sentences of speeches, magazines and novels (MultiNLI) do. The lists are closed, so that what
they refuse can be read here; results/sentences/filter.csv counts them as ``offensive``. They refuse more than needs
be: a sentence that names a party or a creed is dropped whatever it says of it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from divlogic.sentences.source_checks import sensitive

GENRES = frozenset({"nineeleven"})
"""Genres that are refused as a whole: the report on the attacks of 11 September 2001."""

_INSULTS = (
    r"dumb|stupid(?:ity|ly)?|idiots?|idiotic|morons?|moronic|fools?|foolish|liars?|crooks?|savages?|barbaric|filthy"
    r"|disgusting|pathetic|inferior|worthless|losers?|scum|freaks?|lazy|ugly|fat|obese|perverts?|perverted|hypocri\w+"
    r"|racis[mt]s?|sexis[mt]s?|bigot\w*|crazy|insane|lunatics?|damn(?:ed)?|hell|crap|ass|arse|sucks?"
    r"|incompeten\w+|inept|corrupt(?:ion)?|hates?|hatred|militant"
)
_GROUPS = (
    r"democrats|republicans|liberals|conservatives|communists?|fascists?|socialists|leftists?|jews?|jewish|judaism"
    r"|zionis[mt]s?|muslims?|islam|islamic|arabs?|catholics|protestants|christians|hindus?|sikhs?|mormons?|atheists?"
    r"|infidels?|feminis[mt]s?|immigrants|aliens|asians|hispanics|latinos|mexicans|palestinians?|israelis?|minorities"
    r"|handicapped|mentally|racial|ethnic"
)
_VIOLENCE = (
    r"executions?|executed|tortur\w*|persecut\w*|stab(?:s|bed|bing)?|hanged|kill(?:ed|ing|ings|ers?)"
    r"|bomb(?:s|ed|ing|ings|ers?)?|gunned|guns|shotguns?|weapons?|assassin\w*|assaults?|assaulted|attack(?:ed|ers?)|abus(?:e|ed|es|ing|ive)"
    r"|died|deaths|deadly|drown(?:s|ed|ing)|hostages?|kidnap\w*|poison(?:ed|ing)|strychnine|drugs?|addicts?|addicted"
    r"|overdose\w*|drunk|drunken|crimes?|criminals?|hi(?:gh)?jack\w*|terror|radicals?|explosives?|explod\w+|explosions?"
    r"|enslaved|apartheid|detainees?|cannibal\w*"
)
_PHRASES = re.compile(
    r"\b(?:dead (?:people|person|man|men|woman|women|body|bodies|child|children)|death penalty|wrongful death"
    r"|age of consent|racial \w+|black citizens|gun (?:control|laws?)|(?:women|men) can be as)\b",
    re.IGNORECASE,
)
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
_PEOPLE = re.compile(
    r"\b(?:(?:black|white|coloured|poor|fat|obese|overweight|ugly|gay|native|primitive|single|married|asian|african)"
    r" (?:people|persons|men|women|ladies|girls|boys|folks?|mothers)|pyromaniacs?|manslaughter|homicides?|bombings?"
    r"|tortur\w*|massacres?|hi(?:gh)?jack\w*|wives|housewives)\b",
    re.IGNORECASE,
)


def judges_people(text: str) -> bool:
    """Return whether a generic statement judges a group of people, or tells of what they do to each other."""
    words = [word.strip(".,'").lower() for word in text.replace("-", " ").split()]
    return _PEOPLE.search(text) is not None or any(
        word not in _OF_NATURE and _JUDGEMENT.fullmatch(word) for word in words
    )


_JUDGEMENT = re.compile(f"(?:{_INSULTS}|{_GROUPS})", re.IGNORECASE)
