"""Hypernym lexicon, and the lexical entailment between clauses that it gives.

The lexicon is our own and covers what captions tell of: persons, animals, vehicles, garments, places, and ways of
moving, looking and speaking. It errs on the side of seeing an entailment, for what it sees is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from divlogic.sentences import lexicon
from divlogic.sentences.inflection import lemmas_of
from divlogic.sentences.subject import Subject

_STOP = lexicon.listed("stop_words")


@dataclass(frozen=True, slots=True)
class Content:
    """What a clause says, word by word.

    Attributes:
        words: lemmas of each content word of the clause.
        implied: every lemma of the clause and all that the lexicon ranks above them.
        subjects: what the clause may be taken to be about: its heads and all kinds above them.
        heads: its heads.
        plural: whether the subject names several.
    """

    words: tuple[frozenset[str], ...]
    implied: frozenset[str]
    subjects: frozenset[str]
    heads: tuple[str, ...]
    plural: bool

    def entails(self, other: Content) -> bool:
        """Return whether this clause, by its words alone, makes another one true."""
        if other.plural != self.plural and other.plural:
            return False
        if self.subjects.isdisjoint(other.heads):
            return False
        implied = self.implied
        return all(not implied.isdisjoint(lemmas) for lemmas in other.words)


def content_of(text: str, subject: Subject) -> Content:
    """Return what a positive clause in mid-sentence form says."""
    said = [meaning for meaning in map(_meaning, text.lower().split()) if meaning is not None]
    implied = frozenset().union(*[above for _, above in said])
    subjects = frozenset().union(*map(_above, subject.heads))
    return Content(tuple([lemmas for lemmas, _ in said]), implied, subjects, subject.heads, subject.plural)


@lru_cache(maxsize=100_000)
def _meaning(word: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the lemmas of a word in lower case and all kinds that they belong to; ``None`` where it says nothing."""
    word = word.strip(".,'")
    if not word or word in _STOP:
        return None
    lemmas = _lemmas(word)
    return lemmas, frozenset().union(*map(_above, lemmas))


@lru_cache(maxsize=50_000)
def _lemmas(word: str) -> frozenset[str]:
    if word == "people":
        return frozenset({"person"})
    found = {lemma for lemmas in lemmas_of(word).values() for lemma in lemmas}
    return frozenset(found | {word})


@lru_cache(maxsize=50_000)
def _above(word: str) -> frozenset[str]:
    """Return a word and every kind that it belongs to."""
    found: set[str] = set()
    todo = [word]
    while todo:
        current = todo.pop()
        if current in found:
            continue
        found.add(current)
        todo += _parents().get(current, ())
        if lexicon.is_person(current):
            todo.append("person")
        elif lexicon.is_animal(current):
            todo.append("animal")
    if "person" in found:
        found.update(("someone", "somebody", "human"))
    return frozenset(found)


@lru_cache(maxsize=1)
def _parents() -> dict[str, tuple[str, ...]]:
    parents: dict[str, list[str]] = {}
    for kind, members in lexicon.LISTS["kinds"].items():
        for member in members.split():
            parents.setdefault(member, []).append(kind)
    return {word: tuple(kinds) for word, kinds in parents.items()}
