"""The grammar of rules: patterns with a place for each side, and how the sides are put into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from divlogic.benchmarks.logicnli.forms import FORMS, Form, Shape

_SLOT = re.compile(r"\{([pq]):(\w+)\}")


class Words(NamedTuple):
    """A literal in words: a person (empty where nobody is named), an adjective, and whether it is denied."""

    name: str
    adjective: str
    negative: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with a place for each side.

    Attributes:
        parts: fixed texts and (side, style) places in turn.
        premise: shapes of the premise that it can word.
        conclusion: shapes of the conclusion that it can word.
    """

    parts: tuple[str | tuple[str, str], ...]
    premise: frozenset[str]
    conclusion: frozenset[str]

    def words(self, premise: Sequence[Words], conclusion: Sequence[Words], connective: str) -> str:
        """Return the sentence of a rule; ``connective`` joins its premise."""
        template = self.template((len(premise), len(conclusion)), connective)
        return template.filled([part for literal in (*premise, *conclusion) for part in parts_of(*literal)])

    def template(self, sides: tuple[int, int], connective: str) -> Template:
        """Return the sentence of rules with sides of these sizes; ``connective`` joins their premise."""
        text, order = "", []
        for part in self.parts:
            if isinstance(part, str):
                text += part.replace("%", "%%")
                continue
            first, count = (0, sides[0]) if part[0] == "p" else sides
            joined = f" {connective if part[0] == 'p' else 'and'} "
            for number in range(count):
                text += joined * (number > 0)
                for piece in _PIECE.split(STYLES[part[1]][count - 1]):
                    if piece in _PARTS:
                        order.append(3 * (first + number) + _PARTS.index(piece))
                    text += "%s" if piece in _PARTS else piece
        return Template(text, itemgetter(*order))


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence in which every literal has its place.

    Attributes:
        text: the sentence, with ``%s`` for each part of a literal.
        chosen: picks these parts, in order, from those of all literals.
    """

    text: str
    chosen: Callable[[Sequence[str]], tuple[str, ...]]

    def filled(self, parts: Sequence[str]) -> str:
        """Return the sentence of literals; each is three parts (:func:`parts_of`), the premise's come first."""
        text = self.text % self.chosen(parts)
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of each class of rules, with its literals' places, and the sentence that closes the domain."""

    patterns: dict[int, tuple[Pattern, ...]]
    templates: dict[int, tuple[Template, ...]]
    closing: str


@lru_cache(maxsize=1)
def load_grammar() -> Grammar:
    """Return the grammar of ``grammar.yaml``."""
    import yaml

    content = yaml.safe_load(Path(__file__).with_name("grammar.yaml").read_text(encoding="utf-8"))
    patterns: dict[int, tuple[Pattern, ...]] = {}
    for code, form in FORMS.items():
        rows = content[form.scope]["equivalence" if form.equivalence else "implication"]
        found = [_pattern(row) for row in rows]
        patterns[code] = tuple(
            pattern
            for pattern in found
            if form.premise in pattern.premise and form.conclusion in pattern.conclusion
        )
    templates = {
        code: tuple(pattern.template(FORMS[code].sides, connective_of(FORMS[code])) for pattern in found)
        for code, found in patterns.items()
    }
    return Grammar(patterns, templates, content["closing"])


def fact_words(literal: Words) -> str:
    """Return the sentence of a fact or a statement."""
    return f"{literal.name} is {_NOT[literal.negative]}{literal.adjective}."


def parts_of(name: str, adjective: str, negative: bool) -> tuple[str, str, str]:
    """Return the parts of a literal that a sentence has places for."""
    return name, _NOT[negative], adjective


def _pattern(row: dict[str, Any]) -> Pattern:
    parts: list[str | tuple[str, str]] = []
    for number, piece in enumerate(_SLOT.split(row["text"])):
        if number % 3 == 0:
            parts.append(piece)
        elif number % 3 == 2:
            parts.append((_SLOT.split(row["text"])[number - 1], piece))
    shapes: tuple[Shape, ...] = ("one", "and", "or")
    return Pattern(
        tuple(part for part in parts if part),
        frozenset(row.get("p", shapes)),
        frozenset(row.get("q", shapes)),
    )


def _side(text: str, pair: str = "") -> tuple[str, str]:
    """Return how a literal is worded by itself, and beside another."""
    return text, pair or text


_NOT = ("", "not ")
_PARTS = ("NAME", "NOT ", "ADJECTIVE")
_PIECE = re.compile(f"({'|'.join(_PARTS)})")

STYLES: dict[str, tuple[str, str]] = {
    "is": _side("is NOT ADJECTIVE"),
    "is_also": _side("is also NOT ADJECTIVE"),
    "are": _side("are NOT ADJECTIVE"),
    # "not being kind and being tall" could be read as "not (being kind and being tall)".
    "being": _side("NOT being ADJECTIVE", "being NOT ADJECTIVE"),
    "to_be": _side("NOT to be ADJECTIVE", "to be NOT ADJECTIVE"),
    "clause": _side("NAME is NOT ADJECTIVE"),
    "for": _side("for NAME NOT to be ADJECTIVE"),
    "that": _side("that NAME is NOT ADJECTIVE"),
    "being_named": _side("NAME NOT being ADJECTIVE"),
    "everybody": _side("everybody is a person who is NOT ADJECTIVE"),
    "that_everybody": _side("that everybody is a person who is NOT ADJECTIVE"),
}
"""How the literals of a side are put into words, by style."""


def connective_of(form: Form) -> str:
    """Return the word that joins the premise of a class of rules."""
    return "or" if form.premise == "or" else "and"
