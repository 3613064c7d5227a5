"""What excludes what: activities, places, attributes and subjects that cannot hold of one scene together."""

from __future__ import annotations

from tools.captions.dice import Dice
from tools.captions.grammar import mentions_possessive
from tools.captions.lexicon import Activity, Attribute, Lexicon, Noun, Place, Scene
from tools.captions.premises import AGES, Situation, attributes_for, named_by, of_the_family
from tools.captions.words import Phrase

# Body poses that nobody holds at the same time; poses missing here (or unknown) exclude nothing by themselves.
_POSE_EXCLUDES: dict[str, frozenset[str]] = {
    "sit": frozenset({"stand", "walk", "run", "swim", "lie", "climb", "kneel"}),
    "stand": frozenset({"sit", "lie", "run", "swim", "kneel"}),
    "walk": frozenset({"sit", "lie", "swim", "ride", "kneel"}),
    "run": frozenset({"sit", "stand", "lie", "swim", "ride", "kneel"}),
    "ride": frozenset({"walk", "run", "swim", "lie", "climb", "kneel"}),
    "swim": frozenset({"sit", "stand", "walk", "run", "ride", "climb", "kneel"}),
    "lie": frozenset({"sit", "stand", "walk", "run", "ride", "climb", "kneel", "fly"}),
    "climb": frozenset({"sit", "lie", "swim", "ride"}),
    "kneel": frozenset({"sit", "stand", "walk", "run", "ride", "swim", "lie"}),
    "fly": frozenset({"sit", "stand", "walk", "swim", "lie"}),
    "move": frozenset({"park"}),
    "park": frozenset({"move"}),
}
_TRIES = 14


def poses_exclude(one: str, other: str) -> bool:
    """Whether two poses cannot be held together; symmetric."""
    return other in _POSE_EXCLUDES.get(one, ()) or one in _POSE_EXCLUDES.get(other, ())


def activities_exclude(
    first: Activity, second: Activity, first_family: str, second_family: str
) -> bool:
    """Whether nobody does both at once: poses that exclude each other, or two busy activities of unlike scenes.

    Activities that share a verb or an object noun, in themselves or in their hypernyms, never count as excluding.
    """
    if first.lemma_set & second.lemma_set or first.word_set & second.word_set:
        return False
    if poses_exclude(first.pose, second.pose):
        return True
    return first_family != second_family and first.busy and second.busy


def excluding_activity(
    lexicon: Lexicon, situation: Situation, dice: Dice
) -> tuple[Scene, Activity] | None:
    """An activity that the premise's subject could do instead, but not as well.

    A man may be found at any work; who is named by a calling or a family tie only where everybody goes.
    """
    scene, actor = situation.scene, situation.actor
    root = scene.root
    anywhere = actor.noun.key in {"man", "woman"}
    others = [
        s for s in lexicon.scenes if s.root == root and (anywhere or s.key in lexicon.everyday)
    ]
    for _ in range(_TRIES):
        own = root != "person" or not others or dice.chance(0.35)
        other = scene if own else dice.pick(others)
        activity = dice.pick(other.activities)
        if activity is situation.activity or not _could_do(
            lexicon, actor.noun, other, activity, own
        ):
            continue
        if (activity.number == "one" and actor.several) or (
            activity.number == "many" and not actor.several
        ):
            continue
        if mentions_possessive(activity.variants[0]) and not (
            actor.sex or actor.several or root != "person"
        ):
            continue
        if activities_exclude(situation.activity, activity, scene.family, other.family):
            return other, activity
    return None


def excluding_place(lexicon: Lexicon, situation: Situation, dice: Dice) -> Place | None:
    """A familiar place on the other side of the front door."""
    if situation.place is None:
        return None
    opposite = {"outdoors": "indoors", "indoors": "outdoors"}.get(situation.place.setting, "")
    own = _nouns(situation.place.phrase)
    places = [
        place
        for place in lexicon.familiar_places.get(opposite, ())
        if not _nouns(place.phrase) & own
    ]
    return dice.pick(places) if places else None


def _nouns(phrase: Phrase) -> set[str]:
    return {word for word, tag in phrase if tag.startswith("NN")}


def excluding_attribute(lexicon: Lexicon, situation: Situation, dice: Dice) -> Attribute | None:
    """Another value on the axis of one of the subject's attributes."""
    actor = situation.actor
    held = [
        a
        for a in (actor.adjective, actor.trait)
        if a and a.axis not in {"carrying", "condition", "manner", "load"}
    ]
    if not held:
        return None
    attribute = dice.pick(held)
    options = [
        other
        for other in attributes_for(lexicon, situation.scene, actor)
        if other.axis == attribute.axis
        and frozenset({other.value, attribute.value}) in _CLASHES.get(other.axis, _ALL)
        and other.value != attribute.value
    ]
    return dice.pick(options) if options else None


def excluding_noun(lexicon: Lexicon, situation: Situation, dice: Dice) -> Noun | None:
    """A co-hyponym that the subject cannot be: the other sex, another age, another species."""
    noun = situation.actor.noun
    if situation.actor.partner:
        return None
    if noun.root != "person":
        options = [role for role in situation.scene.roles if _other_kind(noun, role)]
        options = [
            role
            for role in options
            if _could_do(lexicon, role, situation.scene, situation.activity, True)
        ]
    else:
        names = sorted(noun.excludes - {"person", "animal", "thing", "senior"})
        options = [lexicon.nouns[name] for name in names]
        options = [other for other in options if other.age in AGES[situation.activity.who]]
    return dice.pick(options) if options else None


def _other_kind(noun: Noun, role: Noun) -> bool:
    """Whether no animal or thing is both: named as excluding, or two firm kinds of the same parent."""
    if noun.key == role.key or noun.key in role.ancestors or role.key in noun.ancestors:
        return False
    if role.excludes & {noun.key, *noun.ancestors} or noun.excludes & {role.key, *role.ancestors}:
        return True
    return not (noun.loose or role.loose) and noun.ancestors[:1] == role.ancestors[:1]


def _could_do(lexicon: Lexicon, noun: Noun, scene: Scene, activity: Activity, own: bool) -> bool:
    if noun.root != "person":
        return named_by(activity, noun)
    if activity.spry and noun.adjectives == "senior":
        return False
    if own:
        role = noun in scene.roles and bool(activity.by)
        return named_by(activity, noun) and (role or noun.age in AGES[activity.who])
    if scene.key in lexicon.trades and of_the_family(noun):
        return False
    public = not activity.by or "public" in activity.by or named_by(activity, noun)
    return scene.general and public and noun.age in AGES[activity.who]


class _Everything:
    """Every pair of different values of an axis excludes the other."""

    def __contains__(self, pair: object) -> bool:
        return True


_ALL = _Everything()

# Axes on which only some values exclude each other (a tall dog may be shaggy; red hair may be curly).
_CLASHES: dict[str, frozenset[frozenset[str]]] = {
    axis: frozenset(frozenset(pair) for pair in pairs)
    for axis, pairs in {
        "age": [("old", "young"), ("old", "middle"), ("young", "middle"), ("old-look", "young")],
        "build": [("stout", "slim")],
        "hair": [
            ("bald", "blond"), ("bald", "red"), ("bald", "grey"), ("bald", "dark"), ("bald", "long"),
            ("bald", "curly"), ("blond", "red"), ("blond", "grey"), ("blond", "dark"), ("red", "grey"),
            ("red", "dark"), ("grey", "dark"), ("ponytail", "pigtails"),
        ],
        "face": [("beard", "shaven"), ("moustache", "shaven")],
        "mood": [("happy", "grumpy"), ("happy", "grave")],
        "coat": [
            (a, b)
            for a in ("brown", "black", "white", "grey", "ginger", "chestnut", "golden", "tan", "pied")
            for b in ("brown", "black", "white", "grey", "ginger", "golden", "tan", "pied")
            if a != b
            and {a, b} not in ({"brown", "chestnut"}, {"brown", "tan"}, {"golden", "tan"}, {"golden", "brown"})
        ],
        "size": [("big", "little")],
        "fur": [("shaggy", "short-haired"), ("fluffy", "short-haired")],
        "era": [("old", "new"), ("worn", "polished"), ("worn", "new")],
    }.items()
}  # fmt: skip
