"""Chinese and English sentences for formulas, by the templates of ``wording.yaml`` over the symbols' glosses.

Formulas come as S-expressions, whose sugar (``exactly`` ...) has wordings of its own. A negated atom takes the gloss of
its negation; 并非 and "it is not the case that" stand only before what has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.seeds import Noun
from divlogic.io.files import read_yaml
from divlogic.logic.expressions import OPERATORS
from divlogic.logic.theory import Gloss, Symbol

Language = Literal["zh", "en"]
TEMPLATES: dict[str, dict[Language, str]] = read_yaml(Path(__file__).with_suffix(".yaml"))
_SINGLE = str.maketrans("“”‘’", "‘’“”")


def said(name: str, language: Language, *parts: object, **named: object) -> str:
    """Return a template filled in."""
    return TEMPLATES[name][language].format(*parts, **named)


def both(text: Callable[[Language], str]) -> Gloss:
    """Return a text made in both languages."""
    return Gloss(zh=text("zh"), en=text("en"))


@dataclass(frozen=True)
class ChineseWording:
    """Wording of formulas over one set of symbols."""

    symbols: Mapping[str, Symbol]
    things: Noun

    def sentence(self, expression: Any) -> Gloss:
        """Return a formula as a sentence with its full stop."""
        return Gloss(
            zh=self.clause(expression, "zh") + "。", en=capital(self.clause(expression, "en")) + "."
        )

    def clause(self, expression: Any, language: Language) -> str:
        """Return a formula as a clause without a full stop."""
        return _Clause(self, language, _depth(expression)).of(expression, {}, *OPERATORS)


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def number(value: int, language: Language) -> str:
    """Return a small number as Chinese counts things (两, not 二), in English as a digit."""
    digits = TEMPLATES["digits"][language]
    return digits[value] if value < len(digits) else str(value)


def numbered(parts: Iterable[str], language: Language) -> str:
    """Return parts as a numbered list on one line: （1）...；（2）... ."""
    entries = [said("entry", language, place, part) for place, part in enumerate(parts, start=1)]
    return TEMPLATES["separator"][language].join(entries)


def case_of(held: Sequence[int], total: int, language: Language) -> str:
    """Name the case in which just the items at these places, from 0, of a numbered list hold."""
    labels = [said("label", language, place + 1) for place in held]
    name = {0: "none holds", total: "all hold", 1: "one holds"}.get(len(held), "some hold")
    return said(name, language, TEMPLATES["label separator"][language].join(labels))


class _Clause:
    def __init__(self, wording: ChineseWording, language: Language, depth: int) -> None:
        self.wording, self.depth = wording, depth
        self.language: Language = language

    def of(self, value: Any, bound: dict[str, str], *bare: str) -> str:
        """Word a formula; in quotation marks, unless it is a literal or its operator is one of those given."""
        match value:
            case str(name):
                return self.atom(name, (), bound)
            case ["=" | "!=" as head, left, right]:
                return said(head, self.language, self.term(left, bound), self.term(right, bound))
            case ["not", str(name)]:
                return self.atom(name, (), bound, positive=False)
            case ["not", ["and", *parts]] if all(map(is_literal, parts)):
                text = self.listed("none of", parts, bound)
            case ["not", [str(name), *terms]] if name not in OPERATORS:
                return self.atom(name, terms, bound, positive=False)
            case ["not", inner]:
                text = TEMPLATES["not"][self.language] + self.of(inner, bound)
            case ["or", *parts] if len(parts) != 2:
                text = self.listed("some of", parts, bound, "or")
            case ["and" | "or" as head, *parts]:
                text = TEMPLATES[head][self.language].join(
                    self.of(part, bound, head) for part in parts
                )
            case ["xor", *parts]:
                text = self.listed("one of", parts, bound)
            case ["exactly" | "at_least" | "at_most" as head, count, *parts]:
                text = self.listed(head, parts, bound, count=number(count, self.language))
            case ["->" | "<->" as head, left, right]:
                condition = self.of(left, bound, *(["and"] if head == "->" else []))
                text = said(head, self.language, condition, self.of(right, bound, "and"))
            case ["forall" | "exists" as head, variable, body]:
                text = self.quantified(head, variable, body, bound)
            case [name, *terms]:
                return self.atom(name, terms, bound)
        return text if value[0] in bare else self.quoted(text)

    def listed(
        self, name: str, parts: Sequence[Any], bound: dict[str, str], *bare: str, count: str = ""
    ) -> str:
        texts = [self.of(part, bound, *bare) for part in parts]
        return said(name, self.language, count) + TEMPLATES["separator"][self.language].join(texts)

    def atom(
        self, name: str, terms: Sequence[str], bound: dict[str, str], positive: bool = True
    ) -> str:
        gloss = self.wording.symbols[name].gloss
        text: str = getattr(gloss, self.language)
        if not positive:
            negative = getattr(gloss, f"{self.language}_not")
            text = negative or TEMPLATES["not"][self.language] + text
        return text.format(*[self.term(term, bound) for term in terms])

    def term(self, name: str, bound: dict[str, str]) -> str:
        return (
            bound[name]
            if name in bound
            else str(getattr(self.wording.symbols[name].gloss, self.language))
        )

    def quantified(self, head: str, variable: str, body: Any, bound: dict[str, str]) -> str:
        noun = getattr(self.wording.things, self.language)
        if self.depth > 1:
            letter = TEMPLATES["letters"][self.language][len(bound)]
            name = noun = said("lettered", self.language, noun, letter)
        else:
            name = said("that", self.language, noun)
        clause = self.of(body, {**bound, variable: name}, *OPERATORS)
        return said(
            head, self.language, noun=noun, clause=clause, counter=self.wording.things.counter
        )

    def quoted(self, text: str) -> str:
        """Put a part into quotation marks; those inside it become single ones, or double ones again."""
        if self.language == "zh":
            return f"“{text.translate(_SINGLE)}”"
        # The apostrophe is no quotation mark, so that English ones only change from double to single.
        return '"' + text.replace('"', "'") + '"'


def is_literal(value: Any) -> bool:
    """Return whether an expression is an atom or the negation of one."""
    inner = value[1] if value[0] == "not" else value
    return isinstance(inner, str) or inner[0] not in OPERATORS


def _depth(value: Any) -> int:
    """Return the number of quantifiers nested in an expression."""
    if not isinstance(value, (list, tuple)):
        return 0
    inner = max((_depth(part) for part in value[1:]), default=0)
    return inner + (value[0] in ("forall", "exists"))
