"""A file of answers is read row by row, and a row that is no answer is named."""

from __future__ import annotations

import pytest

from divlogic.errors import DivLogicError
from divlogic.files import write_jsonl
from divlogic.models.closed_answers import Answer, read_answers, write_answers

ANSWER = Answer("clutrr", "model", "gpt", "plain", "7", "son", None, 16, depth=3)


def test_answers_come_back_as_they_were_written(tmp_path):
    answers = [ANSWER, Answer("folio", "probe", "words", "", "8", "True", "False", 3, run=2)]
    write_answers(tmp_path / "answers.jsonl", answers)
    assert list(read_answers(tmp_path / "answers.jsonl")) == answers


@pytest.mark.parametrize(
    "change",
    [
        *({name: 5} for name in ("benchmark", "source", "system", "prompt", "instance", "label", "said")),
        *({name: "zzz"} for name in ("choices", "depth", "run")),
        {"label": None},
        {"choices": 0},
        {"unknown": 1},
    ],
)
def test_what_is_no_answer_is_named(tmp_path, change):
    write_jsonl(tmp_path / "answers.jsonl", [ANSWER.to_json(), ANSWER.to_json() | change])
    with pytest.raises(DivLogicError, match=r"answers\.jsonl, row 2: not an answer"):
        list(read_answers(tmp_path / "answers.jsonl"))
