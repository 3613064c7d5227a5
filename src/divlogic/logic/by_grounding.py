"""Deciding first-order theories by their finite models: grounding into propositions, sizes 1 to n.

A theory of the Bernays-Schönfinkel class (no ``∃`` in the scope of a ``∀`` once negations stand before atoms; no
function terms) has a model only if it has one with at most as many things as it has constants and Skolem constants,
or one thing if it has none. There the search is complete; elsewhere a model that is found settles the matter, and a
search without success is ``bounded``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from divlogic.logic.decision import MOST_LISTED, Decision, Status, TooManyModelsError, Verdict
from divlogic.logic.fol import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import Answer, Formalization, Query, target_name, vocabulary

SEARCHED = 5
"""Largest domain searched where no size is enough for certain."""


class GroundDecider:
    """Decide theories by searching finite models."""

    name = "grounding"

    def __init__(self, searched: int = SEARCHED) -> None:
        self.searched = searched

    def decide(self, theory: Formalization) -> Decision:
        """Answer every query; ``bounded`` where no model was found and larger ones may exist."""
        verdicts = []
        for query in theory.queries:
            try:
                answer, certain = self._answer(theory, query)
            except TooManyModelsError:
                verdicts.append(Verdict(query.id, None, "undecided"))
                continue
            status: Status = "decided" if certain else "bounded"
            verdicts.append(Verdict(query.id, answer, status))
        found, _ = self.search(theory, [])
        return Decision(found, tuple(verdicts), (self.name,))

    def _answer(self, theory: Formalization, query: Query) -> tuple[Answer, bool]:
        if query.type == "possible":
            found, certain = self.search(theory, [query.formula])
            return "possible" if found else "impossible", certain
        if query.type == "necessary":
            assert query.formula is not None
            found, certain = self.search(theory, [Negation(query.formula)])
            return "unnecessary" if found else "necessary", certain
        if query.type == "enumerate_objects":
            rows, all_certain = [], True
            for name in theory.constants:
                found, certain = self.search(theory, [_instance(query.formula, query.variable, name)])
                all_certain &= certain
                if found:
                    rows.append((name,))
            return tuple(rows), all_certain
        models, certain = self._projections(theory, query.targets)
        if query.type == "enumerate_models":
            return models, certain
        if query.type == "count_models":
            return len(models), certain
        if query.type == "unique_solution":
            # Two models settle it, however far the search went.
            return ("yes" if len(models) == 1 else "no"), certain or len(models) > 1
        others = [model for model in models if set(model) != set(query.given or ())]
        return ("yes" if others else "no"), certain or bool(others)

    def search(self, theory: Formalization, goals: Sequence[Sentence | None]) -> tuple[bool, bool]:
        """Return whether a model of the theory and the goals was found, and whether that is certain."""
        import z3

        sentences = [*theory.axioms(), *(goal for goal in goals if goal is not None)]
        sizes, complete = self._sizes(sentences, theory)
        for size in sizes:
            solver = _grounded(sentences, theory, size)
            if solver is not None and solver.check() == z3.sat:
                return True, True
        return False, complete

    def _projections(
        self, theory: Formalization, targets: Sequence[Atom]
    ) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """Return the projected models that were found, in canonical form, and whether they are all.

        Raises:
            TooManyModelsError: there are more than ``MOST_LISTED``.
        """
        import z3

        sentences = [*theory.axioms(), *targets]
        sizes, complete = self._sizes(sentences, theory)
        rows: set[tuple[int, ...]] = set()
        for size in sizes:
            grounder = _Grounder(sentences, theory, size)
            solver = grounder.solver(theory.axioms(), targets)
            atoms = [z3.Bool(f"t{place}") for place in range(len(targets))]
            for row in rows:
                solver.add(_other(atoms, row))
            while solver.check() == z3.sat:
                model = solver.model()
                row = tuple(
                    place
                    for place, atom in enumerate(atoms)
                    if z3.is_true(model.eval(atom, model_completion=True))
                )
                rows.add(row)
                if len(rows) > MOST_LISTED:
                    raise TooManyModelsError
                solver.add(_other(atoms, row))
        names = [target_name(target) for target in targets]
        return tuple(tuple(names[place] for place in row) for row in sorted(rows)), complete

    def _sizes(self, sentences: Sequence[Sentence], theory: Formalization) -> tuple[range, bool]:
        skolem, complete = 0, True
        for sentence in sentences:
            count, fits = _skolem_constants(sentence, True, False)
            skolem += count
            complete &= fits
        names = set(vocabulary(sentences).constants) | set(theory.constants)
        needed = max(1, len(names) + skolem)
        return range(1, (needed if complete else max(1, self.searched)) + 1), complete


class _Grounder:
    """One domain 0 ... size-1: predicates become propositions, quantifiers conjunctions and disjunctions."""

    def __init__(self, sentences: Sequence[Sentence], theory: Formalization, size: int) -> None:
        used = vocabulary(sentences)
        self.size = size
        self.constants = sorted(set(used.constants) | set(theory.constants))
        self._symbols = {name: place for place, name in enumerate(used.propositions)}
        self._predicates = {key: place for place, key in enumerate(used.predicates)}
        self._declared: dict[str, None] = {}

    def proposition(self, name: str) -> str:
        """Return the Boolean of a proposition."""
        return self._boolean(f"a{self._symbols[name]}")

    def solver(self, sentences: Sequence[Sentence], targets: Sequence[Atom] = ()) -> Any:
        """Return a solver that holds the sentences over this domain, and Booleans ``t0``, ... equal to the targets."""
        import z3

        asserted = [self._formula(sentence, {}) for sentence in sentences] + self._denotations()
        for place, target in enumerate(targets):
            asserted.append(f"(= {self._boolean(f't{place}')} {self._formula(target, {})})")
        text = [f"(declare-const {name} Bool)" for name in self._declared]
        text += [f"(assert {part})" for part in asserted]
        solver = z3.SolverFor("QF_FD")
        solver.from_string("\n".join(text))
        return solver

    def _denotations(self) -> list[str]:
        """Each constant denotes exactly one thing; a thing is used only after the one before it (symmetry)."""
        rules = []
        for place, name in enumerate(self.constants):
            choices = [self._denotes(name, thing) for thing in range(self.size)]
            rules.append(_join("or", choices))
            for thing, other in product(range(self.size), repeat=2):
                if thing < other:
                    rules.append(f"(not (and {choices[thing]} {choices[other]}))")
            for thing in range(1, self.size):
                earlier = [self._denotes(before, thing - 1) for before in self.constants[:place]]
                rules.append(f"(=> {choices[thing]} {_join('or', earlier)})")
        return rules

    def _denotes(self, constant: str, thing: int) -> str:
        return self._boolean(f"d{self.constants.index(constant)}_{thing}")

    def _boolean(self, name: str) -> str:
        self._declared.setdefault(name)
        return name

    def _formula(self, sentence: Sentence, bound: dict[str, int]) -> str:
        match sentence:
            case Atom(name, ()):
                return self.proposition(name)
            case Atom(name, terms):
                # Every combination of things that the terms may denote, under the condition that they do.
                cases = []
                for things in product(*[self._things(term, bound) for term in terms]):
                    conditions = [condition for _, condition in things if condition]
                    chosen = [thing for thing, _ in things]
                    if name == "=":
                        if chosen[0] == chosen[1]:
                            cases.append(_join("and", conditions))
                        continue
                    number = self._predicates[name, len(terms)]
                    held = self._boolean(f"p{number}_{'_'.join(map(str, chosen))}")
                    cases.append(_join("and", [*conditions, held]))
                return _join("or", cases)
            case Negation(operand):
                return f"(not {self._formula(operand, bound)})"
            case Binary(sign, left, right):
                first, second = self._formula(left, bound), self._formula(right, bound)
                if sign == "→":
                    return f"(or (not {first}) {second})"
                word = {"∧": "and", "∨": "or", "↔": "=", "⊕": "xor"}[sign]
                return f"({word} {first} {second})"
            case Quantified(sign, variable, body):
                parts = [self._formula(body, {**bound, variable: thing}) for thing in range(self.size)]
                return _join("and" if sign == "∀" else "or", parts)

    def _things(self, term: str, bound: dict[str, int]) -> list[tuple[int, str]]:
        """Return the things that a term may denote, each with the condition that it does."""
        if term in bound:
            return [(bound[term], "")]
        return [(thing, self._denotes(term, thing)) for thing in range(self.size)]


def _grounded(sentences: Sequence[Sentence], theory: Formalization, size: int) -> Any:
    return _Grounder(sentences, theory, size).solver(sentences)


def _join(word: str, parts: Sequence[str]) -> str:
    if not parts:
        return "true" if word == "and" else "false"
    return parts[0] if len(parts) == 1 else f"({word} {' '.join(parts)})"


def _other(atoms: Sequence[Any], row: tuple[int, ...]) -> Any:
    """Return the clause that excludes one combination of the atoms."""
    import z3

    return z3.Or(*[z3.Not(atom) if place in row else atom for place, atom in enumerate(atoms)])


def _skolem_constants(sentence: Sentence, positive: bool, below: bool) -> tuple[int, bool]:
    """Count the ``∃`` of the negation normal form; tell whether none stands below a ``∀``."""
    match sentence:
        case Negation(operand):
            return _skolem_constants(operand, not positive, below)
        case Binary("→", left, right):
            return _both(
                _skolem_constants(left, not positive, below), _skolem_constants(right, positive, below)
            )
        case Binary("∧" | "∨", left, right):
            return _both(_skolem_constants(left, positive, below), _skolem_constants(right, positive, below))
        case Binary(_, left, right):  # ↔ and ⊕ hold each side in both polarities
            sides = [_skolem_constants(part, each, below) for part in (left, right) for each in (True, False)]
            return _both(_both(*sides[:2]), _both(*sides[2:]))
        case Quantified(sign, _, body):
            if (sign == "∀") == positive:
                return _skolem_constants(body, positive, True)
            count, fits = _skolem_constants(body, positive, below)
            return count + 1, fits and not below
        case _:
            return 0, True


def _both(first: tuple[int, bool], second: tuple[int, bool]) -> tuple[int, bool]:
    return first[0] + second[0], first[1] and second[1]


def _instance(sentence: Sentence | None, variable: str, constant: str) -> Sentence:
    """Put a constant where the variable stands free."""
    match sentence:
        case Atom(name, terms):
            return Atom(name, tuple(constant if term == variable else term for term in terms))
        case Negation(operand):
            return Negation(_instance(operand, variable, constant))
        case Binary(sign, left, right):
            return Binary(sign, _instance(left, variable, constant), _instance(right, variable, constant))
        case Quantified(sign, bound, body):
            return (
                sentence
                if bound == variable
                else Quantified(sign, bound, _instance(body, variable, constant))
            )
    raise ValueError("a query about objects has no formula")
