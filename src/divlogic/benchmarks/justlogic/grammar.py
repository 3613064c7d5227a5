"""A grammar of the English that words JustLogic's expressions: what a sentence says, read off its words.

It proves the templates and the finished items, and knows neither. Its phrases are clauses (S: a slot, "S if S",
"it is true T") and that-clauses (T: "that S"); *every* analysis of a text is found, so that a text whose scope is
open ("it is not true that A if B") shows two readings and is refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from divlogic.logic import Formula, Implies, Not, Or, Var, equivalent, parse, to_text

_TOKEN = re.compile(r"\{([A-Za-z]\w*)\}|([A-Za-z]+)|([^\sA-Za-z])")
_Pattern = tuple[str, ...]

_TRUE = (
    "it is true",
    "it is also true",
    "it is the case",
    "it is also the case",
    "it is a fact",
    "it is correct",
)
_SAID = ("it is right to say", "it holds", "it follows")
_KNOWN = (
    "it is known",
    "we know",
    "it is certain",
    "it has been established",
    "it is established",
    "there is no doubt",
    "it is beyond doubt",
)
_FALSE = (
    *(
        "it is not true",
        "it is not the case",
        "it is false",
        "it is untrue",
        "it is incorrect",
        "it is not correct",
    ),
    *("it is wrong to say", "it is a mistake to think", "it is a misconception", "it is not a fact"),
    *("it is known to be false", "it has been established to be false", "there is no truth in the claim"),
)
_NOUNS = ("claim", "statement", "idea")
_RIGHT = ("true", "correct", "right")
_WRONG = ("false", "untrue", "wrong", "incorrect", "mistaken")
_IF = (
    "if S2",
    "whenever S2",
    "as long as S2",
    "so long as S2",
    "in any case in which S2",
    "provided T2",
    "assuming T2",
    "supposing T2",
    "on the condition T2",
    "in the event T2",
    "from the claim T2",
    "once S2",
)


def derive(text: str) -> Formula:
    """Return what a sentence with slots ``{A}``, ``{B}``, ... says.

    Raises:
        ValueError: the grammar cannot read the text, or two of its analyses are not equivalent.
    """
    found = sorted(readings(text), key=to_text)
    if not found:
        raise ValueError(f"'{text}': the grammar cannot read this")
    for other in found[1:]:
        if not equivalent(found[0], other):
            raise ValueError(f"'{text}': reads as {to_text(found[0])} and also as {to_text(other)}")
    return found[0]


def readings(text: str) -> frozenset[Formula]:
    """Return the formulas of all analyses of a text with slots ``{A}``, ``{B}``, ..., none if there is none."""
    tokens = tuple(
        f"{{{slot}}}" if slot else word.lower() or mark for slot, word, mark in _TOKEN.findall(text)
    )
    words = set(tokens)
    # A rule with a word that the text lacks cannot apply; most rules fall away here.
    rules = {
        kind: [(pattern, meaning) for pattern, meaning, needed in listed if needed <= words]
        for kind, listed in _rules().items()
    }
    chart: dict[tuple[str, int, int], frozenset[Formula]] = {}

    def phrase(kind: str, start: int, end: int) -> frozenset[Formula]:
        key = (kind, start, end)
        if key not in chart:
            chart[key] = frozenset(analyses(kind, start, end))
        return chart[key]

    def analyses(kind: str, start: int, end: int) -> Iterator[Formula]:
        if kind == "S" and end - start == 1 and tokens[start][0] == "{":
            yield Var(tokens[start][1:-1])
        for pattern, meaning in rules[kind]:
            if (
                len(pattern) <= end - start
                and _fits(pattern[0], tokens[start])
                and _fits(pattern[-1], tokens[end - 1])
            ):
                for parts in match(pattern, 0, start, end):
                    yield _fill(meaning, parts)

    def match(pattern: _Pattern, at: int, start: int, end: int) -> Iterator[dict[str, Formula]]:
        """Yield the formulas of a rule's phrases for every way of laying the rule over tokens[start:end]."""
        left = len(pattern) - at
        if left == 0 or end - start < left:
            if left == 0 and start == end:
                yield {}
            return
        item = pattern[at]
        if item[0] not in "ST":
            if tokens[start] == item:
                yield from match(pattern, at + 1, start + 1, end)
            return
        for middle in range(start + 1, end - left + 2):
            if left > 1 and not _fits(pattern[at + 1], tokens[middle]):
                continue
            rests = list(match(pattern, at + 1, middle, end))
            if rests:
                for formula in phrase(item[0], start, middle):
                    yield from ({**rest, item: formula} for rest in rests)

    return phrase("S", 0, len(tokens))


def _fits(item: str, token: str) -> bool:
    """Tell whether a word of a rule is this token; a phrase may begin and end with any."""
    return item[0] in "ST" or item == token


@functools.cache
def _rules() -> dict[str, tuple[tuple[_Pattern, Formula, frozenset[str]], ...]]:
    """Return the rules per kind of phrase: pattern, meaning, and the words that it needs."""
    rules: dict[str, list[tuple[_Pattern, Formula, frozenset[str]]]] = {"S": [], "T": []}

    def add(pattern: str, meaning: str, kind: str = "S") -> None:
        items = tuple(re.sub(r"([,:“”])", r" \1 ", pattern).split())
        needed = frozenset(item for item in items if item[0] not in "ST")
        rules[kind].append((items, parse(meaning), needed))

    add("that S1", "S1", "T")
    _add_assertions(add)
    _add_conditionals(add)
    _add_disjunctions(add)
    return {kind: tuple(listed) for kind, listed in rules.items()}


def _add_assertions(add: object) -> None:
    """Add the phrases that assert or deny one thing."""
    assert callable(add)
    for phrase in (*_TRUE, *_SAID, *_KNOWN):
        add(f"{phrase} T1", "T1")
    for phrase in _FALSE:
        add(f"{phrase} T1", "¬T1")
    for noun in _NOUNS:
        for words, sign in ((_RIGHT, ""), (_WRONG, "¬")):
            for word in words:
                add(f"the {noun} T1 is {word}", f"{sign}T1")
                add(f"the {noun} “S1” is {word}", f"{sign}S1")
    for who, verb in (("those who say", "are"), ("anyone who says", "is")):
        add(f"{who} T1 {verb} right", "T1")
        add(f"{who} T1 {verb} wrong", "¬T1")


def _add_conditionals(add: object) -> None:
    assert callable(add)
    for condition in _IF:
        premise = condition[-2:]
        for pattern in (f"{condition}, then S1", f"{condition}, S1", f"S1 {condition}", f"S1, {condition}"):
            add(pattern, f"{premise}→S1")
    for then in (", then S1", ", S1"):
        add(f"should it be the case T2{then}", "T2→S1")
    add("unless S2, S1", "¬S2→S1")
    add("S1 unless S2", "¬S2→S1")
    add("S1, unless S2", "¬S2→S1")
    add("S1 only if S2", "S1→S2")
    add("only if S2 can it be true T1", "T1→S2")
    add("it can be true T1", "T1")
    for noun in _NOUNS:
        add(f"the {noun} T1 implies T2", "T1→T2")
    add("for it to be true T1, it is enough T2", "T2→T1")
    add("a sufficient condition for it to be true T1 is T2", "T2→T1")
    add("a necessary condition for it to be true T1 is T2", "T1→T2")
    for also in ("also ", ""):
        add(f"it is never true T1 without it {also}being true T2", "¬(T1∧¬T2)")
        add(f"it is never false T1 without it {also}being true T2", "¬(¬T1∧¬T2)")


def _add_disjunctions(add: object) -> None:
    assert callable(add)
    for joiner in ("either S1 or S2", "either S1, or S2", "S1 or S2", "S1, or S2"):
        for ending in ("", ", or both"):
            add(joiner + ending, "S1∨S2")
    for phrase in _TRUE:
        add(f"{phrase} either T1 or T2", "T1∨T2")
    for count in ("at least one", "one or both"):
        add(f"{count} of these is true: T1, or T2", "T1∨T2")
    add("at least one of the claims T1 and T2 is true", "T1∨T2")
    add("the claims T1 and T2 are not both false", "¬(¬T1∧¬T2)")
    add("it cannot be false both T1 and T2", "¬(¬T1∧¬T2)")


def _fill(meaning: Formula, parts: dict[str, Formula]) -> Formula:
    """Put the formulas of its phrases into a rule's meaning."""
    match meaning:
        case Var(name):
            return parts[name]
        case Not(operand):
            return Not(_fill(operand, parts))
        case Or(left, right) | Implies(left, right):
            return type(meaning)(_fill(left, parts), _fill(right, parts))
    # A conjunction, of which the items themselves have none: by De Morgan.
    return Not(Or(Not(_fill(meaning.left, parts)), Not(_fill(meaning.right, parts))))
