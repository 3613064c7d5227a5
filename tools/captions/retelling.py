"""Scenes retold in other tenses, moods and voices: tagged sentences that captions never contain.

Captions know only the present tense. A tagger that is to read other texts must also have seen "mended", "has mended",
"did not mend", "to mend", "Fishermen mend nets", "They", "Mr. Hill"; the lexicon's verb forms and nouns give all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.captions.dice import Dice
from tools.captions.grammar import Subject, at, describe, finish
from tools.captions.lexicon import Lexicon
from tools.captions.loader import load_lexicon
from tools.captions.premises import Situation, draw_situation
from tools.captions.words import Token, plural

Tokens = list[Token]

_PRONOUNS = (
    ("he", False, "his"),
    ("she", False, "her"),
    ("they", True, "their"),
    ("it", False, "its"),
)
_MODALS = ("can", "could", "will", "would", "should", "must", "may", "might")
_WISHES = ("want", "hope", "plan", "need")


def retold_captions(count: int, seed: int, lexicon_dir: Path) -> Iterator[list[Token]]:
    """Yield `count` tagged sentences about the lexicon's scenes: past, perfect, future, negated, asked, generic."""
    lexicon = load_lexicon(Path(lexicon_dir))
    for index in range(count):
        dice = Dice(seed, index, 0, 1)
        situation = None
        while situation is None:
            situation = draw_situation(lexicon, dice)
        yield list(_retell(lexicon, situation, dice))


def _retell(lexicon: Lexicon, situation: Situation, dice: Dice) -> tuple[Token, ...]:
    verb = situation.verb
    if dice.chance(0.4):
        return _common(lexicon, dice)
    if dice.chance(0.16):
        return _generic(lexicon, situation, dice)
    subject = _subject(lexicon, situation, dice)
    rest = list(verb.many if subject.several else verb.one)
    tail = [token for place in at(situation.place) for token in place] if dice.chance(0.4) else []
    if verb.passive and dice.chance(0.12):
        return _passive(lexicon, situation, tail, dice)
    group = _verb_group(lexicon, verb.lemma, subject.plural, dice)
    if dice.chance(0.05):
        aux: Token = ("does", "VBZ") if not subject.plural else ("do", "VBP")
        aux = ("did", "VBD") if dice.chance(0.5) else aux
        question = [aux, *subject.phrase, (verb.lemma, "VB"), *rest, *tail]
        return (*finish(question, subject.possessive)[:-1], ("?", "."))
    return finish([*subject.phrase, *group, *rest, *tail], subject.possessive)


def _subject(lexicon: Lexicon, situation: Situation, dice: Dice) -> Subject:
    luck = dice.below(10)
    person = situation.actor.noun.root == "person"
    if luck < 3:
        word, plural, possessive = dice.pick(_PRONOUNS[:3] if person else _PRONOUNS[2:])
        return Subject(((word, "PRP"),), plural, possessive, plural)
    if luck == 3 and person:
        return Subject(dice.pick(lexicon.names), False, dice.pick(("his", "her")))
    return describe(situation.actor, definite=dice.chance(0.5), modified=dice.chance(0.4))


def _verb_group(lexicon: Lexicon, lemma: str, plural: bool, dice: Dice) -> Tokens:
    forms = lexicon.forms[lemma]
    has: Token = ("have", "VBP") if plural else ("has", "VBZ")
    was: Token = ("were" if plural else "was", "VBD")
    does: Token = ("do", "VBP") if plural else ("does", "VBZ")
    negation: Token = ("not", "RB") if dice.chance(0.6) else ("n't", "RB")
    base, past, perfect, going = (
        (lemma, "VB"),
        (forms["VBD"], "VBD"),
        (forms["VBN"], "VBN"),
        (forms["VBG"], "VBG"),
    )
    wish = dice.pick(_WISHES)
    wishing: Token = (wish, "VBP") if plural else (lexicon.forms[wish]["VBZ"], "VBZ")
    return dice.weighted(
        [
            (6.0, [past]),
            (2.0, [has, perfect]),
            (1.0, [("had", "VBD"), perfect]),
            (2.0, [does, negation, base]),
            (1.5, [("did", "VBD"), negation, base]),
            (2.5, [(dice.pick(_MODALS), "MD"), base]),
            (0.7, [(dice.pick(_MODALS), "MD"), ("not", "RB"), base]),
            (1.5, [was, going]),
            (0.6, [was, negation, going]),
            (0.5, [has, ("been", "VBN"), going]),
            (1.5, [wishing, ("to", "TO"), base]),
            (0.8, [("will", "MD"), ("be", "VB"), going]),
        ]
    )


def _passive(lexicon: Lexicon, situation: Situation, tail: Tokens, dice: Dice) -> tuple[Token, ...]:
    verb = situation.verb
    done = (lexicon.forms[verb.lemma]["VBN"], "VBN")
    plural = verb.object_plural
    group = dice.pick(
        [
            [("were" if plural else "was", "VBD"), done],
            [("have", "VBP") if plural else ("has", "VBZ"), ("been", "VBN"), done],
            [("will", "MD"), ("be", "VB"), done],
            [("must", "MD"), ("be", "VB"), done],
        ]
    )
    agent = describe(situation.actor, modified=False)
    by: Tokens = [("by", "IN"), *agent.phrase] if dice.chance(0.5) else []
    return finish([*verb.one, *group, *by, *tail], agent.possessive)


def _common(lexicon: Lexicon, dice: Dice) -> tuple[Token, ...]:
    """A sentence of common words: sound grammar, loose sense ("Most rivers rarely contain old stories.")."""
    words = lexicon.common
    subject = _noun_phrase(words, dice)
    lemma = dice.pick(words["transitive"] if dice.chance(0.7) else words["intransitive"])
    group = _verb_group(lexicon, lemma, subject.plural, dice)
    if dice.chance(0.45):
        group = [(lemma, "VBP") if subject.plural else (lexicon.forms[lemma]["VBZ"], "VBZ")]
    if len(group) == 1 and dice.chance(0.2):
        group = [(dice.pick(words["adverbs"]), "RB"), *group]
    tokens = [*subject.phrase, *group]
    if lemma in words["transitive"]:
        tokens += _noun_phrase(words, dice).phrase
    if dice.chance(0.3):
        tokens += [(dice.pick(("in", "near", "without", "of", "from", "for", "with")), "IN")]
        tokens += _noun_phrase(words, dice).phrase
    elif dice.chance(0.12):
        be: Token = ("are", "VBP") if subject.plural else ("is", "VBZ")
        tokens = [*subject.phrase, be, (dice.pick(words["adjectives"]), "JJ")]
    return finish(tokens, "their")


def _noun_phrase(words: dict[str, tuple[str, ...]], dice: Dice) -> Subject:
    noun = dice.pick(words["nouns"])
    many = dice.chance(0.5)
    adjective: Tokens = [(dice.pick(words["adjectives"]), "JJ")] if dice.chance(0.35) else []
    if many:
        before = dice.pick(
            [[], [], [], [("the", "DT")], [("many", "JJ")], [("most", "JJS")], [("some", "DT")]]
        )
    else:
        before = dice.pick([[("a", "DT")], [("the", "DT")], [("every", "DT")], [("this", "DT")]])
    head: Token = (plural(noun), "NNS") if many else (noun, "NN")
    return Subject((*before, *adjective, head), many, "their", many)


def _generic(lexicon: Lexicon, situation: Situation, dice: Dice) -> tuple[Token, ...]:
    """ "Fishermen mend nets." or "Fishermen do not sleep." """
    verb = situation.verb
    base: Token = (verb.lemma, "VBP")
    group: Tokens = dice.pick(
        [
            [base],
            [base],
            [("often", "RB"), base],
            [("do", "VBP"), ("not", "RB"), (verb.lemma, "VB")],
            [("can", "MD"), (verb.lemma, "VB")],
        ]
    )
    quantity: Tokens = dice.pick(
        [[], [], [], [("most", "JJS")], [("many", "JJ")], [("some", "DT")]]
    )
    return finish([*quantity, *situation.actor.noun.many, *group, *verb.many], "their")
