"""The independent second opinion: the same questions put to the Z3 solver."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from divlogic.logic.formula import And, Formula, Implies, Not, Or, Var


class Z3Premises:
    """Premises that Z3 reads once and is asked about many times.

    Telling Z3 a formula costs more than deciding it at this size, so that an item's premises are worth keeping.
    """

    def __init__(self, premises: Iterable[Formula]) -> None:
        import z3

        self._z3 = z3
        self._solver = z3.SolverFor("QF_FD")
        for premise in premises:
            self._solver.add(to_z3(premise))

    def satisfiable(self, *further: Formula) -> bool:
        """Tell whether some valuation makes the premises and the further formulas true.

        Raises:
            RuntimeError: Z3 gives up, which it does not do on propositional formulas of this size.
        """
        self._solver.push()
        for formula in further:
            self._solver.add(to_z3(formula))
        verdict = self._solver.check()
        self._solver.pop()
        if verdict == self._z3.unknown:
            raise RuntimeError(f"Z3 could not decide: {self._solver.reason_unknown()}")
        return bool(verdict == self._z3.sat)

    def entail(self, conclusion: Formula, *further: Formula) -> bool:
        """Tell whether the conclusion follows from the premises and the further formulas."""
        return not self.satisfiable(*further, Not(conclusion))


def z3_satisfiable(formulas: Iterable[Formula]) -> bool:
    """Tell whether Z3 finds a valuation that makes all formulas true."""
    return Z3Premises(formulas).satisfiable()


def z3_entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Tell whether Z3 finds no valuation that makes the premises true and the conclusion false."""
    return Z3Premises(premises).entail(conclusion)


def to_z3(formula: Formula) -> Any:
    """Translate a formula into a Z3 Boolean expression."""
    import z3

    build = {And: z3.And, Or: z3.Or, Implies: z3.Implies}

    def translate(part: Formula) -> Any:
        if isinstance(part, Var):
            return z3.Bool(part.name)
        if isinstance(part, Not):
            return z3.Not(translate(part.operand))
        return build[type(part)](translate(part.left), translate(part.right))

    return translate(formula)
