"""Instances for the item browser."""

from __future__ import annotations

from divlogic.records import Record


def lettered(number: int) -> Record:
    """Return an instance with four options and sentences for its variables."""
    return Record(
        f"i{number}", "divlogiceval", "test",
        "If it rains, the kettle boils. It is not so that it is wet.",
        f"Which follows, number {number}?",
        ("The kettle boils.", "It rains.", "It snows hard.", f"Owl {number} hoots."),
        0,
        question_type="3c1e" if number % 2 else "3e1c",
        formulas={"premises": ["(A→B)", "¬A"], "options": ["B", "A", "C", "D"]},
        sentences={"A": {"premise": "it rains", "hypotheses": ["it is wet"]}, "B": {"premise": "the kettle boils"}},
    )  # fmt: skip


def labelled() -> Record:
    """Return an instance of LogicNLI's form: labels, facts, rules and a proof."""
    return Record(
        "test-0-0", "logicnli_generated", "test", "Ann is kind. Bo is not shy.", "Ann is kind.",
        ("entailment", "contradiction", "neutral", "self_contradiction"),
        0,
        depth=1,
        formulas={
            "facts": [["Ann", "kind", "+"], ["Bo", "shy", "-"]],
            "rules": [],
            "proof": {"statement": [{"literal": ["Ann", "kind", "+"], "round": 0, "fact": 0}], "opposite": None},
            "fol": {"premises": ["Kind(Ann)", "¬Shy(Bo)"], "statement": "Kind(Ann)"},
        },
        sentences={"0": {"text": "Ann is kind.", "fact": 0}, "1": {"text": "Bo is not shy.", "fact": 1}},
    )  # fmt: skip
