"""Premises: draw who does what where, and word it in one of several sentence patterns."""

from __future__ import annotations

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
            return situation, tokens


def draw_situation(lexicon: Lexicon, dice: Dice) -> Situation | None:
    """Facts of a scene that go together, or None when the draw found no one to do the activity."""
    scene = dice.weighted([(2 + len(s.activities), s) for s in lexicon.scenes])
    activity = dice.pick(scene.activities)
    verb = dice.pick(activity.variants)
    actor = draw_actor(lexicon, scene, activity, verb, dice)
    if actor is None:
        return None
    places = places_for(scene, activity)
    place = dice.pick(places) if places and dice.chance(0.88) else None
    purpose = dice.pick(activity.purposes) if activity.purposes and dice.chance(0.28) else None
    manner = dice.pick(activity.manners) if activity.manners and dice.chance(0.35) else None
    if manner and purpose and manner[0] == purpose[0]:
        manner = None  # not "with one hand with two players on base"
    if manner is None and actor.several and activity.busy and dice.chance(0.08):
        manner = (("together", "RB"),)
    return Situation(scene, activity, verb, actor, place, purpose, manner)


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
    number = _draw_number(activity, person, dice)
    if person and number == "two" and not activity.by and _welcome(scene, activity) and dice.chance(0.4):
        couple = _draw_couple(lexicon, activity, dice)
        if couple:
            return couple
    nouns = candidates(lexicon, scene, activity)
    if not nouns:
        return None
    roles = [noun for noun in nouns if not noun.general]
    everyone = [noun for noun in nouns if noun.general]
    pool = roles if roles and (not everyone or dice.chance(0.62)) else everyone
    noun = dice.pick(pool)
    if number in {"group", "crew"} and not person:
        number = "several"
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
    if luck < 34 and scene.garments and noun.age != "baby":
        garment, colour = draw_garment(lexicon, scene, actor, dice)
    elif luck < 46:
        trait = draw_attribute(lexicon, scene, activity, actor, dice, before=False)
        if trait and adjective and trait.axis == adjective.axis:
            trait = None
    return Actor(noun, number, sex, adjective, trait, garment, colour)


def candidates(lexicon: Lexicon, scene: Scene, activity: Activity) -> list[Noun]:
    """Nouns that may do the activity in its scene: roles named by it, else all roles, and fitting people."""
    ages = AGES[activity.who]
    if activity.by:
        return [noun for noun in scene.roles if noun.key in activity.by or activity.by & set(noun.ancestors)]
    nouns = [noun for noun in scene.roles if not ages or noun.root != "person" or noun.age in ages]
    if _welcome(scene, activity):
        nouns += [
            n for n in lexicon.general if n.age in ages and not (activity.spry and n.adjectives == "senior")
        ]
    return nouns


def families(noun: Noun, scene: Scene) -> set[str]:
    """The words by which attributes say whom they fit."""
    names = {noun.key, noun.adjectives}
    if noun.adjectives == "breed":  # a breed fixes colour, coat and size
        return names
    if noun.root == "person":
        names |= set(noun.ancestors) - {"person", "adult"}
        if noun.age == "adult" and not noun.general and noun.adjectives == "person":
            names.add("adult-role")
        if noun.adjectives == "senior":
            names -= {"man", "woman"}
        if "summer" in scene.wear or "swim" in scene.wear:
            names.add("summer-feet")
        if "rain" in scene.wear:
            names.add("wet-feet")
    else:
        names |= set(noun.ancestors) & {noun.adjectives, "dog", "cat", "bird", "car", "lorry", "bus"}
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


def draw_garment(
    lexicon: Lexicon, scene: Scene, actor: Actor, dice: Dice
) -> tuple[Garment | None, Phrase | None]:
    """Something to wear that suits the scene, and its colour where it takes one."""
    fitting = [g for g in scene.garments if not g.sex or g.sex == actor.noun.sex]
    if not fitting:
        return None, None
    garment = dice.pick(fitting)
    return garment, dice.pick(lexicon.colours) if garment.coloured else None


def word_situation(lexicon: Lexicon, situation: Situation, dice: Dice) -> tuple[Situation, tuple[Token, ...]]:
    """Choose a sentence pattern and word the situation in it; return what of the situation is said, and the words."""
    verb, place, forms = situation.verb, situation.place, lexicon.forms
    subject = describe(situation.actor)
    extras: tuple[Phrase, ...] = tuple(p for p in (situation.manner, situation.purpose) if p)
    adverb: Phrase = ()
    if situation.manner and situation.manner[0][0].endswith("ly") and dice.chance(0.5):
        adverb, extras = situation.manner, extras[1:]
    aspect = dice.weighted([(0.62, "progressive"), (0.31, "simple"), (0.07, "bare")])
    pattern = dice.weighted([(0.74, "plain"), (0.12, "front"), (0.08, "existential"), (0.06, "passive")])
    if pattern == "passive" and verb.passive and not mentions_possessive(verb):
        return replace(situation, manner=None, purpose=None), passive(forms, verb, subject, at(place))
    if pattern == "front" and place:
        comma = dice.chance(0.2)
        aspect = "progressive" if aspect == "bare" else aspect
        words = clause(
            forms, subject, verb, extras, aspect=aspect, adverb=adverb, front=place.phrase, comma=comma
        )
        return situation, words
    if pattern == "existential" and not situation.actor.partner:
        said = replace(situation, manner=None) if adverb else situation
        return said, existential(forms, subject, verb, (*extras, *at(place)))
    tail = (
        (*extras, *at(place))
        if not situation.purpose or dice.chance(0.3)
        else (*extras[:-1], *at(place), extras[-1])
    )
    return situation, clause(forms, subject, verb, tail, aspect=aspect, adverb=adverb)


def _welcome(scene: Scene, activity: Activity) -> bool:
    return scene.general and scene.root == "person" and activity.who != "roles"


def _draw_number(activity: Activity, person: bool, dice: Dice) -> str:
    if activity.number == "one":
        return "one"
    numbers = [(0.62, "one"), (0.17, "two"), (0.05, "three"), (0.07, "several"), (0.02, "four")]
    if person:
        numbers += [(0.05, "group"), (0.015, "crew")]
        numbers += [(0.015, "pair")]
    if activity.number == "many":
        numbers = numbers[1:]
    return dice.weighted(numbers)


def _draw_couple(lexicon: Lexicon, activity: Activity, dice: Dice) -> Actor | None:
    ages = AGES[activity.who]
    first, second, together = dice.pick(lexicon.pairs)
    noun = lexicon.nouns[first]
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
    if (activity.spry and noun.adjectives == "senior") or (not words & children and "adult" not in ages):
        return None
    return Actor(noun, "one", noun.sex, partner=second, together=together)
