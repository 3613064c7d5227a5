"""Chinese and English sentences for formulas, by templates over the symbols' glosses.

Formulas come as S-expressions, whose sugar (``exactly`` ...) has wordings of its own. A negated atom takes the gloss of
its negation; 并非 and "it is not the case that" stand only before what has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from divlogic.benchmarks.llmeval_logic.seeds import Noun
from divlogic.logic.theory import Gloss, Symbol

Language = Literal["zh", "en"]
LANGUAGES: tuple[Language, Language] = ("zh", "en")
_COUNT = {
    "exactly": ("以下恰有{n}项成立：", "exactly {n} of these hold: "),
    "at_least": ("以下至少有{n}项成立：", "at least {n} of these hold: "),
    "at_most": ("以下至多有{n}项成立：", "at most {n} of these hold: "),
}
_DIGITS = "零一两三四五六七八九"


@dataclass(frozen=True)
class Wording:
    """Wording of formulas over one set of symbols.

    Attributes:
        symbols: by name.
        things: the noun of the domain.
    """

    symbols: Mapping[str, Symbol]
    things: Noun

    def sentence(self, expression: Any) -> Gloss:
        """Return a formula as a sentence with its full stop."""
        return Gloss(zh=self.clause(expression, "zh") + "。", en=capital(self.clause(expression, "en")) + ".")

    def clause(self, expression: Any, language: Language) -> str:
        """Return a formula as a clause without a full stop."""
        return _Clause(self, language, _depth(expression)).of(expression, {}, top=True)

    def both(self, text: Callable[[Language], str]) -> Gloss:
        """Return a text made in both languages."""
        return Gloss(zh=text("zh"), en=text("en"))


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def number(value: int, language: Language) -> str:
    """Return a small number as Chinese counts things (两, not 二), in English as a digit."""
    return _DIGITS[value] if language == "zh" and value < len(_DIGITS) else str(value)


def numbered(parts: Iterable[str], language: Language) -> str:
    """Return parts as a numbered list on one line: （1）...；（2）... ."""
    if language == "zh":
        return "；".join(f"（{place}）{part}" for place, part in enumerate(parts, start=1))
    return "; ".join(f"({place}) {part}" for place, part in enumerate(parts, start=1))


def labels(places: Iterable[int], language: Language) -> str:
    """Return places from 0 as the labels of :func:`numbered`."""
    if language == "zh":
        return "、".join(f"（{place + 1}）" for place in places)
    return ", ".join(f"({place + 1})" for place in places)


class _Clause:
    def __init__(self, wording: Wording, language: Language, depth: int) -> None:
        self.wording, self.zh, self.depth = wording, language == "zh", depth
        self.language: Language = language

    def of(self, value: Any, bound: dict[str, str], top: bool = False) -> str:
        if isinstance(value, str):
            return self.atom(value, (), bound, True)
        head, *rest = value
        method = getattr(self, f"of_{_METHODS.get(head, 'atom')}")
        text = method(head, rest, bound)
        if top or _literal(value) or head in ("=", "!="):
            return str(text)
        return _quoted(text, self.zh)

    def plain(self, value: Any, bound: dict[str, str], free: Sequence[str]) -> str:
        """Return a part without quotation marks where its connective cannot be misread."""
        return self.of(value, bound, top=not isinstance(value, str) and value[0] in free)

    def atom(self, name: str, terms: Sequence[str], bound: dict[str, str], positive: bool) -> str:
        symbol = self.wording.symbols[name]
        gloss = symbol.gloss
        if self.zh:
            text, lack = (
                (gloss.zh, "") if positive else (gloss.zh_not or gloss.zh, "" if gloss.zh_not else "并非")
            )
        else:
            text = gloss.en if positive else gloss.en_not or gloss.en
            lack = "" if positive or gloss.en_not else "it is not the case that "
        return lack + text.format(*[self.term(term, bound) for term in terms])

    def term(self, name: str, bound: dict[str, str]) -> str:
        if name in bound:
            return bound[name]
        gloss = self.wording.symbols[name].gloss
        return gloss.zh if self.zh else gloss.en

    def of_atom(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        return self.atom(head, rest, bound, True)

    def of_equal(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        left, right = (self.term(term, bound) for term in rest)
        if self.zh:
            return f"{left}{'就是' if head == '=' else '不是'}{right}"
        return f"{left} {'is' if head == '=' else 'is not'} {right}"

    def of_not(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        inner = rest[0]
        if isinstance(inner, str):
            return self.atom(inner, (), bound, False)
        if inner[0] not in _METHODS:
            return self.atom(inner[0], inner[1:], bound, False)
        if inner[0] == "and" and all(_literal(part) for part in inner[1:]):
            parts = [self.of(part, bound) for part in inner[1:]]
            if self.zh:
                return f"以下各项不会都成立：{'；'.join(parts)}"
            return f"these do not all hold: {'; '.join(parts)}"
        return ("并非" if self.zh else "it is not the case that ") + self.of(inner, bound)

    def of_and(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        parts = [self.plain(part, bound, ("and",)) for part in rest]
        return ("，并且" if self.zh else " and ").join(parts)

    def of_or(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        parts = [self.plain(part, bound, ("or",)) for part in rest]
        if len(parts) == 2:
            return ("，或者" if self.zh else " or ").join(parts)
        if self.zh:
            return f"以下至少有一项成立：{'；'.join(parts)}"
        return f"at least one of these holds: {'; '.join(parts)}"

    def of_xor(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        parts = [self.plain(part, bound, ()) for part in rest]
        if self.zh:
            return f"以下恰有一项成立：{'；'.join(parts)}"
        return f"exactly one of these holds: {'; '.join(parts)}"

    def of_count(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        lead = _COUNT[head][0 if self.zh else 1].format(n=number(rest[0], self.language))
        return lead + ("；" if self.zh else "; ").join(self.plain(part, bound, ()) for part in rest[1:])

    def of_if(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        left, right = self.plain(rest[0], bound, ("and",)), self.plain(rest[1], bound, ("and",))
        return f"若{left}，则{right}" if self.zh else f"if {left}, then {right}"

    def of_iff(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        left, right = self.of(rest[0], bound), self.plain(rest[1], bound, ("and",))
        return f"{left}，当且仅当{right}" if self.zh else f"{left} if and only if {right}"

    def of_quantified(self, head: str, rest: list[Any], bound: dict[str, str]) -> str:
        noun = self.wording.things.zh if self.zh else self.wording.things.en
        variable, body = rest
        if self.depth > 1:
            letter = "甲乙丙丁"[len(bound)] if self.zh else "XYZW"[len(bound)]
            name = f"{noun}{letter}" if self.zh else f"{noun} {letter}"
        else:
            name = f"该{noun}" if self.zh else f"that {noun}"
        inner = self.of(body, {**bound, variable: name}, top=True)
        if self.zh:
            shown = name if self.depth > 1 else noun
            counted = f"{self.wording.things.counter}{shown}"
            return f"对每{counted}来说，{inner}" if head == "forall" else f"至少有一{counted}满足：{inner}"
        shown = name if self.depth > 1 else noun
        return f"for every {shown}, {inner}" if head == "forall" else f"for at least one {shown}, {inner}"


_METHODS = {
    "not": "not",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "->": "if",
    "<->": "iff",
    "exactly": "count",
    "at_least": "count",
    "at_most": "count",
    "forall": "quantified",
    "exists": "quantified",
    "=": "equal",
    "!=": "equal",
}


def _quoted(text: str, zh: bool) -> str:
    """Put a part into quotation marks; those inside it become single ones, or double ones again."""
    if zh:
        return f"“{text.translate(_SINGLE)}”"
    # The apostrophe is no quotation mark, so that English ones only change from double to single.
    return '"' + text.replace('"', "'") + '"'


_SINGLE = str.maketrans("“”‘’", "‘’“”")


def _literal(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return value[0] not in _METHODS or (value[0] == "not" and _literal(value[1]) and value[1][0] != "not")


def _depth(value: Any) -> int:
    """Return the number of quantifiers nested in an expression."""
    if not isinstance(value, (list, tuple)):
        return 0
    inner = max((_depth(part) for part in value[1:]), default=0)
    return inner + (value[0] in ("forall", "exists"))
