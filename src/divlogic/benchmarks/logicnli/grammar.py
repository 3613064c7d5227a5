"""The grammar of rules: patterns with a place for each side, and how the sides are put into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
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
        text = "".join(
            [
                part
                if isinstance(part, str)
                else STYLES[part[1]](premise, connective)
                if part[0] == "p"
                else STYLES[part[1]](conclusion, "and")
                for part in self.parts
            ]
        )
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of each class of rules, and the sentence that closes the domain."""

    patterns: dict[int, tuple[Pattern, ...]]
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
    return Grammar(patterns, content["closing"])


def fact_words(literal: Words) -> str:
    """Return the sentence of a fact or a statement."""
    return f"{_clause(literal)}."


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


def _clause(literal: Words) -> str:
    return f"{literal.name} is {_not(literal)}{literal.adjective}"


def _not(literal: Words) -> str:
    return "not " if literal.negative else ""


def _is(literal: Words) -> str:
    return f"is {_not(literal)}{literal.adjective}"


def _is_also(literal: Words) -> str:
    return f"is also {_not(literal)}{literal.adjective}"


def _are(literal: Words) -> str:
    return f"are {_not(literal)}{literal.adjective}"


def _for(literal: Words) -> str:
    return f"for {literal.name} {_not(literal)}to be {literal.adjective}"


def _that(literal: Words) -> str:
    return f"that {_clause(literal)}"


def _being_named(literal: Words) -> str:
    return f"{literal.name} {_not(literal)}being {literal.adjective}"


def _everybody(literal: Words) -> str:
    return f"everybody is a person who is {_not(literal)}{literal.adjective}"


def _each(word: Callable[[Words], str]) -> Callable[[Sequence[Words], str], str]:
    def side(literals: Sequence[Words], connective: str) -> str:
        if len(literals) == 1:
            return word(literals[0])
        return f"{word(literals[0])} {connective} {word(literals[1])}"

    return side


def _being(literals: Sequence[Words], connective: str) -> str:
    if len(literals) == 1:
        return f"{_not(literals[0])}being {literals[0].adjective}"
    first, second = [f"being {_not(literal)}{literal.adjective}" for literal in literals]
    return f"{first} {connective} {second}"


def _to_be(literals: Sequence[Words], connective: str) -> str:
    if len(literals) == 1:
        return f"{_not(literals[0])}to be {literals[0].adjective}"
    first, second = [f"to be {_not(literal)}{literal.adjective}" for literal in literals]
    return f"{first} {connective} {second}"


STYLES: dict[str, Callable[[Sequence[Words], str], str]] = {
    "is": _each(_is),
    "is_also": _each(_is_also),
    "are": _each(_are),
    "being": _being,
    "to_be": _to_be,
    "clause": _each(_clause),
    "for": _each(_for),
    "that": _each(_that),
    "being_named": _each(_being_named),
    "everybody": _each(_everybody),
}
"""How the literals of a side are put into words, by style."""


def connective_of(form: Form) -> str:
    """Return the word that joins the premise of a class of rules."""
    return "or" if form.premise == "or" else "and"
