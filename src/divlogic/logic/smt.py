"""The independent second opinion: the same questions put to the Z3 solver."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from divlogic.logic.formula import And, Formula, Implies, Not, Or, Var


def z3_satisfiable(formulas: Iterable[Formula]) -> bool:
    """Tell whether Z3 finds a valuation that makes all formulas true.

    Raises:
        RuntimeError: Z3 gives up, which it does not do on propositional formulas of this size.
    """
    import z3

    solver = z3.SolverFor("QF_FD")
    for formula in formulas:
        solver.add(to_z3(formula))
    verdict = solver.check()
    if verdict == z3.unknown:
        raise RuntimeError(f"Z3 could not decide: {solver.reason_unknown()}")
    return verdict == z3.sat


def z3_entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Tell whether Z3 finds no valuation that makes the premises true and the conclusion false."""
    return not z3_satisfiable((*premises, Not(conclusion)))


def to_z3(formula: Formula) -> Any:
    """Translate a formula into a Z3 Boolean expression."""
    import z3

    match formula:
        case Var(name):
            return z3.Bool(name)
        case Not(operand):
            return z3.Not(to_z3(operand))
        case And(left, right):
            return z3.And(to_z3(left), to_z3(right))
        case Or(left, right):
            return z3.Or(to_z3(left), to_z3(right))
        case Implies(left, right):
            return z3.Implies(to_z3(left), to_z3(right))
