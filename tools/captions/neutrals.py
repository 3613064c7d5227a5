"""Neutral hypotheses: a purpose, place, tie, state or look that the premise leaves open."""

from __future__ import annotations

from tools.captions.dice import Dice
from tools.captions.grammar import (
    at,
    clause,
    describe,
    worn,
)
from tools.captions.lexicon import Lexicon, VerbPhrase
from tools.captions.premises import (
    Situation,
    addable,
    attributes_for,
    draw_garment,
    dresses,
    places_for,
)
from tools.captions.wording import (
    BE,
    WEAR,
    Maker,
    Tokens,
    broader_subject,
    doing,
    same_subject,
    some_aspect,
    with_attribute,
)


def neutral(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that the premise neither entails nor excludes."""
    return dice.weighted(_NEUTRAL)(lexicon, situation, dice)


def added_purpose(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    purposes = addable(situation.activity.purposes, situation.verb, None)
    if not purposes or situation.purpose:
        return None
    subject = (
        same_subject(situation, dice)
        if dice.chance(0.75)
        else broader_subject(lexicon, situation, dice)
    )
    tail = (dice.pick(purposes),)
    return clause(lexicon.forms, subject, situation.verb, tail, aspect=some_aspect(dice))


def added_attribute(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if actor.partner:
        return None
    taken = {a.axis for a in (actor.adjective, actor.trait) if a}
    if "age" in taken or actor.noun.adjectives == "senior":
        taken |= {"age", "hair"}
    if taken & {"hair", "face"}:
        taken |= {"age", "hair", "face"}
    options = [a for a in attributes_for(lexicon, situation.scene, actor) if a.axis not in taken]
    options = [
        a
        for a in options
        if a.axis not in {"feet", "manner"} and a.value not in {"small", "little"}
    ]
    if not options:
        return None
    attribute = dice.pick(options)
    return doing(lexicon, situation, with_attribute(actor, attribute), dice)


def added_garment(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if actor.garment or actor.partner or not dresses(actor):
        return None
    garment, colour = draw_garment(lexicon, situation.scene, actor, dice)
    if garment is None:
        return None
    garments = worn(garment, colour, actor.number != "one")
    return clause(
        lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments)
    )


def related(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if not actor.several or actor.partner or actor.noun.age == "baby":
        return None
    kind = (
        "child"
        if actor.noun.age in {"child", "teen"}
        else "adult"
        if actor.noun.root == "person"
        else "animal"
    )
    if actor.noun.root == "thing" or (
        kind == "animal"
        and actor.noun.adjectives not in {"dog", "cat", "breed", "cat-breed", "puppy", "kitten"}
    ):
        return None
    options = [phrase for of, phrase in lexicon.relations if of == kind]
    subject = describe(actor, definite=True, modified=False)
    if not subject.plural:
        return None
    phrase = dice.pick(options)
    return clause(lexicon.forms, subject, VerbPhrase("be", phrase, phrase))


def in_a_state(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if actor.several:
        return None
    noun = actor.noun
    if noun.root == "person":
        kinds = (
            {"person", "adult"}
            if noun.age == "adult" and noun.adjectives != "senior"
            else {"person"}
        )
        kinds |= {"child"} if noun.age == "child" else set()
        kinds -= {"person"} if noun.age == "baby" else set()
    else:
        kinds = (
            {"animal"}
            if noun.adjectives
            in {"dog", "cat", "horse", "farm", "foal", "breed", "cat-breed", "puppy", "kitten"}
            else {"wild"}
        )
        kinds = {"thing"} if noun.root == "thing" else kinds
    options = [verb for of, verb in lexicon.states if of in kinds]
    if not options:
        return None
    return clause(
        lexicon.forms,
        describe(actor, definite=True, modified=False),
        dice.pick(options),
        aspect="simple",
    )


_TIMED = frozenset(
    """bedtime breakfast cloudy cold dark dusty evening fireworks frozen ice icy laundry lawn misty moon night rain
    shade sledge snow snow-covered snowy starry storm sun sunbathe sunny sunrise sunscreen tropical wet wind""".split()  # noqa: SIM905
)


def at_a_time(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """When it may be happening, if the premise has no hour, season or weather of its own."""
    place = situation.place.phrase if situation.place else ()
    if situation.purpose or {word for word, _ in (*situation.verb.one, *place)} & _TIMED:
        return None
    setting = situation.place.setting if situation.place else ""
    kinds = {"any", setting, situation.scene.root if situation.scene.root == "person" else "any"}
    phrase = dice.pick([phrase for of, phrase in lexicon.times if of in kinds])
    return clause(
        lexicon.forms,
        same_subject(situation, dice),
        situation.verb,
        (phrase,),
        aspect=some_aspect(dice),
    )


def somewhere(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A place that the premise does not name."""
    activity, scene = situation.activity, situation.scene
    places = places_for(scene, activity)
    if situation.place or len(places) < 2:
        return None
    place = dice.pick(places)
    verb = BE if not place.path and dice.chance(0.4) else situation.verb
    return clause(lexicon.forms, same_subject(situation, dice), verb, at(place))


def in_a_manner(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    manners = addable(situation.activity.manners, situation.verb, None)
    if situation.manner or not manners:
        return None
    manner = dice.pick(manners)
    return clause(
        lexicon.forms,
        same_subject(situation, dice),
        situation.verb,
        (manner,),
        aspect=some_aspect(dice),
    )


_NEUTRAL: tuple[tuple[float, Maker], ...] = (
    (5.0, added_purpose),
    (1.2, added_attribute),
    (1.0, added_garment),
    (2.0, related),
    (2.0, in_a_state),
    (1.0, at_a_time),
    (2.0, somewhere),
    (1.0, in_a_manner),
)
