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


def _not(literal: Words) -> str:
    return "not " if literal.negative else ""


def _literal(text: str) -> Callable[[Words], str]:
    """Return how one literal is worded: NAME, NOT and ADJECTIVE stand for its parts."""
    pieces = re.split("(NAME|NOT |ADJECTIVE)", text)
    first, second = pieces[0], pieces[2]
    if pieces[1] == "NAME":
        third = pieces[4]
        return lambda literal: f"{first}{literal.name}{second}{_not(literal)}{third}{literal.adjective}"
    return lambda literal: f"{first}{_not(literal)}{second}{literal.adjective}"


def _side(text: str, pair: str = "") -> Callable[[Sequence[Words], str], str]:
    """Return how a side is worded: each literal by ``text``, or by ``pair`` where there are two."""
    one, of_two = _literal(text), _literal(pair or text)

    def side(literals: Sequence[Words], connective: str) -> str:
        if len(literals) == 1:
            return one(literals[0])
        return f"{of_two(literals[0])} {connective} {of_two(literals[1])}"

    return side


_clause = _literal("NAME is NOT ADJECTIVE")

STYLES: dict[str, Callable[[Sequence[Words], str], str]] = {
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
