"""Reading letters out of what models say."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from divlogic.evaluation.llmeval_logic.questions import UnreadableError, first_object
from divlogic.models.answers import last_json_object
from divlogic.models.letters import option_named, parse_answer
from divlogic.models.predictions import fold_label
from tests.support import cases

LOGICNLI = ("entailment", "contradiction", "neutral", "self_contradiction")
SETS = {"logicnli": LOGICNLI, "truth": ("True", "False", "Uncertain")}


@pytest.mark.parametrize(("said", "letter"), cases(__file__, "answers"))
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


@pytest.mark.parametrize(("said", "labels", "label"), cases(__file__, "labels"))
def test_an_answer_is_a_label_and_does_not_only_contain_one(
    said: str, labels: str | list[str], label: str | None
) -> None:
    assert option_named(said, SETS[labels] if isinstance(labels, str) else tuple(labels)) == label


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
        start = time.process_time()
        for said in (text, f"The answer{text}#"):
            READERS[reader](said)
        return time.process_time() - start

    for awkward in AWKWARD:
        tries = ((seconds(awkward, 25_000), seconds(awkward, 100_000)) for _ in range(3))
        # Less than 20 ms is measured too coarsely, and a busy machine may be late once.
        assert any(longer <= 9 * max(shorter, 0.02) for shorter, longer in tries), awkward
