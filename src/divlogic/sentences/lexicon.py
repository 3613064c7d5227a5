"""The small closed word lists that the rules of this phase speak of, and lemmas and inflected forms (lemminflect)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from divlogic.io.files import read_yaml

_PARTICIPLES_TOO = frozenset({"got", "lit", "woken", "shaven", "proven", "bound"})
"""Participles that the dictionary lists as past tenses only."""


_OBJECT_OPENERS = frozenset({"to", "the", "a", "an", "his", "her", "their", "its"})


@lru_cache(maxsize=100_000)
def lemma_of(form: str, tag: str) -> str | None:
    """Return the verb lemma whose first inflection for ``tag`` is ``form``, or ``None`` where there is none.

    Asking for the way back keeps *found* with *find* and not with *found*, and refuses forms (*dove*, *woken up*)
    that a reverted negation could not restore.
    """
    if tag == "VBP":
        return form if form in lemmas_of(form).get("VERB", ()) else None
    for lemma in lemmas_of(form).get("VERB", ()):
        if inflect(lemma, tag) == form:
            return lemma
    return None


@lru_cache(maxsize=100_000)
def inflect(lemma: str, tag: str) -> str | None:
    """Return the first form of a verb lemma for a Penn Treebank tag, or ``None`` where the lemma is not known."""
    if tag in ("VB", "VBP"):
        return lemma
    import lemminflect

    forms = lemminflect.getInflection(lemma, tag, inflect_oov=False)
    return forms[0] if forms else None


@lru_cache(maxsize=50_000)
def is_participle(form: str, tag: str) -> bool:
    """Return whether a word can be the participle (``VBG`` or ``VBN``) that the tagger takes it for.

    Refused are base forms (*are wait*) and past tenses that differ from the participle (*has swam*).
    """
    if tag == "VBG":
        return form.endswith("ing")
    if has_participle(form):
        return True
    import lemminflect

    lemmas = lemmas_of(form).get("VERB", ())
    return form not in lemmas and not any(
        form in lemminflect.getInflection(lemma, "VBD", inflect_oov=False) for lemma in lemmas
    )


@lru_cache(maxsize=50_000)
def has_participle(form: str) -> bool:
    """Return whether the dictionary knows a word as the past participle of a verb."""
    import lemminflect

    return form in _PARTICIPLES_TOO or any(
        form in lemminflect.getInflection(lemma, "VBN", inflect_oov=False)
        for lemma in lemmas_of(form).get("VERB", ())
    )


@lru_cache(maxsize=50_000)
def can_be_verb(word: str) -> bool:
    """Return whether a word is a form of some verb."""
    return "VERB" in lemmas_of(word.lower())


@lru_cache(maxsize=50_000)
def is_manner_adverb(word: str) -> bool:
    """Return whether a word in *-ly* is an adverb and nothing else."""
    return word.endswith("ly") and set(lemmas_of(word)) == {"ADV"}


@lru_cache(maxsize=50_000)
def is_only_verb(word: str) -> bool:
    """Return whether the dictionary knows a word as a verb form and as nothing else."""
    return set(lemmas_of(word)) == {"VERB"}


def is_only_finite(word: str, following: str) -> bool:
    """Return whether a word before another can only be a finite verb: *strives to*, *carries the*; not *tops in*.

    The dictionary lacks many a noun that is a verb too, so the word must be followed as a verb is by its object.
    """
    return (
        following in _OBJECT_OPENERS
        and is_only_verb(word)
        and any(lemma_of(word, tag) for tag in ("VBZ", "VBD", "VBP"))
        and lemma_of(word, "VBN") is None
    )


def in_dictionary(word: str) -> bool:
    """Return whether the dictionary has the word as a noun, verb, adjective or adverb."""
    return bool(lemmas_of(word.lower()))


@lru_cache(maxsize=200_000)
def lemmas_of(form: str) -> dict[str, tuple[str, ...]]:
    """Return the lemmas of a word by universal tag; empty for a word that the dictionary lacks."""
    import lemminflect

    found: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(form)
    return found


LISTS: Any = read_yaml(Path(__file__).with_name("words.yaml"))
"""Long lists: words parted by blanks, or alternatives of a regular expression."""


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


def alternatives(name: str) -> str:
    """Return a list of words.yaml as the inside of a regular expression."""
    if name == "number":  # in words or digits, but no year
        return rf"one|{alternatives('numbers')}|\d{{1,3}}"
    return "|".join(sorted(listed(name)) if isinstance(LISTS[name], str) else LISTS[name])


@cache
def listed(name: str) -> frozenset[str]:
    """Return a list of words.yaml as a set."""
    return word_set(LISTS[name])


@cache
def members(kind: str) -> frozenset[str]:
    """Return the words that belong to a kind."""
    return word_set(LISTS["kinds"][kind])


@cache
def pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern of words.yaml, in which ``@name@`` is any entry of a list and ``@number@`` a number."""
    return re.compile(re.sub("@([a-z_]+)@", lambda found: f"(?:{alternatives(found[1])})", text))


# Verbs -----------------------------------------------------------------------------------------------------
BE = word_set("is are am was were")
HAVE = word_set("has have had")
DO = word_set("does do did")
MODALS = listed("modals")
SINGULAR_VERBS = word_set("is was has does")
PLURAL_VERBS = word_set("are were have do")
SAFE_PARTICIPLES = {
    verb: word_set(following) for verb, following in LISTS["safe_participles"].items()
}
"""Bare past participles that a form of *be* may safely be put before, with the words that must follow."""

SCENE_VERBS = listed("scene_verbs")
"""Verbs of captions that the tagger takes for the last noun of a compound (*people in a restaurant smile at her*)."""

# Subjects --------------------------------------------------------------------------------------------------
PLURAL_NOUNS = listed("plural_nouns")
EITHER_NUMBER = listed("either_number")
COLLECTIONS = listed("collections")
"""Nouns that hand the number and the kind of their *of* phrase on (*a group of women*)."""
MASCULINE = listed("masculine")
FEMININE = listed("feminine")
NEED_ARTICLE = listed("need_article")
"""Things and beings that no idiom has without an article after a verb or a preposition (*by bus* aside)."""
MASS = listed("mass")
ABSTRACT_ENDINGS = tuple(LISTS["abstract_endings"].split())
FEATURES = listed("features")
"""What a person has on: after *with*, a participle tells of the person, not of these."""
COLOURS = listed("colours")
DEPICTIONS = listed("depictions")
"""Heads after which a participle tells of what is seen in them, not of them."""

GIVEN_NAMES = listed("given_names")
"""Given names of persons, each with a capital."""

# Opening words ---------------------------------------------------------------------------------------------
PERSONAL = word_set("i you we me us it's he she it they him her them one's")
THIRD_PERSON = word_set("he she it they")
FIRST_SECOND_OWNERS = word_set("my your our")
OBJECT_PRONOUNS = word_set("i me you we us him them it she he they thou thee ya y'all em 'em")

# Scope -----------------------------------------------------------------------------------------------------
NUMBERS = listed("numbers")
INDEFINITES = {"someone": ("no", "one"), "somebody": ("nobody",), "something": ("nothing",)}
UNIVERSALS = word_set("everyone everybody everything every all")
HARD_QUANTIFIERS = listed("hard_quantifiers")
VAGUE_AFTER_A = listed("vague_after_a")
TO_NEGATIVE = {f"some{end}": f"any{end}" for end in ("", "one", "body", "thing", "where")}
TO_POSITIVE = {negative: positive for positive, negative in TO_NEGATIVE.items()}
ODD_WHEN_NEGATED = listed("odd_when_negated")
UNCERTAIN_MODALS = word_set("may might must shall should sha need dare ought")

_CONSONANT_SOUND = tuple(LISTS["consonant_sound"].split())

# Spelling --------------------------------------------------------------------------------------------------
FUNCTION_WORDS = listed("function_words")
MORE_WORDS = listed("more_words")


def is_person(noun: str) -> bool:
    """Return whether a noun, singular or plural, names a person or people."""
    word = noun.lower()
    if word in MASCULINE or word in FEMININE or word in ("people", "folk", "folks", "police"):
        return True
    return singular(word) in listed("persons") or word.endswith(
        ("woman", "women", "sman", "smen", "person", "ist", "ists")
    )


def is_animal(noun: str) -> bool:
    """Return whether a noun, singular or plural, names an animal."""
    return singular(noun.lower()) in listed("animals")


def is_animate(noun: str) -> bool:
    """Return whether a noun names a person or an animal."""
    return is_person(noun) or is_animal(noun)


def is_count(noun: str) -> bool:
    """Return whether a singular noun surely needs an article."""
    word = noun.lower()
    return is_animate(word) or word in listed("count_things")


@lru_cache(maxsize=50_000)
def singular(word: str) -> str:
    """Return the singular of a noun from the dictionary, or by dropping a final *s* of a word that it lacks."""
    if word.endswith("men") and len(word) > 3:
        return word[:-2] + "an"
    lemmas = lemmas_of(word).get("NOUN", ())
    if lemmas:
        return word if word in lemmas else lemmas[0]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


@lru_cache(maxsize=100_000)
def is_known(word: str) -> bool:
    """Return whether a lower-case word is English as far as the dictionary and simple derivation can tell."""
    if word in FUNCTION_WORDS or word in MORE_WORDS or in_dictionary(word):
        return True
    if "-" in word:
        return all(is_known(part) for part in word.split("-") if part)
    if not word:
        return (
            False  # nothing is left of a lone *s*, nor of letters that are no accented Latin ones
        )
    if not word.isalpha():
        # Numbers and clitics are fine, a stray full stop or two words run together (*street.the*) are not.
        return word.strip("'").isalnum() or word[0].isdigit()
    if not word.isascii():
        return is_known(unicodedata.normalize("NFKD", word).encode("ascii", "ignore").decode())
    if any(is_compound(word[:i], word[i:]) for i in range(3, len(word) - 3)):
        return True
    if word.endswith("ly"):
        return any(in_dictionary(stem) for stem in (word[:-2], word[:-2] + "le", word[:-3] + "y"))
    if word.endswith("s") and not word.endswith("ss"):
        return is_known(word[:-1])
    if word.startswith("un"):
        return in_dictionary(word[2:])
    if word.endswith("less"):
        return in_dictionary(word[:-4])
    if word.endswith("er"):
        return can_be_verb(word[:-2]) or can_be_verb(word[:-1])
    return False


def is_compound(first: str, second: str) -> bool:
    """Return whether two words may have grown together (*bank note*, *lake side*); the second has to be a noun."""
    if second in ("other", "others") or "NOUN" not in lemmas_of(second):
        return False
    return not {"NOUN", "ADJ"}.isdisjoint(lemmas_of(first))


_SPELT_OUT = 3
"""Letters of an abbreviation that is read letter by letter; longer ones are often read as words (*a NASA probe*)."""


def starts_with_vowel(word: str) -> bool:
    """Return whether a word takes *an*: by its sound, as far as spelling tells.

    Up to three capitals are read letter by letter (*a UN court*, *an SUV*, *an X-ray*).
    """
    letters = word.partition("-")[0]
    if letters.isupper() and len(letters) <= _SPELT_OUT:
        return letters[0] in "AEFHILMNORSX"
    word = word.lower()
    if word.startswith(("hour", "honest", "honor", "honour", "heir")):
        return True
    return word[0] in "aeiou" and not word.startswith(_CONSONANT_SOUND)


@lru_cache(maxsize=50_000)
def is_plural(noun: str) -> bool:
    """Return whether a noun form is plural: listed as such, or not its own singular."""
    word = noun.lower()
    lemmas = lemmas_of(word).get("NOUN", ())
    return word in PLURAL_NOUNS or (bool(lemmas) and word not in lemmas)
