"""Hypotheses of a premise: what follows from its facts, what they exclude, and what they leave open.

Every maker takes the facts and returns a sentence or None; none of them looks at the premise's wording. An entailment
always gives up at least one fact (an attribute, the place, the purpose, or a term for its hypernym), so that it never
entails the premise in turn. Contradictions follow SNLI's convention that both sentences describe the same scene.
"""

from __future__ import annotations

from collections.abc import Callable

from divlogic.corpora.captions.dice import Dice
from divlogic.corpora.captions.exclusion import (
    excluding_activity,
    excluding_attribute,
    excluding_noun,
    excluding_place,
)
from divlogic.corpora.captions.grammar import (
    Actor,
    Subject,
    at,
    clause,
    describe,
    existential,
    mentions_possessive,
    passive,
    worn,
)
from divlogic.corpora.captions.lexicon import Attribute, Lexicon, Place, VerbPhrase
from divlogic.corpora.captions.premises import Situation, attributes_for, draw_garment, places_for
from divlogic.corpora.captions.words import Phrase, Token

Tokens = tuple[Token, ...]
Maker = Callable[[Lexicon, Situation, Dice], Tokens | None]

BE = VerbPhrase("be", (), ())
WEAR, HAVE = "wear", "have"


def entailed(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that must be true when the premise is, and not the other way round."""
    return dice.weighted(_ENTAILED)(lexicon, situation, dice)


def contradicted(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that cannot be true of the premise's scene."""
    return dice.weighted(_CONTRADICTED)(lexicon, situation, dice)


def neutral(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A sentence that the premise neither entails nor excludes."""
    return dice.weighted(_NEUTRAL)(lexicon, situation, dice)


# --- subjects ---------------------------------------------------------------------------------------------------


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
    if number in {"group", "crew", "pair", "several", "three", "four"}:
        number = dice.pick(("some", "several" if number not in {"pair", "group", "crew"} else "some", number))
        number = {"crew": "group", "pair": "two"}.get(number, number)
    subject = describe(Actor(noun, number), definite=dice.chance(0.25))
    return Subject(subject.phrase, subject.plural, possessive, actor.several)


# --- entailed ---------------------------------------------------------------------------------------------------


def fewer_modifiers(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Same subject and activity; attributes, manner and purpose go, and often the place."""
    actor = situation.actor
    drops = actor.modified or situation.manner
    purpose = situation.purpose if drops or situation.place else None
    tail = (purpose,) if purpose and dice.chance(0.5) else ()
    if not drops and not situation.place and not situation.purpose:
        return None
    if (drops or (situation.purpose and not tail)) and dice.chance(0.5):
        tail = (*at(situation.place), *tail)
    return clause(lexicon.forms, same_subject(situation, dice), situation.verb, tail, aspect=_aspect(dice))


def broader_actor(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    place = situation.place if dice.chance(0.4) else None
    subject = broader_subject(lexicon, situation, dice)
    if not _weaker_subject(situation) and place is situation.place:
        return None
    tail = at(place)
    if situation.purpose and dice.chance(0.5):
        tail = (*tail, situation.purpose)
    return clause(lexicon.forms, subject, situation.verb, tail, aspect=_aspect(dice))


def broader_activity(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    verb = dice.pick(situation.activity.hypernyms)
    subject = same_subject(situation, dice) if dice.chance(0.6) else broader_subject(lexicon, situation, dice)
    tail: tuple[Phrase, ...] = ()
    if situation.place:
        tail = dice.pick(((), at(situation.place), (dice.pick(situation.place.near),) if situation.place.near else ()))
    return clause(lexicon.forms, subject, verb, tail, aspect=_aspect(dice))


def broader_place(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    if not situation.place or not situation.place.near:
        return None
    near = dice.pick(situation.place.near)
    subject = same_subject(situation, dice)
    if dice.chance(0.5):
        return clause(lexicon.forms, subject, situation.verb, (near,), aspect=_aspect(dice))
    return clause(lexicon.forms, subject, BE, (dice.pick((near, *at_rest(situation.place))),))


def somebody_there(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "There is a dog outdoors." """
    if not situation.place or not situation.place.near:
        return None
    actor = situation.actor
    subject = describe(actor, modified=False) if dice.chance(0.5) else broader_subject(lexicon, situation, dice)
    if subject.phrase[0][0] == "the":
        return None
    where = dice.pick((*at_rest(situation.place), *situation.place.near))
    return existential(lexicon.forms, subject, None, (where,))


def wears_it(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "The man is wearing a coat." """
    actor = situation.actor
    if not actor.garment:
        return None
    colour = actor.colour if dice.chance(0.5) else None
    garments = worn(actor.garment, colour, actor.number != "one")
    return clause(lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments))


def has_it(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "The man is bald." or "The man has a long white beard." """
    actor = situation.actor
    definite = describe(actor, definite=True, modified=False)
    options: list[tuple[Subject, VerbPhrase]] = []
    if actor.adjective and actor.adjective.state:
        options.append((definite, VerbPhrase("be", actor.adjective.phrase, actor.adjective.phrase)))
    if actor.trait and actor.trait.phrase[0][0] == "with":
        options.append((definite, VerbPhrase(HAVE, actor.trait.phrase[1:], actor.trait.many[1:])))
    if not options:
        return None
    subject, verb = dice.pick(options)
    return clause(lexicon.forms, subject, verb)


def agentless(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """ "A net is being mended." """
    if not situation.verb.passive or mentions_possessive(situation.verb):
        return None
    verb = situation.verb
    if situation.actor.several and verb.many != verb.one:
        return None
    return passive(lexicon.forms, verb, None, at(situation.place) if dice.chance(0.4) else ())


# --- contradicted -----------------------------------------------------------------------------------------------


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
        subject = _generic_subject(lexicon, situation, dice)
    verb = dice.pick(activity.variants)
    tail: tuple[Phrase, ...] = ()
    if dice.chance(0.45):
        places = places_for(scene, activity)
        own_place = situation.place if own_scene and situation.place in places else None
        tail = at(own_place or (dice.pick(places) if places else None))
    if activity.purposes and dice.chance(0.22):
        tail = (*tail, dice.pick(activity.purposes))
    return clause(lexicon.forms, subject, verb, tail, aspect=_aspect(dice))


def other_place(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Indoors instead of outdoors, or the other way round."""
    if not situation.place or not situation.place.setting or situation.scene.root == "thing":
        return None
    opposite = {"outdoors": "indoors", "indoors": "outdoors"}[situation.place.setting]
    subject = same_subject(situation, dice)
    if situation.scene.root != "person" or dice.chance(0.3):
        return clause(lexicon.forms, subject, BE, (((opposite, "RB"),),))
    place = excluding_place(lexicon, situation, dice)
    if place is None:
        return None
    if not situation.activity.busy and dice.chance(0.6):
        return clause(lexicon.forms, subject, situation.verb, at(place), aspect=_aspect(dice))
    return clause(lexicon.forms, subject, BE, at(place))


def other_attribute(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """An antonym, or another colour of the same garment."""
    actor = situation.actor
    if actor.garment and actor.colour and dice.chance(0.6):
        colour = dice.pick([c for c in lexicon.colours if not _similar(c, actor.colour)])
        garments = worn(actor.garment, colour, actor.number != "one")
        if dice.chance(0.6):
            return clause(lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments))
        changed = Actor(actor.noun, actor.number, actor.sex, garment=actor.garment, colour=colour)
        return _doing(lexicon, situation, describe(changed, definite=True), dice)
    attribute = excluding_attribute(lexicon, situation, dice)
    if attribute is None:
        return None
    if attribute.state and dice.chance(0.5):
        subject = describe(actor, definite=True, modified=False)
        return clause(lexicon.forms, subject, VerbPhrase("be", attribute.phrase, attribute.phrase))
    return _doing(lexicon, situation, _with_attribute(actor, attribute), dice)


def other_subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A woman instead of a man, a cat instead of a dog."""
    noun = excluding_noun(lexicon, situation, dice)
    if noun is None:
        return None
    number = situation.actor.number
    subject = describe(Actor(noun, number, noun.sex), definite=dice.chance(0.4))
    return _doing(lexicon, situation, subject, dice)


def other_number(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """Only one of them, or nobody at all."""
    actor = situation.actor
    if actor.several and not actor.partner and dice.chance(0.8):
        return _doing(lexicon, situation, describe(Actor(actor.noun, "only one", actor.sex)), dice)
    if situation.scene.root != "person" or dice.chance(0.6):
        return None
    subject = Subject((("nobody", "NN"),), False, "their")
    return clause(lexicon.forms, subject, situation.verb, at(situation.place) if dice.chance(0.5) else ())


# --- neutral ----------------------------------------------------------------------------------------------------


def added_purpose(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    if not situation.activity.purposes or situation.purpose:
        return None
    subject = same_subject(situation, dice) if dice.chance(0.75) else broader_subject(lexicon, situation, dice)
    tail = (dice.pick(situation.activity.purposes),)
    return clause(lexicon.forms, subject, situation.verb, tail, aspect=_aspect(dice))


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
    options = [a for a in options if a.axis not in {"feet", "manner"} and a.value not in {"small", "little"}]
    if not options:
        return None
    attribute = dice.pick(options)
    if attribute.state and dice.chance(0.5):
        subject = describe(actor, definite=True, modified=False)
        return clause(lexicon.forms, subject, VerbPhrase("be", attribute.phrase, attribute.phrase))
    return _doing(lexicon, situation, _with_attribute(actor, attribute), dice)


def added_garment(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if actor.garment or actor.partner or actor.noun.root != "person" or actor.noun.age == "baby":
        return None
    garment, colour = draw_garment(lexicon, situation.scene, actor, dice)
    if garment is None:
        return None
    garments = worn(garment, colour, actor.number != "one")
    return clause(lexicon.forms, same_subject(situation, dice), VerbPhrase(WEAR, garments, garments))


def related(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    actor = situation.actor
    if not actor.several or actor.partner:
        return None
    kind = "child" if actor.noun.age in {"child", "teen"} else "adult" if actor.noun.root == "person" else "animal"
    if actor.noun.root == "thing" or (kind == "animal" and actor.noun.adjectives not in {"dog", "cat", "puppy", "kitten"}):
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
        kinds = {"person", "adult"} if noun.age == "adult" and noun.adjectives != "senior" else {"person"}
        kinds |= {"child"} if noun.age == "child" else set()
        kinds -= {"person"} if noun.age == "baby" else set()
    else:
        kinds = {"animal"} if noun.adjectives in {"dog", "cat", "horse", "farm", "puppy", "kitten"} else {"wild"}
        kinds = {"thing"} if noun.root == "thing" else kinds
    options = [verb for of, verb in lexicon.states if of in kinds]
    if not options:
        return None
    return clause(lexicon.forms, describe(actor, definite=True, modified=False), dice.pick(options), aspect="simple")


def at_a_time(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    setting = situation.place.setting if situation.place else ""
    kinds = {"any", setting, situation.scene.root if situation.scene.root == "person" else "any"}
    phrase = dice.pick([phrase for of, phrase in lexicon.times if of in kinds])
    return clause(lexicon.forms, same_subject(situation, dice), situation.verb, (phrase,), aspect=_aspect(dice))


def somewhere(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    """A place that the premise does not name."""
    activity, scene = situation.activity, situation.scene
    places = places_for(scene, activity)
    if situation.place or len(places) < 2:
        return None
    return clause(lexicon.forms, same_subject(situation, dice), situation.verb, at(dice.pick(places)))


def in_a_manner(lexicon: Lexicon, situation: Situation, dice: Dice) -> Tokens | None:
    if situation.manner or not situation.activity.manners:
        return None
    manner = dice.pick(situation.activity.manners)
    return clause(lexicon.forms, same_subject(situation, dice), situation.verb, (manner,), aspect=_aspect(dice))


# --- helpers ----------------------------------------------------------------------------------------------------


def _aspect(dice: Dice) -> str:
    return "simple" if dice.chance(0.17) else "progressive"


def at_rest(place: Place) -> tuple[Phrase, ...]:
    """The place unless it is a path: nobody simply is "along a river"."""
    return () if place.path else (place.phrase,)


def _doing(lexicon: Lexicon, situation: Situation, subject: Subject, dice: Dice) -> Tokens:
    """The subject at the premise's activity, or at a hypernym of it, with or without the place."""
    verb = situation.verb if dice.chance(0.65) else dice.pick(situation.activity.hypernyms)
    place = situation.place if dice.chance(0.4) else None
    return clause(lexicon.forms, subject, verb, at(place), aspect=_aspect(dice))


def _with_attribute(actor: Actor, attribute: Attribute) -> Subject:
    before = attribute.phrase[0][1] != "IN"
    changed = Actor(
        actor.noun,
        actor.number,
        actor.sex,
        adjective=attribute if before else None,
        trait=None if before else attribute,
    )
    return describe(changed, definite=True)


def _generic_subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Subject:
    """The actor again, or by a near hypernym: "the man", "the scientist"."""
    actor = situation.actor
    if actor.partner:
        return describe(actor, definite=True)
    named = [name for name in actor.noun.ancestors if name not in {"person", "adult", "thing"}]
    if not named or dice.chance(0.6):
        return same_subject(situation, dice)
    number = "two" if actor.number == "pair" else actor.number
    return describe(Actor(lexicon.nouns[dice.pick(named)], number, actor.sex), definite=dice.chance(0.7))


def _weaker_subject(situation: Situation) -> bool:
    return bool(situation.actor.noun.ancestors) or situation.actor.modified


def _similar(one: Phrase, other: Phrase) -> bool:
    """Whether two colours might be said of one thing: they share a word, or lie too close to call."""
    groups = ({"blue", "turquoise", "purple"}, {"red", "crimson", "orange", "pink"}, {"white", "beige"}, {"black", "navy", "grey", "dark"}, {"green", "olive", "turquoise"}, {"brown", "beige"})
    first, second = {word for word, _ in one}, {word for word, _ in other}
    return any(first & group and second & group for group in groups) or bool(first & second)


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
_CONTRADICTED: tuple[tuple[float, Maker], ...] = (
    (5.0, other_activity),
    (1.7, other_place),
    (2.2, other_attribute),
    (1.6, other_subject),
    (0.6, other_number),
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
