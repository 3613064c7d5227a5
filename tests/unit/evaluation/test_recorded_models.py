"""JustLogic's recorded answers: asked of the same questions they count again, of others they do not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from divlogic.evaluation.justlogic import justlogic_questions
from divlogic.evaluation.parameters import EvaluationParameters, JustLogicQuestionParameters
from divlogic.evaluation.recorded_models import record_justlogic, write_recorded_labels
from divlogic.io.files import write_jsonl
from divlogic.models.asking import blank_prediction
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, read_predictions, write_predictions
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")
PROMPTS = ["zero_shot", "few_shot"]


def questions_file(path: Path, prefix: str, context: str = "All kettles sing.") -> Path:
    records = [
        Record(
            benchmark="justlogic_generated",
            split="test",
            id=f"{prefix}{number}",
            context=context,
            question=f"Kettle {number} sings.",
            options=LABELS,
            answer=number % 3,
            question_type="",
            depth=1,
        )
        for number in range(6)
    ]
    write_jsonl(path, (record.to_json() for record in records))
    return path


def parameters(instances: int | None) -> EvaluationParameters:
    return EvaluationParameters(
        models=[ModelParameters(name="compatible/kettle", label="Kettle")],
        justlogic=JustLogicQuestionParameters(prompts=PROMPTS, instances=instances),
    )


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Questions, training part, and a folder that holds answers to every other question."""
    source, pool = questions_file(tmp_path / "test.jsonl", "t"), questions_file(tmp_path / "train.jsonl", "p")
    asked = justlogic_questions(source, pool, PROMPTS, instances=3, seed=1)
    answers = [
        replace(blank_prediction(question, "Kettle"), predicted=said, answer=f"Answer: {said}")
        for question, said in zip(asked, ("True", None, "Uncertain") * 2, strict=True)
    ]
    write_predictions(tmp_path / "answers.jsonl", answers)
    folder = tmp_path / "kettle"
    record_justlogic(
        source, pool, [tmp_path / "answers.jsonl"], folder, name="Kettle", parameters=parameters(3), seed=1
    )
    return source, pool, folder


def read(source: Path, pool: Path, folder: Path, seed: int = 1) -> tuple[list[Prediction], list[str]]:
    out, report = folder.with_name("out.jsonl"), folder.with_name("report.json")
    write_recorded_labels(source, pool, [folder], out, report, prompts=PROMPTS, seed=seed)
    errors = [row["error"] for row in json.loads(report.read_text(encoding="utf-8"))]
    return list(read_predictions(out)), errors


def test_labels_read_back_with_depth_and_right_answer(run: tuple[Path, Path, Path]) -> None:
    found, errors = read(*run)
    assert errors == ["", ""]
    assert {(p.model, p.benchmark, p.source, p.depth, p.choices) for p in found} == {
        ("Kettle (recorded)", "justlogic_generated", "model", 1, 3)
    }
    assert [
        (p.prompt, p.instance, p.gold, p.predicted, p.answered) for p in found if p.prompt == "zero_shot"
    ] == [
        ("zero_shot", "t0", "True", "True", True),
        ("zero_shot", "t2", "Uncertain", None, True),
        ("zero_shot", "t4", "False", "Uncertain", True),
    ]


def test_answers_to_another_version_of_the_questions_are_left_out(run: tuple[Path, Path, Path]) -> None:
    source, pool, folder = run
    questions_file(source, "t", "Most kettles sing.")
    found, errors = read(source, pool, folder)
    assert found == [] and errors == ["recorded on another version"] * 2


def test_other_solved_examples_make_other_questions(run: tuple[Path, Path, Path]) -> None:
    source, pool, folder = run
    questions_file(pool, "p", "Some kettles sing.")
    found, errors = read(source, pool, folder)
    assert {prediction.prompt for prediction in found} == {"zero_shot"}
    assert sorted(errors) == ["", "recorded on another version"]
