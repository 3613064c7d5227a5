"""Contradictions: what cannot be true of the premise's scene (as in SNLI, both sentences are about one scene)."""

from __future__ import annotations

from tools.captions.dice import Dice
from tools.captions.exclusion import (
    excluding_activity,
    excluding_attribute,
    excluding_noun,
    excluding_place,
)
from tools.captions.grammar import (
    Actor,
    Subject,
    at,
    clause,
    describe,
    worn,
)
from tools.captions.lexicon import Lexicon, VerbPhrase
from tools.captions.premises import Situation, addable, places_for
from tools.captions.wording import (
    BE,
    WEAR,
    Maker,
    Tokens,
    doing,
    generic_subject,
    same_subject,
    some_aspect,
    with_attribute,
)
from tools.captions.words import Phrase


def contradicted(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that cannot be true of the premise's scene."""
    return dice.weighted(_CONTRADICTED)(lexicon, situation, dice)


def other_activity(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """The same subject does something that excludes the premise's activity."""
    found = excluding_activity(lexicon, situation, dice)
    if found is None:
        return None
    scene, activity = found
    own_scene = scene.key == situation.scene.key
    if own_scene or situation.actor.noun.general or situation.scene.root != "person":
        subject = same_subject(situation, dice)
    else:
        subject = generic_subject(lexicon, situation, dice)
    verb = dice.pick(activity.variants)
    tail: tuple[Phrase, ...] = ()
    place = None
    if (own_scene or scene.familiar) and dice.chance(0.45):
        places = places_for(scene, activity)
        own_place = situation.place if own_scene and situation.place in places else None
        place = own_place or (dice.pick(places) if places else None)
        tail = at(place)
    purposes = addable(activity.purposes, verb, place)
    if purposes and dice.chance(0.4):
        tail = (*tail, dice.pick(purposes))
    return clause(lexicon.forms, subject, verb, tail, aspect=some_aspect(dice))


_WILD = frozenset(["wild", "fish"])


def other_place(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Indoors instead of outdoors, or the other way round."""
    if not situation.place or not situation.place.setting or situation.scene.root == "thing":
        return None
    opposite = {"outdoors": "indoors", "indoors": "outdoors"}[situation.place.setting]
    if situation.scene.root == "animal" and (
        situation.actor.noun.adjectives in _WILD or dice.chance(0.6)
    ):
        return None  # a whale indoors is not worth denying, and animals' scenes are nearly all outdoors
    subject = same_subject(situation, dice)
    if situation.scene.root != "person" or dice.chance(0.3):
        return clause(lexicon.forms, subject, BE, (((opposite, "RB"),),))
    place = excluding_place(lexicon, situation, dice)
    if place is None:
        return None
    return clause(lexicon.forms, subject, BE, at(place))


def other_attribute(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """An antonym, or another colour of the same garment."""
    actor = situation.actor
    if actor.garment and actor.colour and dice.chance(0.6):
        others = [c for c in lexicon.colours if not _similar(c, actor.colour)]
        if not others:
            return None
        colour = dice.pick(others)
        garments = worn(actor.garment, colour, actor.number != "one")
        if dice.chance(0.6):
            return clause(
                lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments)
            )
        changed = Actor(actor.noun, actor.number, actor.sex, garment=actor.garment, colour=colour)
        return doing(lexicon, situation, describe(changed, definite=True), dice)
    attribute = excluding_attribute(lexicon, situation, dice)
    if attribute is None:
        return None
    return doing(lexicon, situation, with_attribute(actor, attribute), dice)


def other_subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A woman instead of a man, a cat instead of a dog."""
    noun = excluding_noun(lexicon, situation, dice)
    if noun is None:
        return None
    number = situation.actor.number
    subject = describe(Actor(noun, number, noun.sex), definite=dice.chance(0.4))
    return doing(lexicon, situation, subject, dice)


def other_number(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Only one of them, or nobody at all."""
    actor = situation.actor
    alone = situation.activity.number != "many"  # not "only one cheerleader is forming a pyramid"
    if actor.several and not actor.partner and alone and dice.chance(0.8):
        return doing(lexicon, situation, describe(Actor(actor.noun, "only one", actor.sex)), dice)
    if situation.scene.root != "person" or dice.chance(0.6):
        return None
    subject = Subject((("nobody", "NN"),), False, "their")
    return clause(lexicon.forms, subject, situation.verb)


def _similar(one: Phrase, other: Phrase) -> bool:
    """Whether two colours might be said of one thing: they share a word, or lie too close to call."""
    groups = (
        {"blue", "turquoise", "purple"},
        {"red", "crimson", "orange", "pink"},
        {"white", "beige"},
        {"black", "navy", "grey", "dark"},
        {"green", "olive", "turquoise"},
        {"brown", "beige"},
    )
    first, second = {word for word, _ in one}, {word for word, _ in other}
    return any(first & group and second & group for group in groups) or bool(first & second)


_CONTRADICTED: tuple[tuple[float, Maker], ...] = (
    (5.0, other_activity),
    (1.7, other_place),
    (2.2, other_attribute),
    (1.6, other_subject),
    (0.6, other_number),
)
