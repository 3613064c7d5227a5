"""The propositions of DivLogicEval in the compact form that generation works on.

A literal is the integer ``2 * variable + negated``. A proposition is a tuple of its kind and its literals:
``(LITERAL, a)``, ``(IMPLICATION, a, b)``, ``(NOT_AND, a, b, c)``, ``(OR, a, b, c)``; the last three are the premise
sides of Eq. 1a-1c. Its truth table over all eight variables is one integer of 256 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Any, TypeAlias

from divlogic.logic import And, Formula, Implies, Not, Or, Var, to_text, truth_space

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
def is_proposition(value: tuple[Any, ...]) -> bool:
    """Return whether a tuple, as it was read from a file, is a proposition."""
    literals = range(2 * len(VARIABLE_NAMES))
    return (
        len(value) > 1
        and len(value) == {LITERAL: 2, IMPLICATION: 3, NOT_AND: 4, OR: 4}.get(value[0])
        and all(literal in literals for literal in value[1:])
    )


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


@cache
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


@cache
def notation(proposition: Proposition) -> str:
    """Return the proposition in the papers' notation."""
    return to_text(formula(proposition))


def write_out(kind: int, literals: Sequence[str]) -> str:
    """Return the papers' notation of a proposition of ``kind`` from that of its literals.

    This is ``to_text(assemble(...))`` without the tree in between.
    """
    if kind == LITERAL:
        return literals[0]
    if kind == IMPLICATION:
        return f"({literals[0]}→{literals[1]})"
    if kind == NOT_AND:
        return f"(¬({literals[0]}∧{literals[1]})→{literals[2]})"
    return f"(({literals[0]}∨{literals[1]})→{literals[2]})"


@cache
def literal_formula(literal: int) -> Formula:
    """Return a literal as a formula."""
    variable = Var(VARIABLE_NAMES[literal >> 1])
    return Not(variable) if literal & 1 else variable


@cache
def shape(proposition: Proposition) -> Shape:
    """Return what a reader sees of a proposition without its sentences: its kind and where it negates."""
    return (proposition[0], *[literal & 1 for literal in proposition[1:]])


@cache
def proposition_variables(proposition: Proposition) -> tuple[int, ...]:
    """Return the variable of each literal, in order."""
    return tuple(literal >> 1 for literal in proposition[1:])


@cache
def candidates(
    variables: tuple[int, ...], wanted: Shape | None = None
) -> tuple[tuple[Proposition, int], ...]:
    """Return the potential answers over ``variables``, each with the valuations that make it false.

    These are all implications between ordered pairs of distinct variables in four polarities, and both literals
    of each variable (paper, Section 2.1).

    Args:
        variables: x', in ascending order.
        wanted: keep only the candidates of this shape.
    """
    if wanted is not None:
        return tuple([pair for pair in candidates(variables) if shape(pair[0]) == wanted])
    chosen = frozenset(variables)
    return tuple([pair for pair in _CANDIDATES if chosen.issuperset(proposition_variables(pair[0]))])


@cache
def consequences(proposition: Proposition) -> frozenset[Proposition]:
    """Return the candidates over all variables that follow from one proposition alone."""
    whole = table(proposition)
    return frozenset(candidate for candidate, false in _CANDIDATES if not whole & false)


def _candidates() -> Iterator[tuple[Proposition, int]]:
    """Yield the candidates over all eight variables, implications first."""
    everything = range(len(VARIABLE_NAMES))
    for first, second in permutations(everything, 2):
        for first_sign, second_sign in product((0, 1), repeat=2):
            candidate: Proposition = (IMPLICATION, 2 * first + first_sign, 2 * second + second_sign)
            yield candidate, FULL & ~table(candidate)
    for variable, sign in product(everything, (0, 1)):
        candidate = (LITERAL, 2 * variable + sign)
        yield candidate, FULL & ~table(candidate)


# Made once and shared by every set of variables: there are 255 of them, each asked for in several shapes.
_CANDIDATES: tuple[tuple[Proposition, int], ...] = tuple(_candidates())
