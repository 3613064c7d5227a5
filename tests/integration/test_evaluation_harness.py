"""The lm-evaluation-harness export: the same scores from the same answers."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.harness import write_harness
from divlogic.evaluation.predictions import answers_of
from divlogic.evaluation.rotations import read_rotations, rotation_json, rotation_rows, style_named
from divlogic.evaluation.scoring import in_preset, score_all
from divlogic.io.files import write_jsonl
from divlogic.models.letters import parse_answer
from divlogic.models.predictions import Prediction
from tests.integration.beside import beside
from tests.unit.evaluation.samples import records

pytestmark = pytest.mark.integration

SAID = ("Answer: A", "The answer is (B).", "**C**", "D. The kettle hums.", "A or B", "", "I cannot tell.")


@pytest.fixture()
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl"
    write_jsonl(path, map(rotation_json, rotation_rows(records(30), style_named("zero_shot"), seed=1)))
    return path


def exported(rotations: Path, out: Path) -> ModuleType:
    write_harness((rotations,), out)
    spec = importlib.util.spec_from_file_location("exported_utils", out / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def our_scores(rotations: Path, said: list[str]) -> dict[str, float]:
    predictions = [
        Prediction("b", "m", "p", r.instance, r.gold, parse_answer(text), rotation=r.rotation)
        for r, text in zip(read_rotations(rotations), said, strict=True)
    ]
    acc, cir, pc = in_preset(score_all(answers_of(predictions), seed=1, resamples=100), "corrected")
    values = {s.metric.lower(): s.estimate.value for s in (acc, cir, pc)}
    return {**values, "answers_read": acc.parse_rate}


def test_the_exported_scores_are_ours_on_the_same_answers(rotations: Path, tmp_path: Path) -> None:
    utils = exported(rotations, tmp_path / "task")
    rows, said = read_rotations(rotations), some_right(rotations)
    items = [utils.process_results(rotation_json(r), [text]) for r, text in zip(rows, said, strict=True)]
    functions = {
        "acc": "accuracy",
        "cir": "circular",
        "pc": "partial_circular",
        "answers_read": "answers_read",
    }
    theirs = {name: getattr(utils, f)([item[name] for item in items]) for name, f in functions.items()}
    ours = our_scores(rotations, said)
    assert theirs == pytest.approx(ours)
    assert 0 < ours["cir"] < ours["pc"] < 1


def test_the_exported_scoring_needs_nothing_of_this_package(rotations: Path, tmp_path: Path) -> None:
    exported(rotations, tmp_path / "task")
    source = (tmp_path / "task" / "utils.py").read_text(encoding="utf-8")
    assert "import divlogic" not in source
    assert "from divlogic" not in source


def test_the_exported_rows_load_as_a_dataset(rotations: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    utils = exported(rotations, tmp_path / "task")
    data = utils.load_rotations("divlogiceval_zero_shot.jsonl")["test"]
    assert [row["input"] for row in data] == [row.input for row in read_rotations(rotations)]


def test_two_files_of_one_kind_are_refused(rotations: Path, tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="was already written from another file"):
        write_harness((rotations, rotations), tmp_path / "task")


LM_EVAL = beside("harness", "lm_eval", "DIVLOGIC_LM_EVAL")
needs_harness = pytest.mark.skipif(LM_EVAL is None, reason="needs lm-evaluation-harness (make test-harness)")

VARIED = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

SAID = json.loads(sys.argv[2])

class Varied(LM):
    def generate_until(self, requests):
        return [SAID[request.doc_id] for request in requests]

    loglikelihood = loglikelihood_rolling = None

tasks = TaskManager(include_path=sys.argv[1])
found = simple_evaluate(Varied(), tasks=["divlogiceval_zero_shot"], task_manager=tasks, bootstrap_iters=0)
print(json.dumps(found["results"]["divlogiceval_zero_shot"]))
"""
"""Runs the exported task with a model that gives the answers of the second argument."""


@pytest.mark.slow
@needs_harness
def test_the_harness_s_dummy_model_gets_our_scores(rotations: Path, tmp_path: Path) -> None:
    task = tmp_path / "task"
    exported(rotations, task)
    command = [LM_EVAL, "--model", "dummy", "--include_path", task, "--tasks", "divlogiceval_zero_shot"]
    run([*command, "--output_path", tmp_path / "out", "--log_samples"], tmp_path)
    (results,) = (tmp_path / "out").rglob("results_*.json")
    (samples,) = (tmp_path / "out").rglob("samples_*.jsonl")
    scores = json.loads(results.read_text(encoding="utf-8"))["results"]["divlogiceval_zero_shot"]
    rows = sorted(
        (json.loads(line) for line in samples.open(encoding="utf-8")), key=lambda row: row["doc_id"]
    )
    assert len(rows) == 120
    ours = our_scores(rotations, [row["resps"][0][0] for row in rows])
    assert {name: scores[f"{name},none"] for name in ours} == pytest.approx(ours)


@pytest.mark.slow
@needs_harness
def test_the_harness_gives_our_scores_for_answers_of_every_kind(rotations: Path, tmp_path: Path) -> None:
    exported(rotations, tmp_path / "task")
    said = some_right(rotations)
    python = Path(str(LM_EVAL)).with_name("python")
    printed = run([python, "-c", VARIED, tmp_path / "task", json.dumps(said)], tmp_path).splitlines()[-1]
    ours = our_scores(rotations, said)
    assert {name: json.loads(printed)[f"{name},none"] for name in ours} == pytest.approx(ours)
    assert 0 < ours["cir"] < ours["pc"] < 1


def some_right(rotations: Path) -> list[str]:
    """Return an answer to each rotation: most are right, so that no metric is zero, the others of every kind."""
    rng = np.random.default_rng(3)
    return [
        f"Answer: {row.gold}" if rng.random() < 0.7 else SAID[rng.integers(len(SAID))]
        for row in read_rotations(rotations)
    ]


def run(command: list[object], folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, timeout=300, cwd=folder, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
