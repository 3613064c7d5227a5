"""LogicNLI's export for lm-evaluation-harness, run by the harness itself: the same scores from the same answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.evaluation.harness import write_logicnli_harness
from divlogic.evaluation.logicnli.diagnosis import accuracy, quartet_em
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.models.letters import option_named
from divlogic.records import Record
from tests.integration.test_evaluation_harness import dummy_scores, needs_harness, varied_scores
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

TASK = "logicnli_test_zero_shot"

pytestmark = [pytest.mark.integration, pytest.mark.slow, needs_harness]


@pytest.fixture(scope="module")
def rows() -> list[Record]:
    return [Record.from_json(row) for row in made_rows("test", 10)]


@pytest.fixture
def task(rows: list[Record], tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "test.jsonl", (record.to_json() for record in rows))
    write_logicnli_harness((tmp_path / "test.jsonl",), out=tmp_path / "task", params=EvaluationRun(seed=1))
    return tmp_path / "task"


def our_scores(rows: list[Record], said: list[str]) -> dict[str, float]:
    labels = {record.id: option_named(text, record.options) for record, text in zip(rows, said, strict=True)}
    return {
        "acc": accuracy(rows, labels).value,
        "quartet_em": quartet_em(rows, labels).value,
        "answers_read": sum(label is not None for label in labels.values()) / len(labels),
    }


def test_the_harness_s_dummy_model_gets_our_scores(rows: list[Record], task: Path, tmp_path: Path) -> None:
    scores, said = dummy_scores(task, TASK, tmp_path)
    assert len(said) == len(rows) == 40
    ours = our_scores(rows, said)
    assert {name: scores[name] for name in ours} == pytest.approx(ours)


def test_the_harness_gives_a_reader_of_two_rounds_our_accuracy_and_quartets(
    rows: list[Record], task: Path
) -> None:
    said = [f"I chain twice. Answer: {checker.k_round_answer(record.to_json(), 2)}" for record in rows]
    said[-1] = "I cannot tell."
    ours = our_scores(rows, said)
    scores = varied_scores(task, TASK, said)
    assert {name: scores[name] for name in ours} == pytest.approx(ours)
    assert ours["quartet_em"] == pytest.approx(0.4) and ours["answers_read"] == pytest.approx(39 / 40)
