"""Faults that a sentence brings from its corpus, sensitive content, offence, and sentences that reading found wrong.

The checks read plain text. The lists are short and closed, so that what they refuse can be read here;
results/sentences/filter.csv counts what each one dropped.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache, reduce
from itertools import pairwise
from operator import or_
from pathlib import Path

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import in_dictionary, lemmas_of

_BEFORE_COMPOUND = (
    r"(?:an?|the|some|two|three|four|five|no|his|her|its|their|in|on|of|at|with|by|near|into|over|down|along|across"
    r"|through|wearing|has|have|having)"
)
NUMBERS = rf"(?:one|{'|'.join(sorted(lexicon.NUMBERS))}|\d{{1,3}})"
"""A number in words or digits, but no year."""
_AFTER_NOUN = r"(?:covered|filled|soaked|lined|colou?red|based|powered|themed|shaped|sized)"
_AFTER_ADJECTIVE = r"(?:haired|eyed|sleeved|skinned|legged|rimmed|toned|sided|sized|clad)"
_AFTER_NUMBER = r"(?:legged|wheeled|sided|headed|armed|winged)"
_PATTERNS = (
    re.compile(rf"\b{_BEFORE_COMPOUND} (?P<noun>[a-z]+) {_AFTER_NOUN} (?P<next>[A-Za-z]+)"),
    re.compile(
        rf"\b{_BEFORE_COMPOUND} (?:[a-z]+ )?(?P<adjective>[a-z]+) {_AFTER_ADJECTIVE} (?P<next>[A-Za-z]+)"
    ),
    re.compile(rf"\b{_BEFORE_COMPOUND} (?:[a-z]+ )?(?P<quality>[a-z]+) looking (?P<next>[A-Za-z]+)"),
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


_NOT_LAST = lexicon.word_set(lexicon.LISTS["not_last"])
"""Words with which no sentence ends: what follows them was lost."""

_POINTERS = re.compile(rf"\b(?:{lexicon.alternatives('pointers')})\b", re.IGNORECASE)
"""Words that point at something said before, which no single sentence has."""
_POINTING_WORD = re.compile(
    r"\b(?:this|these|those|such|latter|former|same|above|following|said|rest|aforementioned|thereof|hereby|today's"
    r"|thereby|herein|therein|respectively|that|others?)\b",
    re.IGNORECASE,
)
"""One word of each of these phrases."""
_ALLOWED_POINTERS = re.compile(r"\bthe rest of\b|\bsuch as\b|\bthe same time\b", re.IGNORECASE)

_OTHER = re.compile(r"^(?!.*\b(?:one|each|an?|two|both)\b.*\bthe others?\b).*\bthe others?\b", re.IGNORECASE)
"""*The other* without a first one."""

_HIS_OR_HER = lexicon.word_set("his her himself herself")
_OF_PERSONS = tuple(lexicon.LISTS["endings_of_persons"].split())
_ITS_OR_THEIR = lexicon.word_set("its their itself themselves theirs")

_REAL_WORD_TYPOS = re.compile(rf"\b(?:{lexicon.alternatives('slips')})\b", re.IGNORECASE)
"""Misspellings that are words of their own, and words that only a slip puts side by side: without an article between
them (*a man in suit*), or with an auxiliary in what should be a relative clause (*is wearing purple strives*).
"""
_SLIPPING_WORD = re.compile(rf"\b(?:{lexicon.alternatives('slipping_words')})\b|-hair\b", re.IGNORECASE)
_SLIPPING_PAIR = re.compile(r"\b(?:in at|at at|by by|is is|are are|the a|a the)\b", re.IGNORECASE)
"""One word, or two short ones, of each of these phrases."""
_SLIPS_OF_CASE = re.compile(
    r"\ba (?:A|I|E(?!u))[a-z]+|\bthe [A-Z][a-z]+ the [A-Z]|\b[A-Z]{2}[a-z]{3}|\b(?:from|in|of|at|to|the)[A-Z]"
    r"|\b[A-Z]{5,}s\b"
)
"""*A Earthen*, *of the British the Collins*, *GLobal*, *fromEdinburgh*."""
_WITHOUT_CAPITAL = lexicon.word_set(
    "republican american chilean chinese french english african indian german italian mexican"
)
_FRAGMENT = re.compile(r"(?:an?|the|one) (?:\w+ )?(?!is\b|are\b)\w+ (?:wearing|holding) (?:\w+ )?glasses")
"""What the tagger takes for a sentence, since *glasses* is a verb too."""

_BARE_PERSONS = re.compile(
    rf"there (?:is|are|was|were) (?:(?:an?|some|no|not|any|{NUMBERS}) )?"
    r"(?:(?:young|old|older|little|small|big|tall|single|other) )?(?:persons?|people|individuals?|adults?|m[ae]n"
    r"|wom[ae]n|humans?|lady|ladies|child|children|kids?|girls?|boys?)"
)
"""*There are two individuals*: most sentences about persons say so, among other things."""
_FOR_LONG = re.compile(r"\bfor long(?= (?:in|on|at|by|with|to)\b|$)")
_SAME = re.compile(r"(?:(?:an?|the) )?(.+) (?:is|are|was|were) (?:(?:an?|the) )?\1")
"""*A good idea is a good idea*: it says nothing, and its denial cannot be."""
_OPENING_NUMERAL = re.compile(r"\d{1,3}(?:,\d{3})* [A-Za-z]")
"""*3 people are outside*, and its denial, *no 3 people*: a sentence opens with a word."""

_SENSITIVE = re.compile(rf"\b(?:{lexicon.alternatives('sensitive')})\b", re.IGNORECASE)
_YOUNG = re.compile(
    r"\b(?:baby|babies|infants?|toddlers?|child|children|kids?|boys?|girls?|newborns?)\b", re.IGNORECASE
)
_UNCLOTHED = re.compile(rf"\b(?:{lexicon.alternatives('unclothed')})\b", re.IGNORECASE)
_LIVING = re.compile(rf"\b(?:{lexicon.alternatives('public_persons')})\b")
"""Family names of public persons of the corpora's years; a person who shares such a name is refused too."""
_TITLED = re.compile(
    r"\b(?:President|Senator|Sen|Secretary|Governor|Gov|Rep|Prime Minister|Pope)\.? [A-Z][a-z]+"
)
_FULL_NAME = re.compile(r"(?<![.\w] )\b[A-Z][a-z]{2,} (?:[A-Z]\.? )?[A-Z][a-z]{2,}\b")


def problem(text: str) -> str | None:
    """Return why a sentence in mid-sentence form cannot stand alone or was misspelt, or ``None``.

    The reasons are ``cut_off``, ``points_back``, ``no_antecedent``, ``quantifier``, ``existential``, ``polarity``,
    ``tautology``, ``numeral``, ``hyphen`` and ``typo``.
    """
    split = text.split()
    if split and split[-1].strip(".,'").lower() in _NOT_LAST:
        return "cut_off"
    hints = reduce(or_, map(_hints, split), 0)
    if hints & _MAY_POINT and (_POINTERS.search(_ALLOWED_POINTERS.sub(" ", text)) or _OTHER.search(text)):
        return "points_back"
    if hints & _OWNER and _lacks_antecedent(split):
        return "no_antecedent"
    if text.endswith("glasses") and _FRAGMENT.fullmatch(text):
        return "cut_off"
    if "very few" in text.lower():
        # What is the case of very few is denied neither by *very few ... not* nor by *no*.
        return "quantifier"
    if split and split[0] in ("everyone", "everybody"):
        return "quantifier"  # it tells of the persons of all other sentences, too
    if _BARE_PERSONS.fullmatch(text):
        return "existential"
    if _FOR_LONG.search(text):
        return "polarity"  # at home in denials
    if _SAME.fullmatch(text):
        return "tautology"
    if _OPENING_NUMERAL.match(text):
        return "numeral"
    if lacks_hyphen(text):
        return "hyphen"
    if hints & _TYPO or is_slip(text, hints) or (not text.islower() and _SLIPS_OF_CASE.search(text)):
        return "typo"
    if "$" in text and "dollar" in text:
        return "typo"  # *$3 million dollars*
    return None


def is_slip(text: str, hints: int | None = None) -> bool:
    """Return whether a text holds one of the phrases of :data:`_REAL_WORD_TYPOS`.

    Args:
        text: words parted by single blanks.
        hints: those of its words, if they are known.
    """
    if hints is None:
        hints = reduce(or_, map(_hints, text.split()), 0)
    # Sixty phrases at every word take long: they are looked for only where one word of one of them is.
    return bool(
        (hints & _MAY_SLIP or _SLIPPING_PAIR.search(text) is not None) and _REAL_WORD_TYPOS.search(text)
    )


_MAY_POINT, _OWNER, _TYPO, _MAY_SLIP, _SENSITIVE_WORD, _YOUNG_WORD = (1 << place for place in range(6))


@lru_cache(maxsize=100_000)
def _hints(word: str) -> int:
    """Return what a word tells of the sentence that it stands in, as a sum of flags; asked once per word.

    The flags are: it may belong to a phrase that points at something said before; it needs a person or a thing to
    refer to; it is a typo; it may belong to a phrase that is a slip.
    """
    return (
        _MAY_POINT * (_POINTING_WORD.search(word) is not None)
        | _OWNER * (word.strip(".,'").lower() in _HIS_OR_HER | _ITS_OR_THEIR)
        | _TYPO * (word in _WITHOUT_CAPITAL or (word.isalpha() and word.islower() and is_typo(word)))
        | _MAY_SLIP * (_SLIPPING_WORD.search(word) is not None)
    )


def sensitive(text: str) -> bool:
    """Return whether a sentence names a living person, or tells of sex, nakedness, slurs or undressed children."""
    words = text.split()
    # The patterns of one word are asked word by word, which is remembered; those of several only where they may be.
    hints = reduce(or_, map(_delicate, words), 0)
    if hints & _SENSITIVE_WORD:
        return True
    lower = text.lower()
    if ("love" in lower or "touching" in lower or "strip" in lower) and _SENSITIVE.search(text):
        return True
    if hints & _YOUNG_WORD and _UNCLOTHED.search(text):
        return True
    if text[1:].islower():
        return False
    if _LIVING.search(text) or _TITLED.search(text):
        return True
    # *Ricky Martin*, *Orrin Hatch*: many a family name is a word of the dictionary too.
    if any(first in lexicon.GIVEN_NAMES and second[:1].isupper() for first, second in pairwise(words)):
        return True
    return any(_is_personal(match[0]) for match in _FULL_NAME.finditer(text))


@lru_cache(maxsize=100_000)
def _delicate(word: str) -> int:
    """Return as a sum of flags whether a word is sensitive by itself, and whether it names a child."""
    named = _SENSITIVE.search(word) is not None or _LIVING.search(word) is not None
    return _SENSITIVE_WORD * named | _YOUNG_WORD * (_YOUNG.search(word) is not None)


@lru_cache(maxsize=50_000)
def is_typo(word: str) -> bool:
    """Return whether no dictionary has a lower-case word while a common one is one letter away."""
    if len(word) < 6 or in_dictionary(word) or word in lexicon.MORE_WORDS or word in lexicon.FUNCTION_WORDS:
        return False
    base = lexicon.singular(word)
    if (
        base in lexicon.MORE_WORDS
        or word.endswith(("er", "ers"))
        or (word.endswith("ly") and lexicon.is_known(word[:-2]))
    ):
        return False
    near = _one_letter_away(word) - {word + "s", word.removesuffix("s"), base}
    return any(in_dictionary(other) for other in near)


def _lacks_antecedent(words: list[str]) -> bool:
    """Return whether *his* or *its* comes before anything that it could belong to."""
    person = thing = False
    for index, raw in enumerate(words):
        word = raw.strip(".,'").lower()
        if word in _HIS_OR_HER and not person:
            return True
        if word in _ITS_OR_THEIR and not (person or thing):
            return True
        named = raw[:1].isupper() and (index > 0 or not lexicon.is_known(word) or len(words) > 1)
        owner = word.removesuffix("'s").removesuffix("s'")
        person = person or named or lexicon.is_animate(owner) or word in lexicon.INDEFINITES
        person = person or lexicon.singular(owner).endswith(_OF_PERSONS)
        person = person or word in ("everyone", "everybody", "one", "no-one", "nobody")
        thing = thing or person or (word.isalpha() and word not in lexicon.FUNCTION_WORDS)
    return False


def _is_personal(name: str) -> bool:
    """Return whether two capitalised words are rather a person's name than a place or a body (*New York*)."""
    return all(not in_dictionary(part.strip(".").lower()) for part in name.split()) and not any(
        part in _PLACES for part in name.split()
    )


_PLACES = lexicon.word_set(lexicon.LISTS["places_of_two_words"])


def _one_letter_away(word: str) -> set[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    found = set()
    for i in range(len(word)):
        found.add(word[:i] + word[i + 1 :])
        if i + 1 < len(word):
            found.add(word[:i] + word[i + 1] + word[i] + word[i + 2 :])
        found.update(word[:i] + letter + word[i + 1 :] for letter in letters)
    for i in range(len(word) + 1):
        found.update(word[:i] + letter + word[i:] for letter in letters)
    return {other for other in found if len(other) > 3} - {word}


# Offence ---------------------------------------------------------------------------------------------------
# What a benchmark should not put into a model's mouth: insults, judgements of groups, violence. Captions hardly have
# any; sentences of speeches, magazines and novels (MultiNLI) do. The lists refuse more than needs be: a sentence that
# names a party or a creed is dropped in any case.

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


# Errata ----------------------------------------------------------------------------------------------------
# The lists next to this file name sentences and pairs by hashes: no sentence of a corpus may be copied, and ids differ
# between the distributions of a corpus. They hold what was found in the part of each corpus that was read.

_MARKS = bytes(number for number in range(128) if not chr(number).isalnum())


def group_id(text: str) -> str:
    """Return the id of a sentence, and of a premise's group: 12 hexadecimal digits of a SHA-256.

    It is that of the letters and digits: blanks, marks and case are left out, so that tokenised and plain copies of a
    sentence fall together.
    """
    return hashlib.sha256(letters_of(text).encode()).hexdigest()[:12]


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    if text.isascii():  # ten times as fast
        return text.lower().encode().translate(None, _MARKS).decode()
    return "".join(filter(str.isalnum, text.lower()))


@lru_cache(maxsize=1)
def refused_pairs() -> frozenset[str]:
    """Return :func:`group_id` of premise and hypothesis of pairs whose label does not hold (``refused_pairs.txt``)."""
    return _listed("refused_pairs.txt")


@lru_cache(maxsize=1)
def refused_sentences() -> frozenset[str]:
    """Return :func:`group_id` of the sentences that were found wrong (``refused_sentences.txt``)."""
    return _listed("refused_sentences.txt")


def _listed(name: str) -> frozenset[str]:
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return frozenset(entry for line in lines if (entry := line.partition("#")[0].strip()))
