"""Completions as models write them: read rightly or not at all, never as another answer."""

from __future__ import annotations

import pytest

from divlogic.library.dataset import read_answer

LETTERS = ["The cat sleeps.", "The dog barks.", "A bird sings.", "A fish swims."]
LABELS = ["entailment", "contradiction", "neutral", "self_contradiction"]
TRUTH = ["True", "False", "Uncertain"]

CASES = [
    ("divlogiceval", LETTERS, text, answer)
    for text, answer in (
        ("B", "B"),
        ("Answer: B", "B"),
        ("**Answer:** **B**", "B"),
        ("The answer is (C).", "C"),
        ("<think>Maybe the answer is A. No.</think>\nB", "B"),
        ("<think>the answer is B", None),
        ("<thinking>Answer: A</thinking>Answer: D", "D"),
        ("<answer>B</answer>", "B"),
        ("<answer>B</answer> or <answer>C</answer>", None),
        (r"\boxed{B}", "B"),
        (r"so it is $\boxed{\text{B}}$", "B"),
        (r"\boxed{\mathrm{A}} wait, \boxed{C}", "C"),
        ("答案：B", "B"),
        ("答案是 C。", "C"),
        ("Ｂ", "B"),
        ("A, B, C or D?", None),
        ("Answer: A or B", None),
        ("Answer: A matter of taste", None),
        ("Answer: E", None),
        ("B. The dog barks.", "B"),
        ("The dog barks.", "B"),
        ("", None),
        (None, None),
    )
] + [
    (*of, text, answer)
    for *of, text, answer in (
        ("logicnli", LABELS, "neutral", "neutral"),
        ("logicnli", LABELS, "Answer: Self-Contradiction.", "self_contradiction"),
        ("logicnli", LABELS, "Answer: self contradiction", "self_contradiction"),
        ("logicnli", LABELS, "Answer: not entailment", None),
        ("logicnli", LABELS, "Answer: entailment, contradiction, neutral, self_contradiction", None),
        ("logicnli", LABELS, "<think>answer: entailment?</think>neutral", "neutral"),
        ("logicnli", LABELS, r"\boxed{\text{contradiction}}", "contradiction"),
        ("logicnli", LABELS, "<answer> Entailment </answer>", "entailment"),
        ("logicnli", LABELS, "It does not follow.\nAnswer: neutral, because nothing is said.", "neutral"),
        ("logicnli", LABELS, "**Answer: contradiction**", "contradiction"),
        ("justlogic", TRUTH, "True/False", None),
        ("justlogic", TRUTH, "Answer: TRUE", "True"),
        ("justlogic", TRUTH, "untrue", None),
        ("justlogic", TRUTH, "Answer: uncertain because nothing is said", "Uncertain"),
        ("llmeval_logic", [], 'so {"1": true} no, {"1": ["a"]}', '{"1":["a"]}'),
        ("llmeval_logic", [], '<think>{"1": true}', None),
        ("llmeval_logic", [], "true", None),
    )
]


@pytest.mark.parametrize(("name", "options", "text", "answer"), CASES)
def test_a_completion_is_read_rightly_or_not_at_all(name, options, text, answer) -> None:
    item = {"metadata": {"source_dataset": name, "options": options}}
    assert read_answer(text, item) == answer


@pytest.mark.parametrize("name", ["divlogiceval", "logicnli", "llmeval_logic"])
def test_a_text_of_megabytes_is_read_at_once(name) -> None:
    item = {"metadata": {"source_dataset": name, "options": LABELS}}
    for text in ("answer: " * 100_000, "<think>" * 100_000, "{" * 1_000_000, "<answer>" * 100_000):
        assert read_answer(text, item) is None
