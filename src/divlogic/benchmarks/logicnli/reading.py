"""Reads the English of LogicNLI's generator back into formulas.

Every sentence has one reading only: that is what makes it safe to call the label of a text the label of its formulas.
"""

from __future__ import annotations

import re
from functools import lru_cache

from divlogic.benchmarks.logicnli.forms import FORMS, Form
from divlogic.benchmarks.logicnli.grammar import Pattern, connective_of, load_grammar
from divlogic.logic.chaining import ALL, EXIST, Literal, Rule, Side

_NAME = r"([A-Z][a-z]+)"
_ADJECTIVE = r"([A-Za-z]+)"

# Groups of one literal by style: name (if any), "not", adjective.
_ONE = {
    "is": rf"is (not )?{_ADJECTIVE}",
    "is_also": rf"is also (not )?{_ADJECTIVE}",
    "are": rf"are (not )?{_ADJECTIVE}",
    "being": rf"(not )?being {_ADJECTIVE}",
    "to_be": rf"(not )?to be {_ADJECTIVE}",
    "clause": rf"{_NAME} is (not )?{_ADJECTIVE}",
    "for": rf"for {_NAME} (not )?to be {_ADJECTIVE}",
    "that": rf"that {_NAME} is (not )?{_ADJECTIVE}",
    "being_named": rf"{_NAME} (not )?being {_ADJECTIVE}",
    "everybody": rf"everybody is a person who is (not )?{_ADJECTIVE}",
    "that_everybody": rf"that everybody is a person who is (not )?{_ADJECTIVE}",
}
_PAIR = {"being": rf"being (not )?{_ADJECTIVE}", "to_be": rf"to be (not )?{_ADJECTIVE}"}
_NAMING = frozenset(("clause", "for", "that", "being_named"))
_FACT = re.compile(_ONE["clause"] + r"\.")


def read_fact(sentence: str) -> Literal:
    """Return the literal of a fact or statement.

    Raises:
        ValueError: the sentence is not one of this grammar.
    """
    found = _FACT.fullmatch(sentence)
    if found is None:
        raise ValueError(f"no fact in these words: {sentence!r}")
    return Literal(found[1], found[3], "-" if found[2] else "+")


def closing_sentence() -> str:
    """Return the sentence that says that there is nobody else."""
    return load_grammar().closing


def read_rule(sentence: str) -> Rule:
    """Return the rule of a sentence.

    Raises:
        ValueError: the sentence is not one of this grammar, or has more than one reading.
    """
    readings = readings_of(sentence)
    if len(readings) != 1:
        raise ValueError(f"{len(readings)} readings of: {sentence!r}")
    return readings[0]


def readings_of(sentence: str) -> list[Rule]:
    """Return every reading of a rule's sentence."""
    found: dict[tuple[object, ...], Rule] = {}
    texts = (sentence, sentence[0].lower() + sentence[1:])
    for form, order, fixed, expression in _expressions():
        if fixed not in sentence:
            continue
        for text in texts:
            if match := expression.fullmatch(text):
                rule = _rule(form, order, match.groups())
                found.setdefault((form.code, rule.premise, rule.conclusion), rule)
    return list(found.values())


@lru_cache(maxsize=1)
def _expressions() -> list[tuple[Form, tuple[tuple[str, str], ...], str, re.Pattern[str]]]:
    """Return class, order of the sides, longest fixed text without its first letter, and expression, by pattern."""
    return [
        (
            FORMS[code],
            tuple(part for part in pattern.parts if not isinstance(part, str)),
            max((part[1:] for part in pattern.parts if isinstance(part, str)), key=len),
            _compiled(pattern, FORMS[code]),
        )
        for code, patterns in load_grammar().patterns.items()
        for pattern in patterns
    ]


def _compiled(pattern: Pattern, form: Form) -> re.Pattern[str]:
    counts = dict(zip("pq", form.sides, strict=True))
    text = ""
    for part in pattern.parts:
        if isinstance(part, str):
            text += re.escape(part if text or pattern.parts[0] != part else part[0].lower() + part[1:])
            continue
        side, style = part
        if counts[side] == 1:
            text += _ONE[style]
        else:
            word = connective_of(form) if side == "p" else "and"
            text += f" {word} ".join([_PAIR.get(style, _ONE[style])] * 2)
    return re.compile(text)


def _rule(form: Form, order: tuple[tuple[str, str], ...], groups: tuple[str | None, ...]) -> Rule:
    counts = dict(zip("pq", form.sides, strict=True))
    sides: dict[str, Side] = {}
    at = 0
    for side, style in order:
        literals = []
        for _ in range(counts[side]):
            name = {"all": ALL, "exist": EXIST, "everyone": ALL, "named": ""}[form.scope]
            if style in _NAMING:
                name = str(groups[at])
                at += 1
            literals.append(Literal(name, str(groups[at + 1]), "-" if groups[at] else "+"))
            at += 2
        connective = connective_of(form) if side == "p" else "and"
        sides[side] = Side(tuple(literals), connective if counts[side] == 2 else "none")
    return Rule(form.name, sides["p"], sides["q"], form.equivalence, form.code)
