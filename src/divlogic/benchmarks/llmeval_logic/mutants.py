"""Mutants of a theory: one premise dropped, or changed at one node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from divlogic.logic.equivalence import operands
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import Formalization, conjunction, disjunction


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed theory.

    Attributes:
        operator: what changed it.
        place: number of the premise that changed.
        formula: what the premise says now; ``None``: it is dropped.
    """

    operator: str
    place: int
    formula: Sentence | None
    theory: Formalization


def mutants(theory: Formalization) -> Iterator[Mutant]:
    """Yield the mutants in the order of premises and nodes; of equal theories only the first."""
    seen = {tuple(premise.formula for premise in theory.premises)}
    for place, premise in enumerate(theory.premises):
        changes: list[tuple[str, Sentence | None]] = [("drop", None), *sentence_mutants(premise.formula)]
        for operator, formula in changes:
            premises = list(theory.premises)
            if formula is None:
                del premises[place]
            else:
                premises[place] = replace(premise, formula=formula, expression=None)
            key = tuple(each.formula for each in premises)
            if key not in seen:
                seen.add(key)
                yield Mutant(operator, place, formula, theory.with_premises(premises))


def sentence_mutants(sentence: Sentence) -> Iterator[tuple[str, Sentence]]:
    """Yield every sentence that differs at one node, with the operator's name; the node itself first.

    A chain of conjuncts or of disjuncts is one node.
    """
    match sentence:
        case Atom():
            yield "negate", Negation(sentence)
        case Negation(operand):
            yield "drop_negation", operand
            for name, changed in sentence_mutants(operand):
                # A double negation is a negation dropped.
                if not isinstance(changed, Negation) or isinstance(operand, Negation):
                    yield name, Negation(changed)
        case Binary(("∧" | "∨") as sign, _, _):
            parts = operands(sentence, sign)
            other = "∨" if sign == "∧" else "∧"
            yield ("and_to_or" if sign == "∧" else "or_to_and"), _chained(other, parts)
            for place, part in enumerate(parts):
                for name, changed in sentence_mutants(part):
                    yield name, _chained(sign, [*parts[:place], changed, *parts[place + 1 :]])
        case Binary(sign, left, right):
            yield from _at_connective(sign, left, right)
            for name, changed in sentence_mutants(left):
                yield name, Binary(sign, changed, right)
            for name, changed in sentence_mutants(right):
                yield name, Binary(sign, left, changed)
        case Quantified(sign, variable, body):
            other = "∃" if sign == "∀" else "∀"
            yield (
                ("forall_to_exists" if sign == "∀" else "exists_to_forall"),
                Quantified(other, variable, body),
            )
            for name, changed in sentence_mutants(body):
                yield name, Quantified(sign, variable, changed)


def _at_connective(sign: str, left: Sentence, right: Sentence) -> Iterator[tuple[str, Sentence]]:
    if sign == "→":
        yield "converse", Binary("→", right, left)
        yield "implies_to_iff", Binary("↔", left, right)
        yield "implies_to_and", Binary("∧", left, right)
    elif sign == "↔":
        yield "iff_to_implies", Binary("→", left, right)


def _chained(sign: str, parts: list[Sentence]) -> Sentence:
    return conjunction(parts) if sign == "∧" else disjunction(parts)
