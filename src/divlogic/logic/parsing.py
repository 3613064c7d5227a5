"""The parser of every notation: it reads tokens, each connective in one spelling, as a sentence.

``¬`` and the quantifiers bind strongest, then ``∧``, ``∨`` and ``⊕``, ``→`` (to the right), ``↔``. What is
particular to a notation (spellings, names) is in its tokens: :func:`parse` reads the papers' propositional formulas,
:func:`parse_fol` FOLIO's first-order ones (``∀x (Dog(x) → Animal(x))``), in which a quantifier before a bracket governs
the bracket and all that follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NoReturn

from divlogic.logic.syntax import Atom, Binary, Formula, Negation, Quantified, Sentence, atoms_of

Scope = Literal["bracket", "rest"]
"""What a quantifier before a bracket governs: the bracket (LLMEval-Logic), or all that follows (FOLIO)."""

STRENGTH = {"∧": 4, "∨": 3, "⊕": 3, "→": 2, "↔": 1}
_VARIABLE = re.compile(r"[u-z]\d*['’′]*")
_PROPOSITIONAL = re.compile(r"[A-Za-z][A-Za-z0-9_]*|->|=>|[¬~!∧&∨|→()]")
_ASCII = {"~": "¬", "!": "¬", "&": "∧", "|": "∨", "->": "→", "=>": "→"}
_FIRST_ORDER = re.compile(r"[^\W_][\w'’\-./&]*|\d[\w.]*|[∀∃¬∧∨⊕→↔=≠(),]")
_PLAIN = str.maketrans(
    {"⟷": "↔", "⇔": "↔", "⇒": "→", "⟶": "→", "&": "∧", "~": "¬", "[": "(", "]": ")", "，": ","}
)


def parse(text: str) -> Formula:
    """Read a propositional formula in the papers' notation, or in ASCII (``~ ! & | -> =>``).

    Brackets that precedence makes needless may be left out. A ValueError says at which column it is no formula.
    """
    try:
        sentence = _read(text, _PROPOSITIONAL, scope="bracket")
        if any(atom.terms for atom in atoms_of(sentence)):
            raise ValueError("a propositional formula has no terms")
    except ValueError as error:
        raise ValueError(f"'{text}': {error}") from error
    return sentence


def parse_fol(text: str) -> Sentence:
    """Read a first-order formula in FOLIO's notation; a ValueError says where it is none."""
    return _read(text.translate(_PLAIN).strip().rstrip("."), _FIRST_ORDER, scope="rest")


def _read(text: str, token: re.Pattern[str], *, scope: Scope) -> Sentence:
    found = list(token.finditer(text))
    if sum(len(match[0]) for match in found) != len("".join(text.split())):
        covered = {place for match in found for place in range(*match.span())}
        at = next(
            place
            for place, letter in enumerate(text)
            if not letter.isspace() and place not in covered
        )
        raise ValueError(f"'{text[at]}' at column {at + 1} belongs to no formula")
    signs = [_ASCII.get(match[0], match[0]) for match in found]
    return parse_tokens(signs, lambda place: found[place].start() + 1, scope=scope)


def parse_tokens(signs: Sequence[str], column: Callable[[int], int], *, scope: Scope) -> Sentence:
    """Read tokens as one formula.

    Args:
        signs: names, which begin with a letter or a digit, and signs.
        column: the column of a token in the text, by its place; called for errors only.
        scope: what a quantifier before a bracket governs.

    Raises:
        ValueError: they are none; the message says at which column.
    """
    parser = _Parser(signs, column, scope)
    try:
        sentence = parser.formula(1)
    except RecursionError:
        raise ValueError("the formula is nested too deep") from None
    if parser.sign:
        parser.fail("an operator or the end")
    return sentence


_proposition = lru_cache(maxsize=1024)(Atom)


class _Parser:
    def __init__(self, signs: Sequence[str], column: Callable[[int], int], scope: Scope) -> None:
        self.column, self.scope, self.at = column, scope, 0
        # Empty tokens at the end, so that looking ahead needs no bounds.
        self.signs = [*signs, "", "", ""]

    @property
    def sign(self) -> str:
        return self.signs[self.at]

    def fail(self, expected: str) -> NoReturn:
        if self.sign:
            raise ValueError(
                f"'{self.sign}' at column {self.column(self.at)} where {expected} belongs"
            )
        raise ValueError(f"the formula ends where {expected} belongs")

    def name(self, what: str) -> str:
        name = self.signs[self.at]
        if not name[:1].isalnum():
            self.fail(what)
        self.at += 1
        return name

    def close(self) -> None:
        if self.sign != ")":
            self.fail("')'")
        self.at += 1

    def formula(self, least: int) -> Sentence:
        left = self.unary()
        while (own := STRENGTH.get(sign := self.signs[self.at], 0)) >= least:
            self.at += 1
            left = Binary(sign, left, self.formula(own if sign == "→" else own + 1))
        return left

    def unary(self) -> Sentence:
        sign = self.signs[self.at]
        if sign == "¬":
            self.at += 1
            return Negation(self.unary())
        if sign == "(":
            self.at += 1
            inner = self.formula(1)
            self.close()
            return inner
        if sign in ("∀", "∃"):
            return self.quantified()
        return self.atom()

    def quantified(self) -> Sentence:
        sign = self.sign
        self.at += 1
        # "∀(x)" and "∀[x, y]" bind as "∀x" and "∀x,y" do.
        bracketed = self.sign == "("
        self.at += bracketed
        variables = [self.name("a variable")]
        while True:
            step = 1 if self.sign == "," else 0
            after = self.signs[self.at + step + 1]
            if not _VARIABLE.fullmatch(self.signs[self.at + step]) or after in ("=", "≠"):
                break
            self.at += step
            variables.append(self.name("a variable"))
        if bracketed:
            self.close()
        if self.sign in (".", ","):
            self.at += 1
        body = self.body()
        for variable in reversed(variables):
            body = Quantified(sign, variable, body)
        return body

    def body(self) -> Sentence:
        if self.scope == "rest":
            return self.formula(1)
        return self.unary() if self.sign == "(" else self.formula(2)

    def atom(self) -> Sentence:
        name = self.name("a formula")
        sign = self.signs[self.at]
        if sign == "(":
            self.at += 1
            terms = [self.name("a term")]
            while self.sign == ",":
                self.at += 1
                terms.append(self.name("a term"))
            self.close()
            return Atom(name, tuple(terms))
        if sign in ("=", "≠"):
            self.at += 1
            equal = Atom("=", (name, self.name("a term")))
            return equal if sign == "=" else Negation(equal)
        return _proposition(name)
