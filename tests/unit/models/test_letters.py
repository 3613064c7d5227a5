"""Reading letters out of what models say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from divlogic.models.letters import parse_answer


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
