"""Answers as models write them, graded by hand before the reader had seen them, are read as graded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from divlogic.io.files import read_yaml
from divlogic.models.answers import AnswerFormat, Labels, Letters

HERE = Path(__file__).parent
OF_LETTERS: dict[str, Any] = read_yaml(HERE / "answers_letters.yaml")
OPTIONS = tuple(OF_LETTERS.pop("options").values())
OF_LABELS: dict[str, Any] = read_yaml(HERE / "answers_labels.yaml")
LABELS = {
    "relations": Labels(("entailment", "contradiction", "neutral", "self_contradiction")),
    "truth": Labels(("True", "False", "Uncertain")),
}


@pytest.mark.parametrize(("said", "graded"), [row for rows in OF_LETTERS.values() for row in rows])
def test_a_letter_is_read_as_a_fair_grader_reads_it(said: str, graded: str | None) -> None:
    assert Letters(4).read(said, OPTIONS) == graded


@pytest.mark.parametrize(
    ("form", "said", "graded"),
    [(LABELS[name], *row) for name, rows in OF_LABELS.items() for row in rows],
)
def test_a_label_is_read_as_a_fair_grader_reads_it(
    form: AnswerFormat, said: str, graded: str | None
) -> None:
    assert form.read(said) == graded
