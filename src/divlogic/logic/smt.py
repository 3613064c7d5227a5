"""The independent second opinion: the same questions put to the Z3 solver."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from divlogic.logic.formula import And, Formula, Implies, Not, Var


class Z3Premises:
    """Premises that Z3 reads once and is asked about many times.

    Telling Z3 a formula costs more than deciding it at this size, so that an item's premises are worth keeping, and
    that Z3's C interface is used: its Python classes take three times as long.
    """

    def __init__(self, premises: Iterable[Formula]) -> None:
        import z3

        self._z3 = z3
        self._solver = z3.SolverFor("QF_FD")
        self._context = self._solver.ctx.ref()
        self._add(premises)

    def satisfiable(self, *further: Formula) -> bool:
        """Return whether some valuation makes the premises and the further formulas true.

        Raises:
            RuntimeError: Z3 gives up, which it does not do on propositional formulas of this size.
        """
        z3, context, solver = self._z3, self._context, self._solver.solver
        z3.Z3_solver_push(context, solver)
        self._add(further)
        verdict = z3.Z3_solver_check(context, solver)
        z3.Z3_solver_pop(context, solver, 1)
        if verdict == z3.Z3_L_UNDEF:
            raise RuntimeError(f"Z3 could not decide: {self._solver.reason_unknown()}")
        return bool(verdict == z3.Z3_L_TRUE)

    def entail(self, conclusion: Formula, *further: Formula) -> bool:
        """Return whether the conclusion follows from the premises and the further formulas."""
        return not self.satisfiable(*further, Not(conclusion))

    def _add(self, formulas: Iterable[Formula]) -> None:
        for formula in formulas:
            self._z3.Z3_solver_assert(self._context, self._solver.solver, to_z3(formula).ast)


def z3_satisfiable(formulas: Iterable[Formula]) -> bool:
    """Return whether Z3 finds a valuation that makes all formulas true."""
    return Z3Premises(formulas).satisfiable()


def z3_entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Return whether Z3 finds no valuation that makes the premises true and the conclusion false."""
    return Z3Premises(premises).entail(conclusion)


def to_z3(formula: Formula) -> Any:
    """Translate a formula into a Z3 Boolean expression."""
    import z3

    context = z3.main_ctx()
    ref = context.ref()
    held = []

    def translate(part: Formula) -> Any:
        if isinstance(part, Var):
            return _variable(part.name).ast
        if isinstance(part, Not):
            made = z3.Z3_mk_not(ref, translate(part.operand))
        elif isinstance(part, Implies):
            made = z3.Z3_mk_implies(ref, translate(part.left), translate(part.right))
        else:
            join = z3.Z3_mk_and if isinstance(part, And) else z3.Z3_mk_or
            made = join(ref, 2, (z3.Ast * 2)(translate(part.left), translate(part.right)))
        # Z3 drops what nobody holds.
        z3.Z3_inc_ref(ref, made)
        held.append(made)
        return made

    found = z3.BoolRef(translate(formula), context)
    for part in held:
        z3.Z3_dec_ref(ref, part)
    return found


@lru_cache(maxsize=10_000)
def _variable(name: str) -> Any:
    import z3

    return z3.Bool(name)
