"""The frames of templates.yaml, ready for use: a proposition and its clauses in, an English sentence out."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.justlogic.propositions import IF, NOT, Proposition, negated
from divlogic.benchmarks.justlogic.table import Row
from divlogic.draws import Draws
from divlogic.io.files import read_yaml

EXPRESSIONS = ("statement", "negation", "conditional", "disjunction")
CONJUNCTIONS = ("both", "but", "neither")
"""What words a denied conditional or disjunction, by which of its two parts is denied: none, the second, both."""
ADMITS: dict[str, tuple[str, ...]] = {"": ("open", "closed"), "-": ("closed",), ".": ()}
"""Phrases that each kind of slot admits, as templates.yaml explains."""

_SLOT = re.compile(r"\{([AB])([.-]?)\}")


@dataclass(frozen=True, slots=True)
class ExpressionFrame:
    """One way of wording one expression.

    Attributes:
        id: expression and name.
        text: the English with its slots.
        pieces: the fixed text around the slots, one more than there are slots.
        slots: in order of appearance, (index of the part, kind of slot).
        plain: the parts that must be asserted statements, 1 for the first and 2 for the second, added up.
    """

    id: str
    text: str
    pieces: tuple[str, ...]
    slots: tuple[tuple[int, str], ...]
    plain: int


@dataclass(frozen=True, slots=True)
class ArgumentTemplates:
    """All wordings.

    Attributes:
        premises: expression -> frames of a premise.
        queries: the same, without the frames that speak of what is known.
        phrases: (expression, kind of slot) -> frames of a proposition in such a slot; empty where none is admitted.
    """

    premises: Mapping[str, tuple[ExpressionFrame, ...]]
    queries: Mapping[str, tuple[ExpressionFrame, ...]]
    phrases: Mapping[tuple[str, str], tuple[ExpressionFrame, ...]]


class Wording:
    """Words the propositions of one instance.

    Args:
        clauses: the statement of each atom.
        templates: the frames.
        draws: the instance's stream.
        verb_negation: probability that a negated atom is negated at its verb, where it can be.
    """

    def __init__(
        self, clauses: Sequence[Row], templates: ArgumentTemplates, draws: Draws, verb_negation: float
    ) -> None:
        self._clauses = clauses
        self._templates = templates
        self._draws = draws
        self._verb_negation = verb_negation

    def premise(self, proposition: Proposition) -> str:
        """Word a premise as one sentence, with its capital and its full stop."""
        return self._sentence(proposition, self._templates.premises)

    def query(self, proposition: Proposition) -> str:
        """Word a query as one sentence."""
        return self._sentence(proposition, self._templates.queries)

    def _sentence(self, p: Proposition, frames: Mapping[str, tuple[ExpressionFrame, ...]]) -> str:
        if type(p) is int and (clause := self._plain(p)) is not None:
            frame = self._draws.pick(frames["statement"])
            text = f"{frame.pieces[0]}{clause}{frame.pieces[1]}"
        else:
            expression, parts = expressed(p)
            text = self._fill(frames[expression], parts)
        return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")

    def _plain(self, literal: int) -> str | None:
        """Return the plain clause of a literal; ``None`` if it is to be negated by a phrase."""
        clauses = self._clauses[literal >> 1]
        if not literal & 1:
            return clauses.text
        return clauses.negated if clauses.negated and self._draws.chance(self._verb_negation) else None

    def _phrase(self, p: Proposition, kind: str) -> str:
        """Word a proposition in a slot."""
        if type(p) is int and (clause := self._plain(p)) is not None:
            return clause
        expression, parts = expressed(p)
        return self._fill(self._templates.phrases[expression, kind], parts)

    def _fill(self, frames: Sequence[ExpressionFrame], parts: Sequence[Proposition]) -> str:
        other = sum(1 << at for at, part in enumerate(parts) if type(part) is not int or part & 1)
        frame = self._draws.pick([one for one in frames if not one.plain & other])
        text = frame.pieces[0]
        for (part, kind), piece in zip(frame.slots, frame.pieces[1:], strict=True):
            text += self._phrase(parts[part], kind) + piece
        return text


def expressed(p: Proposition) -> tuple[str, tuple[Proposition, ...]]:
    """Return the expression that words a compound or a denied atom, and its parts.

    To deny that A implies B is to say A but not B, to deny that either holds is to say neither: no reader has to ask
    how far a "not" reaches.
    """
    if type(p) is int:
        return "negation", (p ^ 1,)
    if p[0] != NOT:
        return "conditional" if p[0] == IF else "disjunction", p[1:]
    connective, first, second = p[1]
    parts = (first if connective == IF else negated(first), negated(second))
    if any(type(part) is not int for part in parts):
        return "both", parts
    asserted = tuple(part & ~1 for part in sorted(parts, key=lambda part: part & 1))
    return CONJUNCTIONS[sum(part & 1 for part in parts)], asserted


@functools.lru_cache(maxsize=1)
def load_templates() -> ArgumentTemplates:
    """Return the templates of this package."""
    values = read_yaml(Path(__file__).with_name("templates.yaml"))
    queries = {name: _frames(name, values[name]["sentences"]) for name in (*EXPRESSIONS, *CONJUNCTIONS)}
    premises = {
        name: (*frames, *_frames(name, values[name].get("premises_only", {})))
        for name, frames in queries.items()
    }
    phrases = {
        (name, kind): _frames(
            name, dict(enumerate(text for own in admitted for text in values[name]["phrases"].get(own, ())))
        )
        for kind, admitted in ADMITS.items()
        for name in (*EXPRESSIONS[1:], *CONJUNCTIONS)
    }
    return ArgumentTemplates(premises, queries, phrases)


def _frames(expression: str, texts: Mapping[Any, str]) -> tuple[ExpressionFrame, ...]:
    frames = []
    for name, text in texts.items():
        parts = _SLOT.split(text)
        slots = tuple(zip(map("AB".index, parts[1::3]), parts[2::3], strict=True))
        plain = sum(1 << part for part, kind in slots if kind == ".")
        frames.append(ExpressionFrame(f"{expression}.{name}", text, tuple(parts[0::3]), slots, plain))
    return tuple(frames)
