"""Propositional formulas: syntax tree, parser and printer for the papers' notation.

The notation is that of DivLogicEval (Eq. 1 and Figure 1): ``¬A``, ``(A→¬B)``, ``(¬(A∧B)→C)``, ``((A∨B)→C)``.
The parser also reads ASCII (``~ ! & | ->``) and leaves out brackets that precedence makes needless:
``¬`` binds strongest, then ``∧``, ``∨``, ``→`` (to the right).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias


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

_SYMBOLS: dict[type, str] = {And: "∧", Or: "∨", Implies: "→"}
_TOKEN = re.compile(r"\s*(?:(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<sign>->|=>|[¬~!∧&∨|→()]))")
_SIGNS = {"~": "¬", "!": "¬", "&": "∧", "|": "∨", "->": "→", "=>": "→"}


def parse(text: str) -> Formula:
    """Read a formula.

    Raises:
        ValueError: the text is not a formula; the message says at which column.
    """
    tokens = _tokens(text)
    formula, rest = _implication(tokens, 0, text)
    if rest < len(tokens):
        raise ValueError(f"'{text}': unexpected '{tokens[rest][0]}' at column {tokens[rest][1] + 1}")
    return formula


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


def _tokens(text: str) -> list[tuple[str, int]]:
    """Cut a text into (token, position) pairs."""
    found: list[tuple[str, int]] = []
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            column = position + len(stripped[position:]) - len(stripped[position:].lstrip()) + 1
            raise ValueError(f"'{text}': '{stripped[column - 1]}' at column {column} belongs to no formula")
        token = match["name"] or _SIGNS.get(match["sign"], match["sign"])
        found.append((token, match.end() - len(match["name"] or match["sign"])))
        position = match.end()
    return found


def _implication(tokens: list[tuple[str, int]], at: int, text: str) -> tuple[Formula, int]:
    left, at = _binary(tokens, at, text, "∨", Or, _conjunction)
    if at < len(tokens) and tokens[at][0] == "→":
        right, at = _implication(tokens, at + 1, text)
        return Implies(left, right), at
    return left, at


def _conjunction(tokens: list[tuple[str, int]], at: int, text: str) -> tuple[Formula, int]:
    return _binary(tokens, at, text, "∧", And, _unary)


def _binary(
    tokens: list[tuple[str, int]],
    at: int,
    text: str,
    sign: str,
    build: type[And] | type[Or],
    operand: Callable[[list[tuple[str, int]], int, str], tuple[Formula, int]],
) -> tuple[Formula, int]:
    """Read a chain of operands joined by ``sign``, grouped to the left."""
    formula, at = operand(tokens, at, text)
    while at < len(tokens) and tokens[at][0] == sign:
        right, at = operand(tokens, at + 1, text)
        formula = build(formula, right)
    return formula, at


def _unary(tokens: list[tuple[str, int]], at: int, text: str) -> tuple[Formula, int]:
    if at >= len(tokens):
        raise ValueError(f"'{text}': the formula ends too early")
    token, position = tokens[at]
    if token == "¬":
        operand, at = _unary(tokens, at + 1, text)
        return Not(operand), at
    if token == "(":
        inner, at = _implication(tokens, at + 1, text)
        if at >= len(tokens) or tokens[at][0] != ")":
            raise ValueError(f"'{text}': the bracket opened at column {position + 1} is never closed")
        return inner, at + 1
    if token in {")", "∧", "∨", "→"}:
        raise ValueError(f"'{text}': unexpected '{token}' at column {position + 1}")
    return Var(token), at + 1
