"""First-order formulas in FOLIO's notation: parser, and entailment by Z3.

``∀x (Dog(x) → Animal(x))``, ``¬``, ``∧``, ``∨``, ``⊕`` (exclusive or), ``→``, ``↔``, ``=``, ``≠``. ``¬`` and the
quantifiers bind strongest, then ``∧``, then ``∨`` and ``⊕``, ``→`` (to the right), ``↔``; a quantifier before a
bracket governs the bracket and whatever follows it, as FOLIO's authors write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

QUANTIFIERS = {"∀": "forall", "∃": "exists"}
_BINARY = {"∧": 4, "∨": 3, "⊕": 3, "→": 2, "↔": 1}
_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W_][\w'’\-./&]*|\d[\w.]*)|(?P<sign>[∀∃¬∧∨⊕→↔=≠(),]))")
_PLAIN = str.maketrans(
    {"⟷": "↔", "⇔": "↔", "⇒": "→", "⟶": "→", "&": "∧", "~": "¬", "[": "(", "]": ")", "，": ","}
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate of terms; terms are names."""

    predicate: str
    terms: tuple[str, ...]


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


def parse_fol(text: str) -> Sentence:
    """Read a first-order formula.

    Raises:
        ValueError: the text is not a formula; the message says where.
    """
    tokens = _tokens(text.translate(_PLAIN))
    parser = _Parser(text, tokens)
    sentence = parser.formula(0)
    if parser.at < len(tokens):
        raise ValueError(f"unexpected '{tokens[parser.at]}' after a whole formula")
    return sentence


def free_variables(sentence: Sentence, bound: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the single letters u-z that stand free: FOLIO means variables by them, so a quantifier is missing."""
    match sentence:
        case Atom(_, terms):
            return frozenset(term for term in terms if re.fullmatch(r"[u-z]", term) and term not in bound)
        case Negation(operand):
            return free_variables(operand, bound)
        case Binary(_, left, right):
            return free_variables(left, bound) | free_variables(right, bound)
        case Quantified(_, variable, body):
            return free_variables(body, bound | {variable})


_WORK_PER_SECOND = 2_500_000
"""Z3's resource units of a second, roughly: a limit in time would let the machine decide what is undecided."""


def decide(premises: Sequence[Sentence], conclusion: Sentence, *, seconds: float = 2.0) -> str:
    """Return what the premises say of the conclusion.

    Args:
        premises: the premises.
        conclusion: the conclusion.
        seconds: limit of each of Z3's two checks, in seconds of a usual machine; counted in units of work.

    Returns:
        `True`, `False`, `Uncertain` (neither follows), `contradictory premises` (both follow), or `undecided`
        if Z3 does not settle it within the limit.
    """
    import z3

    world = _World()
    translated = [world.formula(sentence, {}) for sentence in premises]
    goal = world.formula(conclusion, {})

    def follows(claim: Any) -> bool | None:
        solver = z3.Solver()
        solver.set("rlimit", min(max(1, int(seconds * _WORK_PER_SECOND)), 2**32 - 1))
        solver.set("random_seed", 0)
        solver.add(*translated, z3.Not(claim))
        result = solver.check()
        return None if result == z3.unknown else bool(result == z3.unsat)

    positive, negative = follows(goal), follows(z3.Not(goal))
    if positive and negative:
        return "contradictory premises"
    if positive:
        return "True"
    if negative:
        return "False"
    return "undecided" if positive is None or negative is None else "Uncertain"


class _Parser:
    def __init__(self, text: str, tokens: list[str]) -> None:
        self.text, self.tokens, self.at = text, tokens, 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str) -> None:
        if self.peek() != expected:
            found = f"'{self.peek()}'" if self.peek() else "the end"
            raise ValueError(f"found {found} where '{expected}' belongs")
        self.at += 1

    def formula(self, strength: int) -> Sentence:
        left = self.unary()
        while (sign := self.peek()) in _BINARY and _BINARY[sign] >= max(strength, 1):
            self.at += 1
            own = _BINARY[sign]
            right = self.formula(own if sign == "→" else own + 1)
            left = Binary(sign, left, right)
        return left

    def unary(self) -> Sentence:
        token = self.peek()
        if token == "¬":
            self.at += 1
            return Negation(self.unary())
        if token in QUANTIFIERS:
            self.at += 1
            variable = self.name()
            # "∀x P(x) → Q(x)" and "∀x (P(x)) → Q(x)" both mean the whole rest.
            return Quantified(token, variable, self.formula(1))
        if token == "(":
            self.at += 1
            inner = self.formula(0)
            self.take(")")
            return inner
        return self.atom()

    def atom(self) -> Sentence:
        name = self.name()
        terms: list[str] = []
        if self.peek() == "(":
            self.at += 1
            terms.append(self.name())
            while self.peek() == ",":
                self.at += 1
                terms.append(self.name())
            self.take(")")
        if not terms and self.peek() in ("=", "≠"):
            sign = self.peek()
            self.at += 1
            equal = Atom("=", (name, self.name()))
            return equal if sign == "=" else Negation(equal)
        return Atom(name, tuple(terms))

    def name(self) -> str:
        token = self.peek()
        if not token or not (token[0].isalnum()):
            raise ValueError(f"found {repr(token) if token else 'the end'} where a name belongs")
        self.at += 1
        return token


def _tokens(text: str) -> list[str]:
    text = text.strip().rstrip(".")
    found = [name or sign for name, sign in _TOKEN.findall(text)]
    if found and "".join(found) == "".join(text.split()):
        return found
    found, position = [], 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(
                f"'{text[position:].strip()[:1]}' at column {position + 1} belongs to no formula"
            )
        found.append(match["name"] or match["sign"])
        position = match.end()
    if not found:
        raise ValueError("the formula is empty")
    return found


class _World:
    """One domain of things, in which equal names mean the same."""

    def __init__(self) -> None:
        import z3

        self.z3 = z3
        self.things = z3.DeclareSort("Thing")

    def formula(self, sentence: Sentence, bound: dict[str, Any]) -> Any:
        z3 = self.z3
        match sentence:
            case Atom("=", (left, right)):
                return self.term(left, bound) == self.term(right, bound)
            case Atom(predicate, ()):
                return z3.Bool(f"{predicate}/0")
            case Atom(predicate, terms):
                sorts = [self.things] * len(terms)
                symbol = z3.Function(f"{predicate}/{len(terms)}", *sorts, z3.BoolSort())
                return symbol(*(self.term(term, bound) for term in terms))
            case Negation(operand):
                return z3.Not(self.formula(operand, bound))
            case Binary(sign, left, right):
                one, two = self.formula(left, bound), self.formula(right, bound)
                if sign == "∧":
                    return z3.And(one, two)
                if sign == "∨":
                    return z3.Or(one, two)
                if sign == "⊕":
                    return z3.Xor(one, two)
                return z3.Implies(one, two) if sign == "→" else one == two
            case Quantified(sign, variable, body):
                symbol = z3.Const(f"{variable}!{len(bound)}", self.things)
                inner = self.formula(body, {**bound, variable: symbol})
                return z3.ForAll([symbol], inner) if sign == "∀" else z3.Exists([symbol], inner)

    def term(self, name: str, bound: dict[str, Any]) -> Any:
        return bound[name] if name in bound else self.z3.Const(name, self.things)
