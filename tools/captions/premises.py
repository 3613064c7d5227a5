"""Premises: draw who does what where, and word it in one of several sentence patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tools.captions.dice import Dice
from tools.captions.grammar import (
    Actor,
    at,
    clause,
    describe,
    existential,
    mentions_possessive,
    passive,
)
from tools.captions.lexicon import (
    Activity,
    Attribute,
    Garment,
    Lexicon,
    Noun,
    Place,
    Scene,
    VerbPhrase,
)
from tools.captions.words import Phrase, Token, repeats_itself

SHORTEST, LONGEST = 8, 20  # words of a premise

MOVING = frozenset({"walk", "run", "ride", "swim", "move", "fly"})

_ATTACHING = frozenset(["after", "against", "at", "before", "for", "from", "on", "to", "with"])
"""Two phrases of one sentence do not both begin with one of these: not "with one hand with two players on base"."""

_OF_TIME = frozenset(["after", "because", "before", "despite", "during", "until"])

GROWN_UP_WEAR = frozenset(
    ["fire", "formal", "hospital", "lab", "office", "safety", "uniform", "work"]
)
"""Parts of the wardrobe that children do not wear."""

AGES: dict[str, frozenset[str]] = {
    "adult": frozenset({"adult"}),
    "grown": frozenset({"adult", "teen"}),
    "any": frozenset({"adult", "teen", "child"}),
    "young": frozenset({"teen", "child"}),
    "child": frozenset({"child"}),
    "baby": frozenset({"baby"}),
    "roles": frozenset(),
}


@dataclass(frozen=True)
class Situation:
    """The facts behind a premise; hypotheses are derived from these, never from the wording."""

    scene: Scene
    activity: Activity
    verb: VerbPhrase
    actor: Actor
    place: Place | None
    purpose: Phrase | None
    manner: Phrase | None


def draw_premise(lexicon: Lexicon, dice: Dice) -> tuple[Situation, tuple[Token, ...]]:
    """One situation and its wording, of 8 to 20 words."""
    while True:
        situation = draw_situation(lexicon, dice)
        if situation is None:
            continue
        situation, tokens = word_situation(lexicon, situation, dice)
        words = sum(tag not in {".", ",", "POS"} for _, tag in tokens)
        if SHORTEST <= words <= LONGEST and not repeats_itself(tokens):
            if {("his", "PRP$"), ("her", "PRP$")}.isdisjoint(
                tokens
            ):  # what is not said is not known
                situation = replace(situation, actor=replace(situation.actor, sex=""))
            return situation, tokens


def draw_situation(lexicon: Lexicon, dice: Dice) -> Situation | None:
    """Facts of a scene that go together, or None when the draw found no one to do the activity."""
    scene = dice.weighted(
        [(2 + min(len(s.activities), 11 if s.root == "person" else 8), s) for s in lexicon.scenes]
    )
    activity = dice.pick(scene.activities)
    verb = dice.pick(activity.variants)
    actor = draw_actor(lexicon, scene, activity, verb, dice)
    if actor is None:
        return None
    said = {word for word, tag in verb.one if tag == "IN"}
    places = [place for place in places_for(scene, activity) if place.phrase[0][0] not in said]
    place = dice.pick(places) if places and dice.chance(0.92) else None
    purposes = addable(activity.purposes, verb, place)
    purpose = dice.pick(purposes) if purposes and dice.chance(0.28) else None
    manners = addable(activity.manners, verb, place, purpose)
    manner = dice.pick(manners) if manners and dice.chance(0.35) else None
    if manner and not stands_anywhere(manner) and purpose:
        manner = None
    if not all(phrase is None or stands_anywhere(phrase) for phrase in (purpose, manner)):
        place = None
    return Situation(scene, activity, verb, actor, place, purpose, manner)


def stands_anywhere(phrase: Phrase) -> bool:
    """Whether a place beside a phrase leaves no doubt what it belongs to; "in a spare bedroom for a guest" does."""
    return phrase[0][0] in _OF_TIME or (len(phrase) == 1 and phrase[0][0].endswith("ly"))


def addable(
    phrases: Sequence[Phrase], verb: VerbPhrase, place: Place | None, *others: Phrase | None
) -> list[Phrase]:
    """The purposes or manners that can follow without a preposition of the verb phrase, the place or `others`."""
    said = {word for word, _ in verb.one} & _ATTACHING
    said |= {phrase[0][0] for phrase in (place.phrase if place else None, *others) if phrase}
    return [phrase for phrase in phrases if phrase[0][0] not in said]


def places_for(scene: Scene, activity: Activity) -> list[Place]:
    """The scene's places in which the activity is natural; "along a river" takes an activity that moves."""
    return [
        place
        for place in scene.places
        if (place.tag in activity.where if activity.where or place.tag else True)
        and (not place.path or activity.pose in MOVING)
    ]


def draw_actor(
    lexicon: Lexicon, scene: Scene, activity: Activity, verb: VerbPhrase, dice: Dice
) -> Actor | None:
    """A subject that can do the activity, with a number and perhaps an attribute."""
    person = scene.root == "person"
    number = _draw_number(activity, dice)
    public = not activity.by or "public" in activity.by
    if person and number == "two" and public and _welcome(scene, activity) and dice.chance(0.2):
        couple = _draw_couple(lexicon, scene, activity, dice)
        if couple:
            return couple
    nouns = candidates(lexicon, scene, activity)
    if not nouns:
        return None
    roles = [noun for noun in nouns if not noun.general]
    everyone = [noun for noun in nouns if noun.general]
    pool = roles if roles and (not everyone or dice.chance(0.62)) else everyone
    noun = dice.pick(pool)
    sex = noun.sex
    if not sex and person and number == "one":  # decides between "his" and "her"
        sex = dice.pick(("m", "f"))
    actor = Actor(noun, number, sex)
    adjective = trait = None
    garment: Garment | None = None
    colour: Phrase | None = None
    if dice.chance(0.45):
        adjective = draw_attribute(lexicon, scene, activity, actor, dice, before=True)
    luck = dice.below(100)
    if luck < 34 and dresses(actor) and not (adjective and adjective.axis == "feet"):
        garment, colour = draw_garment(lexicon, scene, actor, dice)
    elif luck < 46:
        trait = draw_attribute(lexicon, scene, activity, actor, dice, before=False)
        if trait and adjective and trait.axis == adjective.axis:
            trait = None
    return Actor(noun, number, sex, adjective, trait, garment, colour)


def candidates(lexicon: Lexicon, scene: Scene, activity: Activity) -> list[Noun]:
    """Nouns that may do the activity in its scene: roles and people in general, those that it names if it names any."""
    ages = AGES[activity.who]
    if activity.by:
        nouns = [noun for noun in scene.roles if named_by(activity, noun)]
    else:
        nouns = [
            noun for noun in scene.roles if not ages or noun.root != "person" or noun.age in ages
        ]
    if _welcome(scene, activity):
        nouns += [
            noun
            for noun in lexicon.general
            if noun.age in ages
            and named_by(activity, noun)
            and not (activity.spry and noun.adjectives == "senior")
            and not (scene.key in lexicon.trades and of_the_family(noun))
        ]
    return nouns


def named_by(activity: Activity, noun: Noun) -> bool:
    """Whether an activity is for the noun: it names nobody, the noun, a hypernym, or (a general noun) the public."""
    names = activity.by if noun.general else activity.by - {"man", "woman"}
    return (
        not activity.by
        or noun.key in names
        or bool(names & set(noun.ancestors))
        or (noun.general and "public" in names)
    )


def of_the_family(noun: Noun) -> bool:
    """Whether the noun says whose kin somebody is or how old: nobody is called so at work."""
    return noun.adjectives == "senior" or "parent" in noun.ancestors


_SPARE = frozenset(["breed", "cat-breed", "dressed", "foal", "kitten", "puppy"])
"""Whose kind leaves little open: a breed fixes colour and coat, a young animal its age, a bride what she wears."""


def families(noun: Noun, scene: Scene) -> set[str]:
    """The words by which attributes say whom they fit."""
    names = {noun.key, noun.adjectives}
    if noun.adjectives in _SPARE:
        return names
    if noun.root == "person":
        names |= set(noun.ancestors) - {"person", "adult"}
        if noun.age == "adult" and not noun.general and noun.adjectives == "person":
            names.add("adult-role")
        if noun.adjectives == "senior":
            names -= {"man", "woman"}
        if scene.wear == {"summer"}:
            names.add("summer-feet")
        if "rain" in scene.wear:
            names.add("wet-feet")
    else:
        names |= set(noun.ancestors) & {
            noun.adjectives,
            "dog",
            "cat",
            "bird",
            "car",
            "lorry",
            "bus",
        }
    return names


def draw_attribute(
    lexicon: Lexicon, scene: Scene, activity: Activity, actor: Actor, dice: Dice, *, before: bool
) -> Attribute | None:
    """An adjective (before the noun) or a with-phrase (after it) that fits the actor."""
    fitting = [
        attribute
        for attribute in attributes_for(lexicon, scene, actor)
        if (attribute.phrase[0][1] != "IN") == before
        and not (activity.spry and attribute.value in {"old", "grey", "aged"})
    ]
    return dice.pick(fitting) if fitting else None


def attributes_for(lexicon: Lexicon, scene: Scene, actor: Actor) -> list[Attribute]:
    """Every attribute that fits the noun; beards and the like only where the sex is not female."""
    names = families(actor.noun, scene)
    return [attribute for attribute in lexicon.attributes if attribute.fits & names]


def dresses(actor: Actor) -> bool:
    """Whether a garment may be said of the actor: of a person, but a baby and who wears a costume (a bride)."""
    noun = actor.noun
    return noun.root == "person" and noun.age != "baby" and noun.adjectives != "dressed"


def draw_garment(
    lexicon: Lexicon, scene: Scene, actor: Actor, dice: Dice
) -> tuple[Garment | None, Phrase | None]:
    """Something to wear that suits the scene, and its colour where it takes one."""
    fitting = [g for g in scene.garments if not g.sex or g.sex == actor.noun.sex]
    if actor.noun.age == "child":
        fitting = [garment for garment in fitting if garment.kind not in GROWN_UP_WEAR]
    if actor.noun.general:
        fitting = [garment for garment in fitting if garment.kind != "costume"]
    if not fitting:
        return None, None
    garment = dice.pick(fitting)
    return garment, dice.pick(lexicon.colours) if garment.coloured else None


def word_situation(
    lexicon: Lexicon, situation: Situation, dice: Dice
) -> tuple[Situation, tuple[Token, ...]]:
    """Choose a sentence pattern and word the situation in it; return what of the situation is said, and the words."""
    verb, place, forms = situation.verb, situation.place, lexicon.forms
    subject = describe(situation.actor)
    extras: tuple[Phrase, ...] = tuple(p for p in (situation.manner, situation.purpose) if p)
    adverb: Phrase = ()
    if situation.manner and situation.manner[0][0].endswith("ly"):
        adverb, extras = situation.manner, extras[1:]
    tail = (*extras[:-1], *at(place), extras[-1]) if situation.purpose else (*extras, *at(place))
    aspect = dice.weighted([(0.62, "progressive"), (0.31, "simple"), (0.07, "bare")])
    pattern = dice.weighted(
        [(0.80, "plain"), (0.06, "front"), (0.08, "existential"), (0.06, "passive")]
    )
    if pattern == "passive" and verb.passive and not mentions_possessive(verb):
        return replace(situation, manner=None, purpose=None), passive(
            forms, verb, subject, at(place)
        )
    if pattern == "front" and place:
        comma = dice.chance(0.2)
        aspect = "progressive" if aspect == "bare" else aspect
        words = clause(
            forms,
            subject,
            verb,
            extras,
            aspect=aspect,
            adverb=adverb,
            front=place.phrase,
            comma=comma,
        )
        return situation, words
    if pattern == "existential" and not situation.actor.partner:
        said = replace(situation, manner=None) if adverb else situation
        return said, existential(forms, subject, verb, tail)
    return situation, clause(forms, subject, verb, tail, aspect=aspect, adverb=adverb)


def _welcome(scene: Scene, activity: Activity) -> bool:
    return scene.general and scene.root == "person" and activity.who != "roles"


def _draw_number(activity: Activity, dice: Dice) -> str:
    if activity.number == "one":
        return "one"
    numbers = [(0.62, "one"), (0.17, "two"), (0.06, "three"), (0.12, "some"), (0.03, "four")]
    if activity.number == "many":
        numbers = numbers[1:]
    return dice.weighted(numbers)


def _draw_couple(lexicon: Lexicon, scene: Scene, activity: Activity, dice: Dice) -> Actor | None:
    ages = AGES[activity.who]
    first, second, together = dice.pick(lexicon.pairs)
    noun = lexicon.nouns[first]
    if scene.key in lexicon.trades:
        return None
    children = {
        "son",
        "daughter",
        "grandson",
        "granddaughter",
        "niece",
        "nephew",
        "boy",
        "girl",
        "brother",
        "sister",
    }
    seniors = {"grandmother", "grandfather"}
    words = {word for word, _ in second}
    if (
        noun.age not in ages
        or (words & children and "child" not in ages)
        or (activity.spry and words & seniors)
    ):
        return None
    if (activity.spry and noun.adjectives == "senior") or (
        not words & children and "adult" not in ages
    ):
        return None
    return Actor(noun, "one", noun.sex, partner=second, together=together)
