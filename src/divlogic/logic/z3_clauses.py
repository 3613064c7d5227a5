"""Clauses between propositions, held by Z3.

They are handed over as DIMACS: Z3 takes longer to read SMT-LIB than to decide theories of some hundred clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence

Clause = tuple[int, ...]
"""A disjunction: propositions are numbers from 1, a negative number denies one (as in DIMACS)."""

Fact = tuple[str, tuple[str, ...], bool]
"""A predicate, the things that it is said of, and whether it holds of them."""

_LASTS = 500
"""Theories that one solver holds in turn; Z3 keeps something of each, so that memory would grow with their number."""
_MOST = 10_000


class Z3Clauses:
    """One solver that holds sets of clauses in turn."""

    def __init__(self) -> None:
        self._solver: Any = None
        self._count = 0
        self._literals: dict[int, Any] = {}

    @contextmanager
    def held(self, clauses: Sequence[Clause], size: int) -> Iterator[None]:
        """Hold clauses between propositions 1 … ``size``, which :meth:`satisfiable` asks about."""
        import z3

        if self._solver is None or self._count >= _LASTS:
            self._solver, self._count = z3.SolverFor("QF_FD"), 0
        self._count += 1
        text = " 0\n".join([" ".join(map(str, clause)) for clause in clauses])
        self._solver.push()
        try:
            self._solver.from_string(f"p cnf {size} {len(clauses)}\n{text}{' 0' if clauses else ''}\n")
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, literals: Iterable[int] = ()) -> bool:
        """Return whether the clauses that are held, and the literals, have a model.

        Raises:
            RuntimeError: Z3 gives up, which it does not do on clauses of this size.
        """
        import z3

        known = self._literals
        found = [known[literal] if literal in known else self._literal(literal) for literal in literals]
        # Z3's C interface: its Python classes take longer than such a check.
        solver = self._solver
        asked = (z3.Ast * len(found))(*[one.ast for one in found])
        verdict = z3.Z3_solver_check_assumptions(solver.ctx.ref(), solver.solver, len(found), asked)
        if verdict == z3.Z3_L_UNDEF:
            raise RuntimeError(f"Z3 could not decide: {solver.reason_unknown()}")
        return bool(verdict == z3.Z3_L_TRUE)

    def _literal(self, literal: int) -> Any:
        import z3

        found = z3.Bool(abs(literal))  # the name that the DIMACS reader gives
        found = self._literals[literal] = found if literal > 0 else z3.Not(found)
        return found


def refuted_together(cases: Sequence[Sequence[int]], free: int) -> list[Clause]:
    """Return clauses under which proposition ``free`` holds only if all literals of some case do.

    A theory with these clauses is satisfiable under ``free`` exactly if the theory is under one of the cases, so that
    one question refutes all of them.

    Args:
        cases: literals of each case.
        free: the first number that no clause of the theory uses; the ones above it are used as well.
    """
    chosen = range(free + 1, free + 1 + len(cases))
    return [(-free, *chosen)] + [
        (-number, literal) for number, case in zip(chosen, cases, strict=True) for literal in case
    ]


def clauses_over(sentence: Sentence, domain: Sequence[str], holds: bool = True) -> list[tuple[Fact, ...]]:
    """Return a sentence, or its denial, as clauses over a domain whose things are all that there is.

    A model of these clauses is a model of the sentence: one in which each name stands for itself.

    Raises:
        ValueError: a term names nothing of the domain, or the clauses would be too many.
    """
    known = frozenset(domain)
    found = []
    for clause in _clauses(sentence, holds, known, domain):
        for predicate, terms, _ in clause:
            if not known.issuperset(terms):
                raise ValueError(
                    f"{predicate}({', '.join(terms)}): not everyone is among {', '.join(domain)}"
                )
        # Equations between names are true or false as they stand.
        equations = [(terms[0] == terms[1]) == true for predicate, terms, true in clause if predicate == "="]
        if not equations:
            found.append(clause)
        elif not any(equations):
            found.append(tuple([fact for fact in clause if fact[0] != "="]))
    return found


def _clauses(
    sentence: Sentence, holds: bool, known: frozenset[str], domain: Sequence[str]
) -> list[tuple[Fact, ...]]:
    match sentence:
        case Atom(predicate, terms):
            return [((predicate, terms, holds),)]
        case Negation(operand):
            return _clauses(operand, not holds, known, domain)
        case Binary("→", left, right):
            parts = [_clauses(left, not holds, known, domain), _clauses(right, holds, known, domain)]
            return _either(parts) if holds else _joined(parts)
        case Binary("∧" | "∨" as sign, left, right):
            parts = [_clauses(left, holds, known, domain), _clauses(right, holds, known, domain)]
            return _joined(parts) if (sign == "∧") == holds else _either(parts)
        case Binary(sign, left, right):
            same = (sign == "↔") == holds
            return [
                clause
                for first, second in ((True, not same), (False, same))
                for clause in _either(
                    [_clauses(left, first, known, domain), _clauses(right, second, known, domain)]
                )
            ]
        case Quantified(sign, variable, body):
            if variable in known:
                raise ValueError(f"the variable {variable} is a name as well")
            inner = _clauses(body, holds, known, domain)
            parts = [_instance(inner, variable, one) for one in domain]
            return _joined(parts) if (sign == "∀") == holds else _either(parts)


def _instance(clauses: list[tuple[Fact, ...]], variable: str, name: str) -> list[tuple[Fact, ...]]:
    """Return clauses with a name in the place of a variable."""
    return [
        tuple(
            [
                (predicate, tuple([name if term == variable else term for term in terms]), holds)
                for predicate, terms, holds in clause
            ]
        )
        for clause in clauses
    ]


def _joined(parts: Iterable[list[tuple[Fact, ...]]]) -> list[tuple[Fact, ...]]:
    return [clause for part in parts for clause in part]


def _either(parts: Iterable[list[tuple[Fact, ...]]]) -> list[tuple[Fact, ...]]:
    found: list[tuple[Fact, ...]] = [()]
    for part in parts:
        found = [(*one, *other) for one in found for other in part]
        if len(found) > _MOST:
            raise ValueError("a sentence has too many cases")
    return found
