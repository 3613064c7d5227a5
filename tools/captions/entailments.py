"""Entailments: what must be true when the premise is, and not the other way round.

Every maker gives up at least one fact of the premise (an attribute, the place, the purpose, or a term for its
hypernym), so that no entailment entails its premise in turn.
"""

from __future__ import annotations

from tools.captions.dice import Dice
from tools.captions.grammar import (
    at,
    clause,
    describe,
    existential,
    mentions_possessive,
    passive,
    worn,
)
from tools.captions.lexicon import Lexicon, Place, VerbPhrase
from tools.captions.premises import Situation
from tools.captions.wording import (
    BE,
    HAVE,
    WEAR,
    Maker,
    Tokens,
    at_rest,
    broader_subject,
    same_subject,
    some_aspect,
    wider_activities,
)
from tools.captions.words import Phrase

_AT_A_DISTANCE = frozenset([
    "aim", "bark", "draw", "film", "listen", "look", "photograph",
    "point", "sketch", "stare", "study", "take", "watch", "wave",
])  # fmt: skip
"""Who points at a crane on a ridge may stand in the valley: the place may be that of the object."""

_FULL = frozenset(["audience", "busy", "cheering", "crowd", "crowded", "packed", "spectators"])
"""Where these are, somebody is: "there is no one on a busy pavement", a denial, would be nonsense."""


def entailed(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that must be true when the premise is, and not the other way round."""
    return dice.weighted(_ENTAILED)(lexicon, situation, dice)


def fewer_modifiers(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Same subject and activity; attributes, manner and purpose go, and often the place."""
    actor = situation.actor
    drops = actor.modified or situation.manner
    purpose = situation.purpose if drops or situation.place else None
    tail = (purpose,) if purpose and dice.chance(0.7) else ()
    if not drops and not situation.place and not situation.purpose:
        return None
    if (drops or (situation.purpose and not tail)) and dice.chance(0.5):
        tail = (*at(situation.place), *tail)
    return clause(
        lexicon.forms, same_subject(situation, dice), situation.verb, tail, aspect=some_aspect(dice)
    )


def broader_actor(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    place = situation.place if dice.chance(0.4) else None
    if mentions_possessive(situation.verb) and situation.actor.number == "one":
        return None  # its denial would be "nobody carries a basket on her shoulder"
    subject = broader_subject(lexicon, situation, dice)
    if not _weaker_subject(situation) and place is situation.place:
        return None
    tail = at(place)
    if situation.purpose and dice.chance(0.7):
        tail = (*tail, situation.purpose)
    return clause(lexicon.forms, subject, situation.verb, tail, aspect=some_aspect(dice))


def broader_activity(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Of the subject as the premise names it: "somebody is using a tool" would follow from many another premise."""
    subject = same_subject(situation, dice)
    wider = wider_activities(situation, subject)
    if not wider:
        return None
    tail: tuple[Phrase, ...] = ()
    if place := _of_the_subject(situation):
        tail = dice.pick(((), at_rest(place), (dice.pick(place.near),) if place.near else ()))
    return clause(lexicon.forms, subject, dice.pick(wider), tail, aspect="progressive")


def broader_place(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    place = _of_the_subject(situation)
    if not place or not place.near:
        return None
    near = dice.pick(place.near)
    subject = same_subject(situation, dice)
    if dice.chance(0.5):
        return clause(lexicon.forms, subject, situation.verb, (near,), aspect=some_aspect(dice))
    return clause(lexicon.forms, subject, BE, (dice.pick((near, *at_rest(place))),))


def somebody_there(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "There is a dog in a field." or "There is an animal in a muddy field."

    Either the noun or the place stays, as one sentence of several must follow from its own premise only.
    """
    place = _of_the_subject(situation)
    if not place or not place.near:
        return None
    actor = situation.actor
    if not actor.partner and dice.chance(0.5):
        subject, places = describe(actor, modified=False), (*at_rest(place), *place.near)
    else:
        subject, places = broader_subject(lexicon, situation, dice), at_rest(place)
    if subject.phrase[0][0] == "the" or not places:
        return None
    where = dice.pick(places)
    if {word for word, _ in where} & _FULL:
        return None
    return existential(lexicon.forms, subject, None, (where,))


def _of_the_subject(situation: Situation) -> Place | None:
    return None if situation.verb.lemma in _AT_A_DISTANCE else situation.place


def wears_it(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "The man is wearing a coat." """
    actor = situation.actor
    if not actor.garment:
        return None
    colour = actor.colour if dice.chance(0.5) else None
    garments = worn(actor.garment, colour, actor.number != "one")
    return clause(
        lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments)
    )


def has_it(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "The man has a long white beard." Of nobody an adjective alone is said: it is not worth stating."""
    trait = situation.actor.trait
    if trait is None or trait.phrase[0][0] != "with":
        return None
    subject = describe(situation.actor, definite=True, modified=False)
    return clause(lexicon.forms, subject, VerbPhrase(HAVE, trait.phrase[1:], trait.many[1:]))


def agentless(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "A net is being mended." """
    if not situation.verb.passive or mentions_possessive(situation.verb):
        return None
    verb = situation.verb
    if situation.actor.several and verb.many != verb.one:
        return None
    return passive(lexicon.forms, verb, None, at(situation.place) if dice.chance(0.4) else ())


def _weaker_subject(situation: Situation) -> bool:
    return bool(situation.actor.noun.ancestors) or situation.actor.modified


_ENTAILED: tuple[tuple[float, Maker], ...] = (
    (2.0, fewer_modifiers),
    (2.2, broader_actor),
    (3.0, broader_activity),
    (1.6, broader_place),
    (0.9, somebody_there),
    (1.0, wears_it),
    (0.8, has_it),
    (0.7, agentless),
)
