"""The 26 classes of rules in LogicNLI, with the weights recovered from the released theories.

A side is one literal, `and` of two, or `or` of two (premises only). The codes are those of the release.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as Choice
from typing import NamedTuple

from divlogic.logic.horn import Clause, Scope, ground

Shape = Choice["one", "and", "or"]


@dataclass(frozen=True, slots=True)
class Form:
    """One class of rules.

    Attributes:
        code: number of the class in the release.
        name: its abbreviation in the release (A all, E exist, C conjunction, D disjunction, I implication,
            Q equivalence); the ``everyone`` classes share theirs with ``all`` classes.
        scope: whom its rules speak of.
        premise: shape of the premise side.
        conclusion: shape of the conclusion side.
        equivalence: whether it also runs from conclusion to premise.
        weight: relative frequency in the release.
    """

    code: int
    name: str
    scope: Scope
    premise: Shape
    conclusion: Shape
    equivalence: bool
    weight: float

    @property
    def sides(self) -> tuple[int, int]:
        """Return the number of literals of the premise and of the conclusion."""
        return (1 if self.premise == "one" else 2), (1 if self.conclusion == "one" else 2)


def _form(
    code: int,
    name: str,
    scope: Scope,
    premise: Shape,
    conclusion: Shape,
    *,
    weight: float = 5,
    equivalence: bool = False,
) -> Form:
    return Form(code, name, scope, premise, conclusion, equivalence, weight)


FORMS: dict[int, Form] = {
    form.code: form
    for form in (
        _form(1, "AI", "all", "one", "one"),
        _form(2, "ACI", "all", "and", "one"),
        _form(3, "ADI", "all", "or", "one"),
        _form(4, "AIC", "all", "one", "and"),
        _form(5, "ACIC", "all", "and", "and", weight=1),
        _form(6, "ADIC", "all", "or", "and", weight=1),
        _form(7, "EI", "exist", "one", "one"),
        _form(8, "ECI", "exist", "and", "one"),
        _form(9, "EDI", "exist", "or", "one"),
        _form(10, "EIC", "exist", "one", "and"),
        _form(11, "ECIC", "exist", "and", "and", weight=1),
        _form(12, "EDIC", "exist", "or", "and", weight=1),
        _form(13, "AQ", "all", "one", "one", equivalence=True),
        _form(14, "ACQ", "all", "and", "one", equivalence=True),
        _form(15, "ACQC", "all", "and", "and", equivalence=True),
        _form(20, "I", "named", "one", "one"),
        _form(21, "Q", "named", "one", "one", equivalence=True),
        _form(22, "CE", "named", "and", "one"),
        _form(23, "EC", "named", "one", "and"),
        _form(24, "CQ", "named", "one", "and", equivalence=True),
        _form(25, "DI", "named", "or", "one"),
        _form(26, "CIC", "named", "and", "and", weight=1),
        _form(28, "CQC", "named", "and", "and", weight=1, equivalence=True),
        _form(29, "AI", "everyone", "one", "one", weight=1),
        _form(35, "ADI", "everyone", "or", "one", weight=1),
        _form(36, "AIC", "everyone", "one", "and", weight=1),
    )
}
"""All classes by their code."""

CONNECTIVES: dict[str, tuple[int, ...]] = {
    "and": (22, 23, 26),
    "or": (25,),
    "not": (20,),
    "implies": (20,),
    "equivalent": (21,),
    "all": (1, 29),
    "exists": (7,),
}
"""The classes of the seven sets of Table 5: one connective or quantifier each, joined to implication."""

SYMBOLS = {
    "and": "∧",
    "or": "∨",
    "not": "¬",
    "implies": "→",
    "equivalent": "≡",
    "all": "∀",
    "exists": "∃",
}
"""The paper's signs of those sets."""


class SymbolicRule(NamedTuple):
    """A rule: literals of persons, or of nobody in sides that speak of all, someone or everyone."""

    form: int
    premise: tuple[int, ...]
    conclusion: tuple[int, ...]


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


def ground_rules(rules: Sequence[SymbolicRule], people: int, width: int, start: int = 0) -> list[Clause]:
    """Return the Horn clauses of several rules, numbered from ``start``."""
    clauses: list[Clause] = []
    for number, rule in enumerate(rules, start):
        clauses += ground_rule(rule, people, width, number)
    return clauses


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
