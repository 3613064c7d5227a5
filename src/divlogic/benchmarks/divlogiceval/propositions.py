"""The propositions of DivLogicEval in the compact form that generation works on.

A literal is the integer ``2 * variable + negated``. A proposition is a tuple of its kind and its literals:
``(LITERAL, a)``, ``(IMPLICATION, a, b)``, ``(NOT_AND, a, b, c)``, ``(OR, a, b, c)``; the last three are the premise
sides of Eq. 1a-1c. Its truth table over all eight variables is one integer of 256 bits.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from divlogic.logic import And, Formula, Implies, Not, Or, Var, truth_space

LITERAL, IMPLICATION, NOT_AND, OR = range(4)
VARIABLE_NAMES = "ABCDEFGH"
Proposition: TypeAlias = tuple[int, ...]
Shape: TypeAlias = tuple[int, ...]

_SPACE = truth_space(*[(name,) for name in VARIABLE_NAMES])
FULL = _SPACE.full
LITERAL_TABLES: tuple[int, ...] = tuple(
    FULL & ~_SPACE.masks[name] if negated else _SPACE.masks[name]
    for name in VARIABLE_NAMES
    for negated in (False, True)
)
"""Truth table of each literal, indexed by its number."""


@cache
def table(proposition: Proposition) -> int:
    """Return the truth table of a proposition, one bit per valuation of the eight variables."""
    return combine(proposition[0], [LITERAL_TABLES[literal] for literal in proposition[1:]], FULL)


def combine(kind: int, tables: list[int], full: int) -> int:
    """Return the truth table of a proposition of ``kind`` from the tables of its literals."""
    if kind == LITERAL:
        return tables[0]
    if kind == IMPLICATION:
        return full & ~tables[0] | tables[1]
    if kind == NOT_AND:
        return tables[0] & tables[1] | tables[2]
    return full & ~(tables[0] | tables[1]) | tables[2]


def formula(proposition: Proposition) -> Formula:
    """Return the proposition as a formula tree."""
    return assemble(proposition[0], [literal_formula(literal) for literal in proposition[1:]])


def assemble(kind: int, parts: list[Formula]) -> Formula:
    """Build the formula of a proposition of ``kind`` from the formulas of its literals."""
    if kind == LITERAL:
        return parts[0]
    if kind == IMPLICATION:
        return Implies(parts[0], parts[1])
    if kind == NOT_AND:
        return Implies(Not(And(parts[0], parts[1])), parts[2])
    return Implies(Or(parts[0], parts[1]), parts[2])


def literal_formula(literal: int) -> Formula:
    """Return a literal as a formula."""
    variable = Var(VARIABLE_NAMES[literal >> 1])
    return Not(variable) if literal & 1 else variable


@cache
def shape(proposition: Proposition) -> Shape:
    """Return what a reader sees of a proposition without its sentences: its kind and where it negates."""
    return (proposition[0], *[literal & 1 for literal in proposition[1:]])


def proposition_variables(proposition: Proposition) -> list[int]:
    """Return the variable of each literal, in order."""
    return [literal >> 1 for literal in proposition[1:]]


@cache
def candidates(
    variables: tuple[int, ...], wanted: Shape | None = None
) -> tuple[tuple[Proposition, int], ...]:
    """Return the potential answers over ``variables``, each with the valuations that make it false.

    These are all implications between ordered pairs of distinct variables in four polarities, and both literals
    of each variable (paper, Section 2.1).

    Args:
        variables: x'.
        wanted: keep only the candidates of this shape.
    """
    found: list[Proposition] = [
        (IMPLICATION, 2 * first + first_sign, 2 * second + second_sign)
        for first in variables
        for second in variables
        if first != second
        for first_sign in (0, 1)
        for second_sign in (0, 1)
    ]
    found += [(LITERAL, 2 * variable + sign) for variable in variables for sign in (0, 1)]
    return tuple(
        (proposition, FULL & ~table(proposition))
        for proposition in found
        if wanted is None or shape(proposition) == wanted
    )
