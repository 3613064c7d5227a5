"""How hypotheses name their subject, place and aspect; shared by entailments, contradictions and neutrals."""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.captions.dice import Dice
from tools.captions.grammar import (
    Actor,
    Subject,
    at,
    clause,
    describe,
)
from tools.captions.lexicon import Attribute, Lexicon, Place, VerbPhrase
from tools.captions.premises import Situation
from tools.captions.words import Phrase, Token

Tokens = tuple[Token, ...]
Maker = Callable[[Lexicon, Situation, Dice], Tokens | None]
"""Makes a hypothesis from the facts, or None when they give no occasion for it."""

BE = VerbPhrase("be", (), ())
WEAR, HAVE = "wear", "have"
_AGENT = re.compile("(?:er|or|ian)s?$")
"""The end of a word for who does something: the start of "dancer" is that of "dance"."""


def same_subject(situation: Situation, dice: Dice, *, modified: bool = False) -> Subject:
    """The actor again, mostly with "the"."""
    return describe(situation.actor, definite=dice.chance(0.6), modified=modified)


def broader_subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Subject:
    """A hypernym of the actor: "a man", "someone", "two people"."""
    actor = situation.actor
    possessive = actor.possessive()
    if actor.partner:
        nouns = [lexicon.nouns[actor.together], lexicon.nouns["person"]]
        return describe(Actor(dice.pick(nouns), "two"), definite=dice.chance(0.25))
    above = [lexicon.nouns[name] for name in actor.noun.ancestors if name != "thing"]
    if not above:
        return describe(actor, modified=False)
    noun = dice.pick(above)
    if noun.key == "person" and actor.number == "one" and dice.chance(0.6):
        word = dice.pick(("someone", "somebody"))
        return Subject(((word, "NN"),), False, possessive)
    number = actor.number
    if number in {"three", "four"}:
        number = dice.pick(("some", number))
    subject = describe(Actor(noun, number), definite=dice.chance(0.25))
    return Subject(subject.phrase, subject.plural, possessive, actor.several)


def generic_subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Subject:
    """The actor again, or by a near hypernym: "the man", "the scientist"."""
    actor = situation.actor
    if actor.partner:
        return describe(actor, definite=True)
    named = [name for name in actor.noun.ancestors if name not in {"person", "adult", "thing"}]
    if not named or dice.chance(0.6):
        return same_subject(situation, dice)
    noun = lexicon.nouns[dice.pick(named)]
    return describe(Actor(noun, actor.number, actor.sex), definite=dice.chance(0.7))


def with_attribute(actor: Actor, attribute: Attribute) -> Subject:
    before = attribute.phrase[0][1] != "IN"
    changed = Actor(
        actor.noun,
        actor.number,
        actor.sex,
        adjective=attribute if before else None,
        trait=None if before else attribute,
    )
    return describe(changed, definite=True)


def doing(lexicon: Lexicon, situation: Situation, subject: Subject, dice: Dice) -> Tokens:
    """The subject at the premise's activity, or at a hypernym of it, with or without the place."""
    wider = () if dice.chance(0.65) else wider_activities(situation, subject)
    exact = not wider
    verb = dice.pick(wider or (situation.verb,))
    place = situation.place if dice.chance(0.4) else None
    tail = () if place is None else at(place) if exact else at_rest(place)
    return clause(lexicon.forms, subject, verb, tail, aspect=some_aspect(dice))


def wider_activities(situation: Situation, subject: Subject) -> tuple[VerbPhrase, ...]:
    """Hypernyms of the premise's activity that the subject does not name: "a dancer is dancing" says nothing."""
    named = {word[:4] for word, _ in subject.phrase if _AGENT.search(word)}
    return tuple(
        verb
        for verb in situation.activity.hypernyms
        if not named & {word[:4] for word in (verb.lemma, *(word for word, _ in verb.one))}
    )


def at_rest(place: Place) -> tuple[Phrase, ...]:
    """The place unless it is a path: nobody simply is, or gets wet, "along a river"."""
    return () if place.path else (place.phrase,)


def some_aspect(dice: Dice) -> str:
    return "simple" if dice.chance(0.17) else "progressive"
