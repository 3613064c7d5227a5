"""The lexicon in memory: scenes with roles, activities and places, nouns with hypernyms, attributes with antonyms."""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.captions.words import Phrase


@dataclass(frozen=True)
class Noun:
    """A countable subject noun with what is known of it."""

    key: str
    one: Phrase
    many: Phrase
    root: str  # person, animal or thing
    sex: str  # m, f or "" (unknown)
    age: str  # adult, teen, child, baby, or "" where age means nothing
    ancestors: tuple[str, ...]  # hypernyms, nearest first
    excludes: frozenset[str]  # co-hyponyms that nothing can be at the same time
    adjectives: str  # which family of adjectives fits
    loose: bool = False  # may be another noun of its parent as well (a mare may be a racehorse)
    general: bool = False  # may appear in any scene


@dataclass(frozen=True)
class VerbPhrase:
    """A verb (its lemma) and what follows it; `one` and `many` go with a singular and a plural subject."""

    lemma: str
    one: Phrase
    many: Phrase
    passive: bool = False
    object_plural: bool = False


@dataclass(frozen=True)
class Activity:
    scene: str
    variants: tuple[VerbPhrase, ...]
    hypernyms: tuple[VerbPhrase, ...]  # but for what anybody does at any time
    purposes: tuple[Phrase, ...]
    manners: tuple[Phrase, ...]
    pose: str
    busy: bool
    who: str
    by: frozenset[str]
    where: frozenset[str]
    spry: bool
    number: str
    lemma_set: frozenset[str]
    word_set: frozenset[str]


@dataclass(frozen=True)
class Place:
    phrase: Phrase
    near: tuple[Phrase, ...]  # hypernyms: what is true of whoever is there
    setting: str  # outdoors, indoors or ""
    tag: str
    path: bool  # "along a river": for activities that move


@dataclass(frozen=True)
class Attribute:
    """An adjective or a with-phrase; two of one `axis` with different values exclude each other."""

    phrase: Phrase
    many: Phrase
    axis: str
    value: str
    fits: frozenset[str]
    state: bool  # can be said with a copula: "The man is tall."


@dataclass(frozen=True)
class Garment:
    one: Phrase  # with its article where it has one
    many: Phrase
    coloured: bool
    sex: str
    kind: str  # the part of the wardrobe that it is from


@dataclass(frozen=True)
class Scene:
    key: str
    root: str
    family: str
    setting: str
    familiar: bool
    general: bool
    roles: tuple[Noun, ...]
    places: tuple[Place, ...]
    activities: tuple[Activity, ...]
    wear: frozenset[str]
    garments: tuple[Garment, ...]


@dataclass(frozen=True)
class Lexicon:
    nouns: dict[str, Noun]
    general: tuple[Noun, ...]
    scenes: tuple[Scene, ...]
    attributes: tuple[Attribute, ...]
    colours: tuple[Phrase, ...]
    pairs: tuple[tuple[str, Phrase, str], ...]
    relations: tuple[tuple[str, Phrase], ...]
    states: tuple[tuple[str, VerbPhrase], ...]
    times: tuple[tuple[str, Phrase], ...]
    common: dict[
        str, tuple[str, ...]
    ]  # word class -> words outside the scenes, for the same purpose
    names: tuple[Phrase, ...]  # people's names, for sentences that are not captions
    forms: dict[str, dict[str, str]]
    everyday: frozenset[str] = (
        frozenset()
    )  # scenes in which anybody may be found at anything that all do there
    trades: frozenset[str] = (
        frozenset()
    )  # scenes of work, in which nobody is called a mother or a pensioner
    familiar_places: dict[str, tuple[Place, ...]] = field(default_factory=dict)

    def size(self) -> dict[str, int]:
        """Entries by kind: subjects, activities (and worded variants), places, attributes, verbs."""
        subjects = {noun.key for scene in self.scenes for noun in scene.roles} | set(self.nouns)
        activities = [activity for scene in self.scenes for activity in scene.activities]
        garments = {garment.one for scene in self.scenes for garment in scene.garments}
        return {
            "scenes": len(self.scenes),
            "subjects": len(subjects),
            "activities": len(activities),
            "activity_variants": sum(len(activity.variants) for activity in activities),
            "places": len({place.phrase for scene in self.scenes for place in scene.places}),
            "attributes": len(self.attributes) + len(garments) + len(self.colours),
            "verbs": len(self.forms),
        }
