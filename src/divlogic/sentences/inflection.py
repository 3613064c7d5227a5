"""Lemmas and inflected forms (lemminflect), remembered."""

from __future__ import annotations

import gzip
from bisect import bisect
from collections.abc import Mapping
from functools import lru_cache

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
def is_plural_noun(word: str) -> bool:
    """Return whether a word is a noun form that differs from its singular."""
    lemmas = lemmas_of(word.lower()).get("NOUN", ())
    return bool(lemmas) and word.lower() not in lemmas


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

    if form != form.lower():
        found: dict[str, tuple[str, ...]] = lemminflect.getAllLemmas(form)
        return found
    # What getAllLemmas does for a word in lower case, without parsing the dictionary's 80,000 lines first.
    lines, overrides = _tables()
    rows = [line.split(",") for line in lines[bisect(lines, f"{form},") : bisect(lines, f"{form},~")]]
    return {tag.upper(): tuple(lemmas.split("/")) for _, tag, lemmas in rows} | overrides.get(form, {})


@lru_cache(maxsize=1)
def _tables() -> tuple[list[str], Mapping[str, dict[str, tuple[str, ...]]]]:
    from lemminflect import config
    from lemminflect.codecs.OverridesCodec import OverridesCodec

    with gzip.open(config.lemma_lu_fn, "rt", encoding="utf-8") as stream:
        return sorted(stream.read().splitlines()), OverridesCodec.load(config.lemma_overrides_fn)
