"""Oracles: forward chaining by repeated passes, of signed Horn programs; truth by definition, of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import and_, eq, le, ne, or_

from divlogic.logic.horn import ALL, EXIST, Existential, Literal, Rule, Side
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence


def forward_chain(
    facts: Iterable[Literal],
    rules: Sequence[Rule],
    people: Iterable[str],
    *,
    existential: Existential = "sound",
) -> frozenset[Literal]:
    """Return every literal that the rules reach from the facts.

    Quantifiers: `all` on both sides holds for each person by itself; `all` on the premise side only needs every
    person; `exist` needs one person, and of "someone is P and Q" the same person.

    Args:
        facts: literals about persons.
        rules: the theory.
        people: everyone whom `all` and `exist` range over.
        existential: how "someone is P and Q" is read.
    """
    persons = sorted(set(people))
    known = set(facts)
    directed = [(rule.premise, rule.conclusion) for rule in rules]
    directed += [(rule.conclusion, rule.premise) for rule in rules if rule.equivalence]
    size = -1
    while size != len(known):
        size = len(known)
        for premise, conclusion in directed:
            for person in _bindings(conclusion, persons):
                if _holds(premise, person, persons, known, existential):
                    known.update(_bound(literal, person) for literal in conclusion.literals)
    return frozenset(known)


def _bindings(conclusion: Side, persons: list[str]) -> Sequence[str | None]:
    return persons if any(literal.subject == ALL for literal in conclusion.literals) else (None,)


def _bound(literal: Literal, person: str | None) -> Literal:
    return (
        literal._replace(subject=person)
        if literal.subject == ALL and person is not None
        else literal
    )


def _holds(
    premise: Side,
    person: str | None,
    persons: list[str],
    known: set[Literal],
    existential: Existential,
) -> bool:
    combine = any if premise.connective == "or" else all
    kind = premise.literals[0].subject
    if kind == EXIST:
        return any(_of_one(premise, one, known, existential) for one in persons)
    if kind == ALL and person is None:
        return combine(
            all(literal._replace(subject=one) in known for one in persons)
            for literal in premise.literals
        )
    return combine(_bound(literal, person) in known for literal in premise.literals)


def _of_one(premise: Side, person: str, known: set[Literal], existential: Existential) -> bool:
    literals = [literal._replace(subject=person) for literal in premise.literals]
    if premise.connective == "or":
        return any(literal in known for literal in literals)
    if existential == "released" and len(literals) == 2:
        first, second = literals
        return (
            first.sign == second.sign
            and first in known
            and (second in known or second.opposite() in known)
        )
    return all(literal in known for literal in literals)


def holds(sentence: Sentence, world: set[Atom], people: Sequence[str] = (), **bound: str) -> bool:
    """Return whether a sentence holds in a world of those atoms and people."""
    match sentence:
        case Atom("=", (one, other)):
            return bound.get(one, one) == bound.get(other, other)
        case Atom(name, terms):
            return Atom(name, tuple(bound.get(term, term) for term in terms)) in world
        case Negation(operand):
            return not holds(operand, world, people, **bound)
        case Quantified(sign, variable, body):
            found = [holds(body, world, people, **{**bound, variable: one}) for one in people]
            return all(found) if sign == "∀" else any(found)
        case Binary(sign, left, right):
            means = {"∧": and_, "∨": or_, "→": le, "↔": eq, "⊕": ne}[sign]
            return bool(
                means(holds(left, world, people, **bound), holds(right, world, people, **bound))
            )
