"""First-order formulas in FOLIO's notation: parser, and entailment by Z3.

``∀x (Dog(x) → Animal(x))``, ``¬``, ``∧``, ``∨``, ``⊕`` (exclusive or), ``→``, ``↔``, ``=``, ``≠``. ``¬`` and the
quantifiers bind strongest, then ``∧``, then ``∨`` and ``⊕``, ``→`` (to the right), ``↔``; a quantifier before a
bracket governs the bracket and whatever follows it, as FOLIO's authors write.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from divlogic.logic.parsing import parse_tokens
from divlogic.logic.smt import z3_refuted
from divlogic.logic.syntax import Atom, Binary, Negation, Quantified, Sentence

_TOKEN = re.compile(r"\s*(?P<token>[^\W_][\w'’\-./&]*|\d[\w.]*|[∀∃¬∧∨⊕→↔=≠(),])")
_PLAIN = str.maketrans(
    {"⟷": "↔", "⇔": "↔", "⇒": "→", "⟶": "→", "&": "∧", "~": "¬", "[": "(", "]": ")", "，": ","}
)


__all__ = [
    "Atom",
    "Binary",
    "Negation",
    "Quantified",
    "Sentence",
    "decide",
    "free_variables",
    "parse_fol",
]


def parse_fol(text: str) -> Sentence:
    """Read a first-order formula.

    Raises:
        ValueError: the text is not a formula; the message says where.
    """
    text = text.translate(_PLAIN).strip().rstrip(".")
    found = list(_TOKEN.finditer(text))
    if sum(len(match["token"]) for match in found) != len("".join(text.split())):
        at = next(
            place
            for place in range(len(text))
            if not text[place].isspace() and not any(match.start() <= place < match.end() for match in found)
        )
        raise ValueError(f"'{text[at]}' at column {at + 1} belongs to no formula")
    if not found:
        raise ValueError("the formula is empty")
    signs = [match["token"] for match in found]
    return parse_tokens(signs, lambda place: found[place].start("token") + 1, scope="rest")


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
    rlimit = min(max(1, int(seconds * _WORK_PER_SECOND)), 2**32 - 1)
    denied = Negation(conclusion)
    positive, negative = z3_refuted(premises, [denied, Negation(denied)], rlimit=rlimit)
    if positive and negative:
        return "contradictory premises"
    if positive:
        return "True"
    if negative:
        return "False"
    return "undecided" if positive is None or negative is None else "Uncertain"
