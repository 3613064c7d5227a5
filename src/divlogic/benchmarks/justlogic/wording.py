"""The frames of templates.yaml, ready for use: a proposition and its clauses in, an English sentence out."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition
from divlogic.draws import Draws
from divlogic.io.files import read_yaml

EXPRESSIONS = ("statement", "negation", "conditional", "disjunction")
_BARE = ("conditional.bare", "disjunction.bare")
_CLOSED = ("closed", "claims")
ADMITS: dict[str, tuple[str, ...]] = {
    "": ("disjunction.bare", "open", "long", *_CLOSED),
    "+": (*_BARE, "negation.open", "long", *_CLOSED),
    "=": ("disjunction.bare", "long", *_CLOSED),
    "#": (*_BARE, "long", *_CLOSED),
    "~": ("open", "long", *_CLOSED),
    "-": _CLOSED,
    "@": ("closed",),
    "*": _BARE,
    "!": _BARE,
    ".": (),
}
"""Phrases that each kind of slot admits, as templates.yaml explains."""

_EXPRESSION_OF = {NOT: "negation", IF: "conditional", OR: "disjunction"}
_SLOT = re.compile(r"\{([AB])([+=#~@*.!-]?)\}")


@dataclass(frozen=True, slots=True)
class ExpressionFrame:
    """One way of wording one expression.

    Attributes:
        id: expression and name.
        text: the English with its slots.
        pieces: the fixed text around the slots, one more than there are slots.
        slots: in order of appearance, (index of the part, kind of slot).
    """

    id: str
    text: str
    pieces: tuple[str, ...]
    slots: tuple[tuple[int, str], ...]

    @property
    def of_literals(self) -> bool:
        """Whether a plain clause may fill every slot."""
        return all(kind != "!" for _, kind in self.slots)

    @property
    def of_compounds(self) -> bool:
        """Whether a compound may fill every slot."""
        return all(kind != "." for _, kind in self.slots)


@dataclass(frozen=True, slots=True)
class ArgumentTemplates:
    """All wordings.

    Attributes:
        premises: expression -> frames of a premise; ``negation.compound`` those that negate a compound.
        queries: the same, without the frames that speak of what is known.
        phrases: (expression, kind of slot) -> frames of a proposition in such a slot; empty where none is admitted.
    """

    premises: Mapping[str, tuple[ExpressionFrame, ...]]
    queries: Mapping[str, tuple[ExpressionFrame, ...]]
    phrases: Mapping[tuple[str, str], tuple[ExpressionFrame, ...]]


class Clauses(Protocol):
    """What an atom says, in mid-sentence form; ``negated`` where the negation of its verb is certain."""

    @property
    def text(self) -> str: ...
    @property
    def negated(self) -> str | None: ...


class Wording:
    """Words the propositions of one instance.

    Args:
        clauses: clauses of each atom.
        templates: the frames.
        draws: the instance's stream.
        verb_negation: probability that a negated atom is negated at its verb, where it can be.
    """

    def __init__(
        self, clauses: Sequence[Clauses], templates: ArgumentTemplates, draws: Draws, verb_negation: float
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
        if type(p) is int:
            clause = self._plain(p)
            if clause is None:
                text = self._fill(self._draws.pick(frames["negation"]), (p ^ 1,))
            else:
                frame = self._draws.pick(frames["statement"])
                text = f"{frame.pieces[0]}{clause}{frame.pieces[1]}"
        elif p[0] == NOT:
            text = self._fill(self._draws.pick(frames["negation.compound"]), p[1:])
        else:
            text = self._fill(self._draws.pick(frames[_EXPRESSION_OF[p[0]]]), p[1:])
        return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")

    def _plain(self, literal: int) -> str | None:
        """Return the plain clause of a literal; ``None`` if it is to be negated by a phrase."""
        clauses = self._clauses[literal >> 1]
        if not literal & 1:
            return clauses.text
        return clauses.negated if clauses.negated and self._draws.chance(self._verb_negation) else None

    def _phrase(self, p: Proposition, kind: str) -> str:
        """Word a proposition in a slot."""
        phrases = self._templates.phrases
        if type(p) is int:
            clause = self._plain(p)
            if clause is not None:
                return clause
            frames = phrases["negation", kind]
            return self._fill(self._draws.pick(frames), (p ^ 1,))
        if p[0] == NOT:
            return self._fill(self._draws.pick(phrases["negation.compound", kind]), p[1:])
        return self._fill(self._draws.pick(phrases[_EXPRESSION_OF[p[0]], kind]), p[1:])

    def _fill(self, frame: ExpressionFrame, parts: Sequence[Proposition]) -> str:
        text = frame.pieces[0]
        for (part, kind), piece in zip(frame.slots, frame.pieces[1:], strict=True):
            text += self._phrase(parts[part], kind) + piece
        return text


@functools.lru_cache(maxsize=1)
def load_templates() -> ArgumentTemplates:
    """Return the templates of this package."""
    values = read_yaml(Path(__file__).with_name("templates.yaml"))
    neutral = {name: _frames(name, values[name]["sentences"]) for name in EXPRESSIONS}
    known = {name: _frames(name, values[name]["premises_only"]) for name in EXPRESSIONS}
    phrases: dict[tuple[str, str], tuple[ExpressionFrame, ...]] = {}
    for kind, admitted in ADMITS.items():
        for expression in EXPRESSIONS[1:]:
            listed = values[expression]["phrases"].items()
            texts = [
                text
                for name, own in listed
                if {name, f"{expression}.{name}"}.intersection(admitted)
                for text in own
            ]
            found = _by_operand({expression: _frames(expression, dict(enumerate(texts)))})
            phrases |= {(name, kind): frames for name, frames in found.items()}
    return ArgumentTemplates(
        _by_operand({name: (*neutral[name], *known[name]) for name in EXPRESSIONS}),
        _by_operand(neutral),
        phrases,
    )


def _by_operand(frames: Mapping[str, tuple[ExpressionFrame, ...]]) -> dict[str, tuple[ExpressionFrame, ...]]:
    """Part the negations of literals and of compounds."""
    negations = frames.get("negation")
    if negations is None:
        return dict(frames)
    return {
        **frames,
        "negation": tuple(frame for frame in negations if frame.of_literals),
        "negation.compound": tuple(frame for frame in negations if frame.of_compounds),
    }


def _frames(expression: str, texts: Mapping[Any, str]) -> tuple[ExpressionFrame, ...]:
    frames = []
    for name, text in texts.items():
        parts = _SLOT.split(text)
        slots = zip(map("AB".index, parts[1::3]), parts[2::3], strict=True)
        frames.append(ExpressionFrame(f"{expression}.{name}", text, tuple(parts[0::3]), tuple(slots)))
    return tuple(frames)
