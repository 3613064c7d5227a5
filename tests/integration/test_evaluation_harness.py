"""The lm-evaluation-harness export: the same scores from the same answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.harness import write_harness, write_logicnli_harness
from divlogic.evaluation.logicnli.diagnosis import Diagnosis
from divlogic.evaluation.metrics import answers_of, in_preset, score_all
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import read_rotations, rotation_json
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.models.letters import option_named, parse_answer
from divlogic.models.predictions import Prediction
from divlogic.records import Record
from tests.integration.beside import beside
from tests.support import module_at, run_program
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows
from tests.unit.evaluation.samples import rotations as of_records

pytestmark = pytest.mark.integration

SAID = (
    "Answer: A",
    "The answer is (B).",
    "**C**",
    "D. The kettle hums.",
    "A or B",
    "",
    "I cannot tell.",
)


@pytest.fixture()
def rotations(tmp_path: Path) -> Path:
    path = tmp_path / "rotations.jsonl"
    write_jsonl(path, map(rotation_json, of_records(30)))
    return path


def exported(rotations: Path, out: Path) -> ModuleType:
    write_harness((rotations,), out)
    return module_at(out / "utils.py")


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
    items = [
        utils.process_results(rotation_json(r), [text]) for r, text in zip(rows, said, strict=True)
    ]
    names = {
        "accuracy": "acc",
        "circular": "cir",
        "partial_circular": "pc",
        "answers_read": "answers_read",
    }
    theirs = {name: getattr(utils, f)([item[name] for item in items]) for f, name in names.items()}
    ours = our_scores(rotations, said)
    assert theirs == pytest.approx(ours)
    assert 0 < ours["cir"] < ours["pc"] < 1


def test_the_prompt_likelihood_is_a_task_of_log_likelihoods(tmp_path: Path) -> None:
    path = tmp_path / "rotations.jsonl"
    write_jsonl(path, map(rotation_json, of_records(3, "likelihood")))
    utils = exported(path, tmp_path / "task")
    (task,) = (tmp_path / "task").glob("divlogiceval_*.yaml")
    assert (
        "output_type: multiple_choice" in task.read_text()
        and "max_gen_toks" not in task.read_text()
    )
    row = rotation_json(read_rotations(path)[1])
    found = utils.process_results(row, [(-3.0, False), (-0.5, True), (-2.0, False), (-9.0, False)])
    assert utils.letters_of(row) == ["A", "B", "C", "D"]
    assert found["acc"][3] == 2  # B in the first rotation is the third option


def test_the_exported_scoring_needs_nothing_of_this_package(
    rotations: Path, tmp_path: Path
) -> None:
    exported(rotations, tmp_path / "task")
    source = (tmp_path / "task" / "utils.py").read_text(encoding="utf-8")
    assert not re.search(r"(?:import|from) divlogic", source)


def test_the_exported_rows_load_as_a_dataset(rotations: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    utils = exported(rotations, tmp_path / "task")
    data = utils.load_questions("divlogiceval_zero_shot.jsonl")["test"]
    assert [row["input"] for row in data] == [row.input for row in read_rotations(rotations)]


def test_two_files_of_one_kind_are_refused(rotations: Path, tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="was already written from another file"):
        write_harness((rotations, rotations), tmp_path / "task")


LM_EVAL = beside("harness", "lm_eval", "DIVLOGIC_LM_EVAL")
needs_harness = pytest.mark.skipif(
    LM_EVAL is None, reason="needs lm-evaluation-harness (make test-harness)"
)

TASK = "divlogiceval_zero_shot"
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
found = simple_evaluate(Varied(), tasks=[sys.argv[3]], task_manager=tasks, bootstrap_iters=0)
print(json.dumps(found["results"][sys.argv[3]]))
"""
"""Runs an exported task, the third argument, with a model that gives the answers of the second one."""


def varied_scores(folder: Path, task: str, said: Sequence[str]) -> dict[str, float]:
    """Return the harness's scores of a task, an answer being given to each question."""
    command = [Path(str(LM_EVAL)).with_name("python"), "-c", VARIED, folder, json.dumps(said), task]
    return scores_in(json.loads(run_program(command, folder).splitlines()[-1]))


def dummy_scores(folder: Path, task: str, work: Path) -> tuple[dict[str, float], list[str]]:
    """Return the harness's scores of its dummy model, and what that says to each question."""
    options = ["--model", "dummy", "--include_path", folder, "--tasks", task, "--log_samples"]
    run_program([LM_EVAL, *options, "--output_path", work / "out"], work)
    (results,), (samples,) = (
        (work / "out").rglob(name) for name in ("results_*.json", "samples_*.jsonl")
    )
    rows = sorted((row for _, row in read_jsonl(samples)), key=lambda row: row["doc_id"])
    said = [row["resps"][0][0] for row in rows]
    return scores_in(json.loads(results.read_text(encoding="utf-8"))["results"][task]), said


def scores_in(results: dict[str, float]) -> dict[str, float]:
    return {
        name.removesuffix(",none"): value
        for name, value in results.items()
        if name.endswith(",none")
    }


def logicnli_scores(rows: list[Record], said: list[str]) -> dict[str, float]:
    labels = {
        record.id: option_named(text, record.options)
        for record, text in zip(rows, said, strict=True)
    }
    return {
        "acc": Diagnosis(labels).accuracy(rows).value,
        "quartet_em": Diagnosis(labels).quartet_em(rows).value,
        "answers_read": sum(label is not None for label in labels.values()) / len(labels),
    }


@pytest.fixture(params=["rotations", "statements"])
def exported_task(
    request: pytest.FixtureRequest, rotations: Path, tmp_path: Path
) -> tuple[str, list[str], Callable[[list[str]], dict[str, float]]]:
    """An exported task: its name, answers of every kind to its questions, and our scores of answers."""
    if request.param == "rotations":
        exported(rotations, tmp_path / "task")
        return TASK, some_right(rotations), partial(our_scores, rotations)
    rows = [Record.from_json(row) for row in made_rows("test", 10)]
    write_jsonl(tmp_path / "test.jsonl", (record.to_json() for record in rows))
    write_logicnli_harness(
        (tmp_path / "test.jsonl",), out=tmp_path / "task", params=EvaluationRun(seed=1)
    )
    said = [
        f"I chain twice. Answer: {checker.k_round_answer(record.to_json(), 2)}" for record in rows
    ]
    return "logicnli_test_zero_shot", [*said[:-1], "I cannot tell."], partial(logicnli_scores, rows)


@pytest.mark.slow
@needs_harness
def test_the_harness_gives_its_dummy_model_and_answers_of_every_kind_our_scores(
    exported_task: tuple[str, list[str], Callable[[list[str]], dict[str, float]]], tmp_path: Path
) -> None:
    task, varied, score = exported_task
    scores, said = dummy_scores(tmp_path / "task", task, tmp_path)
    assert len(said) == len(varied)
    for found, given in ((scores, said), (varied_scores(tmp_path / "task", task, varied), varied)):
        ours = score(given)
        assert {name: found[name] for name in ours} == pytest.approx(ours)
    assert all(0 < value < 1 for value in score(varied).values())


def some_right(rotations: Path) -> list[str]:
    """Return an answer to each rotation: most are right, so that no metric is zero, the others of every kind."""
    rng = np.random.default_rng(3)
    return [
        f"Answer: {row.gold}" if rng.random() < 0.7 else SAID[rng.integers(len(SAID))]
        for row in read_rotations(rotations)
    ]
