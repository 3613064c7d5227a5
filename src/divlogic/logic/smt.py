"""Formulas in Z3: the one translation, and every solver that is opened.

Z3's C interface builds and asserts expressions: its Python classes take three times as long, which is longer than
deciding theories of this size. Nothing that depends on which model Z3 finds first is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from divlogic.logic import theory
from divlogic.logic.syntax import Atom, Binary, Formula, Implies, Negation, Quantified, Sentence

RLIMIT = 10_000_000
"""Z3's resource limit of one check: deterministic, some 4 s; the published items need less than 10⁵."""

_THEORIES_PER_SOLVER = 500
"""Z3 keeps something of each theory, so that the memory of one solver would grow with their number."""


class OutOfResourcesError(Exception):
    """Z3 gave up within the resource limit."""


class Translation:
    """Z3 expressions of sentences, in one context; equal names mean the same."""

    def __init__(self, context: Any = None) -> None:
        import z3

        self._z3, self.context = z3, context or z3.main_ctx()
        self._ref = self.context.ref()
        self._things = z3.DeclareSort("Thing", self.context)
        self._symbols: dict[object, Any] = {}
        self._held: list[Any] = []

    def boolean(self, name: str) -> Any:
        """Return the Boolean of that name."""
        found = self._symbols.get(name)
        if found is None:
            found = self._symbols[name] = self._z3.Bool(name, self.context)
        return found

    def expression(self, formula: Sentence) -> Any:
        """Return a formula as a Z3 expression."""
        self._held = []
        found = self._z3.BoolRef(self._ast(formula, {}), self.context)
        for part in self._held:
            self._z3.Z3_dec_ref(self._ref, part)
        return found

    def _ast(self, part: Sentence, bound: dict[str, Any]) -> Any:
        z3, ref = self._z3, self._ref
        if isinstance(part, Atom):
            if not part.terms:
                return self.boolean(part.predicate).ast
            made = self._atom(part, bound)
        elif isinstance(part, Negation):
            made = z3.Z3_mk_not(ref, self._ast(part.operand, bound))
        elif isinstance(part, Binary):
            left, right, sign = self._ast(part.left, bound), self._ast(part.right, bound), part.sign
            if sign in "∧∨":
                join = z3.Z3_mk_and if sign == "∧" else z3.Z3_mk_or
                made = join(ref, 2, (z3.Ast * 2)(left, right))
            else:
                made = {"→": z3.Z3_mk_implies, "↔": z3.Z3_mk_iff, "⊕": z3.Z3_mk_xor}[sign](
                    ref, left, right
                )
        else:
            # Quantifiers of one kind become one, as in SMT-LIB: Z3 instantiates nested ones many times more often.
            names = dict(bound)
            variables: list[Any] = []
            inner: Sentence = part
            while isinstance(inner, type(part)) and inner.sign == part.sign:
                variables.append(
                    z3.Const(f"{inner.variable}!{len(bound) + len(variables)}", self._things)
                )
                names[inner.variable] = variables[-1]
                inner = inner.body
            body = z3.BoolRef(self._ast(inner, names), self.context)
            made = (z3.ForAll if part.sign == "∀" else z3.Exists)(variables, body).ast
        # Z3 drops what has no reference.
        z3.Z3_inc_ref(ref, made)
        self._held.append(made)
        return made

    def _atom(self, atom: Atom, bound: dict[str, Any]) -> Any:
        terms = [bound[name] if name in bound else self._constant(name) for name in atom.terms]
        if atom.predicate == "=":
            return (terms[0] == terms[1]).ast
        key = (atom.predicate, len(terms))
        if key not in self._symbols:
            sorts = [*[self._things] * len(terms), self._z3.BoolSort(self.context)]
            self._symbols[key] = self._z3.Function(f"{atom.predicate}/{len(terms)}", *sorts)
        # Theories say the same of the same things many times over.
        said = ("atom", atom.predicate, *[term.ast.value for term in terms])
        if said not in self._symbols:
            self._symbols[said] = self._symbols[key](*terms)
        return self._symbols[said].ast

    def _constant(self, name: str) -> Any:
        key = ("constant", name)
        if key not in self._symbols:
            self._symbols[key] = self._z3.Const(name, self._things)
        return self._symbols[key]


def z3_satisfiable(formulas: Iterable[Sentence]) -> bool:
    """Return whether Z3 finds a valuation that makes all formulas true."""
    with Z3Session(formulas, rlimit=0) as session:
        return session.satisfiable()


def z3_entails(premises: Iterable[Formula], conclusion: Formula) -> bool:
    """Return whether Z3 finds no valuation that makes the premises true and the conclusion false."""
    return not z3_satisfiable([*premises, Negation(conclusion)])


def z3_refuted(
    premises: Iterable[Sentence], goals: Iterable[Sentence], *, rlimit: int
) -> list[bool | None]:
    """Return which goals contradict the premises, each asked of a new solver with all of Z3's tactics.

    ``None`` where the limit runs out.
    """
    held = [_translation().expression(premise) for premise in premises]
    found: list[bool | None] = []
    for goal in goals:
        solver = _Solver("", _translation(), rlimit)
        solver.solver.add(*held)
        solver.add([goal])
        try:
            found.append(not solver.check())
        except OutOfResourcesError:
            found.append(None)
    return found


class Z3Session:
    """Premises that Z3 holds while the session is entered, with the goals that can be asked under them.

    Each goal is implied by a fresh Boolean, so that a question is one check under assumptions. With all premises among
    the goals, any subset of them can be asked about.

    Args:
        goals: formulas that :meth:`satisfiable` asks about by their places.
        rlimit: Z3's resource limit of one check; 0 for none.
        fresh: whether to use a context of its own, so that nothing asked before matters.
    """

    def __init__(
        self,
        premises: Iterable[Sentence] = (),
        goals: Iterable[Sentence] = (),
        targets: Iterable[Atom] = (),
        *,
        rlimit: int = RLIMIT,
        fresh: bool = False,
    ) -> None:
        self._premises, self._goals = tuple(premises), tuple(goals)
        self._targets = {
            target: f"target {place}" if target.terms else target.predicate
            for place, target in enumerate(dict.fromkeys(targets))
        }
        everything = [*self._premises, *self._goals, *self._targets]
        first_order = not all(map(theory.is_propositional, everything))
        self._solver = _pooled("simple" if first_order else "QF_FD", rlimit, fresh)

    def __enter__(self) -> Z3Session:
        solver = self._solver
        self._pushed = solver.pushed()
        self._pushed.__enter__()
        solver.add(self._premises)
        for place, goal in enumerate(self._goals):
            solver.add([Implies(Atom(f"goal {place}"), goal)])
        for target, name in self._targets.items():
            if target.terms:
                solver.add([Binary("↔", Atom(name), target)])
        return self

    def __exit__(self, *details: object) -> None:
        self._pushed.__exit__(None, None, None)

    def satisfiable(self, *goals: int) -> bool:
        """Return whether the premises, and the goals at those places, have a model.

        Raises:
            OutOfResourcesError: Z3 gave up.
        """
        return self._solver.check(
            [self._solver.translation.boolean(f"goal {goal}") for goal in goals]
        )

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...]:
        """Return the models of the premises, projected to the targets, in canonical form.

        Raises:
            OutOfResourcesError: Z3 gave up.
            TooManyModelsError: there are more than ``MOST_LISTED``.
        """
        names = [theory.target_name(target) for target in targets]
        booleans = [Atom(self._targets[target]) for target in targets]
        found: list[list[str]] = []
        with self._solver.pushed():
            while self._solver.check():
                values = self._solver.values(booleans)
                found.append([name for name, true in zip(names, values, strict=True) if true])
                if len(found) > theory.MOST_LISTED:
                    raise theory.TooManyModelsError
                if not booleans:
                    break
                pairs = zip(booleans, values, strict=True)
                literals = [atom if true else Negation(atom) for atom, true in pairs]
                self._solver.add([Negation(theory.conjunction(literals))])
        return theory.sorted_models(found, names)


Clause = tuple[int, ...]
"""A disjunction: propositions are numbers from 1, a negative number denies one (as in DIMACS)."""


class Z3Clauses:
    """One solver that holds sets of clauses in turn.

    They are handed over as DIMACS: Z3 takes longer to build expressions than to decide some hundred clauses.
    """

    @contextmanager
    def held(self, clauses: Sequence[Clause], size: int) -> Iterator[None]:
        """Hold clauses between propositions 1 … ``size``, which :meth:`satisfiable` asks about."""
        self._solver = _pooled("QF_FD", 0, key="clauses")
        text = " 0\n".join([" ".join(map(str, clause)) for clause in clauses])
        with self._solver.pushed():
            self._solver.solver.from_string(
                f"p cnf {size} {len(clauses)}\n{text}{' 0' if clauses else ''}\n"
            )
            yield

    def satisfiable(self, literals: Iterable[int] = ()) -> bool:
        """Return whether the clauses that are held, and the literals, have a model."""
        return self._solver.check(list(map(_numbered, literals)))


@cache
def _numbered(literal: int) -> Any:
    """Return the literal of a number, under the name that the DIMACS reader gives its proposition."""
    import z3

    found = z3.Bool(abs(literal))
    return found if literal > 0 else z3.Not(found)


class _Solver:
    """A Z3 solver: ``QF_FD`` for propositions, ``simple`` for many small first-order checks, else with all tactics."""

    def __init__(self, kind: str, translation: Translation, rlimit: int = 0) -> None:
        import z3

        self._z3, self.translation = z3, translation
        context = translation.context
        self.solver = (
            z3.SolverFor("QF_FD", ctx=context)
            if kind == "QF_FD"
            else (z3.SimpleSolver if kind == "simple" else z3.Solver)(ctx=context)
        )
        self.uses = 0
        self._quantified: dict[Sentence, Any] = {}
        if rlimit:
            self.solver.set("rlimit", rlimit)
        if not kind:
            self.solver.set("random_seed", 0)

    @contextmanager
    def pushed(self) -> Iterator[None]:
        self.solver.push()
        try:
            yield
        finally:
            self.solver.pop()

    def add(self, formulas: Iterable[Sentence]) -> None:
        ref = self.translation.context.ref()
        for formula in formulas:
            expression = self._quantified.get(formula)
            if expression is None:
                expression = self.translation.expression(formula)
                if isinstance(
                    formula, Quantified
                ):  # slow to build, and many theories share their rules
                    self._quantified[formula] = expression
            self._z3.Z3_solver_assert(ref, self.solver.solver, expression.ast)

    def check(self, assumptions: Sequence[Any] = ()) -> bool:
        z3 = self._z3
        literals = (z3.Ast * len(assumptions))(*[each.ast for each in assumptions])
        context = self.translation.context.ref()
        verdict = z3.Z3_solver_check_assumptions(
            context, self.solver.solver, len(literals), literals
        )
        if verdict == z3.Z3_L_UNDEF:
            raise OutOfResourcesError(self.solver.reason_unknown())
        return bool(verdict == z3.Z3_L_TRUE)

    def values(self, atoms: Sequence[Atom]) -> list[bool]:
        """Return what the last model says of propositions; what it leaves open counts as false."""
        z3, context = self._z3, self.translation.context.ref()
        model, value, found = self.solver.model(), (z3.Ast * 1)(), []
        for atom in atoms:
            literal = self.translation.boolean(atom.predicate).ast
            z3.Z3_model_eval(context, model.model, literal, True, value)
            found.append(z3.Z3_get_bool_value(context, value[0]) == z3.Z3_L_TRUE)
        return found


_POOL: dict[tuple[str, int, str], _Solver] = {}


def _pooled(kind: str, rlimit: int, fresh: bool = False, key: str = "") -> _Solver:
    """Return this process's solver of one kind, or one in a fresh context."""
    import z3

    if fresh:
        return _Solver(kind, Translation(z3.Context()), rlimit)
    solver = _POOL.get((kind, rlimit, key))
    if solver is None or solver.uses >= _THEORIES_PER_SOLVER:
        solver = _POOL[kind, rlimit, key] = _Solver(kind, Translation(), rlimit)
    solver.uses += 1
    return solver


@cache
def _translation() -> Translation:
    return Translation()
