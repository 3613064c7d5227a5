"""Formulas as JSON: S-expressions, read into and printed from :mod:`divlogic.logic.syntax`'s sentences.

``"A"``, ``["P", "a", "x"]``, ``["not", f]``, ``["and", f, ...]``, ``["or", f, ...]``, ``["->", f, g]``,
``["<->", f, g]``, ``["forall", "x", f]``, ``["exists", "x", f]``, ``["=", "a", "b"]``, ``["!=", "a", "b"]``; as
sugar ``["xor", f, g]`` (``f`` or ``g``, not both), ``["exactly", k, f, ...]``, ``["at_most", k, f, ...]`` and
``["at_least", k, f, ...]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from divlogic.errors import nearest
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence
from divlogic.logic.theory import EQUALITY, Symbol, conjunction, disjunction

_SIGN = {"and": "∧", "or": "∨", "->": "→", "<->": "↔", "xor": "⊕"}
_WORD = {sign: word for word, sign in _SIGN.items()}
_QUANTIFIER = {"forall": "∀", "exists": "∃"}
_COUNTS = ("exactly", "at_most", "at_least")
OPERATORS = frozenset((*_SIGN, *_QUANTIFIER, *_COUNTS, "not", "=", "!="))
"""Words that no symbol may be named."""

MAX_DEPTH = 100
MAX_CASES = 2000
"""Bounds of what is read: nesting of a formula, cases that a count is spelled out as."""


def read_expression(value: Any, symbols: Mapping[str, Symbol] | None = None) -> Sentence:
    """Read an S-expression; without declared symbols every name is taken as it is used.

    A ValueError says why it is not a formula, or which symbol it uses otherwise than declared.
    """
    return _Reader(symbols).formula(value, frozenset(), 0)


def to_expression(sentence: Sentence) -> Any:
    """Print a sentence as an S-expression; chains of ``and`` and of ``or`` are joined, sugar is not restored."""
    match sentence:
        case Atom(name, ()):
            return name
        case Atom(name, terms):
            return [name, *terms]
        case Negation(Atom("=", (left, right))):
            return ["!=", left, right]
        case Negation(operand):
            return ["not", to_expression(operand)]
        case Binary(("∧" | "∨") as sign, _, _):
            return [_WORD[sign], *map(to_expression, _chain(sentence, sign))]
        case Binary(sign, left, right):
            return [_WORD[sign], to_expression(left), to_expression(right)]
        case Quantified(sign, variable, body):
            return ["forall" if sign == "∀" else "exists", variable, to_expression(body)]


def counted(word: str, number: int, operands: Sequence[Sentence]) -> Sentence:
    """Spell out that exactly, at most or at least ``number`` of the operands hold; too many cases are a ValueError."""
    total = len(operands)
    if not 0 <= number <= total:
        raise ValueError(f"'{word} {number}' does not fit {total} operands")
    if word == "exactly":
        words = [
            each for each, trivial in (("at_least", 0), ("at_most", total)) if number != trivial
        ]
        return conjunction([counted(each, number, operands) for each in words])
    # At least k of n: whichever n - k + 1 are chosen, one of them holds. At most k: of any k + 1 one does not.
    size = total - number + 1 if word == "at_least" else number + 1
    if comb(total, size) > MAX_CASES:
        raise ValueError(f"'{word} {number}' of {total} operands has more than {MAX_CASES:,} cases")
    if size > total:  # at least 0, at most all: always true
        return Binary("∨", operands[0], Negation(operands[0]))
    literals = operands if word == "at_least" else [Negation(part) for part in operands]
    return conjunction([disjunction(chosen) for chosen in combinations(literals, size)])


class _Reader:
    def __init__(self, symbols: Mapping[str, Symbol] | None) -> None:
        self.symbols = symbols

    def formula(self, value: Any, bound: frozenset[str], depth: int) -> Sentence:
        if depth > MAX_DEPTH:
            raise ValueError(f"the formula is nested more than {MAX_DEPTH} deep")
        if isinstance(value, str):
            if value in OPERATORS:
                raise ValueError(f"'{value}' is an operator and stands here without operands")
            return self.atom(value, ())
        if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], str):
            raise ValueError(
                f"{_short(value)} is not a formula; give a name or a list with an operator first"
            )
        head, rest = value[0], value[1:]

        def inner(part: Any) -> Sentence:
            return self.formula(part, bound, depth + 1)

        if head == "not":
            _require(head, rest, 1)
            return Negation(inner(rest[0]))
        if head in ("and", "or"):
            if not rest:
                raise ValueError(f"'{head}' has no operand")
            return (conjunction if head == "and" else disjunction)(list(map(inner, rest)))
        if head in _SIGN:
            _require(head, rest, 2)
            return Binary(_SIGN[head], inner(rest[0]), inner(rest[1]))
        if head in _COUNTS:
            if len(rest) < 2 or not isinstance(rest[0], int) or isinstance(rest[0], bool):
                raise ValueError(f"'{head}' needs a number and one operand or more")
            return counted(head, rest[0], list(map(inner, rest[1:])))
        if head in _QUANTIFIER:
            _require(head, rest, 2)
            variable = rest[0]
            if not isinstance(variable, str) or not variable or variable in OPERATORS:
                raise ValueError(f"'{head}' binds {_short(variable)}, which is not a variable")
            if self.symbols is not None and variable in self.symbols:
                raise ValueError(
                    f"'{head}' binds '{variable}', which is a symbol; rename the variable"
                )
            body = self.formula(rest[1], bound | {variable}, depth + 1)
            return Quantified(_QUANTIFIER[head], variable, body)
        if head in ("=", "!="):
            _require(head, rest, 2)
            equal = Atom(EQUALITY, tuple(self.term(term, bound) for term in rest))
            return equal if head == "=" else Negation(equal)
        if self.symbols is not None and head not in self.symbols:
            raise ValueError(
                f"'{head}' is neither an operator nor declared{_near(head, self.symbols)}"
            )
        return self.atom(head, tuple(self.term(term, bound) for term in rest))

    def atom(self, name: str, terms: tuple[str, ...]) -> Atom:
        if self.symbols is not None:
            symbol = self.symbols.get(name)
            if symbol is None:
                raise ValueError(f"'{name}' is not declared{_near(name, self.symbols)}")
            if symbol.kind == "const":
                raise ValueError(f"'{name}' is a constant and stands where a formula belongs")
            if symbol.arity != len(terms):
                declared = f"has {symbol.arity} terms by its declaration"
                raise ValueError(f"'{name}' {declared} and {len(terms)} here")
        if not name:
            raise ValueError("a symbol has no name")
        return Atom(name, terms)

    def term(self, value: Any, bound: frozenset[str]) -> str:
        if not isinstance(value, str) or not value or value in OPERATORS:
            raise ValueError(f"{_short(value)} is not a term; give a constant or a bound variable")
        if value not in bound and self.symbols is not None:
            symbol = self.symbols.get(value)
            if symbol is None or symbol.kind != "const":
                raise ValueError(f"'{value}' is neither a declared constant nor a bound variable")
        return value


def _chain(sentence: Sentence, sign: str) -> Iterable[Sentence]:
    """Yield the operands of a chain that is grouped to the left, in order."""
    if isinstance(sentence, Binary) and sentence.sign == sign:
        yield from _chain(sentence.left, sign)
        yield sentence.right
    else:
        yield sentence


def _require(head: str, rest: Sequence[Any], count: int) -> None:
    if len(rest) != count:
        raise ValueError(
            f"'{head}' needs {count} operand{'s' if count > 1 else ''} and has {len(rest)}"
        )


def _near(name: str, symbols: Mapping[str, Symbol]) -> str:
    hint = nearest(name, symbols, "")
    return hint and f"; {hint}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
