"""A grammar of connective phrases: what a sentence frame means, read off its English.

The grammar proves the templates: it never sees under which formula a template stands. It knows two kinds of
phrase, clauses (S: a slot, "S if S", "it is true T") and that-clauses (T: "that S", "both T and T"), and finds
*every* analysis of a text, so that a frame whose scope is open ("it is not the case that A unless B") shows
two readings and is refused.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from divlogic.logic import And, Formula, Implies, Not, Or, Var, equivalent, parse, to_text

_TOKEN = re.compile(r"\{([A-Z])\}|([A-Za-z]+)|([^\sA-Za-z])")

# Conditions: "c S, (then) S", "S c S". The clause after them is enough for the other one.
_IF = (
    "if S2",
    "whenever S2",
    "as long as S2",
    "so long as S2",
    "in any situation in which S2",
    "in every case in which S2",
    "provided T2",
    "assuming T2",
    "supposing T2",
    "on the assumption T2",
    "in the event T2",
    "on the condition T2",
)
# Necessary conditions: "S only if S".
_ONLY_IF = ("only if S2", "only when S2", "only on the condition T2")
# Phrases that assert or deny the that-clause after them.
_TRUE = (
    "it is true T1",
    "it is also true T1",
    "it must be true T1",
    "it is the case T1",
    "it is also the case T1",
    "it follows T1",
)
_FALSE = ("it is not true T1", "it is false T1", "it is not the case T1")
# The same after a fronted "only if ...", where verb and subject change places.
_INVERTED_TRUE = ("can it be true T1", "is it true T1", "is it the case T1")
_INVERTED_FALSE = ("can it be false T1",)
# "for ... T1, ...": what T1's truth asks for, or what is enough for it.
_GOAL = ("it to be true T1", "it to be the case T1")
_ENOUGH = ("it is enough T2", "it suffices T2")
_NEEDED = ("it must be true T2", "it is necessary T2")
_ALSO_BEING = (
    "it also being the case T2",
    "it being the case T2",
    "it also being true T2",
    "it being true T2",
)


def derive(text: str) -> Formula:
    """Return what a text with slots ``{A}``, ``{B}``, ... means.

    Raises:
        ValueError: the grammar cannot read the text, or two of its analyses are not equivalent.
    """
    found = sorted(readings(text), key=to_text)
    if not found:
        raise ValueError(f"'{text}': the grammar of connective phrases cannot read this")
    for other in found[1:]:
        if not equivalent(found[0], other):
            raise ValueError(f"'{text}': reads as {to_text(found[0])} and also as {to_text(other)}")
    return found[0]


def readings(text: str) -> frozenset[Formula]:
    """Return the formulas of all analyses of a text with slots ``{A}``, ``{B}``, ..., none if there is none."""
    tokens = tuple(
        f"{{{slot}}}" if slot else word.lower() or mark for slot, word, mark in _TOKEN.findall(text)
    )
    chart: dict[tuple[str, int, int], frozenset[Formula]] = {}

    def phrase(kind: str, start: int, end: int) -> frozenset[Formula]:
        key = (kind, start, end)
        if key not in chart:
            chart[key] = frozenset(analyses(kind, start, end))
        return chart[key]

    def analyses(kind: str, start: int, end: int) -> Iterator[Formula]:
        if kind == "S" and end - start == 1 and tokens[start][0] == "{":
            yield Var(tokens[start][1])
        for pattern, meaning in _rules()[kind]:
            for parts in match(pattern, 0, start, end):
                yield _fill(meaning, parts)

    def match(pattern: tuple[str, ...], at: int, start: int, end: int) -> Iterator[dict[str, Formula]]:
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
            rests = list(match(pattern, at + 1, middle, end))
            if rests:
                for formula in phrase(item[0], start, middle):
                    yield from ({**rest, item: formula} for rest in rests)

    return phrase("S", 0, len(tokens))


@functools.cache
def _rules() -> dict[str, tuple[tuple[tuple[str, ...], Formula], ...]]:
    """Return the rules per kind of phrase: a pattern of words and phrases, and its meaning."""
    rules: dict[str, list[tuple[tuple[str, ...], Formula]]] = {"S": [], "T": []}

    def add(kind: str, pattern: str, meaning: str) -> None:
        rules[kind].append((tuple(pattern.replace(",", " ,").split()), parse(meaning)))

    for joiner in ("{} and {}", "{}, and {}", "both {} and {}", "both {}, and {}"):
        add("S", joiner.format("S1", "S2"), "S1∧S2")
        add("T", joiner.format("T1", "T2"), "T1∧T2")
    for joiner in ("{} or {}", "{}, or {}", "either {} or {}", "either {}, or {}"):
        for ending in ("", ", or both"):
            add("S", joiner.format("S1", "S2") + ending, "S1∨S2")
            add("T", joiner.format("T1", "T2") + ending, "T1∨T2")
    add("T", "that S1", "S1")

    for condition in _IF:
        premise = condition[-2:]
        for pattern in (f"{condition}, then S1", f"{condition}, S1", f"S1 {condition}", f"S1, {condition}"):
            add("S", pattern, f"{premise}→S1")
        second = condition.replace(premise, premise[0] + "3")
        for pattern in (f"{condition}, or {second}, then S1", f"{condition}, or {second}, S1"):
            add("S", pattern, f"({premise}∨{premise[0]}3)→S1")
        for link in ("and also", "and likewise"):
            meaning = f"({premise}→S1)∧({premise[0]}3→S1)"
            for pattern in (
                f"S1 {condition}, {link} {second}",
                f"S1, {condition}, {link} {second}",
                f"{condition}, {link} {second}, S1",
            ):
                add("S", pattern, meaning)
    for condition in _ONLY_IF:
        need = condition[-2:]
        add("S", f"S1 {condition}", f"S1→{need}")
        add("S", f"S1, {condition}", f"S1→{need}")
        add("S", f"T1 can be true {condition}", f"T1→{need}")
        for inverted in _INVERTED_TRUE:
            add("S", f"{condition} {inverted}", f"T1→{need}")
        for inverted in _INVERTED_FALSE:
            add("S", f"{condition} {inverted}", f"¬T1→{need}")
    for pattern in ("unless S2, S1", "S1 unless S2", "S1, unless S2"):
        add("S", pattern, "¬S2→S1")
    for then in (", then S1", ", S1"):
        add("S", f"should it be the case T2{then}", "T2→S1")
        add("S", f"should it not be the case T2{then}", "¬T2→S1")

    for pattern in _TRUE:
        add("S", pattern, "T1")
    for pattern in _FALSE:
        add("S", pattern, "¬T1")
    add("S", "it is neither true T1 nor true T2", "¬T1∧¬T2")
    add("S", "at least one of the following is true, namely T1", "T1")
    add("S", "at least one of the following is false, namely T1 or T2", "¬T1∨¬T2")
    for noun in ("claim", "statement"):
        add("S", f"the {noun} T1 is true", "T1")
        add("S", f"the {noun} T1 is false", "¬T1")

    for goal in _GOAL:
        for enough in _ENOUGH:
            add("S", f"for {goal}, {enough}", "T2→T1")
            add("S", f"for {goal}, {enough}, and it likewise suffices T3", "(T2→T1)∧(T3→T1)")
        for lead in ("for", "in order for"):
            for needed in _NEEDED:
                add("S", f"{lead} {goal}, {needed}", "T1→T2")
                add(
                    "S",
                    f"{lead} {goal.replace('true', 'false')}, {needed}",
                    "¬T1→T2" if "true" in goal else "T1→T2",
                )
        add("S", f"a sufficient condition for {goal} is T2", "T2→T1")
        add("S", f"a necessary condition for {goal} is T2", "T1→T2")
    for also in _ALSO_BEING:
        add("S", f"it is never the case T1 without {also}", "¬(T1∧¬T2)")
        add("S", f"it is never false T1 without {also}", "¬(¬T1∧¬T2)")
    add("S", "the claim T1 implies T2", "T1→T2")
    add("S", "the claim T1 implies T2, and so does the claim T3", "(T1→T2)∧(T3→T2)")
    add("S", "from the claim T1, it follows T2", "T1→T2")
    return {kind: tuple(listed) for kind, listed in rules.items()}


def _fill(meaning: Formula, parts: dict[str, Formula]) -> Formula:
    """Put the formulas of its phrases into a rule's meaning."""
    match meaning:
        case Var(name):
            return parts[name]
        case Not(operand):
            return Not(_fill(operand, parts))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(meaning)(_fill(left, parts), _fill(right, parts))
