"""Sentences over a finite domain: grounded to propositions, and to clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import target_name

Fact = tuple[str, tuple[str, ...], bool]
"""A predicate, the things that it is said of, and whether it holds of them."""

_MOST_CLAUSES = 10_000


def grounded(sentence: Sentence, constants: Sequence[str]) -> Sentence | bool:
    """Return a sentence of a closed domain without quantifiers and terms: ``P(a)`` becomes a proposition."""

    def atom(name: str, terms: tuple[str, ...]) -> Sentence | bool:
        return terms[0] == terms[1] if name == "=" else Atom(target_name(Atom(name, terms)), ())

    return ground(sentence, constants, atom)


def ground(
    sentence: Sentence,
    domain: Sequence[Any],
    atom: Callable[[str, tuple[Any, ...]], Sentence | bool],
    bound: Mapping[str, Any] | None = None,
) -> Sentence | bool:
    """Return a sentence with its quantifiers spelled out over a domain; truth values are worked in.

    Args:
        sentence: the sentence.
        domain: the things that quantifiers range over.
        atom: what an atom becomes, by its predicate and its terms: names, or things of the domain where a quantifier
            bound them.
        bound: things that variables stand for.
    """
    bound = bound or {}
    match sentence:
        case Atom(name, terms):
            return atom(name, tuple([bound.get(term, term) for term in terms]))
        case Negation(operand):
            return _opposite(ground(operand, domain, atom, bound))
        case Binary(sign, left, right):
            return joined(sign, ground(left, domain, atom, bound), ground(right, domain, atom, bound))
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


def propositions_of(sentence: Sentence | bool) -> Iterator[str]:
    """Yield the names of a ground sentence's propositions."""
    match sentence:
        case Atom(name, _):
            yield name
        case Negation(operand):
            yield from propositions_of(operand)
        case Binary(_, left, right):
            yield from propositions_of(left)
            yield from propositions_of(right)


def clauses_over(sentence: Sentence, domain: Sequence[str], holds: bool = True) -> list[tuple[Fact, ...]]:
    """Return a sentence, or its denial, as clauses over a domain whose things are all that there is.

    A model of these clauses is a model of the sentence: one in which each name stands for itself.

    Raises:
        ValueError: a term names nothing of the domain, or the clauses would be too many.
    """
    known = frozenset(domain)

    def atom(name: str, terms: tuple[str, ...]) -> Sentence | bool:
        if not known.issuperset(terms):
            raise ValueError(f"{name}({', '.join(terms)}): not everyone is among {', '.join(domain)}")
        return terms[0] == terms[1] if name == "=" else Atom(name, terms)

    whole = ground(sentence, domain, atom)
    if isinstance(whole, bool):
        return [] if whole == holds else [()]
    return _clauses(whole, holds)


def _clauses(sentence: Sentence, holds: bool) -> list[tuple[Fact, ...]]:
    match sentence:
        case Atom(predicate, terms):
            return [((predicate, terms, holds),)]
        case Negation(operand):
            return _clauses(operand, not holds)
        case Binary(("↔" | "⊕") as sign, left, right):
            same = (sign == "↔") == holds
            return [
                clause
                for first, second in ((True, not same), (False, same))
                for clause in _either([_clauses(left, first), _clauses(right, second)])
            ]
        case Binary(sign, left, right):
            parts = [_clauses(left, holds != (sign == "→")), _clauses(right, holds)]
            if (sign == "∧") == holds:
                return [*parts[0], *parts[1]]
            return _either(parts)
    raise ValueError("a clause needs a sentence without quantifiers")


def _either(parts: Iterable[list[tuple[Fact, ...]]]) -> list[tuple[Fact, ...]]:
    found: list[tuple[Fact, ...]] = [()]
    for part in parts:
        found = [(*one, *other) for one in found for other in part]
        if len(found) > _MOST_CLAUSES:
            raise ValueError("a sentence has too many cases")
    return found


def refuted_together(cases: Sequence[Sequence[int]], free: int) -> list[tuple[int, ...]]:
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
