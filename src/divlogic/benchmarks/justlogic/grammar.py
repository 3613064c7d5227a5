"""A grammar of the English that words JustLogic's expressions: what a sentence says, read off its words.

It proves the templates and the finished instances, and knows neither.
"""

from __future__ import annotations

from collections.abc import Callable

from divlogic.benchmarks.phrases import PhraseGrammar, Rule

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


def _rules() -> list[Rule]:
    """Return the rules: kind of phrase, pattern of words and phrases, meaning."""
    rules: list[Rule] = [("T", "that S1", "S1")]

    def add(pattern: str, meaning: str) -> None:
        rules.append(("S", pattern, meaning))

    _add_assertions(add)
    _add_conditionals(add)
    _add_disjunctions_and_conjunctions(add)
    return rules


def _add_assertions(add: Callable[[str, str], None]) -> None:
    """Add the phrases that assert or deny one thing."""
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


def _add_conditionals(add: Callable[[str, str], None]) -> None:
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


def _add_disjunctions_and_conjunctions(add: Callable[[str, str], None]) -> None:
    for joiner in ("either S1 or S2", "either S1, or S2", "S1 or S2", "S1, or S2"):
        for ending in ("", ", or both"):
            add(joiner + ending, "S1∨S2")
    for count in ("at least one", "one or both"):
        add(f"{count} of these is true: T1, or T2", "T1∨T2")
    add("at least one of the claims T1 and T2 is true", "T1∨T2")
    add("at least one of the claims “S1” and “S2” is true", "S1∨S2")
    add("the claims T1 and T2 are not both false", "¬(¬T1∧¬T2)")
    add("it cannot be false both T1 and T2", "¬(¬T1∧¬T2)")
    for phrase in _TRUE:
        add(f"{phrase} either T1 or T2", "T1∨T2")
        add(f"{phrase} both T1 and T2", "T1∧T2")
        add(f"{phrase} T1 but not T2", "T1∧¬T2")
        add(f"{phrase} neither T1 nor T2", "¬T1∧¬T2")
    add("the claims “S1” and “S2” are both true", "S1∧S2")
    add("the claims “S1” and “S2” are both false", "¬S1∧¬S2")
    add("neither the claim “S1” nor the claim “S2” is true", "¬S1∧¬S2")
    add("only the first of the claims “S1” and “S2” is true", "S1∧¬S2")


_GRAMMAR = PhraseGrammar(_rules)
derive = _GRAMMAR.derive
readings = _GRAMMAR.readings
