"""Signed Horn programs: rounds, first reasons and proofs by premise counters, in linear time.

"x is A" and "x is not A" are two unrelated atoms, so that a theory of LogicNLI (Tian et al. 2021) is a definite Horn
program and its least model gives the labels. A literal is an integer: ``2 * atom + sign``, sign 1 for "not"; ``l ^ 1``
is its opposite.

A rule fires from its premise side to its conclusion side, never backwards by contraposition; a theory may come to hold
a literal and its opposite (the paper's paradox). Equivalences are two rules.

Method: W. F. Dowling and J. H. Gallier, Linear-time algorithms for testing the satisfiability of propositional Horn
formulae, Journal of Logic Programming 1 (1984).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal as Choice, NamedTuple, TypeAlias

ALL = "all"
EXIST = "exist"

Existential = Choice["sound", "released"]
"""How "someone is P and Q" is read. ``sound``: as said. ``released`` is what the labels of LogicNLI_sim were made with:
the rule fires only if its two literals have the same sign, and then for a person who has the first one and of whom the
second property is known, whether it is there or not."""


class Literal(NamedTuple):
    """``subject`` has (+) or lacks (-) a property; the subject is a person, `all` or `exist`."""

    subject: str
    attribute: str
    sign: str

    def opposite(self) -> Literal:
        """Return the literal with the other sign."""
        return self._replace(sign="-" if self.sign == "+" else "+")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a rule: literals joined by `and` or `or` (`none` for a single one)."""

    literals: tuple[Literal, ...]
    connective: str


@dataclass(frozen=True, slots=True)
class Rule:
    """If ``premise`` then ``conclusion``; both ways round if ``equivalence``. ``form`` is the class of rule."""

    name: str
    premise: Side
    conclusion: Side
    equivalence: bool = False
    form: int | None = None

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The literals of both sides."""
        return self.premise.literals + self.conclusion.literals


UNREACHED = 1 << 30
"""Round of a literal that is not derivable."""

Scope = Choice["all", "named", "exist", "everyone"]
"""Whom a rule speaks of.

``all``: each person by himself; ``named``: the persons it names; ``exist``: its premise needs some one person;
``everyone``: its premise needs every person.
"""

SUBJECTS: dict[Scope, tuple[str, str]] = {
    "all": (ALL, ALL),
    "exist": (EXIST, ""),
    "everyone": (ALL, ""),
    "named": ("", ""),
}
"""The subjects of premise and conclusion, by whom a rule speaks of; empty where the side names people."""

Clause: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], int]
"""``(body, heads, rule)``: if all of the body then all of the heads; the number of the rule that it is an instance of.

A plain tuple: generators make thousands of clauses per second.
"""


class ProofStep(NamedTuple):
    """One literal of a proof: a fact (``clause`` -1), or derived by a clause from earlier steps (``premises``)."""

    literal: int
    round: int
    clause: int
    premises: tuple[int, ...]


class Program:
    """Clauses over literals ``0 … size - 1``, to be closed over any set of facts."""

    __slots__ = ("_counts", "_watch", "clauses", "size")

    def __init__(self, clauses: Sequence[Clause], size: int) -> None:
        self.clauses, self.size = clauses, size
        self._counts = [len(clause[0]) for clause in clauses]
        self._watch: list[list[int]] = [[] for _ in range(size)]
        for number, clause in enumerate(clauses):
            for literal in clause[0]:
                self._watch[literal].append(number)

    def close(self, facts: Iterable[int], without: Iterable[int] = ()) -> Closure:
        """Return the least model ``without`` some clauses: facts have round 0, a head 1 + the highest of its body.

        The reason of a derived literal is the first clause, in the order of the program, that derives it in its round.
        """
        counts, watch, clauses = self._counts[:], self._watch, self.clauses
        for number in without:
            counts[number] = UNREACHED
        rounds, reasons = [UNREACHED] * self.size, [-1] * self.size
        level = []
        for fact in facts:
            if rounds[fact]:
                rounds[fact] = 0
                level.append(fact)
        now = 0
        while level:
            fired = []
            for literal in level:
                for number in watch[literal]:
                    counts[number] -= 1
                    if not counts[number]:
                        fired.append(number)
            fired.sort()
            now += 1
            level = []
            for number in fired:
                for head in clauses[number][1]:
                    if rounds[head] == UNREACHED:
                        rounds[head] = now
                        reasons[head] = number
                        level.append(head)
        return Closure(self, rounds, reasons, max(now - 1, 0))


@dataclass(frozen=True, slots=True)
class Closure:
    """The least model of a program and its facts.

    Attributes:
        rounds: per literal the round in which it is first derived, 0 for facts, ``UNREACHED`` for the others.
        reasons: per literal the clause that derives it first, -1 for facts and for what is not derivable.
        depth: the last round that derived anything.
    """

    program: Program
    rounds: list[int]
    reasons: list[int]
    depth: int

    def holds(self, literal: int) -> bool:
        """Return whether a literal is derivable."""
        return self.rounds[literal] < UNREACHED

    def reached(self) -> list[int]:
        """Return the derivable literals in ascending order."""
        return [literal for literal, number in enumerate(self.rounds) if number < UNREACHED]

    def proof(self, goal: int) -> list[ProofStep]:
        """Return the proof of a derivable literal by first reasons, in order of rounds, the goal last."""
        if not self.holds(goal):
            raise ValueError(f"literal {goal} is not derivable")
        clauses = self.program.clauses
        needed, stack = {goal}, [goal]
        while stack:
            reason = self.reasons[stack.pop()]
            if reason >= 0:
                for premise in clauses[reason][0]:
                    if premise not in needed:
                        needed.add(premise)
                        stack.append(premise)
        order = sorted(needed, key=lambda literal: (self.rounds[literal], literal == goal, literal))
        place = {literal: number for number, literal in enumerate(order)}
        return [
            ProofStep(
                literal,
                self.rounds[literal],
                reason,
                tuple(place[premise] for premise in clauses[reason][0]) if reason >= 0 else (),
            )
            for literal in order
            for reason in (self.reasons[literal],)
        ]


def ground(
    scope: Scope,
    premise: tuple[int, ...],
    conclusion: tuple[int, ...],
    *,
    disjunctive: bool,
    equivalence: bool,
    people: int,
    width: int,
    rule: int,
) -> list[Clause]:
    """Return the instances of a rule for the given number of people.

    Literal ``l`` of person ``p`` is ``2 * width * p + l`` with ``l < 2 * width``. Sides that speak of all, someone or
    everyone hold literals ``l``; sides that name persons hold literals of persons.

    Args:
        conclusion: literals of the conclusion side (joined by `and`).
        disjunctive: the premise is joined by `or`.
        equivalence: the rule also runs from conclusion to premise (scopes ``all`` and ``named``).
        rule: number of the rule, kept in its clauses.
    """
    span = 2 * width
    offsets = range(0, span * people, span)
    bodies: list[tuple[int, ...]] = (
        [(literal,) for literal in premise] if disjunctive else [_distinct(premise)]
    )
    if scope == "named":
        clauses = [(body, conclusion, rule) for body in bodies]
        return [*clauses, (_distinct(conclusion), premise, rule)] if equivalence else clauses
    if scope == "everyone":
        return [
            (tuple([at + part for part in body for at in offsets]), conclusion, rule)
            for body in bodies
        ]
    clauses = []
    for at in offsets:
        heads = _moved(conclusion, at) if scope == "all" else conclusion
        own = [_moved(body, at) for body in bodies]
        clauses += [(body, heads, rule) for body in own]
        if equivalence:
            clauses.append((_distinct(heads), own[0], rule))
    return clauses


def contrapositives(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the contrapositives of clauses: without a head, not all of its body.

    Together with the clauses themselves they do unit propagation in classical logic.
    """
    return [
        ((head ^ 1, *body[:place], *body[place + 1 :]), (premise ^ 1,), rule)
        for body, heads, rule in clauses
        for head in heads
        for place, premise in enumerate(body)
    ]


class Theory:
    """Rules over named people and attributes, coded for :class:`Program`.

    Args:
        rules: the rules; a side speaks of all, of someone, or of named persons, and its literals agree in that.
        people: everyone whom `all` and `exist` range over.
        attributes: further attributes, for literals that no rule holds.
        existential: how "someone is P and Q" is read.

    Attributes:
        span: number of literals of one person.

    Raises:
        ValueError: a rule mixes subjects in a way that no class of LogicNLI does; the message names it.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        people: Iterable[str],
        attributes: Iterable[str] = (),
        *,
        existential: Existential = "sound",
    ) -> None:
        persons = sorted(set(people))
        known = {*attributes, *(literal.attribute for rule in rules for literal in rule.literals)}
        kinds = [(name, sign) for name in sorted(known) for sign in "+-"]
        self._starts = {ALL: 0, EXIST: 0} | {one: at * len(kinds) for at, one in enumerate(persons)}
        self._kinds = {kind: number for number, kind in enumerate(kinds)}
        clauses: list[Clause] = []
        for number, rule in enumerate(rules):
            scope, premise, conclusion = (
                _scope(rule),
                self._side(rule.premise),
                self._side(rule.conclusion),
            )
            disjunctive, premises = rule.premise.connective == "or", [premise]
            if (
                existential == "released"
                and scope == "exist"
                and len(premise) == 2
                and not disjunctive
            ):
                same_sign = not (premise[0] ^ premise[1]) & 1
                premises = [premise, (premise[0], premise[1] ^ 1)] if same_sign else []
            for side in premises:
                clauses += ground(
                    scope,
                    side,
                    conclusion,
                    disjunctive=disjunctive,
                    equivalence=rule.equivalence,
                    people=len(persons),
                    width=len(known),
                    rule=number,
                )
        self.span = len(kinds)
        self.program = Program(clauses, len(persons) * self.span)

    @cached_property
    def contraposing(self) -> Program:
        """The rules that also run from "not q" to "not p"."""
        clauses = self.program.clauses
        return Program([*clauses, *contrapositives(clauses)], self.program.size)

    @lru_cache(maxsize=500)  # noqa: B019 (statements about the same facts follow each other)
    def rounds(self, facts: tuple[Literal, ...], contrapose: bool) -> list[int]:
        """Return the round of each literal, by its code."""
        program = self.contraposing if contrapose else self.program
        return program.close(map(self.code, facts)).rounds

    def code(self, literal: Literal) -> int:
        """Return the integer of a literal; a ValueError if its person or attribute does not occur in the theory."""
        try:
            return self._starts[literal.subject] + self._kinds[literal[1:]]
        except KeyError:
            raise ValueError(
                f"{literal.subject} or {literal.attribute} is not in the theory"
            ) from None

    def _side(self, side: Side) -> tuple[int, ...]:
        return tuple(map(self.code, side.literals))


def _scope(rule: Rule) -> Scope:
    kinds = [
        {part.subject if part.subject in (ALL, EXIST) else "" for part in side.literals}
        for side in (rule.premise, rule.conclusion)
    ]
    scope = next(
        (name for name, (one, other) in SUBJECTS.items() if kinds == [{one}, {other}]), None
    )
    if scope is None or rule.conclusion.connective == "or":
        raise ValueError(f"rule {rule.name} has no known form")
    if rule.equivalence and (scope not in ("all", "named") or rule.premise.connective == "or"):
        raise ValueError(f"rule {rule.name} is an equivalence of a form that runs one way only")
    return scope


@lru_cache(maxsize=20_000)
def _moved(literals: tuple[int, ...], at: int) -> tuple[int, ...]:
    """Return literals of another person; remembered, as there are few but for their combinations."""
    return tuple([at + literal for literal in literals])


def _distinct(literals: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(literals))
