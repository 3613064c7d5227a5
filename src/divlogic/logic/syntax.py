"""The abstract syntax of sentences, without function terms; propositions are atoms without terms.

:func:`to_text` prints the notation of DivLogicEval (Eq. 1 and Figure 1): ``¬A``, ``(A→¬B)``, ``(¬(A∧B)→C)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of terms; terms are names."""

    predicate: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Negation:
    """Not ``operand``."""

    operand: Sentence


@dataclass(frozen=True, slots=True)
class Binary:
    """Two formulas joined by one of ``∧ ∨ ⊕ → ↔``."""

    sign: str
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Quantified:
    """``∀`` or ``∃`` a variable."""

    sign: str
    variable: str
    body: Sentence


Sentence: TypeAlias = Atom | Negation | Binary | Quantified
Formula: TypeAlias = Sentence
"""A sentence without terms and quantifiers."""

Var, Not = Atom, Negation
And, Or, Implies = partial(Binary, "∧"), partial(Binary, "∨"), partial(Binary, "→")
"""The names of atoms, and what makes formulas of formulas, in propositional logic."""


def to_text(sentence: Sentence) -> str:
    """Print a sentence in the papers' notation, every binary connective in brackets."""
    match sentence:
        case Atom(name, terms):
            return f"{name}({', '.join(terms)})" if terms else name
        case Negation(operand):
            return "¬" + to_text(operand)
        case Binary(sign, left, right):
            return f"({to_text(left)}{sign}{to_text(right)})"
        case Quantified(sign, variable, body):
            return f"{sign}{variable} {to_text(body)}"


def negate(sentence: Sentence) -> Sentence:
    """Negate a sentence; a double negation is removed.

    >>> to_text(negate(Negation(Atom("A"))))
    'A'
    """
    return sentence.operand if isinstance(sentence, Negation) else Negation(sentence)


def atoms_of(sentence: Sentence) -> Iterator[Atom]:
    """Yield the atoms of a sentence from left to right."""
    waiting = [sentence]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Atom):
            yield part
        elif isinstance(part, Binary):
            waiting += (part.right, part.left)
        else:
            waiting.append(part.operand if isinstance(part, Negation) else part.body)


def variables(formula: Formula) -> tuple[str, ...]:
    """Return the names of the propositional variables in order of first occurrence.

    >>> variables(Implies(Var("B"), And(Var("A"), Var("B"))))
    ('B', 'A')
    """
    return tuple(dict.fromkeys(atom.predicate for atom in atoms_of(formula)))


def filled(formula: Formula, named: Mapping[str, Formula]) -> Formula:
    """Return a formula with other formulas in the place of its variables."""
    match formula:
        case Atom(name):
            return named[name]
        case Negation(operand):
            return Negation(filled(operand, named))
        case Binary(sign, left, right):
            return Binary(sign, filled(left, named), filled(right, named))
    raise ValueError("a propositional formula has no quantifiers")
