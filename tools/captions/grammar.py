"""English surface forms: subjects with their attributes, agreement, aspects, passives, existential clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.captions.lexicon import Attribute, Garment, Noun, Place, VerbPhrase
from tools.captions.words import POSSESSIVE, Phrase, Token, fix_articles, is_plural_noun_phrase

Forms = Mapping[str, Mapping[str, str]]

STOP: Phrase = ((".", "."),)
COMMA: Phrase = ((",", ","),)

# Verbs of state: "The man owns a car", never "is owning".
STATIVE = frozenset(
    [
        "be",
        "have",
        "own",
        "live",
        "need",
        "love",
        "want",
        "know",
        "hope",
        "expect",
        "speak",
        "belong",
        "wish",
        "plan",
        "earn",
        "miss",
        "come",
    ]
)

_NUMBER_WORDS: dict[str, Phrase] = {
    "two": (("two", "CD"),),
    "three": (("three", "CD"),),
    "four": (("four", "CD"),),
    "some": (("some", "DT"),),
    "only one": (("only", "RB"), ("one", "CD")),
}
_SINGULAR_VERB = frozenset({"one", "only one"})


@dataclass(frozen=True)
class Actor:
    """Who does it: a noun with its number and attributes, perhaps with a partner ("and her son")."""

    noun: Noun
    number: str = "one"
    sex: str = ""
    adjective: Attribute | None = None
    trait: Attribute | None = None
    garment: Garment | None = None
    colour: Phrase | None = None
    partner: Phrase | None = None
    together: str = ""  # key of the noun that both of a couple are

    @property
    def several(self) -> bool:
        """Whether there is more than one of them."""
        return self.number not in {"one", "only one"} or self.partner is not None

    @property
    def verb_plural(self) -> bool:
        return self.partner is not None or self.number not in _SINGULAR_VERB

    @property
    def modified(self) -> bool:
        return bool(self.adjective or self.trait or self.garment)

    def possessive(self) -> str:
        """his, her, its or their."""
        if self.several:
            return "their"
        if self.noun.root != "person":
            return "its"
        return {"m": "his", "f": "her"}.get(self.sex or self.noun.sex, "their")


@dataclass(frozen=True)
class Subject:
    """A subject ready to take a verb."""

    phrase: Phrase
    plural: bool
    possessive: str
    several: bool = False


def describe(actor: Actor, *, definite: bool = False, modified: bool = True) -> Subject:
    """The actor as a noun phrase, with or without its attributes."""
    plural_noun = actor.number not in {"one", "only one"}
    noun = actor.noun.many if plural_noun else actor.noun.one
    before: Phrase = ()
    after: Phrase = ()
    if modified and actor.adjective:
        before = actor.adjective.phrase
    if modified and actor.garment:
        after += (("in", "IN"), *worn(actor.garment, actor.colour, plural_noun))
    if modified and actor.trait:
        after += actor.trait.many if plural_noun else actor.trait.phrase
    if definite:
        count = _NUMBER_WORDS[actor.number] if actor.number in {"two", "three", "four"} else ()
        determiner: Phrase = (("the", "DT"), *count)
    else:
        determiner = _NUMBER_WORDS.get(actor.number, (("a", "DT"),))
    phrase = (*determiner, *before, *noun, *after)
    if actor.partner:
        phrase = (*phrase, ("and", "CC"), *actor.partner)
        if definite and actor.partner[0][1] == "DT":
            phrase = (*phrase[: -len(actor.partner)], ("the", "DT"), *actor.partner[1:])
    return Subject(phrase, actor.verb_plural, actor.possessive(), actor.several)


def worn(garment: Garment, colour: Phrase | None, plural: bool) -> Phrase:
    """A garment phrase: "a red coat", "red coats", "overalls"."""
    phrase = garment.many if plural else garment.one
    if colour is None:
        return phrase
    return (phrase[0], *colour, *phrase[1:]) if phrase[0][1] == "DT" else (*colour, *phrase)


def predicate(
    forms: Forms, subject: Subject, verb: VerbPhrase, aspect: str, adverb: Phrase = ()
) -> list[Token]:
    """The verb group and what follows it; `aspect` is progressive, simple or bare (no finite verb)."""
    rest = verb.many if subject.several else verb.one
    if verb.lemma == "be":
        head: list[Token] = [("are", "VBP") if subject.plural else ("is", "VBZ"), *adverb]
    elif aspect == "simple" or verb.lemma in STATIVE:
        form = (verb.lemma, "VBP") if subject.plural else (forms[verb.lemma]["VBZ"], "VBZ")
        head = [*adverb, form]
    else:
        head = [*adverb, (forms[verb.lemma]["VBG"], "VBG")]
        if aspect == "progressive":
            head.insert(0, ("are", "VBP") if subject.plural else ("is", "VBZ"))
    return head + list(rest)


def clause(
    forms: Forms,
    subject: Subject,
    verb: VerbPhrase,
    tail: Sequence[Phrase] = (),
    *,
    aspect: str = "progressive",
    adverb: Phrase = (),
    front: Phrase = (),
    comma: bool = False,
) -> tuple[Token, ...]:
    """A whole sentence: [front] subject verb rest tail."""
    tokens: list[Token] = list(front) + (list(COMMA) if comma and front else [])
    tokens += subject.phrase
    tokens += predicate(forms, subject, verb, aspect, adverb)
    for phrase in tail:
        tokens += phrase
    return finish(tokens, subject.possessive)


def existential(
    forms: Forms, subject: Subject, verb: VerbPhrase | None, tail: Sequence[Phrase]
) -> tuple[Token, ...]:
    """ "There is a man repairing a roof ..." or, with no verb, "There is a man outdoors." """
    tokens: list[Token] = [
        ("there", "EX"),
        ("are", "VBP") if subject.plural else ("is", "VBZ"),
        *subject.phrase,
    ]
    if verb is not None:
        tokens += [(forms[verb.lemma]["VBG"], "VBG"), *(verb.many if subject.several else verb.one)]
    for phrase in tail:
        tokens += phrase
    return finish(tokens, subject.possessive)


def passive(
    forms: Forms, verb: VerbPhrase, agent: Subject | None, tail: Sequence[Phrase]
) -> tuple[Token, ...]:
    """ "A fence is being painted by two women ..."; the object decides the number of the verb."""
    several = agent is not None and agent.several
    tokens: list[Token] = list(verb.many if several else verb.one)
    tokens += [("are", "VBP") if is_plural_noun_phrase(tokens) else ("is", "VBZ"), ("being", "VBG")]
    tokens.append((forms[verb.lemma]["VBN"], "VBN"))
    if agent is not None:
        tokens += [("by", "IN"), *agent.phrase]
    for phrase in tail:
        tokens += phrase
    return finish(tokens, agent.possessive if agent else "their")


def finish(tokens: Sequence[Token], possessive: str) -> tuple[Token, ...]:
    """Settle possessives and articles, add the full stop and the capital."""
    settled = [(possessive, tag) if word == POSSESSIVE else (word, tag) for word, tag in tokens]
    settled = fix_articles(settled)
    first, tag = settled[0]
    settled[0] = (first[:1].upper() + first[1:], tag)
    return (*settled, *STOP)


def mentions_possessive(verb: VerbPhrase) -> bool:
    return any(word == POSSESSIVE for word, _ in (*verb.one, *verb.many))


def at(place: Place | None) -> tuple[Phrase, ...]:
    return (place.phrase,) if place else ()
