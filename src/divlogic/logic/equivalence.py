"""Equivalence of two formalizations over the same symbols: the first level that holds, what is extra or missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from types import MappingProxyType
from typing import Literal

from divlogic.logic.deciding import Premises, open_premises, quick_decider
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import Formalization, Query, substituted, target_name, unused, vocabulary

Level = Literal["identical", "canonical", "equivalent", "same_answers", "different"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a candidate stands to a reference.

    Attributes:
        level: ``identical`` as written; ``canonical`` but for the order of premises and operands, bound names and
            double negations; ``equivalent``: each entails the other, and under the premises the queries are equivalent;
            ``same_answers`` only; ``different``.
        extra: ids of the candidate's premises that the reference does not entail.
        missing: ids of the reference's premises that the candidate does not entail.
        queries: ids of the reference's queries that the candidate does not ask.
        certain: whether every question was decided; what is undecided counts as not holding.
    """

    level: Level
    extra: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    certain: bool = True

    @property
    def equivalent(self) -> bool:
        """Whether the level is ``equivalent`` or better."""
        return self.level in ("identical", "canonical", "equivalent")


def compare(candidate: Formalization, reference: Formalization) -> Comparison:
    """Return the first level at which two formalizations agree; queries are paired by their order."""
    if _written(candidate) == _written(reference):
        return Comparison("identical")
    if _canonical_form(candidate) == _canonical_form(reference):
        return Comparison("canonical")
    everything = (*candidate.sentences(), *reference.sentences())
    held = open_premises(candidate.axioms(), everything)
    required = open_premises(reference.axioms(), everything)
    found = {
        "extra": [(p.id, required.entails(p.formula)) for p in candidate.premises],
        "missing": [(p.id, held.entails(p.formula)) for p in reference.premises],
    }
    asked = [
        (query.id, _same_query(other, query, required))
        for query, other in zip(
            reference.queries, chain(candidate.queries, repeat(None)), strict=False
        )
    ]
    certain = all(each is not None for rows in (*found.values(), asked) for _, each in rows)
    extra, missing = (
        tuple(name for name, holds in found[key] if not holds) for key in ("extra", "missing")
    )
    queries = tuple(name for name, holds in asked if not holds)
    same_domain = candidate.domain == reference.domain or candidate.propositional
    surplus = len(candidate.queries) > len(reference.queries)
    if not (extra or missing or queries or surplus) and same_domain:
        return Comparison("equivalent", certain=certain)
    answers = [_answers(theory) for theory in (candidate, reference)]
    level: Level = (
        "same_answers" if answers[0] == answers[1] and answers[0] is not None else "different"
    )
    return Comparison(level, extra, missing, queries, certain)


def same_formula(left: Sentence, right: Sentence, premises: Premises) -> bool | None:
    """Return whether two formulas are equivalent under premises."""
    return premises.entails(Binary("↔", left, right))


def same_formulas(left: Sequence[Sentence], right: Sequence[Sentence], premises: Premises) -> bool:
    """Return whether each formula of one list is equivalent to another one of the other list."""
    rest = list(right)
    for each in left:
        match = next(
            (other for other in rest if other == each or same_formula(each, other, premises)), None
        )
        if match is None:
            return False
        rest.remove(match)
    return not rest


def _same_query(candidate: Query | None, reference: Query, premises: Premises) -> bool | None:
    if candidate is None or candidate.type != reference.type:
        return False
    if reference.formula is not None:
        if candidate.formula is None:
            return False
        left, right = candidate.formula, reference.formula
        if reference.variable:
            # Both formulas are about any thing: the variables are bound by one quantifier, under a name that no
            # quantifier inside binds.
            used = vocabulary((left, right))
            name = unused("x", (*used.bound, *used.constants))
            left = substituted(left, {candidate.variable: name})
            right = substituted(right, {reference.variable: name})
            return premises.entails(Quantified("∀", name, Binary("↔", left, right)))
        return same_formula(left, right, premises)
    same_given = _given(candidate) == _given(reference)
    return same_given and same_formulas(reference.targets, candidate.targets, premises)


def _given(query: Query) -> frozenset[str] | None:
    return None if query.given is None else frozenset(query.given)


def _answers(theory: Formalization) -> tuple[object, ...] | None:
    answers = tuple(verdict.answer for verdict in quick_decider(theory).decide(theory).verdicts)
    return None if None in answers else answers


def _written(theory: Formalization) -> tuple[object, ...]:
    queries = tuple((q.type, q.formula, q.targets, q.variable, q.given) for q in theory.queries)
    return theory.domain, tuple(premise.formula for premise in theory.premises), queries


def _canonical_form(theory: Formalization) -> tuple[object, ...]:
    queries = []
    for query in theory.queries:
        formula = query.formula
        if formula is not None and query.variable:
            formula = Quantified("∀", query.variable, formula)
        targets = frozenset(map(target_name, query.targets))
        queries.append((query.type, formula and canonical(formula), targets, _given(query)))
    domain = "open" if theory.propositional else theory.domain
    return (
        domain,
        frozenset(canonical(premise.formula) for premise in theory.premises),
        tuple(queries),
    )


def canonical(
    sentence: Sentence, bound: Mapping[str, str] = MappingProxyType({}), depth: int = 0
) -> str:
    """Return a text that is the same for sentences that differ only in the order and grouping of operands, the names of
    bound variables and double negations."""

    def inner(part: Sentence) -> str:
        return canonical(part, bound, depth)

    match sentence:
        case Atom("=", terms):
            return "=({})".format(",".join(sorted(bound.get(term, term) for term in terms)))
        case Atom(name, terms):
            return f"{name}({','.join(bound.get(term, term) for term in terms)})"
        case Negation(Negation(operand)):
            return inner(operand)
        case Negation(operand):
            return f"¬{inner(operand)}"
        case Binary(("∧" | "∨") as sign, _, _):
            parts = sorted({inner(part) for part in operands(sentence, sign)})
            return parts[0] if len(parts) == 1 else f"{sign}[{' '.join(parts)}]"
        case Binary(("↔" | "⊕") as sign, left, right):
            return f"{sign}[{' '.join(sorted((inner(left), inner(right))))}]"
        case Binary(sign, left, right):
            return f"{sign}[{inner(left)} {inner(right)}]"
        case Quantified(sign, variable, body):
            # No symbol begins with a control character, so that a bound name is never taken for a constant.
            name = f"\x01{depth}"
            return f"{sign}{name}.{canonical(body, {**bound, variable: name}, depth + 1)}"


def operands(sentence: Sentence, sign: str) -> list[Sentence]:
    """Return the operands of nested binary formulas of one sign, left to right; double negations are passed through."""
    while isinstance(sentence, Negation) and isinstance(sentence.operand, Negation):
        sentence = sentence.operand.operand
    if isinstance(sentence, Binary) and sentence.sign == sign:
        return operands(sentence.left, sign) + operands(sentence.right, sign)
    return [sentence]
