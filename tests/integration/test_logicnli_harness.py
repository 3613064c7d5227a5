"""LogicNLI's export for lm-evaluation-harness, run by the harness itself: the same scores from the same answers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from divlogic.evaluation.logicnli.diagnosis import accuracy, quartet_em
from divlogic.evaluation.logicnli.questions import write_harness
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.models.letters import option_named
from divlogic.records import Record
from tests.integration.beside import beside
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

LM_EVAL = beside("harness", "lm_eval", "DIVLOGIC_LM_EVAL")
TASK = "logicnli_test_zero_shot"
NAMES = {"acc", "quartet_em", "answers_read"}

pytestmark = [
    pytest.mark.integration,
    pytest.mark.slow,
    pytest.mark.skipif(LM_EVAL is None, reason="needs lm-evaluation-harness (make test-harness)"),
]

SAYS = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

SAID = json.loads(sys.argv[2])

class Says(LM):
    def generate_until(self, requests):
        return [SAID[request.doc_id] for request in requests]

    loglikelihood = loglikelihood_rolling = None

tasks = TaskManager(include_path=sys.argv[1])
found = simple_evaluate(Says(), tasks=["logicnli_test_zero_shot"], task_manager=tasks, bootstrap_iters=0)
print(json.dumps(found["results"]["logicnli_test_zero_shot"]))
"""
"""Runs the exported task with a model that gives the answers of the second argument."""


@pytest.fixture(scope="module")
def rows() -> list[Record]:
    return [Record.from_json(row) for row in made_rows("test", 10)]


@pytest.fixture
def task(rows: list[Record], tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "test.jsonl", (record.to_json() for record in rows))
    write_harness((tmp_path / "test.jsonl",), out=tmp_path / "task", params=EvaluationRun(seed=1))
    return tmp_path / "task"


def our_scores(rows: list[Record], said: list[str]) -> dict[str, float]:
    labels = {record.id: option_named(text, record.options) for record, text in zip(rows, said, strict=True)}
    return {
        "acc": accuracy(rows, labels).value,
        "quartet_em": quartet_em(rows, labels).value,
        "answers_read": sum(label is not None for label in labels.values()) / len(labels),
    }


def test_the_harness_s_dummy_model_gets_our_scores(rows: list[Record], task: Path, tmp_path: Path) -> None:
    command = [LM_EVAL, "--model", "dummy", "--include_path", task, "--tasks", TASK]
    run([*command, "--output_path", tmp_path / "out", "--log_samples"], tmp_path)
    (results,) = (tmp_path / "out").rglob("results_*.json")
    (samples,) = (tmp_path / "out").rglob("samples_*.jsonl")
    scores = json.loads(results.read_text(encoding="utf-8"))["results"][TASK]
    found = sorted(
        (json.loads(line) for line in samples.open(encoding="utf-8")), key=lambda row: row["doc_id"]
    )
    assert len(found) == len(rows) == 40
    ours = our_scores(rows, [row["resps"][0][0] for row in found])
    assert {name: scores[f"{name},none"] for name in NAMES} == pytest.approx(ours)


def test_the_harness_gives_a_reader_of_two_rounds_our_accuracy_and_quartets(
    rows: list[Record], task: Path, tmp_path: Path
) -> None:
    said = [f"I chain twice. Answer: {checker.k_round_answer(record.to_json(), 2)}" for record in rows]
    said[-1] = "I cannot tell."
    python = Path(str(LM_EVAL)).with_name("python")
    printed = json.loads(run([python, "-c", SAYS, task, json.dumps(said)], tmp_path).splitlines()[-1])
    ours = our_scores(rows, said)
    assert {name: printed[f"{name},none"] for name in NAMES} == pytest.approx(ours)
    assert ours["quartet_em"] == pytest.approx(0.4) and ours["answers_read"] == pytest.approx(39 / 40)


def run(command: list[object], folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=600, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
