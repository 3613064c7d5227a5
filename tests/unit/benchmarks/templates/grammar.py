"""The grammar of the templates' connective phrases: what a sentence frame means, read off its English.

It proves the templates: it never sees under which formula a template stands.
"""

from __future__ import annotations

from divlogic.benchmarks.phrases import PhraseGrammar, Rule

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


def _rules() -> list[Rule]:
    """Return the rules: kind of phrase, pattern of words and phrases, meaning."""
    rules: list[Rule] = []

    def add(kind: str, pattern: str, meaning: str) -> None:
        rules.append((kind, pattern, meaning))

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
        for pattern in (
            f"{condition}, or {second}, then S1",
            f"{condition}, or {second}, S1",
            f"S1 {condition}, or {second}",
            f"S1, {condition}, or {second}",
        ):
            add("S", pattern, f"({premise}∨{premise[0]}3)→S1")
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
    return rules


_GRAMMAR = PhraseGrammar(_rules)
derive = _GRAMMAR.derive
