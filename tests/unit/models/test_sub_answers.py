"""Answers to sub-questions as people and models write them: read rightly or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from divlogic.models.sub_answers import TEXTS, SubQuestion, prompt, read_reply
from tests.support import cases

KINDS = sorted(set(TEXTS["kinds"]) - {"free"})


@pytest.mark.parametrize(("question", "meant", "written"), cases(__file__, "read"))
def test_a_usual_writing_is_read_as_it_is_meant(question, meant, written):
    for value in written:
        answer = SubQuestion.from_text(question).read(value)
        # True is 1 to Python.
        assert (type(answer), answer) == (type(meant), meant), value


@pytest.mark.parametrize(("question", "written"), cases(__file__, "unread"))
def test_what_may_mean_two_things_or_nothing_is_not_read(question, written):
    for value in written:
        assert SubQuestion.from_text(question).read(value) is None, value


TWO = (SubQuestion("necessary"), SubQuestion("count_models"))


@pytest.mark.parametrize(("reply", "answers"), cases(__file__, "replies"))
def test_the_last_object_of_answers_counts_whatever_its_marks(reply, answers):
    assert read_reply(reply, TWO) == answers


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    for reply in (text, f'{{"1": {json.dumps(text)}, "2": {text}}}', f"{{1: {text}}}"):
        read_reply(reply, TWO)
    for kind in KINDS:
        SubQuestion(kind, 3).read(text)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_the_prompt_tells_to_write_is_read_as_it_says(language):
    # The two words of the verdicts that the prompt names, in the order yes, no.
    named = {
        "zh": {"possible": "可能 不可能", "necessary": "一定 不一定", "unique_solution": "是 否"},
        "en": {
            "possible": "possible impossible",
            "necessary": "necessary unnecessary",
            "unique_solution": "yes no",
        },
    }[language]
    for kind, words in {**named, "has_alternative": named["unique_solution"]}.items():
        one = SubQuestion(kind)
        shown = prompt("x", ["y"], [one], language=language)
        for word, said in zip(words.split(), (True, False), strict=True):
            assert f"“{word}”" in shown or f'"{word}"' in shown
            assert one.read(word) is said
    for kind, example, meant in (
        ("count_models", "3", 3),
        ("statements_all 3", "[1, 3]", [1, 3]),
        ("statements_none 3", "[]", []),
        ("enumerate_objects 3", "[1, 3]", [1, 3]),
        ("enumerate_models 3", "[[1, 3], [2], []]", [[], [1, 3], [2]]),
    ):
        one = SubQuestion.from_text(kind)
        assert example in prompt("x", ["y"], [one], language=language)
        assert one.read(json.loads(example)) == meant


def test_a_prompt_names_what_to_write_for_the_kinds_that_it_asks_only() -> None:
    shown = prompt(
        "背景。", ["甲？", "乙？"], [SubQuestion("count_models"), SubQuestion("necessary")]
    )
    assert "第 1 题：写一个整数" in shown and "第 2 题：写“一定”或“不一定”" in shown
    assert "列表" not in shown and "“可能”" not in shown
    assert shown.index("背景。") < shown.index("1. 甲？") < shown.index("2. 乙？")


def test_one_text_of_several_questions_is_shown_once() -> None:
    asked = [SubQuestion("possible"), SubQuestion("necessary")]
    shown = prompt("背景。", ["可能吗？一定吗？"] * 2, asked)
    assert shown.count("可能吗？一定吗？") == 1
    assert "第 1 题：写“可能”" in shown and "第 2 题：写“一定”" in shown
