"""Deciding theories by Z3: one process, one context, two solvers.

An item's premises go in once, as one SMT-LIB text between push and pop; each goal is implied by a fresh Boolean, so
that a query is one ``check`` under an assumption. Models are enumerated by clauses that block their projection. Nothing
that depends on which model Z3 finds first is ever returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from divlogic.logic.decision import MOST_LISTED, Decision, TooManyModelsError, Verdict
from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import (
    Answer,
    Formalization,
    Query,
    sorted_models,
    substituted,
    target_name,
    vocabulary,
)

RLIMIT = 10_000_000
"""Z3's resource limit of one check: deterministic, some 4 s; the published items need less than 10⁵."""

_JOIN = {"∧": "and", "∨": "or", "→": "=>", "↔": "=", "⊕": "xor"}
T = TypeVar("T")


class OutOfResourcesError(Exception):
    """Z3 gave up within the resource limit."""


class Z3Session:
    """Premises that Z3 holds, with the goals that can be asked under them.

    Args:
        premises: the premises.
        further: other sentences that will be asked about: their names are declared.
        rlimit: Z3's resource limit of one check.
        fresh: whether to use a context of its own, so that nothing asked before matters.
    """

    def __init__(
        self,
        premises: Iterable[Sentence],
        further: Iterable[Sentence] = (),
        *,
        rlimit: int = RLIMIT,
        fresh: bool = False,
    ) -> None:
        premises = tuple(premises)
        used = vocabulary((*premises, *further))
        self.names = _Names(used.propositions, used.predicates, used.constants)
        first_order = bool(used.predicates or used.constants) or not all(map(_ground, premises))
        self._held = _Solver(rlimit, first_order, fresh=True) if fresh else _shared(rlimit, first_order)
        self._solver = self._held.solver
        self._declarations = self.names.declarations(first_order)
        self._text = "".join(f"(assert {self.names.text(premise, {})})\n" for premise in premises)

    @contextmanager
    def held(self, goals: Sequence[Sentence] = (), targets: Sequence[Atom] = ()) -> Iterator[Z3Session]:
        """Hold the premises.

        Args:
            goals: what :meth:`satisfiable` asks about by place.
            targets: predicates of constants that :meth:`models` projects to; propositions need not be named.
        """
        booleans = [f"g{place}" for place in range(len(goals))]
        grounded = [target for target in dict.fromkeys(targets) if target.terms]
        self._targets = {target: f"t{place}" for place, target in enumerate(grounded)}
        names = {name: f"(declare-const {name} Bool)\n" for name in (*booleans, *self._targets.values())}
        text = [self._held.undeclared({**self._declarations, **names}), self._text]
        for goal, name in zip(goals, booleans, strict=True):
            text.append(f"(assert (=> {name} {self.names.text(goal, {})}))\n")
        for target, name in self._targets.items():
            text.append(f"(assert (= {name} {self.names.text(target, {})}))\n")
        self._solver.push()
        try:
            self._solver.from_string("".join(text))
            yield self
        finally:
            self._solver.pop()

    def satisfiable(self, *goals: int) -> bool:
        """Return whether the premises, and the goals at those places, have a model.

        Raises:
            OutOfResourcesError: Z3 gave up.
        """
        import z3

        verdict = self._solver.check(*[self._held.boolean(f"g{goal}") for goal in goals])
        if verdict == z3.unknown:
            raise OutOfResourcesError(self._solver.reason_unknown())
        return bool(verdict == z3.sat)

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...]:
        """Return the models of the premises, projected to the targets, in canonical form.

        Raises:
            OutOfResourcesError: Z3 gave up.
            TooManyModelsError: there are more than ``MOST_LISTED``.
        """
        names = [target_name(target) for target in targets]
        booleans = [self._targets.get(each) or self.names.proposition[each.predicate] for each in targets]
        found: list[list[str]] = []
        self._solver.push()
        try:
            while self.satisfiable():
                holds = self._held.values(booleans)
                found.append([name for name, true in zip(names, holds, strict=True) if true])
                if len(found) > MOST_LISTED:
                    raise TooManyModelsError
                if not booleans:
                    break
                self._held.block(booleans, holds)
        finally:
            self._solver.pop()
        return sorted_models(found, names)


class Z3Decider:
    """Decide theories by Z3; what runs out of resources is asked again in a fresh context, then it is undecided."""

    name = "z3"

    def __init__(self, rlimit: int = RLIMIT) -> None:
        self.rlimit = rlimit

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query."""
        axioms, sentences = theory.axioms(), tuple(theory.sentences())
        constants = [Atom("=", (name, name)) for name in theory.constants]
        further = (*sentences, *constants) if not theory.propositional else sentences
        goals, places = _goals(theory)
        targets = [target for query in theory.queries for target in query.targets]

        def ask(work: Callable[[Z3Session], T]) -> T | None:
            for fresh in (False, True):
                session = Z3Session(axioms, further, rlimit=self.rlimit, fresh=fresh)
                try:
                    with session.held(goals, targets):
                        return work(session)
                except OutOfResourcesError:
                    continue
                except TooManyModelsError:
                    break
            return None

        def everything(session: Z3Session) -> tuple[bool, list[Answer]]:
            return session.satisfiable(), [
                _answer(session, query, place, theory)
                for query, place in zip(theory.queries, places, strict=True)
            ]

        whole = ask(everything)
        if whole is not None:
            verdicts = [
                Verdict(query.id, answer) for query, answer in zip(theory.queries, whole[1], strict=True)
            ]
            return Decision(whole[0], tuple(verdicts), (self.name,))
        verdicts = []
        for query, place in zip(theory.queries, places, strict=True):
            answer = ask(lambda session, q=query, p=place: _answer(session, q, p, theory))  # type: ignore[misc]
            verdicts.append(Verdict(query.id, answer, "undecided" if answer is None else "decided"))
        return Decision(ask(lambda session: session.satisfiable()), tuple(verdicts), (self.name,))


class Z3Premises:
    """Premises about which single sentences are asked; ``None`` where Z3's resources run out."""

    def __init__(
        self, premises: Iterable[Sentence], further: Iterable[Sentence] = (), *, rlimit: int = RLIMIT
    ) -> None:
        self._premises, self._further, self._rlimit = tuple(premises), tuple(further), rlimit

    def satisfiable(self, *further: Sentence) -> bool | None:
        """Return whether the premises and the further sentences have a model."""
        return self._ask(lambda session: session.satisfiable(), further)

    def entails(self, sentence: Sentence) -> bool | None:
        """Return whether the sentence follows."""
        open_ = self.satisfiable(Negation(sentence))
        return None if open_ is None else not open_

    def models(self, targets: Sequence[Atom]) -> tuple[tuple[str, ...], ...] | None:
        """Return the models, projected to the targets, in canonical form."""
        return self._ask(lambda session: session.models(targets), (), targets)

    def _ask(
        self,
        work: Callable[[Z3Session], T],
        further: Sequence[Sentence],
        targets: Sequence[Atom] = (),
    ) -> T | None:
        for fresh in (False, True):
            session = Z3Session(
                (*self._premises, *further), (*self._further, *targets), rlimit=self._rlimit, fresh=fresh
            )
            try:
                with session.held((), targets):
                    return work(session)
            except OutOfResourcesError:
                continue
            except TooManyModelsError:
                break
        return None


class _Names:
    """SMT-LIB names: numbers, so that any spelling of a symbol is allowed."""

    def __init__(
        self, propositions: Sequence[str], predicates: Sequence[tuple[str, int]], constants: Sequence[str]
    ) -> None:
        self.proposition = {name: f"p{place}" for place, name in enumerate(propositions)}
        self.predicate = {key: f"r{place}_{key[1]}" for place, key in enumerate(predicates)}
        self.constant = {name: f"c{place}" for place, name in enumerate(constants)}

    def declarations(self, first_order: bool) -> dict[str, str]:
        """Return the SMT-LIB declaration of each name."""
        lines = {name: f"(declare-const {name} Bool)\n" for name in self.proposition.values()}
        if first_order:
            lines = {"T": "(declare-sort T 0)\n", **lines}
            for (_, arity), name in self.predicate.items():
                lines[name] = f"(declare-fun {name} ({' '.join(['T'] * arity)}) Bool)\n"
            lines.update({name: f"(declare-const {name} T)\n" for name in self.constant.values()})
        return lines

    def text(self, sentence: Sentence, bound: dict[str, str]) -> str:
        match sentence:
            case Atom("=", (left, right)):
                return f"(= {self.term(left, bound)} {self.term(right, bound)})"
            case Atom(name, ()):
                return self.proposition[name]
            case Atom(name, terms):
                inner = " ".join([self.term(term, bound) for term in terms])
                return f"({self.predicate[name, len(terms)]} {inner})"
            case Negation(operand):
                return f"(not {self.text(operand, bound)})"
            case Binary(sign, left, right):
                return f"({_JOIN[sign]} {self.text(left, bound)} {self.text(right, bound)})"
            case Quantified(sign, variable, body):
                # A variable that is bound again hides the outer one, whose name is free then.
                names = (f"v{number}" for number in range(len(bound) + 1))
                name = next(name for name in names if name not in bound.values())
                word = "forall" if sign == "∀" else "exists"
                return f"({word} (({name} T)) {self.text(body, {**bound, variable: name})})"

    def term(self, name: str, bound: dict[str, str]) -> str:
        return bound[name] if name in bound else self.constant[name]


class _Solver:
    """A Z3 solver and the names declared in it, which outlive a pop."""

    def __init__(self, rlimit: int, first_order: bool, *, fresh: bool) -> None:
        import z3

        context = z3.Context() if fresh else None
        self.solver = z3.SimpleSolver(ctx=context) if first_order else z3.SolverFor("QF_FD", ctx=context)
        self.solver.set("rlimit", rlimit)
        self._declared: set[str] = set()
        self.held = 0
        self._booleans: dict[str, Any] = {}

    def boolean(self, name: str) -> Any:
        """Return the Boolean of that name; making another takes as long as a small check."""
        found = self._booleans.get(name)
        if found is None:
            import z3

            found = self._booleans[name] = z3.Bool(name, self.solver.ctx)
        return found

    def values(self, names: Sequence[str]) -> list[bool]:
        """Return what the last model says of Booleans; what it leaves open counts as false."""
        import z3

        # Z3's C interface: its Python classes take longer than the checks of small theories.
        context, model, value = self.solver.ctx.ref(), self.solver.model(), (z3.Ast * 1)()
        found = []
        for name in names:
            z3.Z3_model_eval(context, model.model, self.boolean(name).as_ast(), True, value)
            found.append(z3.Z3_get_bool_value(context, value[0]) == z3.Z3_L_TRUE)
        return found

    def block(self, names: Sequence[str], values: Sequence[bool]) -> None:
        """Add the clause that excludes one combination of values."""
        import z3

        clause = [
            self._negation(name) if true else self.boolean(name)
            for name, true in zip(names, values, strict=True)
        ]
        literals = (z3.Ast * len(clause))(*[literal.as_ast() for literal in clause])
        context = self.solver.ctx.ref()
        formula = z3.Z3_mk_or(context, len(clause), literals)
        z3.Z3_inc_ref(context, formula)
        z3.Z3_solver_assert(context, self.solver.solver, formula)
        z3.Z3_dec_ref(context, formula)

    def _negation(self, name: str) -> Any:
        key = f"not {name}"
        found = self._booleans.get(key)
        if found is None:
            import z3

            found = self._booleans[key] = z3.Not(self.boolean(name))
        return found

    def undeclared(self, declarations: dict[str, str]) -> str:
        """Return those declarations that the solver lacks, and take them as made."""
        lacking = [text for name, text in declarations.items() if name not in self._declared]
        self._declared.update(declarations)
        return "".join(lacking)


_SHARED: dict[tuple[int, bool], _Solver] = {}
_LASTS = 500
"""Theories that one solver holds in turn; Z3 keeps something of each, so that memory would grow with their number."""


def _shared(rlimit: int, first_order: bool) -> _Solver:
    """Return the solver of this process for one kind of theory."""
    solver = _SHARED.get((rlimit, first_order))
    if solver is None or solver.held >= _LASTS:
        solver = _SHARED[rlimit, first_order] = _Solver(rlimit, first_order, fresh=False)
    solver.held += 1
    return solver


def _ground(sentence: Sentence) -> bool:
    match sentence:
        case Quantified():
            return False
        case Negation(operand):
            return _ground(operand)
        case Binary(_, left, right):
            return _ground(left) and _ground(right)
        case _:
            return True


def _goals(theory: Formalization) -> tuple[list[Sentence], list[int]]:
    """Return the sentences whose satisfiability answers the queries, and where each query's begin."""
    goals: list[Sentence] = []
    places: list[int] = []
    for query in theory.queries:
        places.append(len(goals))
        if query.formula is None:
            continue
        if query.type == "enumerate_objects":
            goals += [substituted(query.formula, {query.variable: name}) for name in theory.constants]
        else:
            goals.append(query.formula if query.type == "possible" else Negation(query.formula))
    return goals, places


def _answer(session: Z3Session, query: Query, place: int, theory: Formalization) -> Answer:
    match query.type:
        case "possible":
            return "possible" if session.satisfiable(place) else "impossible"
        case "necessary":
            return "unnecessary" if session.satisfiable(place) else "necessary"
        case "enumerate_objects":
            names = theory.constants
            held = [[name] for index, name in enumerate(names) if session.satisfiable(place + index)]
            return sorted_models(held, names)
        case "enumerate_models":
            return session.models(query.targets)
        case "count_models":
            return len(session.models(query.targets))
        case "unique_solution":
            return "yes" if len(session.models(query.targets)) == 1 else "no"
        case "has_alternative":
            given = sorted_models([query.given or ()], list(map(target_name, query.targets)))[0]
            return "yes" if any(model != given for model in session.models(query.targets)) else "no"
