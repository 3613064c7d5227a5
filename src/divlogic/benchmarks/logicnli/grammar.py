"""The grammar of rules and facts: templates that put formulas into words and read them back.

Every sentence has one reading only: that is what makes it safe to call the label of a text the label of its formulas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

from divlogic.benchmarks.logicnli.theories import FORMS, Form
from divlogic.io.files import read_yaml
from divlogic.logic.horn import SUBJECTS, Literal, Rule, Side

NOT = {"+": "", "-": "not "}
"""What stands before an adjective, by sign."""

_EVERY = {"+": "every", "-": "no"}
"""What stands before "body is tall", by sign: "everybody is not tall" has two readings."""

_PLACES = {
    "NAME": "([A-Z][a-z]+)",
    "NOT ": "(not )?",
    "ADJECTIVE": "([A-Za-z-]+)",
    "EVERY": "(?:every|(no))",
}
"""The parts of a literal in a style, in the order of :func:`parts_of`, and what each looks like in a text."""

_PIECE = re.compile(f"({'|'.join(_PLACES)})")
_SLOT = re.compile(r"\{([pq]):(\w+)\}")
_FACT = re.compile("{NAME} is {NOT }{ADJECTIVE}\\.".format(**_PLACES))


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence in which every literal of a class of rules has its place.

    Attributes:
        text: the sentence, with ``%s`` for each part of a literal.
        places: which part each ``%s`` is, counted over the literals of the premise and then of the conclusion.
        chosen: picks these parts, in order, from those of all literals.
        expression: matches the sentence with a small first letter, a group for each part.
        fixed: the longest of its fixed texts, without the first letter.
    """

    form: Form
    text: str
    places: tuple[int, ...]
    chosen: Callable[[Sequence[str]], tuple[str, ...]]
    expression: re.Pattern[str]
    fixed: str

    @classmethod
    def of(cls, form: Form, text: str) -> Template:
        """Return the template of a pattern of ``grammar.yaml``."""
        counts = dict(zip("pq", form.sides, strict=True))
        text = text[0].lower() + text[1:]
        words, expression, places, fixed = "", "", [], ""
        pieces = _SLOT.split(text)
        for plain, side, style in zip(
            pieces[::3], [*pieces[1::3], ""], [*pieces[2::3], ""], strict=True
        ):
            words += plain
            expression += re.escape(plain)
            fixed = max(fixed, plain[1:], key=len)
            for number in range(counts[side] if side else 0):
                if number:
                    joined = f" {connective_of(form) if side == 'p' else 'and'} "
                    words, expression = words + joined, expression + joined
                literal = number + (side == "q") * counts["p"]
                for piece in _PIECE.split(_content()["styles"][style]):
                    if piece in _PLACES:
                        places.append(4 * literal + list(_PLACES).index(piece))
                    words += "%s" if piece in _PLACES else piece
                    expression += _PLACES.get(piece, piece)
        return cls(form, words, tuple(places), itemgetter(*places), re.compile(expression), fixed)

    def filled(self, parts: Sequence[str]) -> str:
        """Return the sentence of literals, each four parts (:func:`parts_of`), those of the premise first."""
        text = self.text % self.chosen(parts)
        return text[0].upper() + text[1:]

    def read(self, text: str) -> Rule | None:
        """Return the rule of a sentence with a small first letter (but for a name); ``None`` if it is another's."""
        match = self.expression.fullmatch(text)
        if match is None:
            return None
        form = self.form
        parts = dict(zip(self.places, match.groups(), strict=True))
        denied = {at // 4 for at, part in parts.items() if part and at % 4 in (1, 3)}
        sides, start = [], 0
        for number, (count, subject) in enumerate(
            zip(form.sides, SUBJECTS[form.scope], strict=True)
        ):
            literals = [
                Literal(str(parts.get(4 * at, subject)), str(parts[4 * at + 2]), "+-"[at in denied])
                for at in range(start, start + count)
            ]
            start += count
            connective = "and" if number else connective_of(form)
            sides.append(Side(tuple(literals), connective if count == 2 else "none"))
        return Rule(form.name, sides[0], sides[1], form.equivalence, form.code)


def connective_of(form: Form) -> str:
    """Return the word that joins the premise of a class of rules."""
    return "or" if form.premise == "or" else "and"


@lru_cache(maxsize=1)
def templates() -> dict[int, tuple[Template, ...]]:
    """Return the templates of each class of rules."""
    return {
        code: tuple(
            Template.of(form, row["text"])
            for row in _content()[form.scope]["equivalence" if form.equivalence else "implication"]
            if form.premise in row.get("p", form.premise)
            and form.conclusion in row.get("q", form.conclusion)
        )
        for code, form in FORMS.items()
    }


def closing_sentence() -> str:
    """Return the sentence that says that there is nobody else."""
    return str(_content()["closing"])


@lru_cache(maxsize=1)
def _content() -> dict[str, Any]:
    content: dict[str, Any] = read_yaml(Path(__file__).with_name("grammar.yaml"))
    return content


def parts_of(literal: Literal) -> tuple[str, str, str, str]:
    """Return the parts of a literal that a sentence has places for."""
    return literal.subject, NOT[literal.sign], literal.attribute, _EVERY[literal.sign]


def fact_words(literal: Literal) -> str:
    """Return the sentence of a fact or a statement."""
    return f"{literal.subject} is {NOT[literal.sign]}{literal.attribute}."


def read_fact(sentence: str) -> Literal:
    """Return the literal of a fact or statement; a ValueError if the sentence is not one of this grammar."""
    found = _FACT.fullmatch(sentence)
    if found is None:
        raise ValueError(f"no fact in these words: {sentence!r}")
    return Literal(found[1], found[3], "-" if found[2] else "+")


def read_rule(sentence: str) -> Rule:
    """Return the rule of a sentence; a ValueError if it is not one of this grammar, or has more than one reading."""
    readings = readings_of(sentence)
    if len(readings) != 1:
        raise ValueError(f"{len(readings)} readings of: {sentence!r}")
    return readings[0]


def readings_of(sentence: str) -> list[Rule]:
    """Return every reading of a rule's sentence."""
    found: dict[tuple[object, ...], Rule] = {}
    texts = {True: sentence, False: sentence[0].lower() + sentence[1:]}
    for fixed, named, group in _by_fixed_text():
        for template in group if fixed in sentence else ():
            if rule := template.read(texts[named]):
                found.setdefault((rule.form, rule.premise, rule.conclusion), rule)
    return list(found.values())


@lru_cache(maxsize=1)
def _by_fixed_text() -> list[tuple[str, bool, list[Template]]]:
    """Return templates by their fixed text, and by whether they start with a name, in the order of the classes."""
    found: dict[tuple[str, bool], list[Template]] = {}
    for template in (one for form in templates().values() for one in form):
        named = template.text.startswith("%s") and template.places[0] % 4 == 0
        found.setdefault((template.fixed, named), []).append(template)
    return [(*key, group) for key, group in found.items()]


def formula_of(rule: dict[str, Any], name: str = "") -> Rule:
    """Return the rule that a record's formulas give in the form of the authors' release."""
    sides = rule["p"], rule["q"]
    premise, conclusion = [
        Side(tuple([Literal(*part) for part in one["fact"]]), one["conj"]) for one in sides
    ]
    return Rule(
        name or rule["reasoning"], premise, conclusion, rule["type"] == "equ", rule.get("class")
    )
