"""The frames of templates.yaml, ready for use: a proposition and its clauses in, an English sentence out."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from divlogic.benchmarks.justlogic.propositions import IF, NOT, OR, Proposition
from divlogic.draws import Draws
from divlogic.errors import DivLogicError

EXPRESSIONS = ("statement", "negation", "conditional", "disjunction")
SLOTS = {"statement": "A", "negation": "A", "conditional": "AB", "disjunction": "AB"}
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
class Frame:
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
class Templates:
    """All wordings.

    Attributes:
        premises: expression -> frames of a premise; ``negation.compound`` those that negate a compound.
        queries: the same, without the frames that speak of what is known.
        phrases: (expression, kind of slot) -> frames of a proposition in such a slot; empty where none is admitted.
    """

    premises: Mapping[str, tuple[Frame, ...]]
    queries: Mapping[str, tuple[Frame, ...]]
    phrases: Mapping[tuple[str, str], tuple[Frame, ...]]


@dataclass(frozen=True, slots=True)
class Clauses:
    """What an atom says, in mid-sentence form; ``negated`` where the negation of its verb is certain."""

    text: str
    negated: str | None


class Wording:
    """Words the propositions of one instance.

    Args:
        clauses: clauses of each atom.
        templates: the frames.
        draws: the instance's stream.
        verb_negation: probability that a negated atom is negated at its verb, where it can be.
    """

    def __init__(
        self, clauses: Sequence[Clauses], templates: Templates, draws: Draws, verb_negation: float
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

    def _sentence(self, p: Proposition, frames: Mapping[str, tuple[Frame, ...]]) -> str:
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
            if not frames:  # a slot for plain clauses alone never receives a negation by a phrase
                raise ValueError(f"a slot of kind '{kind}' takes no negation")
            return self._fill(self._draws.pick(frames), (p ^ 1,))
        if p[0] == NOT:
            return self._fill(self._draws.pick(phrases["negation.compound", kind]), p[1:])
        return self._fill(self._draws.pick(phrases[_EXPRESSION_OF[p[0]], kind]), p[1:])

    def _fill(self, frame: Frame, parts: Sequence[Proposition]) -> str:
        text = frame.pieces[0]
        for (part, kind), piece in zip(frame.slots, frame.pieces[1:], strict=True):
            text += self._phrase(parts[part], kind) + piece
        return text


@functools.lru_cache(maxsize=1)
def load_templates() -> Templates:
    """Return the templates of this package."""
    import yaml

    path = Path(__file__).with_name("templates.yaml")
    return parse_templates(yaml.safe_load(path.read_text(encoding="utf-8")), str(path))


def parse_templates(values: Mapping[str, Any], where: str) -> Templates:
    """Build the templates from the content of a YAML file.

    Raises:
        DivLogicError: an expression is missing, a slot is missing or used twice.
    """
    if not isinstance(values, Mapping) or set(values) != set(EXPRESSIONS):
        raise DivLogicError(f"{where}: expected exactly the sections {', '.join(EXPRESSIONS)}.")
    neutral: dict[str, tuple[Frame, ...]] = {}
    known: dict[str, tuple[Frame, ...]] = {}
    for expression in EXPRESSIONS:
        section = values[expression]
        neutral[expression] = tuple(_frames(expression, section["sentences"], where))
        known[expression] = tuple(_frames(expression, section["premises_only"], where))
    return Templates(
        _by_operand({name: (*neutral[name], *known[name]) for name in EXPRESSIONS}),
        _by_operand(neutral),
        dict(_phrases(values, where)),
    )


def _by_operand(frames: Mapping[str, tuple[Frame, ...]]) -> dict[str, tuple[Frame, ...]]:
    """Part the negations of literals and of compounds."""
    negations = frames["negation"]
    return {
        **frames,
        "negation": tuple(frame for frame in negations if frame.of_literals),
        "negation.compound": tuple(frame for frame in negations if frame.of_compounds),
    }


def _phrases(values: Mapping[str, Any], where: str) -> Iterator[tuple[tuple[str, str], tuple[Frame, ...]]]:
    """Yield the frames that may stand in each kind of slot."""
    for expression in EXPRESSIONS[1:]:
        by_kind = {
            name: tuple(_frames(expression, dict(enumerate(texts)), where))
            for name, texts in values[expression]["phrases"].items()
        }
        for kind, admitted in ADMITS.items():
            frames = [
                frame
                for name, listed in by_kind.items()
                if name in admitted or f"{expression}.{name}" in admitted
                for frame in listed
            ]
            if expression == "negation":
                yield ("negation", kind), tuple(frame for frame in frames if frame.of_literals)
                yield ("negation.compound", kind), tuple(frame for frame in frames if frame.of_compounds)
            else:
                yield (expression, kind), tuple(frames)


def _frames(expression: str, texts: Mapping[Any, str], where: str) -> Iterator[Frame]:
    for name, text in texts.items():
        parts = _SLOT.split(text)
        pieces, names, kinds = tuple(parts[0::3]), parts[1::3], parts[2::3]
        if sorted(names) != sorted(SLOTS[expression]):
            raise DivLogicError(
                f"{where}: template '{name}' of '{expression}' has the slots {', '.join(names) or 'none'};"
                f" give each of {', '.join(SLOTS[expression])} exactly once."
            )
        order = tuple("AB".index(slot) for slot in names)
        yield Frame(f"{expression}.{name}", text, pieces, tuple(zip(order, kinds, strict=True)))
