"""The abstract syntax of first-order sentences, without function terms; propositions are atoms without terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
