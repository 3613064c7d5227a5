"""Subjects: what a clause is about, pronouns and *the* at the opening of a hypothesis, and lexical entailment.

The hypernym lexicon, which lexical entailment rests on, is our own and covers what captions tell of: persons, animals,
vehicles, garments, places, and ways of moving, looking and speaking. The lexicon errs on the side of seeing an
entailment, for what it sees is kept apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import Literal

from divlogic.sentences import lexicon
from divlogic.sentences.clause import Clause, analyse
from divlogic.sentences.phrases import is_marked_plural
from divlogic.sentences.tokens import (
    ADJECTIVES,
    NOUNS,
    Refused,
    Sentence,
    Token,
    place_of,
    run_end,
    run_start,
)

Opener = Literal["indefinite", "definite", "bare", "quantified", "name"]

DEFINITE = frozenset({"the", "this", "that", "these", "those", "his", "her", "its", "their"})
INDEFINITE = frozenset({"a", "an", "one", "another", "some"})
_PLACES = lexicon.word_set("outdoors indoors outside inside")
_ONCE = lexicon.word_set("sun moon sky world earth sea ocean universe internet weather future past")
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Lord", "Lady"})
_BEFORE_NOUN = frozenset({"CD", "VBN", "VBG", "RB", "RBS", "POS"})
_PLACING = lexicon.word_set(
    "in at on near under outside inside around behind between along among beside within throughout across for"
)
_COMPARED = lexicon.word_set("more less another additional further later earlier")
_POINTING_ENDS = lexicon.word_set("there before above well too also then now")
_QUANTIFIED = frozenset({"no", "not", "nobody", "nothing", "none"}) | lexicon.UNIVERSALS


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a clause.

    Attributes:
        heads: singular forms of the nouns that it names, in lower case: the head, for *a group of men* the men, for
            *a man and a woman* both; of *there is a dog in the yard* the dog.
        opener: how it opens: with *a*, *one*, a number or *some*; with *the* or the like; with no article; with a
            universal or negative word; with a name.
        plural: whether it names several.
    """

    heads: tuple[str, ...]
    opener: Opener
    plural: bool


def subject_of_clause(tokens: Sentence, clause: Clause) -> Subject:
    """Return what a positive clause is about."""
    phrase = _told_of(tokens, clause) if clause.existential else tokens[: clause.subject]
    head = _first_head(phrase) if clause.existential else clause.head
    heads = _heads(phrase, min(head, len(phrase) - 1))
    plural = (
        len(heads) > 1
        or is_marked_plural(phrase)
        or clause.number == "plural"
        or any(
            lexicon.is_plural(token.lower)
            for token in phrase
            if lexicon.singular(token.lower) in heads
        )
    )
    return Subject(heads, _opener(phrase), plural)


def lacks_context(
    tokens: Sentence, clause: Clause, genre: str | None, *, bare: bool = False
) -> bool:
    """Return whether a reader without the text that a positive clause is from cannot tell what it is about.

    So it is of *the supposition*, *the two regimes* and *the strong point of the museum*: *the* names neither a thing
    that there is once nor one that a name or what follows tells apart. So it is of bare nouns in the past (*records
    were kept*), of persons who are named without a word on who they are, of what there is without a place (*there are
    beautiful pansies*), of comparisons with nothing (*comments are more difficult to submit*), and of a last word
    that points back (*riddles are fun as well*). The genre *travel* names places, *government* bodies; ``bare``: the
    subject had no quantifier in the text.
    """
    phrase = tokens[: clause.subject]
    words = {token.lower for token in tokens}
    if any(
        _is_unanchored(tokens, place) for place, token in enumerate(tokens) if token.lower == "the"
    ):
        return True
    compared = bool(words & _COMPARED) or any(token.tag in ("JJR", "RBR") for token in tokens)
    if (compared and "than" not in words) or tokens[-1].lower in _POINTING_ENDS:
        return True
    if clause.existential:
        return not words & _PLACING
    finite = tokens[clause.finite]
    if bare or _opener(phrase) == "bare":
        return finite.lower in ("was", "were", "had", "did") or finite.tag == "VBD"
    names = [token for token in tokens if token.tag in ("NNP", "NNPS")]
    if any(
        token.text in lexicon.GIVEN_NAMES or token.text.rstrip(".") in _TITLES for token in names
    ):
        return True
    if _opener(phrase) != "name" or all(token.text.isupper() for token in names):
        return False
    owned = any(token.lower in ("his", "her", "himself", "herself") for token in tokens)
    return (
        owned or genre == "fiction" or (len(phrase) == 1 and genre not in ("travel", "government"))
    )


def _is_unanchored(phrase: Sentence, start: int) -> bool:
    """Return whether nothing tells which thing *the* at ``start`` means: no name, and no *of* or *in* after it."""
    end = run_end(phrase, start + 1, NOUNS | ADJECTIVES | _BEFORE_NOUN)
    if any(token.text[0].isupper() or token.lower in _ONCE for token in phrase[start + 1 : end]):
        return False
    following = phrase[end:]
    # *The architect of most Gothic masterpieces*: what follows tells it apart.
    return not following or following[0].tag not in ("IN", "TO") or len(following) == 1


def coordinated(tokens: Sentence) -> bool:
    """Return whether a subject joins several noun phrases (*a man and a woman*), not only adjectives of one."""
    return any(
        token.lower in ("and", "or") and before.tag in NOUNS and before.lower not in lexicon.COLOURS
        for before, token in pairwise(tokens)
    )


def _told_of(tokens: Sentence, clause: Clause) -> Sentence:
    """Return the noun phrase that *there is* tells of."""
    start = (clause.finite if clause.negation is None else clause.negation) + 1
    end = place_of(tokens, start, {"IN", "TO", "VBG", "VBN", "RB"})
    # Some taggers take *outdoors* for a noun.
    end = next((at for at in range(start + 1, end) if tokens[at].lower in _PLACES), end)
    if end + 1 < len(tokens) and tokens[end].lower == "of":
        end = place_of(tokens, end + 1, {"IN", "TO", "VBG", "RB"})
    return tokens[start:end] or tokens[-1:]


def _first_head(phrase: Sentence) -> int:
    end = place_of(phrase, 0, {"IN", "TO", "CC"})
    return max((i for i in range(end) if phrase[i].tag in NOUNS), default=0)


def _heads(phrase: Sentence, head: int) -> tuple[str, ...]:
    """Name the head, through *a group of*, and the nouns that *and* joins to it before any preposition."""
    found = [(_source(phrase, head) or phrase[head]).lower]
    end = place_of(phrase, 0, {"IN", "TO"})
    for index in range(end):
        if phrase[index].lower != "and":
            continue
        if (
            index
            and phrase[index - 1].tag in NOUNS
            and phrase[index - 1].lower not in lexicon.COLOURS
        ):
            found.append(phrase[index - 1].lower)
            found += [token.lower for token in phrase[index + 1 : end] if token.tag in NOUNS][-1:]
    return tuple(
        sorted({"person" if noun == "people" else lexicon.singular(noun) for noun in found})
    )


def _opener(phrase: Sentence) -> Opener:
    first = phrase[0]
    if first.lower in DEFINITE:
        return "definite"
    if first.lower in INDEFINITE or first.tag == "CD" or first.lower in lexicon.INDEFINITES:
        return "indefinite"
    if first.lower in _QUANTIFIED or first.lower in lexicon.HARD_QUANTIFIERS:
        return "quantified"
    return "name" if first.tag in ("NNP", "NNPS") else "bare"


def resolved(tokens: Sentence, premise: Sentence, clause: Clause) -> Sentence:
    """Put *the* and the premise's subject noun in place of a leading *he*, *she*, *it* or *they* of a hypothesis.

    Raises:
        Refused: number, sex or kind do not fit, or another noun of the premise would fit as well.
    """
    pronoun = tokens[0].lower
    if clause.existential or clause.negation is not None:
        raise Refused("pronoun_subject")
    subject = premise[: clause.subject]
    first = subject[0].lower
    if (
        first in lexicon.INDEFINITES
        or first in lexicon.UNIVERSALS
        or first in lexicon.HARD_QUANTIFIERS
    ):
        raise Refused("pronoun_subject")
    heads = _joined_heads(subject, clause.head)
    others = [t for i, t in enumerate(premise) if t.tag in NOUNS and i not in heads]
    if not all(_fits(pronoun, subject[head].lower, len(heads), subject, head) for head in heads):
        raise Refused("pronoun_subject")
    # Nouns before the head (*a soccer player*) belong to it.
    before = {i for head in heads for i in _compound(subject, head)}
    rivals = [t for i, t in enumerate(premise) if t in others and i not in before]
    sources = [_source(subject, i) for i in range(len(subject))]
    if any(_may_mean(pronoun, t) for t in rivals if not any(t is source for source in sources)):
        raise Refused("pronoun_subject")
    phrase: list[Token] = []
    for position, head in enumerate(heads):
        if position:
            phrase.append(Token("and", "CC"))
        noun = _source(subject, head) or subject[head]
        if noun.tag in ("NNP", "NNPS"):
            raise Refused("pronoun_subject")
        compound = [subject[i] for i in _compound(subject, head)] if noun is subject[head] else []
        phrase += [Token("the", "DT"), *compound, noun]
    return (*phrase, *tokens[1:])


def _joined_heads(subject: Sentence, head: int) -> list[int]:
    """Return the head, or both heads of *a man and a woman*."""
    joint = [i for i, t in enumerate(subject) if t.lower == "and" and i != head]
    if not any(i > head or (i and subject[i - 1].tag in NOUNS) for i in joint):
        return [head]
    tags = [*(token.tag for token in subject), "."]
    both = [i for i in range(head + 1) if tags[i] in NOUNS and tags[i + 1] not in NOUNS]
    if any(i > head for i in joint) or len(both) != 2 or "IN" in tags:
        raise Refused("pronoun_subject")
    return both


def _compound(subject: Sentence, head: int) -> range:
    return range(run_start(subject, head, {"NN"}), head)


def _source(subject: Sentence, head: int) -> Token | None:
    """Return the noun of the *of* phrase of a collection (*a group of women*)."""
    following = [token.lower for token in subject[head + 1 : head + 2]]
    if subject[head].lower not in lexicon.COLLECTIONS or following != ["of"]:
        return None
    nouns = [
        t for t in subject[head + 2 : place_of(subject, head + 2, {"IN", "CC"})] if t.tag in NOUNS
    ]
    return nouns[-1] if nouns else None


def _fits(pronoun: str, noun: str, count: int, subject: Sentence, head: int) -> bool:
    source = _source(subject, head)
    if pronoun == "they":
        if source is not None:
            return lexicon.is_plural(source.lower) and lexicon.is_animate(source.lower)
        return (count == 2 or lexicon.is_plural(noun) or noun == "couple") and lexicon.is_animate(
            noun
        )
    if count != 1 or source is not None or lexicon.is_plural(noun) or noun in lexicon.COLLECTIONS:
        return False
    if pronoun == "he":
        return (
            lexicon.is_person(noun) and noun not in lexicon.FEMININE and not noun.endswith("woman")
        )
    if pronoun == "she":
        woman = noun.endswith("woman") or not noun.endswith("man")
        return lexicon.is_person(noun) and noun not in lexicon.MASCULINE and woman
    return pronoun == "it" and lexicon.is_animal(noun)


def _may_mean(pronoun: str, token: Token) -> bool:
    """Return whether another noun of the premise could be what the pronoun stands for."""
    noun = token.lower
    if pronoun == "they":
        return token.tag in ("NNS", "NNPS") and (lexicon.is_animate(noun) or token.tag == "NNPS")
    if pronoun == "it":
        return lexicon.is_animal(noun)
    if token.tag in ("NNP", "NNPS"):
        return True
    if lexicon.is_plural(noun) or not lexicon.is_person(noun):
        return False
    return noun not in (lexicon.FEMININE if pronoun == "he" else lexicon.MASCULINE)


_UNIQUE = lexicon.listed("unique")


def introduced(tokens: Sentence, premise: Sentence) -> Sentence:
    """Write the subject *the man* of a hypothesis, its auxiliary in place, as *a man*, and *the men* as *some men*.

    What holds of the man holds of a man; so what entailed the sentence still does. Possessives (*the man's dog*)
    become *a man's dog*.

    Raises:
        Refused: the subject is definite and cannot be written otherwise, though the premise tells of it.
    """
    if tokens[0].lower != "the":
        return tokens
    clause = analyse(tokens)
    subject = tokens[: clause.subject]
    noun = subject[clause.head]
    singular = lexicon.singular(noun.lower)
    if coordinated(subject) or any(
        token.lower in _UNIQUE
        or token.tag in ("JJS", "RBS")
        or (token.text[0].isupper() and token.tag in ("NNP", "NNPS"))  # *the Republican party*
        for token in subject
    ):
        raise Refused("definite_subject")
    possessive = any(token.tag == "POS" for token in subject)
    first = subject[1]
    if first.tag == "CD":  # *the two men*
        return (Token(first.text, first.tag), *tokens[2:])
    if not possessive and (clause.number == "plural" or lexicon.is_plural(noun.lower)):
        return (Token("some", "DT"), *tokens[1:])
    countable = (
        lexicon.is_count(singular)
        or singular in lexicon.COLLECTIONS
        or any(
            token.tag in NOUNS and lexicon.singular(token.lower) == singular for token in premise
        )
    )
    if singular in lexicon.MASS or not countable:
        raise Refused("definite_subject")
    article = "an" if lexicon.starts_with_vowel(first.text) else "a"
    return (Token(article, "DT"), *tokens[1:])


_LIGHT = lexicon.listed("stop_words") | lexicon.listed("general_words") | _PLACES
_ROLES = lexicon.listed("roles")


@dataclass(frozen=True, slots=True)
class Content:
    """What a clause says, word by word.

    Attributes:
        words: lemmas of each content word of the clause.
        implied: every lemma of the clause and all that the lexicon ranks above them.
        subjects: what the clause may be taken to be about: its heads and all kinds above them.
        heads: its heads.
        plural: whether the subject names several.
    """

    words: tuple[frozenset[str], ...]
    implied: frozenset[str]
    subjects: frozenset[str]
    heads: tuple[str, ...]
    plural: bool

    def entails(self, other: Content) -> bool:
        """Return whether this clause, by its words alone, makes another one true."""
        if other.plural != self.plural and other.plural:
            return False
        if self.subjects.isdisjoint(other.heads):
            return False
        implied = self.implied
        return all(not implied.isdisjoint(lemmas) for lemmas in other.words)


def content_of(text: str, subject: Subject) -> Content:
    """Return what a positive clause in mid-sentence form says."""
    said = [meaning for meaning in map(_meaning, text.lower().split()) if meaning is not None]
    subjects = frozenset().union(*map(_may_be, subject.heads))
    implied = subjects.union(*[above for _, above in said])
    return Content(
        tuple([lemmas for lemmas, _ in said]), implied, subjects, subject.heads, subject.plural
    )


@lru_cache(maxsize=100_000)
def _meaning(word: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return the lemmas of a word in lower case and all kinds that they belong to; ``None`` where it says nothing."""
    word = word.strip(".,'")
    if not word or word in _LIGHT:
        return None
    known = (
        ("person",)
        if word == "people"
        else (word, *chain.from_iterable(lexicon.lemmas_of(word).values()))
    )
    return frozenset(known), frozenset().union(*map(_above, known))


@lru_cache(maxsize=50_000)
def _may_be(head: str) -> frozenset[str]:
    """Return a subject and every kind that it may belong to: a noun that the lexicon does not know may be any role."""
    above = _above(head)
    return above | _above("person") | _ROLES if len(above) == 1 or "person" in above else above


@lru_cache(maxsize=50_000)
def _above(word: str) -> frozenset[str]:
    """Return a word and every kind that it belongs to."""
    found: set[str] = set()
    todo = [word]
    while todo:
        current = todo.pop()
        if current in found:
            continue
        found.add(current)
        todo += [kind for kind in lexicon.LISTS["kinds"] if current in lexicon.members(kind)]
        if lexicon.is_person(current):
            todo.append("person")
        elif lexicon.is_animal(current):
            todo.append("animal")
    if "person" in found:
        found.update(("someone", "somebody", "human"))
    return frozenset(found)
