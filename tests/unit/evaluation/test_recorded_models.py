"""Recorded answers: to the same questions they count again, to others they do not; and what asking needs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.justlogic.parameters import JustLogicQuestionParameters
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import (
    AnsweredRecords,
    AskedRecords,
    recorded_benchmark,
)
from divlogic.evaluation.metrics import read_answers, score_all
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.evaluation.tables import label_accuracy, table3, write_answers, write_tables
from divlogic.io.files import write_jsonl
from divlogic.io.tables import read_table
from divlogic.models.asking import prediction_of
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import (
    LOST,
    Prediction,
    Status,
    read_predictions,
    write_predictions,
)
from divlogic.models.recordings.model_answers import RecordedOptions, record_answers
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")
PROMPTS = ["zero_shot", "few_shot"]


def questions_file(path: Path, prefix: str, context: str = "All kettles sing.") -> Path:
    named = ("justlogic_generated", "test", context)
    records = [
        Record(
            f"{prefix}{n}", *named, f"Kettle {n} sings.", LABELS, n % 3, question_type="", depth=1
        )
        for n in range(6)
    ]
    write_jsonl(path, (record.to_json() for record in records))
    return path


def parameters(instances: int | None, seed: int = 1) -> EvaluationRun:
    section = EvaluationParameters(
        models=[ModelParameters(name="compatible/kettle", label="Kettle")],
        justlogic=JustLogicQuestionParameters(prompts=PROMPTS, instances=instances),
    )
    return EvaluationRun(seed=seed, evaluation=section)


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Questions, training part, and a folder that holds answers to every other question."""
    source, pool = (
        questions_file(tmp_path / "test.jsonl", "t"),
        questions_file(tmp_path / "train.jsonl", "p", "A kettle of the training part sings."),
    )
    asked, folder = AskedRecords("justlogic", source, pool), tmp_path / "kettle"
    answers = [
        prediction_of(question, "Kettle", said, answer=f"Answer: {said}", source="model")
        for question, said in zip(
            asked.questions(PROMPTS, 3, 1), ("True", None, "Uncertain") * 2, strict=True
        )
    ]
    write_predictions(tmp_path / "answers.jsonl", answers)
    record_answers((tmp_path / "answers.jsonl",), "Kettle", folder)
    return source, pool, folder


def read(
    source: Path, pool: Path, folder: Path, seed: int = 1
) -> tuple[list[Prediction], list[str]]:
    out, report = folder.with_name("out.jsonl"), folder.with_name("report.json")
    given = RecordedOptions(out, report, (folder,))
    recorded_benchmark(AskedRecords("justlogic", source, pool), given, parameters(3, seed))
    errors = [row["error"] for row in json.loads(report.read_text(encoding="utf-8"))]
    return list(read_predictions(out)), errors


def test_labels_read_back_with_depth_and_right_answer(run: tuple[Path, Path, Path]) -> None:
    found, errors = read(*run)
    assert errors == ["", ""]
    about = {(p.model, p.benchmark, p.source, p.depth, p.choices) for p in found}
    assert about == {("Kettle (recorded)", "justlogic_generated", "model", 1, 3)}
    said = [(p.instance, p.gold, p.predicted, p.answered) for p in found if p.prompt == "zero_shot"]
    assert said == [
        ("t0", "True", "True", True),
        ("t2", "Uncertain", None, True),
        ("t4", "False", "Uncertain", True),
    ]


def test_answers_to_another_version_of_the_questions_are_left_out(
    run: tuple[Path, Path, Path],
) -> None:
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


def test_a_further_benchmark_needs_no_command_and_no_section_of_its_own(
    run: tuple[Path, Path, Path],
) -> None:
    """Its spec says how it is asked; the command, the section of the parameters and the table of answers follow."""
    source, pool, _ = run
    script = (
        "import dataclasses, divlogic.benchmarks.registry as r\n"
        "from divlogic.benchmarks.spec import Asked\n"
        "r.BENCHMARKS = tuple(dataclasses.replace(b, asked=Asked()) if b.name == 'folio' else b"
        " for b in r.BENCHMARKS)\n"
        "from divlogic.cli import cli\n"
        "cli()"
    )
    out = source.with_name("folio.jsonl")
    params = json.dumps({"evaluation": {"folio": {"prompts": ["zero_shot"], "instances": 4}}})
    table, store = source.with_name("answers"), source.with_name("store.sqlite")
    files = f"--in {source} --pool {pool} --store {store} --out {out}"
    for words in (f"ask folio {files} --model baseline/uniform", f"answers {out} --out {table}"):
        command = [sys.executable, "-c", script, "evaluation", *words.split(), "--params", params]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert {prediction.instance for prediction in read_predictions(out)} == {"t0", "t1", "t3", "t4"}
    (row,) = read_table(table)
    assert (row["system"], row["setting"], row["instances"]) == ("baseline/uniform", "zero_shot", 4)
    assert row["rows"] == len(list(read_predictions(out))) > 4  # guessing is repeated
    assert row["random_probability"] == 33.3
    assert row["accuracy_low"] <= row["accuracy"] <= row["accuracy_high"]


def test_a_benchmark_that_is_asked_otherwise_is_refused() -> None:
    with pytest.raises(DivLogicError, match="'clutrr' is not asked with one prompt per record"):
        AskedRecords("clutrr", Path("a.jsonl"), Path("b.jsonl")).questions(PROMPTS, None, 1)


def test_answers_to_all_asked_benchmarks_stand_in_one_table_in_the_order_of_the_registry(
    tmp_path: Path,
) -> None:
    def answers(
        benchmark: str, choices: int, *said: str | None, asked: bool = True
    ) -> list[Prediction]:
        more: dict[str, Any] = {"source": "model", "choices": choices, "asked": asked}
        return [
            Prediction(benchmark, "m", "zero_shot", str(n), "a", one, **more)
            for n, one in enumerate(said)
        ]

    given = [
        *answers("unregistered", 2, "a"),
        *answers("justlogic_generated", 3, "a", None, "b", "a"),
        *answers("logicnli_generated", 4, "a", "a"),
        *answers("folio", 3, None, asked=False),
    ]
    source, out = tmp_path / "answers.jsonl", tmp_path / "answers"
    write_predictions(source, given)
    write_answers((source,), answered=AnsweredRecords(), out=out, params=parameters(None))
    rows = read_table(out)
    assert [
        (row["benchmark"], row["accuracy"], row["unread"], row["instances"]) for row in rows
    ] == [
        ("LogicNLI (generated)", 100, 0, 2),
        ("JustLogic (generated)", 50, 1, 4),
        ("unregistered", 100, 0, 1),
    ]
    assert [round(row["random_probability"], 1) for row in rows] == [25, 33.3, 50]


def test_prompts_that_were_asked_about_different_instances_are_not_compared(tmp_path: Path) -> None:
    rows = [
        Prediction(
            "divlogiceval", "mine", prompt, f"{prompt}-{number}", "A", "A", rotation=rotation
        )
        for prompt in ("zero_shot", "zero_shot_nolr")
        for number in range(3)
        for rotation in range(4)
    ]
    write_predictions(tmp_path / "predictions.jsonl", rows)
    answers = read_answers([tmp_path / "predictions.jsonl"])
    scores = score_all(answers, seed=1, resamples=10)
    assert {score.prompt for score in scores} == {"zero_shot", "zero_shot_nolr"}
    assert table3(answers, scores, seed=1) == []


@pytest.mark.parametrize("lost", [True, False], ids=["with replies that are no answers", "without"])
def test_tables_say_how_many_replies_are_no_answers_where_there_are_any(
    lost: bool, tmp_path: Path
) -> None:
    statuses: list[Status] = ["refused", "cut", "cut", "unanswered"] if lost else [""] * 4
    rotations = [
        Prediction("divlogiceval", "mine", "zero_shot", "a", "A", None, rotation=turn, status=one)
        for turn, one in enumerate(statuses)
    ]
    labels = [
        Prediction("justlogic", "mine", "zero_shot", str(row), "a", None, choices=2, status=one)
        for row, one in enumerate(statuses)
    ]
    files = [tmp_path / "rotations.jsonl", tmp_path / "labels.jsonl"]
    for file, rows in zip(files, (rotations, labels), strict=True):
        write_predictions(file, rows)
    params = parameters(None)
    answers = read_answers([files[0]])
    write_tables(answers, score_all(answers, seed=1, resamples=10), tmp_path, params)
    given: dict[str, Any] = {"answered": AnsweredRecords(), "params": params}
    write_answers((files[1],), out=tmp_path / "answers", **given)
    label_accuracy((files[1],), out=tmp_path / "label_accuracy", **given)
    shares = {"refused": 25, "cut": 50, "unanswered": 25} if lost else {}
    for name in ("table1", "table8", "answers", "label_accuracy"):
        for row in read_table(tmp_path / name):
            assert {key: row[key] for key in LOST if key in row} == shares, name
        page = (tmp_path / f"{name}.md").read_text(encoding="utf-8")
        assert ("refused" in page) == lost, name
