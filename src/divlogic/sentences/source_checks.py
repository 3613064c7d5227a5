"""Faults that a sentence brings from its corpus, sensitive content, offence, and sentences that reading found wrong.

The checks read plain text. The lists are short and closed, so that what they refuse can be read here;
results/sentences/filter.csv counts what each one dropped.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache, reduce
from itertools import pairwise
from operator import or_
from pathlib import Path
from typing import Literal

from divlogic.sentences import lexicon
from divlogic.sentences.lexicon import can_be_verb, in_dictionary, lemmas_of

_FIND = {name: lexicon.pattern(text) for name, text in lexicon.LISTS["patterns"].items()}
_COMPOUNDS = tuple(map(lexicon.pattern, lexicon.LISTS["compounds"]))


def _is_compound(parts: dict[str, str | None]) -> bool:
    """Return whether these words are parts of a compound before a noun, which stand unjoined."""
    noun, adjective, quality, superlative = map(
        parts.get, ("noun", "adjective", "quality", "superlative")
    )
    following = parts.get("next")
    if following is not None and not _may_follow(
        following, {"NOUN"} if quality else {"NOUN", "ADJ"}
    ):
        return False
    if noun is not None:
        return (
            noun not in lexicon.FUNCTION_WORDS
            and "NOUN" in lemmas_of(noun)
            and not lexicon.is_plural(noun)
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
        and word not in lexicon.listed("particles")
        and not kinds.isdisjoint(lemmas_of(word))
    )


def problem(text: str) -> str | None:
    """Return why a sentence in mid-sentence form cannot stand alone or was misspelt, or ``None``.

    The reasons are ``cut_off``, ``points_back``, ``no_antecedent``, ``quantifier``, ``existential``, ``polarity``,
    ``tautology``, ``numeral``, ``hyphen`` and ``typo``.
    """
    split = text.split()
    if split and split[-1].strip(".,'").lower() in lexicon.listed("not_last"):
        return "cut_off"
    hints = reduce(or_, map(_hints, split), 0)
    if hints & _MAY_POINT and (
        _FIND["points"].search(_FIND["does_not_point"].sub(" ", text))
        or _FIND["other"].search(text)
    ):
        return "points_back"
    if hints & _OWNER and _lacks_antecedent(split):
        return "no_antecedent"
    if text.endswith("glasses") and _FIND["fragment"].fullmatch(text):
        return "cut_off"
    if "very few" in text.lower():
        # What is the case of very few is denied neither by *very few ... not* nor by *no*.
        return "quantifier"
    if split and split[0] in ("everyone", "everybody"):
        return "quantifier"  # it tells of the persons of all other sentences, too
    if _FIND["bare_persons"].fullmatch(text):
        return "existential"
    if _FIND["for_long"].search(text):
        return "polarity"  # at home in denials
    if _FIND["same"].fullmatch(text):
        return "tautology"
    if _FIND["opening_numeral"].match(text):
        return "numeral"
    # The patterns of compounds are tried only where a word of one of them stands.
    compounds = (match for pattern in _COMPOUNDS for match in pattern.finditer(text))
    if _FIND["clue"].search(text) and any(_is_compound(match.groupdict()) for match in compounds):
        return "hyphen"
    if (
        hints & _TYPO
        or is_slip(text, hints)
        or (not text.islower() and _FIND["slip_of_case"].search(text))
    ):
        return "typo"
    if "$" in text and "dollar" in text:
        return "typo"  # *$3 million dollars*
    return None


def is_slip(text: str, hints: int | None = None) -> bool:
    """Return whether a text holds one of the phrases of the list ``slips``; ``hints``: those of its words, if known."""
    if hints is None:
        hints = reduce(or_, map(_hints, text.split()), 0)
    # Sixty phrases at every word take long: they are looked for only where one word of one of them is.
    return bool(
        (hints & _MAY_SLIP or _FIND["slipping_pair"].search(text)) and _FIND["slip"].search(text)
    )


_OF_PERSONS = tuple(lexicon.LISTS["endings_of_persons"].split())
_HIS_OR_HER, _ITS_OR_THEIR = lexicon.listed("his_or_her"), lexicon.listed("its_or_their")
_OWNERS = _HIS_OR_HER | _ITS_OR_THEIR
_MAY_POINT, _OWNER, _TYPO, _MAY_SLIP, _SENSITIVE_WORD, _YOUNG_WORD, _TRAIT = 1, 2, 4, 8, 16, 32, 64


@lru_cache(maxsize=100_000)
def _hints(word: str) -> int:
    """Return what a word tells of the sentence that it stands in, as a sum of flags; asked once per word.

    The flags are: it may belong to a phrase that points at something said before; it needs a person or a thing to
    refer to; it is a typo; it may belong to a phrase that is a slip.
    """
    return (
        _MAY_POINT * (_FIND["may_point"].search(word) is not None)
        | _OWNER * (word.strip(".,'").lower() in _OWNERS)
        | _TYPO
        * (
            word in lexicon.listed("without_capital")
            or (word.isalpha() and word.islower() and is_typo(word))
        )
        | _MAY_SLIP * (_FIND["may_slip"].search(word) is not None)
    )


def sensitive(text: str) -> bool:
    """Return whether a sentence names a living person, or tells of sex, nakedness, slurs or undressed children.

    Or of what a person is and did not choose: origin, creed, skin, disability, looks (:func:`marks_person`).
    """
    words = text.split()
    # The patterns of one word are asked word by word, which is remembered; those of several only where they may be.
    hints = reduce(or_, map(_delicate, words), 0)
    if hints & _SENSITIVE_WORD or (hints & _TRAIT and marks_person(words)):
        return True
    lower = text.lower()
    if ("love" in lower or "touching" in lower or "strip" in lower) and _FIND["sensitive"].search(
        text
    ):
        return True
    if hints & _YOUNG_WORD and _FIND["unclothed"].search(text):
        return True
    if text[1:].islower():
        return False
    if _FIND["living"].search(text) or _FIND["titled"].search(text):
        return True
    # *Ricky Martin*, *Orrin Hatch*: many a family name is a word of the dictionary too.
    if any(
        first in lexicon.GIVEN_NAMES and second[:1].isupper() for first, second in pairwise(words)
    ):
        return True
    return any(_is_personal(match[0]) for match in _FIND["full_name"].finditer(text))


@lru_cache(maxsize=100_000)
def _delicate(word: str) -> int:
    """Return as flags whether a word is sensitive by itself, whether it names a child, whether persons may be so."""
    named = any(_FIND[kind].search(word) is not None for kind in ("sensitive", "living", "trait"))
    young = _FIND["young"].search(word) is not None
    bare = word.strip(".,'")
    return (
        _SENSITIVE_WORD * named
        | _YOUNG_WORD * young
        | _TRAIT * (bare in _ORIGINS or not _ORIGINS.union(_FEATURES).isdisjoint({bare.lower()}))
    )


_BREEDS = frozenset({"shepherd", "shepherds"})
_AFTER_NOUN = lexicon.BE | lexicon.HAVE | {"in", "with", "at", "on"}
_ORIGINS, _FEATURES = lexicon.listed("origins"), lexicon.listed("features_of_persons")


def marks_person(words: list[str]) -> bool:
    """Return whether a word of origin, creed, skin, disability or looks stands before a person, or is said of one.

    So it does in *an Asian farmer*, *a black man*, *the cook is blind* and *an Indian is singing*; not in *a man in a
    black shirt*, *Indian food* or *a white dog*.
    """
    lower = [word.strip(".,'").lower() for word in words]
    for place, word in enumerate(lower):
        origin = not _ORIGINS.isdisjoint({word, words[place].strip(".,'")})
        if not origin and word not in _FEATURES:
            continue
        for following in lower[place + 1 : place + 4]:
            if following in lexicon.FUNCTION_WORDS - {"and"} or following in _BREEDS:
                break
            if lexicon.is_person(following) and (
                origin or following not in lexicon.listed("in_colours")
            ):
                return True
            if (
                following == "and"
                or following.endswith("ing")
                or (not origin and can_be_verb(following))
            ):
                break
        *_, last, before = ["", "", *lower[:place]]
        after = lower[place + 1] if place + 1 < len(lower) else "of"
        # *A man is Chinese*, *the women are very pretty*; *an Indian is singing*.
        if (last if before == "very" else before) in lexicon.BE and after in lexicon.FUNCTION_WORDS:
            return any(map(lexicon.is_person, lower[:place]))
        if origin and before in ("a", "an") and after in _AFTER_NOUN:
            return True
    return False


def any_time(text: str) -> bool:
    """Return whether a sentence says what its subject mostly does: it may follow from another variable's sentence."""
    return _FIND["any_time"].fullmatch(text) is not None


@lru_cache(maxsize=50_000)
def hides_negation(word: str) -> bool:
    """Return whether a word denies something, so that under another denial it is hard to read: *isn't unethical*."""
    word = word.strip(".,'").lower()
    if word in lexicon.listed("negative_words"):
        return True
    stems = [word.removeprefix(prefix) for prefix in ("un", "dis", "in", "im", "ir", "il")]
    return (
        word not in lexicon.listed("not_negative")
        and "ADJ" in lemmas_of(word)
        and any(stem != word and len(stem) > 3 and "ADJ" in lemmas_of(stem) for stem in stems)
    )


@lru_cache(maxsize=50_000)
def is_typo(word: str) -> bool:
    """Return whether no dictionary has a lower-case word while a common one is one letter away."""
    if (
        len(word) < 6
        or in_dictionary(word)
        or word in lexicon.MORE_WORDS
        or word in lexicon.FUNCTION_WORDS
    ):
        return False
    base = lexicon.singular(word)
    adverb = word.endswith("ly") and lexicon.is_known(word[:-2])
    if adverb or base in lexicon.MORE_WORDS or word.endswith(("er", "ers")):
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
    parts, places = name.split(), lexicon.listed("places_of_two_words")
    return places.isdisjoint(parts) and not any(
        in_dictionary(part.strip(".").lower()) for part in parts
    )


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


def outcome(text: str, genre: str | None = None) -> str | None:
    """Return why a sentence is not to be shown, ``sensitive`` or ``offensive``, or ``None``.

    The sentence filter refuses by it and the audit of the English counts by it.
    """
    if sensitive(text):
        return "sensitive"
    return "offensive" if genre in GENRES or offends(text) else None


def offends(text: str) -> bool:
    """Return whether a sentence insults, judges a group of people, or tells of violence."""
    return (
        any(map(_offends, text.replace("-", " ").split()))
        or _FIND["violent"].search(text) is not None
    )


@lru_cache(maxsize=50_000)
def _offends(word: str) -> bool:
    bare = word.strip(".,;:!?'\"()").removesuffix("'s").removesuffix("'")
    return _FIND["offensive"].fullmatch(bare) is not None


def judges_people(text: str) -> bool:
    """Return whether a generic statement judges a group of people, or tells of what they do to each other."""
    words = [word.strip(".,'").lower() for word in text.replace("-", " ").split()]
    judging = (word for word in words if word not in lexicon.listed("of_nature"))
    return bool(
        _FIND["judged_people"].search(text) or any(map(_FIND["judgement"].fullmatch, judging))
    )


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


@cache
def refused(what: Literal["sentences", "pairs"]) -> frozenset[str]:
    """Return :func:`group_id` of sentences that were found wrong, or of both of pairs whose label does not hold."""
    lines = Path(__file__).with_name(f"refused_{what}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(entry for line in lines if (entry := line.partition("#")[0].strip()))
