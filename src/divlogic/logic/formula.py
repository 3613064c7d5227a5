"""Propositional formulas: syntax tree, parser and printer for the papers' notation.

The notation is that of DivLogicEval (Eq. 1 and Figure 1): ``¬A``, ``(A→¬B)``, ``(¬(A∧B)→C)``, ``((A∨B)→C)``.
The parser also reads ASCII (``~ ! & | ->``) and leaves out brackets that precedence makes needless:
``¬`` binds strongest, then ``∧``, ``∨``, ``→`` (to the right).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from divlogic.logic.parsing import parse_tokens
from divlogic.logic.syntax import Atom, Binary, Negation, Sentence


@dataclass(frozen=True, slots=True)
class Var:
    """A propositional variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of ``operand``."""

    operand: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Or:
    """Inclusive disjunction."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Implies:
    """Material implication from ``left`` to ``right``."""

    left: Formula
    right: Formula


Formula: TypeAlias = Var | Not | And | Or | Implies
FORMULA = (Var, Not, And, Or, Implies)

_SYMBOLS: dict[type, str] = {And: "∧", Or: "∨", Implies: "→"}
_TOKEN = re.compile(r"\s*(?P<token>[A-Za-z][A-Za-z0-9_]*|->|=>|[¬~!∧&∨|→()])")
_CONNECTIVES: dict[str, type[And] | type[Or] | type[Implies]] = {"∧": And, "∨": Or, "→": Implies}
_SIGNS = {"~": "¬", "!": "¬", "&": "∧", "|": "∨", "->": "→", "=>": "→"}


def parse(text: str) -> Formula:
    """Read a formula.

    Raises:
        ValueError: the text is not a formula; the message says at which column.
    """
    found, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            column = end - len(text[position:end].lstrip()) + 1
            raise ValueError(f"'{text}': '{text[column - 1]}' at column {column} belongs to no formula")
        found.append(match)
        position = match.end()
    signs = [_SIGNS.get(match["token"], match["token"]) for match in found]
    try:
        return _formula_of(
            parse_tokens(signs, lambda place: found[place].start("token") + 1, scope="bracket")
        )
    except ValueError as error:
        raise ValueError(f"'{text}': {error}") from error


def _formula_of(sentence: Sentence) -> Formula:
    if isinstance(sentence, Negation):
        return Not(_formula_of(sentence.operand))
    if isinstance(sentence, Binary):
        return _CONNECTIVES[sentence.sign](_formula_of(sentence.left), _formula_of(sentence.right))
    if isinstance(sentence, Atom) and not sentence.terms:
        return Var(sentence.predicate)
    raise ValueError("a propositional formula has no terms")


def to_text(formula: Formula) -> str:
    """Print a formula in the papers' notation, every binary connective in brackets."""
    match formula:
        case Var(name):
            return name
        case Not(operand):
            return "¬" + to_text(operand)
        case And(left, right) | Or(left, right) | Implies(left, right):
            return f"({to_text(left)}{_SYMBOLS[type(formula)]}{to_text(right)})"


def negate(formula: Formula) -> Formula:
    """Negate a formula; a double negation is taken away instead of added.

    >>> to_text(negate(parse("A ∨ B")))
    '¬(A∨B)'
    """
    return formula.operand if isinstance(formula, Not) else Not(formula)


def variables(formula: Formula) -> tuple[str, ...]:
    """Return the names of the variables in order of first occurrence.

    >>> variables(parse("B → (A ∧ B)"))
    ('B', 'A')
    """
    names: dict[str, None] = {}

    def visit(part: Formula) -> None:
        match part:
            case Var(name):
                names.setdefault(name)
            case Not(operand):
                visit(operand)
            case And(left, right) | Or(left, right) | Implies(left, right):
                visit(left)
                visit(right)

    visit(formula)
    return tuple(names)


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Replace variable names; those that ``names`` does not hold stay."""
    match formula:
        case Var(name):
            return Var(names.get(name, name))
        case Not(operand):
            return Not(rename(operand, names))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(formula)(rename(left, names), rename(right, names))
