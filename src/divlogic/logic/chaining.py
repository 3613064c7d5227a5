"""Signed literals and rules of LogicNLI, which reasons "from cause to effect".

A rule fires from its premise side to its conclusion side, never backwards by contraposition; a theory may come
to hold a literal and its opposite (the paper's paradox). Equivalences are two rules. (Tian et al. 2021)
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal as Choice
from typing import NamedTuple

ALL = "all"
EXIST = "exist"

Existential = Choice["sound", "released"]
"""How "someone is P and Q" is read. ``sound``: as said. ``released`` is what the labels of LogicNLI_sim were made with:
the rule fires only if its two literals have the same sign, and then for a person who has the first one and of whom the
second property is known, whether it is there or not."""


class Literal(NamedTuple):
    """``subject`` has (+) or lacks (-) a property; the subject is a person, `all` or `exist`."""

    subject: str
    attribute: str
    sign: str

    def opposite(self) -> Literal:
        """Return the literal with the other sign."""
        return self._replace(sign="-" if self.sign == "+" else "+")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a rule: literals joined by `and` or `or` (`none` for a single one)."""

    literals: tuple[Literal, ...]
    connective: str


@dataclass(frozen=True, slots=True)
class Rule:
    """If ``premise`` then ``conclusion``; both ways round if ``equivalence``. ``form`` is the class of rule."""

    name: str
    premise: Side
    conclusion: Side
    equivalence: bool = False
    form: int | None = None


def verdict(known: Container[Literal], statement: Literal) -> str:
    """Return LogicNLI's label of a statement: whether it, its opposite, both or neither were reached.

    >>> green = Literal("Alan", "green", "+")
    >>> verdict(frozenset({green}), green.opposite())
    'contradiction'
    """
    holds, opposed = statement in known, statement.opposite() in known
    if holds and opposed:
        return "self_contradiction"
    return "entailment" if holds else "contradiction" if opposed else "neutral"
