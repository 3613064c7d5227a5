"""Sentences over a finite domain: grounded to propositions, to clauses, and decided by searching finite models.

A theory of the Bernays-Schönfinkel class (no ``∃`` in the scope of a ``∀`` once negations stand before atoms; no
function terms) has a model only if it has one with at most as many things as it has constants and Skolem constants,
or one thing if it has none. There the search is complete; elsewhere a model that is found settles the matter, and a
search without success is ``bounded``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, combinations, product
from typing import Any

from divlogic.logic import theory
from divlogic.logic.smt import Clause, Z3Session
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import Answer, Decision, Formalization, Judgement, Query, answer_of

Fact = tuple[str, tuple[str, ...], bool]
"""A predicate, the things that it is said of, and whether it holds of them."""

_MOST_CLAUSES = 10_000

SEARCHED = 5
"""Largest domain searched where no size is enough for certain."""


def grounded(sentence: Sentence, constants: Sequence[str]) -> Sentence | bool:
    """Return a sentence of a closed domain without quantifiers and terms: ``P(a)`` becomes a proposition."""

    def atom(name: str, terms: tuple[str, ...]) -> Sentence | bool:
        return terms[0] == terms[1] if name == "=" else Atom(theory.target_name(Atom(name, terms)))

    return ground(sentence, constants, atom)


def ground(
    sentence: Sentence,
    domain: Sequence[Any],
    atom: Callable[[str, tuple[Any, ...]], Sentence | bool],
    bound: Mapping[str, Any] | None = None,
) -> Sentence | bool:
    """Return a sentence with its quantifiers spelled out over a domain; truth values are worked in.

    Args:
        domain: the things that quantifiers range over.
        atom: what an atom becomes, by its predicate and its terms: names, or things of the domain where a quantifier
            bound them.
    """
    bound = bound or {}
    match sentence:
        case Atom(name, terms):
            return atom(name, tuple([bound.get(term, term) for term in terms]))
        case Negation(operand):
            return _opposite(ground(operand, domain, atom, bound))
        case Binary(sign, left, right):
            return joined(
                sign, ground(left, domain, atom, bound), ground(right, domain, atom, bound)
            )
        case Quantified(sign, variable, body):
            total: Sentence | bool = sign == "∀"
            for thing in domain:
                part = ground(body, domain, atom, {**bound, variable: thing})
                total = joined("∧" if sign == "∀" else "∨", total, part)
            return total


def joined(sign: str, left: Sentence | bool, right: Sentence | bool) -> Sentence | bool:
    """Join two sentences or truth values; truth values are worked in."""
    if not isinstance(left, bool) and not isinstance(right, bool):
        return Binary(sign, left, right)
    if sign == "→":
        return joined("∨", _opposite(left), right)
    value, other = (left, right) if isinstance(left, bool) else (right, left)
    if sign in "↔⊕":
        return other if value == (sign == "↔") else _opposite(other)
    return other if value == (sign == "∧") else value


def _opposite(sentence: Sentence | bool) -> Sentence | bool:
    return (not sentence) if isinstance(sentence, bool) else Negation(sentence)


def clauses_over(
    sentence: Sentence, domain: Sequence[str], holds: bool = True
) -> list[tuple[Fact, ...]]:
    """Return a sentence, or its denial, as clauses over a domain whose things are all that there is.

    A model of these clauses is a model of the sentence: one in which each name stands for itself.

    Raises:
        ValueError: a term names nothing of the domain, or the clauses would be too many.
    """
    known = frozenset(domain)

    def clauses(part: Sentence, bound: Mapping[str, str], holds: bool) -> list[tuple[Fact, ...]]:
        if isinstance(part, Atom):
            terms = tuple([bound.get(term, term) for term in part.terms])
            if not known.issuperset(terms):
                raise ValueError(
                    f"{part.predicate}({', '.join(terms)}): not everyone is among {', '.join(domain)}"
                )
            if part.predicate == "=":
                return [] if (terms[0] == terms[1]) == holds else [()]
            return [((part.predicate, terms, holds),)]
        if isinstance(part, Negation):
            return clauses(part.operand, bound, not holds)
        if isinstance(part, Quantified):
            parts = [clauses(part.body, {**bound, part.variable: thing}, holds) for thing in domain]
            every = (part.sign == "∀") == holds
        elif part.sign in "↔⊕":
            same = (part.sign == "↔") == holds
            return [
                clause
                for first, second in ((True, not same), (False, same))
                for clause in _either(
                    [clauses(part.left, bound, first), clauses(part.right, bound, second)]
                )
            ]
        else:
            left = clauses(part.left, bound, holds != (part.sign == "→"))
            parts = [left, clauses(part.right, bound, holds)]
            every = (part.sign == "∧") == holds
        return list(chain.from_iterable(parts)) if every else _either(parts)

    return clauses(sentence, {}, holds)


def is_universal(sentence: Sentence) -> bool:
    """Return whether a sentence claims no existence: it then holds of each part of its domain that has its names."""
    return not _skolem_constants(sentence, True, False)[0]


def _either(parts: Iterable[list[tuple[Fact, ...]]]) -> list[tuple[Fact, ...]]:
    found: list[tuple[Fact, ...]] = [()]
    for part in parts:
        found = [(*one, *other) for one in found for other in part]
        if len(found) > _MOST_CLAUSES:
            raise ValueError("a sentence has too many cases")
    return found


def numbers() -> dict[Any, int]:
    """Return a dictionary that gives each new key the next number from 1."""
    found: dict[Any, int] = defaultdict(lambda: len(found) + 1)
    return found


def coded(clauses: Iterable[tuple[Fact, ...]], number: dict[Any, int]) -> list[Clause]:
    """Return clauses with a number for each predicate and its things."""
    return [
        tuple(
            [
                number[name, terms] if holds else -number[name, terms]
                for name, terms, holds in clause
            ]
        )
        for clause in clauses
    ]


class GroundDecider:
    """Decide theories by searching finite models."""

    name = "grounding"

    def decide(self, formalization: Formalization) -> Decision:
        """Answer every query; ``bounded`` where no model was found and larger ones may exist."""
        verdicts = []
        for query in formalization.queries:
            try:
                answer, certain = self._answer(formalization, query)
            except theory.TooManyModelsError:
                verdicts.append(Judgement(query.id, None, "undecided"))
                continue
            status: theory.Status = "decided" if certain else "bounded"
            verdicts.append(Judgement(query.id, answer, status))
        found, _ = self.search(formalization, [])
        return Decision(found, tuple(verdicts), (self.name,))

    def _answer(self, formalization: Formalization, query: Query) -> tuple[Answer, bool]:
        if query.formula is not None:
            found = [
                self.search(formalization, [goal])
                for goal in theory.goals_of(query, formalization.constants)
            ]
            answer = answer_of(query, formalization.constants, [held for held, _ in found])
            return answer, all(certain for _, certain in found)
        models, certain = self._projections(formalization, query.targets)
        answer = theory.answer_of_models(query, models)
        # Two models, or another one than the given, settle it however far the search went.
        settled = (query.type == "unique_solution" and len(models) > 1) or (
            query.type == "has_alternative" and answer == "yes"
        )
        return answer, certain or settled

    def search(self, formalization: Formalization, goals: Sequence[Sentence]) -> tuple[bool, bool]:
        """Return whether a model of the theory and the goals was found, and whether that is certain."""
        sentences = [*formalization.axioms(), *goals]
        sizes, complete = self._sizes(sentences, formalization)
        for size in sizes:
            with Z3Session(
                _Domain(sentences, formalization, size).axioms(sentences), rlimit=0
            ) as session:
                if session.satisfiable():
                    return True, True
        return False, complete

    def _projections(
        self, formalization: Formalization, targets: Sequence[Atom]
    ) -> tuple[tuple[tuple[str, ...], ...], bool]:
        """Return the projected models that were found, in canonical form, and whether they are all."""
        sentences = [*formalization.axioms(), *targets]
        sizes, complete = self._sizes(sentences, formalization)
        rows: set[tuple[str, ...]] = set()
        names = [theory.target_name(target) for target in targets]
        held = [Atom(f"target {name}") for name in names]
        for size in sizes:
            domain = _Domain(sentences, formalization, size)
            premises = domain.axioms(formalization.axioms())
            premises += map(partial(Binary, "↔"), held, map(domain.sentence, targets))
            with Z3Session(premises, (), held, rlimit=0) as session:
                rows.update(session.models(held))
            if len(rows) > theory.MOST_LISTED:
                raise theory.TooManyModelsError
        models = [[name.removeprefix("target ") for name in row] for row in rows]
        return theory.sorted_models(models, names), complete

    def _sizes(
        self, sentences: Sequence[Sentence], formalization: Formalization
    ) -> tuple[range, bool]:
        if formalization.domain == "closed" and formalization.constants:  # these are all there is
            return range(1, len(formalization.constants) + 1), True
        skolem, complete = 0, True
        for sentence in sentences:
            count, fits = _skolem_constants(sentence, True, False)
            skolem += count
            complete &= fits
        names = set(theory.vocabulary(sentences).constants) | set(formalization.constants)
        needed = max(1, len(names) + skolem)
        return range(1, (needed if complete else SEARCHED) + 1), complete


class _Domain:
    """One domain 0 ... size-1: predicates become propositions, quantifiers conjunctions and disjunctions."""

    def __init__(
        self, sentences: Sequence[Sentence], formalization: Formalization, size: int
    ) -> None:
        self.things = range(size)
        self.constants = sorted(
            set(theory.vocabulary(sentences).constants) | set(formalization.constants)
        )

    def axioms(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return sentences over this domain, with what constants denote in it."""
        return [*map(self.sentence, sentences), *self._denotations()]

    def sentence(self, sentence: Sentence) -> Sentence:
        """Return a sentence as one about propositions."""
        found = ground(sentence, self.things, self._atom)
        if isinstance(found, bool):
            constant = Atom("constant")
            return Binary("∨" if found else "∧", constant, Negation(constant))
        return found

    def _denotations(self) -> list[Sentence]:
        """Each constant denotes exactly one thing; a thing is used only after the one before it (symmetry)."""
        rules: list[Sentence] = []
        for place, name in enumerate(self.constants):
            choices = [_denotes(name, thing) for thing in self.things]
            rules.append(theory.disjunction(choices))
            rules += [Negation(Binary("∧", one, other)) for one, other in combinations(choices, 2)]
            for thing in self.things[1:]:
                earlier = [_denotes(before, thing - 1) for before in self.constants[:place]]
                rules.append(theory.disjunction([Negation(choices[thing]), *earlier]))
        return rules

    def _atom(self, name: str, terms: tuple[str | int, ...]) -> Sentence | bool:
        """Return the cases of the things that the terms may denote, each under the condition that they do."""
        if not terms:
            return Atom(f"proposition {name}")
        total: Sentence | bool = False
        options = [self.things if isinstance(term, str) else (term,) for term in terms]
        for chosen in product(*options):
            case: Sentence | bool = (
                chosen[0] == chosen[1] if name == "=" else Atom(f"{name} {len(terms)} {chosen}")
            )
            for term, thing in zip(terms, chosen, strict=True):
                if isinstance(term, str):
                    case = joined("∧", case, _denotes(term, thing))
            total = joined("∨", total, case)
        return total


def _denotes(constant: str, thing: int) -> Sentence:
    return Atom(f"constant {constant} {thing}")


def _skolem_constants(sentence: Sentence, positive: bool, below: bool) -> tuple[int, bool]:
    """Count the ``∃`` of the negation normal form; tell whether none stands below a ``∀``."""
    match sentence:
        case Negation(operand):
            return _skolem_constants(operand, not positive, below)
        case Binary("↔" | "⊕", left, right):  # each side in both polarities
            counts = [
                _skolem_constants(*way, below) for way in product((left, right), (True, False))
            ]
        case Binary(sign, left, right):
            first = positive if sign != "→" else not positive
            counts = [
                _skolem_constants(left, first, below),
                _skolem_constants(right, positive, below),
            ]
        case Quantified(sign, _, body):
            universal = (sign == "∀") == positive
            count, fits = _skolem_constants(body, positive, below or universal)
            return (count, fits) if universal else (count + 1, fits and not below)
        case _:
            return 0, True
    return sum(count for count, _ in counts), all(fits for _, fits in counts)
