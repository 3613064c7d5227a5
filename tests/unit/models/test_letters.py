"""Reading letters out of what models say."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlogic.evaluation.llmeval_logic.replies import UnreadableError, first_object
from divlogic.models.answers import last_json_object
from divlogic.models.labels import fold_label
from divlogic.models.letters import option_named, parse_answer

LOGICNLI = ("entailment", "contradiction", "neutral", "self_contradiction")
TRUTH = ("True", "False", "Uncertain")


@pytest.mark.parametrize(
    ("said", "letter"),
    [
        ("Answer: C", "C"),
        ("The answer is (B).", "B"),
        ("**Answer: C**", "C"),
        ("A or B", None),
        ("Answer: A or B", None),
        ("Answer: <D>", "D"),
        ("B. The man is here.", "B"),
        ("A man is walking.", None),
        ("(B)", "B"),
        ("b", None),
        ("answer: b", "B"),
        ("Answer: b.", "B"),
        ("The answer is a matter of taste", None),
        ("", None),
        (None, None),
        ("None of the above", None),
        ("Answer: None of the above", None),
        ("Answer: E", None),
        ("I cannot answer that.", None),
        ("Let's see. Option A fails. Answer: B. Hence the final answer is D", "D"),
        ("The correct option is **B**.", "B"),
        ("\\boxed{C}", "C"),
        ("Answer:\n\nC", "C"),
        ("**Answer:** B", "B"),
        ("Answer: A. A man is walking", "A"),
        ("Answer: B, a man", "B"),
        ("A and B", None),
        ("I think (C) is right", "C"),
        ("(A) or (C)", None),
        ("Answer: A man is here", None),
        ("Answer: Option C", "C"),
        ("Answer: A, B", None),
        ("A", "A"),
        ("A, because", "A"),
        ("D\n", "D"),
        ("A\n\nThe conclusion follows logically from the premises.", "A"),
        ("**B** \nbecause the man sleeps", "B"),
        ("A\nB\nC\nD", None),
        ("A man\n\nis walking", None),
        ("Answer: A because it follows", "A"),
        ("Answer - C", "C"),
        ("The answer would be D.", "D"),
        ("Answer: A/B", None),
        ("Answer: A/B/C/D", None),
        ("Answer: A. If a man, B", "A"),
        ("Both A and B are entailed.", None),
        ("Answer: **B** or **C**", None),
        ("A.", "A"),
        ("Answer: Cannot be determined", None),
        ("Answer: I don't know", None),
        ("<think>Maybe the answer is A. No.</think>\nB", "B"),
        ("<think>the answer is B", None),
        ("<answer>B</answer>", "B"),
        ("\\boxed{\\text{B}}", "B"),
        ("答案：B", "B"),
        ("答案是Ｂ。", "B"),
        ("Answer: B. Option A fails since it rains.", "B"),
        ("Option A because the man sleeps, not D", "A"),
        ("<answer>(C)</answer> hm", "C"),
        ("<answer>A</answer><answer>B</answer>", None),
        ("<answer>A</answer> so <answer>A</answer>", "A"),
        ("Final answer: \\boxed{D}", "D"),
        ("The correct answer is: **C**", "C"),
        ("Answer: A, B, C, D", None),
        ("**Answer**: C", "C"),
        ("The answer is not A", None),
        ("Answer: not B", None),
        ("选B", "B"),
        ("正确答案是（C）。", "C"),
        ("The answer is B. I hope this answer helps!", "B"),
        ("answer: (d)", "D"),
        ("Answer C", "C"),
        ("Answer: <A/B/C/D>", None),
        ("My choice is D", "D"),
        ("Thinking... </think> A", "A"),
        ("<think>x</think>Answer: B</think>C", "C"),
        ("B", "B"),
        ("\\boxed{A} then \\boxed{B}", "B"),
        ("$\\boxed{C}$", "C"),
        ("Answer: 'C'", "C"),
        ("The answer should be (A).", "A"),
        ("I would pick (B) or (C)", None),
        ("The answer is A or B", None),
        ("Answer: B\nExplanation: Answer A is wrong.", "B"),
        ("It's B.", None),
        ("The answer is\nB", "B"),
        ("the answer is: d", "D"),
        ("<answer>The answer is B</answer>", "B"),
        ("Answer: I", None),
    ],
)
def test_an_answer_names_one_option_or_none(said: str | None, letter: str | None) -> None:
    assert parse_answer(said) == letter


@given(
    st.sampled_from("ABCD"),
    st.sampled_from(["Answer: {}", "The answer is ({}).", "**{}**", "{}.", "Option {}"]),
)
def test_every_letter_is_read_alike(letter: str, form: str) -> None:
    assert parse_answer(form.format(letter)) == letter


@given(st.text(max_size=80))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert parse_answer(text) in {"A", "B", "C", "D", None}


@pytest.mark.parametrize(
    ("said", "labels", "label"),
    [
        ("Answer: self-contradiction", LOGICNLI, "self_contradiction"),
        ("Answer: entailment, contradiction, neutral, self_contradiction", LOGICNLI, None),
        ("True/False", TRUTH, None),
        ("Answer: True/False", TRUTH, None),
        ("not entailment", LOGICNLI, None),
        ("Answer: not entailment", LOGICNLI, None),
        ("<think>answer: entailment?</think>neutral", LOGICNLI, "neutral"),
        ("Answer: **Contradiction**.", LOGICNLI, "contradiction"),
        ("Self Contradiction", LOGICNLI, "self_contradiction"),
        ("\\boxed{\\text{neutral}}", LOGICNLI, "neutral"),
        ("The answer is: entailment. It follows.", LOGICNLI, "entailment"),
        ("At first the answer is False. But ... Answer: True", TRUTH, "True"),
        ("Answer: True because it follows", TRUTH, "True"),
        ("True\n\nThe passage says so.", TRUTH, "True"),
        ("Long thoughts.\nUncertain", TRUTH, "Uncertain"),
        ("True\nFalse", TRUTH, None),
        ("The statement is true or false", TRUTH, None),
        ("<answer>\nneutral\n</answer>", LOGICNLI, "neutral"),
        ("答案：False", TRUTH, "False"),
        ("Answer: sister-in-law", ("sister-in-law", "sister", "law"), "sister-in-law"),
        ("Answer: son", ("son", "grandson"), "son"),
        ("Answer:\n\n  False", TRUTH, "False"),
        ("**Answer:** Uncertain", TRUTH, "Uncertain"),
        ("Answer: 'True'.", TRUTH, "True"),
        ("Answer: Cannot say", TRUTH, None),
        ("", TRUTH, None),
        ("Final label: neutral", LOGICNLI, "neutral"),
        ("Answer: a dog runs", ("a man sleeps", "a dog runs"), "a dog runs"),
    ],
)
def test_an_answer_is_a_label_and_does_not_only_contain_one(
    said: str, labels: tuple[str, ...], label: str | None
) -> None:
    assert option_named(said, labels) == label


def first_object_or_none(text: str) -> object:
    try:
        return first_object(text)
    except UnreadableError:
        return None


READERS: dict[str, Callable[[str], object]] = {
    "letter": parse_answer,
    "label": lambda text: option_named(text, LOGICNLI),
    "folded label": fold_label,
    "last object": last_json_object,
    "first object": first_object_or_none,
}
AWKWARD = (
    *"*({[<_`\"'-:=}.,/&$\\ \n\taA：",
    "A ", "A\n", "A, ", "(A)", "**A", "option ", "answer ", "Answer: ", "The answer is *",
    "\\boxed{", "<think>", "</think>", "<answer>", "<answer></answer>", '{"a":', "答案", "True ", "[[",
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_no_text_takes_more_than_its_length_to_be_read(reader: str) -> None:
    """Four times the length takes four times as long; a quadratic reader would take sixteen times."""

    def seconds(awkward: str, size: int) -> float:
        text = awkward * (size // len(awkward))
        found = []
        for _ in range(3):
            start = time.process_time()
            for said in (text, f"The answer{text}#"):
                READERS[reader](said)
            found.append(time.process_time() - start)
        return min(found)

    for awkward in AWKWARD:
        shorter, longer = seconds(awkward, 25_000), seconds(awkward, 100_000)
        # Less than 20 ms is measured too coarsely.
        assert longer <= 9 * max(shorter, 0.02), (awkward, shorter, longer)


def test_one_long_answer_does_not_hang_a_run() -> None:
    start = time.process_time()
    assert parse_answer("The answer" + "*" * 100_000 + "#") is None
    assert time.process_time() - start < 5
