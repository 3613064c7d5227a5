"""Completions as models write them: read rightly or not at all, never as another answer."""

from __future__ import annotations

import pytest

from divlogic.library.dataset import read_answer
from tests.support import cases

LETTERS = ["The cat sleeps.", "The dog barks.", "A bird sings.", "A fish swims."]
LABELS = ["entailment", "contradiction", "neutral", "self_contradiction"]
TRUTH = ["True", "False", "Uncertain"]

SUB_QUESTIONS = ["necessary", "count_models", "statements_some 6", "enumerate_models 4"]
"""一定成立吗, 一共有几种可能的情形, 哪些有可能成立 (of six), 可能出现哪些情形 (of four)."""

OPTIONS = {"divlogiceval": LETTERS, "logicnli": LABELS, "justlogic": TRUTH, "llmeval_logic": []}


@pytest.mark.parametrize(("name", "text", "answer"), cases(__file__, "completions"))
def test_a_completion_is_read_rightly_or_not_at_all(name, text, answer) -> None:
    about = {"source_dataset": name, "options": OPTIONS[name], "sub_questions": SUB_QUESTIONS}
    item = {"metadata": about}
    assert read_answer(text, item) == answer


@pytest.mark.parametrize("name", ["divlogiceval", "logicnli", "llmeval_logic"])
def test_a_text_of_megabytes_is_read_at_once(name) -> None:
    about = {"source_dataset": name, "options": LABELS, "sub_questions": SUB_QUESTIONS}
    item = {"metadata": about}
    for text in (
        "answer: " * 100_000,
        "<think>" * 100_000,
        "{" * 1_000_000,
        "<answer>" * 100_000,
        '{"1":' * 100_000,
    ):
        assert read_answer(text, item) is None
