"""Reading letters out of what models say."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from divlogic.evaluation.llmeval_logic.questions import UnreadableError, first_object
from divlogic.models.answers import Labels, Letters, last_json_object
from divlogic.models.letters import (
    after_thinking,
    option_at,
    option_named,
    parse_answer,
    position_of,
)
from divlogic.models.predictions import fold_label
from tests.support import cases

LOGICNLI = ("entailment", "contradiction", "neutral", "self_contradiction")
SETS = {"logicnli": LOGICNLI, "truth": ("True", "False", "Uncertain")}


@pytest.mark.parametrize(("said", "letter"), cases(__file__, "answers"))
def test_an_answer_names_one_option_or_none(said: str | None, letter: str | None) -> None:
    assert parse_answer(said) == letter


PAGE = Path(__file__).parents[3] / "docs" / "answers.md"


def examples(heading: str) -> list[tuple[str, str | None]]:
    """Return what is written and what is read in the table of the page "How answers are read" that follows a text."""
    rows: list[tuple[str, str | None]] = []
    table = PAGE.read_text(encoding="utf-8").partition(heading)[2].partition("| --- |")[2]
    for line in table.splitlines()[1:]:
        if not line.startswith("|"):
            break
        said, answer = re.fullmatch(r"\| `(.+?)` \| (\w+) \| .+ \|", line).groups()  # type: ignore[union-attr]
        rows.append((said.replace("⏎", "\n"), None if answer == "unread" else answer))
    return rows


OPTIONS = (
    "Kim swims.",
    "Lee does not swim.",
    "If Kim swims, then Lee swims.",
    "Either Kim or Lee swims.",
)


def test_the_page_shows_the_options_that_its_examples_answer() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for letter, option in zip("ABCD", OPTIONS, strict=True):
        assert f"`{letter}. {option}`" in text


@pytest.mark.parametrize(("said", "answer"), examples("# How answers are read"))
def test_an_answer_to_options_is_read_as_the_page_says(said: str, answer: str | None) -> None:
    assert Letters(4).read(said, OPTIONS) == answer


@pytest.mark.parametrize(("said", "answer"), examples("Labels are read by the same rules"))
def test_a_label_is_read_as_the_page_says(said: str, answer: str | None) -> None:
    assert Labels(SETS["truth"]).read(said) == answer


def test_the_option_at_a_position_is_as_many_places_further_as_the_rotation() -> None:
    # In rotation 1 of four, B, C, D and A stand under the letters A, B, C and D.
    assert [option_at(position, 1) for position in range(4)] == [1, 2, 3, 0]
    assert [position_of(option, 1) for option in range(4)] == [3, 0, 1, 2]
    assert [option_at(position, 2, 5) for position in range(5)] == [2, 3, 4, 0, 1]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<think>A</think>B", "B"),
        ("A</think>B", "B"),
        ("<think>A", ""),
        ("B<think>A", ""),
        ("<think>A</think>B<think>C</think>", "B"),
        ("<think>A<think>B</think>C</think>D", "D"),
        ("<THINK>A</Think>B", "B"),
        ("B", "B"),
    ],
)
def test_thoughts_are_cut_and_an_unfinished_one_leaves_nothing(written: str, said: str) -> None:
    assert after_thinking(written) == said


def test_a_model_may_have_tags_of_its_own() -> None:
    text = "<ponder>Answer: A</ponder>Hm."
    assert parse_answer(text) == "A"
    assert Letters(4).read(text, thoughts=(("<ponder>", "</ponder>"),)) is None
    assert Labels(("yes", "no")).read("{{yes}}no", thoughts=(("{{", "}}"),)) == "no"


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
    "Question: ", "Question:\nA\n", "###\n", "</s>", "so ", "it is ",
    "if ", "故选", "A or ", "\\text ", "<b>", "wait, ", "「", "« ", " »", "only ", "no ", "i doubt ", "not ", "B, or ",
    "the answer would be ", "=> ", "A → ",
)  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.late
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
