"""The abstract syntax of sentences, without function terms; propositions are atoms without terms.

:func:`to_text` prints the notation of DivLogicEval (Eq. 1 and Figure 1): ``¬A``, ``(A→¬B)``, ``(¬(A∧B)→C)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Two formulas joined by one of ``∧ ∨ ⊕ → ↔``; equal to one of the subclasses below that says the same."""

    sign: str
    left: Sentence
    right: Sentence

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Binary):
            return NotImplemented
        return self.sign == other.sign and self.left == other.left and self.right == other.right

    def __hash__(self) -> int:
        return hash((self.sign, self.left, self.right))


class And(Binary):
    """Conjunction."""

    __slots__ = ()
    __match_args__ = ("left", "right")

    def __init__(self, left: Sentence, right: Sentence) -> None:
        super().__init__("∧", left, right)


class Or(Binary):
    """Inclusive disjunction."""

    __slots__ = ()
    __match_args__ = ("left", "right")

    def __init__(self, left: Sentence, right: Sentence) -> None:
        super().__init__("∨", left, right)


class Implies(Binary):
    """Material implication from ``left`` to ``right``."""

    __slots__ = ()
    __match_args__ = ("left", "right")

    def __init__(self, left: Sentence, right: Sentence) -> None:
        super().__init__("→", left, right)


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
"""The names of atoms and negations in propositional formulas."""


def joined(sign: str, left: Sentence, right: Sentence) -> Binary:
    """Return two sentences joined by a connective."""
    kind = {"∧": And, "∨": Or, "→": Implies}.get(sign)
    return kind(left, right) if kind else Binary(sign, left, right)


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
            return joined(sign, filled(left, named), filled(right, named))
    raise ValueError("a propositional formula has no quantifiers")
