"""Models on LogicNLI's Test-A: asked part of it, recorded, and diagnosed on what they were asked."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters
from divlogic.evaluation.asked import (
    AskedRecords,
    ask_benchmark,
    is_asked,
    record_benchmark,
    recorded_benchmark,
)
from divlogic.evaluation.logicnli.answers import ASKED
from divlogic.evaluation.logicnli.diagnose import write_diagnosis
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import read_predictions
from divlogic.models.recordings.model_answers import RecordedOptions, RecordOptions, read_manifest
from tests.unit.benchmarks.logicnli.conftest import made_rows
from tests.unit.evaluation.logicnli.test_diagnose import run_of

MODEL = ModelParameters(name="baseline/uniform", label="Guesser", benchmarks=["logicnli"], instances=2)
PARAMETERS = EvaluationParameters(
    models=[MODEL], logicnli=LogicNLIDiagnosisParameters(prompts=["zero_shot", "few_shot"], quartets=10)
)


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, Path, Path, Path]:
    """A set, its training set, a model's answers to half of the quartets, and the folder that they are recorded in."""
    source, pool = tmp_path / "test.jsonl", tmp_path / "train.jsonl"
    write_jsonl(source, made_rows("test", 20))
    write_jsonl(pool, made_rows("train", 5))
    answers, folder = tmp_path / "answers.jsonl", tmp_path / "guesser"
    statements, params = AskedRecords("logicnli", source, pool), EvaluationRun(seed=1, evaluation=PARAMETERS)
    ask_benchmark(statements, AskingOptions("Guesser", tmp_path / "store.sqlite"), answers, params)
    assert len(list(read_predictions(answers))) == 80
    record_benchmark(statements, RecordOptions((answers,), "Guesser", folder), params)
    tables = sorted(read_manifest(folder).tables, key=lambda table: table.prompt, reverse=True)
    assert [(table.kind, table.prompt, table.rows) for table in tables] == [
        ("logicnli", "zero_shot", 40),
        ("logicnli", "few_shot", 40),
    ]
    return source, pool, answers, folder


def read(source: Path, pool: Path, folder: Path, seed: int = 1) -> tuple[Path, list[str]]:
    out, report = folder.with_name("recorded.jsonl"), folder.with_name("report.json")
    params = EvaluationRun(seed=seed, evaluation=PARAMETERS)
    given = RecordedOptions(out, report, (folder,))
    recorded_benchmark(AskedRecords("logicnli", source, pool), given, params)
    return out, [row["error"] for row in json.loads(report.read_text(encoding="utf-8"))]


def test_only_models_that_name_it_are_asked() -> None:
    assert is_asked("logicnli", MODEL, PARAMETERS)
    assert not is_asked("logicnli", ModelParameters(name="baseline/uniform"), PARAMETERS)
    assert not is_asked("logicnli", MODEL.model_copy(update={"prompts": ["likelihood"]}), PARAMETERS)


def test_recorded_answers_are_those_that_were_given(run: tuple[Path, Path, Path, Path]) -> None:
    source, pool, answers, folder = run
    out, errors = read(source, pool, folder)
    assert errors == ["", ""]
    asked = {(p.prompt, p.instance): (p.gold, p.predicted, p.depth) for p in read_predictions(answers)}
    found = list(read_predictions(out))
    assert {(p.prompt, p.instance): (p.gold, p.predicted, p.depth) for p in found} == asked
    assert {p.model for p in found} == {"Guesser (recorded)"}


def test_answers_to_other_statements_or_examples_are_left_out(run: tuple[Path, Path, Path, Path]) -> None:
    source, pool, _, folder = run
    # Another seed draws other solved examples, which only one of the two styles shows.
    out, errors = read(source, pool, folder, seed=2)
    assert errors == ["recorded on another version", ""]  # few_shot, zero_shot
    assert {p.prompt for p in read_predictions(out)} == {"zero_shot"}
    rows = made_rows("test", 20)
    rows[0]["question"] = "Chantal is thorough beyond doubt."
    write_jsonl(source, rows)
    out, errors = read(source, pool, folder)
    assert errors == ["recorded on another version"] * 2
    assert not list(read_predictions(out))


def test_a_model_is_diagnosed_on_the_part_that_it_was_asked(
    run: tuple[Path, Path, Path, Path], tmp_path: Path
) -> None:
    _, _, answers, _ = run
    sets = tmp_path / "sets"
    for name in ASKED:
        write_jsonl(sets / f"{name}.jsonl", made_rows(name, 20) if name == "test" else [])
    write_diagnosis(
        (answers,), folder=sets, out=tmp_path / "out", answers=tmp_path / "a.jsonl", params=run_of(100)
    )
    with (tmp_path / "out" / "diagnosis.csv").open(encoding="utf-8") as stream:
        rows = {row["system"]: row for row in csv.DictReader(stream)}
    assert set(rows) == {"Guesser", "Guesser, few shot"}
    right = [p.correct for p in read_predictions(answers) if p.prompt == "zero_shot"]
    assert rows["Guesser"]["statements"] == "40"
    assert rows["Guesser"]["test"] == f"{100 * sum(right) / len(right):.1f}"
    # Ten quartets, two of each depth: the accuracy reads as a depth.
    assert rows["Guesser"]["depth"] != ""
