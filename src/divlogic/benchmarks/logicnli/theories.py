"""Symbolic theories: the 26 classes of rules in LogicNLI, and groups of items that share a theory or are a quartet.

A side of a rule is one literal, `and` of two, or `or` of two (premises only). The codes of the classes are those of the
release, the weights are recovered from the released theories.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal as Choice, NamedTuple

from divlogic.draws import Draws
from divlogic.io.files import read_yaml
from divlogic.logic.horn import Clause, Program, Scope, ground

LABELS = ("entailment", "contradiction", "neutral", "self_contradiction")
"""The four labels as the release spells them; the paper calls the last one paradox."""

ENTAILMENT, CONTRADICTION, NEUTRAL, PARADOX = range(4)

STATES = ((True, False), (False, True), (False, False), (True, True))
"""Whether the statement, and its opposite, are derivable; in the order of the labels (Eq. 1)."""

LABEL_OF_STATE = {state: label for label, state in enumerate(STATES)}


def label_named(holds: bool, opposite: bool) -> str:
    """Return the label of a statement by whether it, and its opposite, are derivable."""
    return LABELS[LABEL_OF_STATE[holds, opposite]]


Shape = Choice["one", "and", "or"]


@dataclass(frozen=True, slots=True)
class Form:
    """One class of rules.

    Attributes:
        code: number of the class in the release.
        name: its abbreviation in the release.
        weight: relative frequency in the release.
        equivalence: whether it also runs from conclusion to premise.
    """

    code: int
    name: str
    scope: Scope
    premise: Shape
    conclusion: Shape
    weight: float
    equivalence: bool = False

    @property
    def sides(self) -> tuple[int, int]:
        """Return the number of literals of the premise and of the conclusion."""
        return (1 if self.premise == "one" else 2), (1 if self.conclusion == "one" else 2)


PRINTED: dict[str, Any] = read_yaml(Path(__file__).with_name("rules.yaml"))
"""What the paper and the release say of classes of rules and of sets."""

FORMS: dict[int, Form] = {code: Form(code, *values) for code, values in PRINTED["classes"].items()}
"""All classes by their code."""

CONNECTIVES: dict[str, list[int]] = {
    name: codes for name, (_, codes, _) in PRINTED["connectives"].items()
}
"""The classes of the seven sets of Table 5: one connective or quantifier each, joined to implication."""

SYMBOLS: dict[str, str] = {name: sign for name, (sign, _, _) in PRINTED["connectives"].items()}
"""The paper's signs of those sets."""


class SymbolicRule(NamedTuple):
    """A rule: literals of persons, or of nobody in sides that speak of all, someone or everyone."""

    form: int
    premise: tuple[int, ...]
    conclusion: tuple[int, ...]

    def marks(self, width: int) -> int:
        """Return, a bit for each, the literals in its clauses, read as disjunctions, whomever they speak of."""
        found, both = 0, FORMS[self.form].equivalence
        for literal in (*self.conclusion, *[one ^ 1 for one in self.premise]):
            place = literal % (2 * width)
            found |= 3 << (place & ~1) if both else 1 << place
        return found


def ground_rule(rule: SymbolicRule, people: int, width: int, number: int) -> list[Clause]:
    """Return the Horn clauses of a rule."""
    form = FORMS[rule.form]
    return ground(
        form.scope,
        rule.premise,
        rule.conclusion,
        disjunctive=form.premise == "or",
        equivalence=form.equivalence,
        people=people,
        width=width,
        rule=number,
    )


def ground_rules(
    rules: Sequence[SymbolicRule], people: int, width: int, start: int = 0
) -> list[Clause]:
    """Return the Horn clauses of several rules, numbered from ``start``."""
    clauses: list[Clause] = []
    for number, rule in enumerate(rules, start):
        clauses += ground_rule(rule, people, width, number)
    return clauses


def program_of(rules: Sequence[SymbolicRule], people: int, width: int) -> Program:
    """Return rules, to be closed over any set of facts."""
    return Program(ground_rules(rules, people, width), 2 * people * width)


def named_people(facts: Sequence[int], rules: Sequence[SymbolicRule], width: int) -> set[int]:
    """Return the persons whom facts and rules name."""
    span = 2 * width
    named = {fact // span for fact in facts}
    for rule in rules:
        scope = FORMS[rule.form].scope
        if scope == "named":
            named.update([literal // span for literal in rule.premise])
        if scope != "all":
            named.update([literal // span for literal in rule.conclusion])
    return named


class JudgedStatement(NamedTuple):
    """One statement to judge.

    Attributes:
        label: index into ``LABELS``.
        depth: rounds of the sides that the label needs; of a neutral item those of its broken chains or, in a random
            theory, all that derive anything.
        flipped: places of the group's facts whose sign is the other one in this item.
        facts: places of the facts kept, ``None`` for all.
        rules: places of the rules kept, ``None`` for all.
        base: number of the item that this one varies, within its set.
        noise: number of its sentences that no proof needs.
    """

    statement: int
    label: int
    depth: int | None = None
    flipped: tuple[int, ...] = ()
    facts: tuple[int, ...] | None = None
    rules: tuple[int, ...] | None = None
    base: int | None = None
    noise: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A theory and its items.

    Attributes:
        set: name of the set (``test``, ``test_r``, ``d_train`` …).
        width: number of properties.
        facts: literals, in the order of the text.
        rules: rules, in the order of the text.
        quartet: whether the items are the members of one quartet.
        closed: whether the text says that there is nobody else.
        reading: ``both`` where E, C and N also hold in classical logic.
        asked: atoms of the proofs' steps whose labels are asked in a set for traceability; of a random theory all are.
    """

    set: str
    index: int
    people: int
    width: int
    facts: tuple[int, ...]
    rules: tuple[SymbolicRule, ...]
    items: tuple[JudgedStatement, ...]
    quartet: bool = False
    closed: bool = False
    reading: str = "signed"
    asked: tuple[int, ...] = ()

    def facts_of(self, item: JudgedStatement) -> list[tuple[int, int]]:
        """Return (place, literal) of the facts of an item."""
        places = range(len(self.facts)) if item.facts is None else item.facts
        return [(place, self.facts[place] ^ (place in item.flipped)) for place in places]

    def to_json(self) -> dict[str, Any]:
        """Return the group as a JSON object."""
        rows = {"rules": list(map(tuple, self.rules)), "items": list(map(tuple, self.items))}
        return {one.name: getattr(self, one.name) for one in fields(self)} | rows

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Group:
        """Build a group from a JSON object."""
        rules = [SymbolicRule(form, *map(tuple, sides)) for form, *sides in row["rules"]]
        cells = (
            [tuple(one) if isinstance(one, list) else one for one in item] for item in row["items"]
        )
        items = map(JudgedStatement._make, cells)
        return cls(
            **{
                **row,
                "facts": tuple(row["facts"]),
                "rules": tuple(rules),
                "items": tuple(items),
                "asked": tuple(row["asked"]),
            }
        )


class Chooser:
    """Draws keys in proportion to their weights."""

    __slots__ = ("_bounds", "_keys", "_total")

    def __init__(self, weights: Mapping[int, float]) -> None:
        self._keys = [key for key, weight in weights.items() if weight > 0]
        self._bounds = list(accumulate(weights[key] for key in self._keys))
        self._total = self._bounds[-1]

    def draw(self, draws: Draws) -> int:
        """Draw one key."""
        place = bisect_right(self._bounds, draws.uniform() * self._total)
        return self._keys[min(place, len(self._keys) - 1)]


def random_rule(
    draws: Draws, form: Form, people: int, width: int, *, signs: bool = True
) -> SymbolicRule:
    """Draw the literals of a rule of the given class: properties distinct, people free, signs by coins if any."""
    below, span = draws.below, 2 * width
    literals = distinct(draws, width, sum(form.sides))
    literals = (
        [2 * literal + below(2) for literal in literals] if signs else [2 * one for one in literals]
    )
    first = form.sides[0]
    premise, conclusion = literals[:first], literals[first:]
    if form.scope == "named":
        premise = [span * below(people) + literal for literal in premise]
    if form.scope != "all":
        conclusion = [span * below(people) + literal for literal in conclusion]
    return SymbolicRule(form.code, tuple(premise), tuple(conclusion))


def distinct(draws: Draws, bound: int, count: int) -> list[int]:
    """Draw ``count`` different numbers below ``bound``."""
    if 3 * count > bound:
        return draws.shuffled(range(bound))[:count]
    found: list[int] = []
    while len(found) < count:
        number = draws.below(bound)
        if number not in found:
            found.append(number)
    return found
