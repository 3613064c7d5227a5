"""The propositions of DivLogicEval in the compact form that generation works on.

A literal is the integer ``2 * variable + negated``. A proposition is a tuple of its kind and its literals:
``(LITERAL, a)``, ``(IMPLICATION, a, b)``, ``(NOT_AND, a, b, c)``, ``(OR, a, b, c)``; the last three are the premise
sides of Eq. 1a-1c. Its truth table over eight variables is one integer of 256 bits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from string import ascii_uppercase
from typing import TypeAlias

from divlogic.logic import Formula, parse
from divlogic.logic.tables import valuations

LITERAL, IMPLICATION, NOT_AND, OR = range(4)
VARIABLE_NAMES = ascii_uppercase
CLAUSES: dict[int, tuple[tuple[int, int], ...]] = {
    LITERAL: ((0, 0),),
    IMPLICATION: ((0, 1),),
    NOT_AND: ((0, 2), (1, 2)),
    OR: ((0, 2), (1, 2)),
}
"""The places of the two literals of each clause that a proposition amounts to."""

NEGATED: dict[int, tuple[int, ...]] = {
    LITERAL: (0,),
    IMPLICATION: (1, 0),
    NOT_AND: (0, 0, 0),
    OR: (1, 1, 0),
}
"""Whether the clauses negate the literal at each place: (A→B) is ¬A∨B, ((A∨B)→C) is (¬A∨C)∧(¬B∨C)."""

Proposition: TypeAlias = tuple[int, ...]

_LITERAL = re.compile(r"(¬?)([A-Z])")

OPTIONS = 4


@dataclass(frozen=True, slots=True)
class Quartet:
    """Four instances with the same options, each of which is right once (preset ``balanced``).

    They share variables, the wording of options, the order of premises and of options, and the question; their passages
    decide which option is right.

    Attributes:
        construction: ``square`` or ``parity``.
        depth: number of premises that each answer needs, a missing one included.
        passages: the passage in which option i is right at place i.
        stages: all variables, in sets of which a chain passes one variable each at most.
    """

    construction: str
    depth: int
    passages: tuple[tuple[Proposition, ...], ...]
    conclusion: Proposition | None
    options: tuple[Proposition, ...]
    stages: tuple[tuple[int, ...], ...]


@cache
def _space(variables: int) -> tuple[int, tuple[int, ...]]:
    """Return the table of what is always true, and that of each literal, over so many variables."""
    full, masks = valuations(variables)
    return full, tuple([table for mask in masks for table in (mask, full & ~mask)])


def full_table(variables: int) -> int:
    """Return the truth table of what is always true, over so many variables."""
    return _space(variables)[0]


@cache
def table(proposition: Proposition, variables: int = 8) -> int:
    """Return the truth table of a proposition, one bit per valuation of so many variables."""
    full, literals = _space(variables)
    kind, *tables = [proposition[0], *[literals[literal] for literal in proposition[1:]]]
    if kind == LITERAL:
        return tables[0]
    if kind == IMPLICATION:
        return full & ~tables[0] | tables[1]
    if kind == NOT_AND:
        return tables[0] & tables[1] | tables[2]
    return full & ~(tables[0] | tables[1]) | tables[2]


@cache
def formula(proposition: Proposition) -> Formula:
    """Return the proposition as a formula tree."""
    return parse(notation(proposition))


@cache
def notation(proposition: Proposition) -> str:
    """Return the proposition in the papers' notation."""
    kind, *literals = proposition
    return write_out(
        kind, ["¬" * (literal & 1) + VARIABLE_NAMES[literal >> 1] for literal in literals]
    )


def write_out(kind: int, literals: Sequence[str]) -> str:
    """Return the papers' notation of a proposition of ``kind`` from that of its literals."""
    if kind == LITERAL:
        return literals[0]
    if kind == IMPLICATION:
        return f"({literals[0]}→{literals[1]})"
    if kind == NOT_AND:
        return f"(¬({literals[0]}∧{literals[1]})→{literals[2]})"
    return f"(({literals[0]}∨{literals[1]})→{literals[2]})"


def as_said(proposition: Proposition) -> Proposition:
    """Return the proposition in the form in which English says it: ``(¬(¬A∧B)→C)`` as ``((A∨¬B)→C)``.

    "Unless both no man waits and it rains" is hard to take in, "if either a man waits, or it does not rain" is easy.
    """
    kind, *literals = proposition
    if kind == NOT_AND and (literals[0] | literals[1]) & 1:
        return OR, literals[0] ^ 1, literals[1] ^ 1, literals[2]
    return proposition


def read_notation(text: str) -> Proposition:
    """Return the proposition that :func:`notation` has written.

    Raises:
        ValueError: the text is none of the forms of this module.
    """
    literals = [
        2 * VARIABLE_NAMES.index(name) + len(negated) for negated, name in _LITERAL.findall(text)
    ]
    for kind in (LITERAL, IMPLICATION, NOT_AND, OR):
        if len(literals) == len(NEGATED[kind]) and notation((kind, *literals)) == text:
            return (kind, *literals)
    raise ValueError(f"{text} is no proposition of DivLogicEval")


@cache
def candidates(chosen: tuple[int, ...], variables: int = 8) -> tuple[tuple[Proposition, int], ...]:
    """Return the potential answers over the ``chosen`` variables, each with the valuations that make it false.

    These are all implications between ordered pairs of distinct variables in four polarities, and both literals
    of each variable (paper, Section 2.1).
    """
    found: list[Proposition] = [
        (IMPLICATION, 2 * first + first_sign, 2 * second + second_sign)
        for first, second in permutations(chosen, 2)
        for first_sign, second_sign in product((0, 1), repeat=2)
    ]
    found += [(LITERAL, 2 * variable + sign) for variable, sign in product(chosen, (0, 1))]
    return tuple([(one, full_table(variables) & ~table(one, variables)) for one in found])


@cache
def consequences(proposition: Proposition, variables: int = 8) -> frozenset[Proposition]:
    """Return the candidates over all variables that follow from one proposition alone."""
    whole = table(proposition, variables)
    possible = candidates(tuple(range(variables)), variables)
    return frozenset(one for one, false in possible if not whole & false)
