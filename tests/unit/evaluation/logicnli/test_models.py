"""Models on LogicNLI's Test-A: asked part of it, recorded, and diagnosed on what they were asked."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters
from divlogic.evaluation.asked import AskedRecords, ask_benchmark, is_asked, record_benchmark
from divlogic.evaluation.logicnli.answers import ASKED
from divlogic.evaluation.logicnli.diagnose import write_diagnosis
from divlogic.evaluation.parameters import EvaluationParameters, EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import read_predictions
from divlogic.models.recordings.model_answers import RecordOptions, read_manifest
from tests.support import csv_rows
from tests.unit.benchmarks.logicnli.conftest import made_rows
from tests.unit.evaluation.logicnli.test_diagnose import run_of

MODEL = ModelParameters(name="baseline/uniform", label="Guesser", benchmarks=["logicnli"], instances=2)
PARAMETERS = EvaluationParameters(
    models=[MODEL], logicnli=LogicNLIDiagnosisParameters(prompts=["zero_shot", "few_shot"], quartets=10)
)


def test_only_models_that_name_it_are_asked() -> None:
    assert is_asked("logicnli", MODEL, PARAMETERS)
    assert not is_asked("logicnli", ModelParameters(name="baseline/uniform"), PARAMETERS)
    assert not is_asked("logicnli", MODEL.model_copy(update={"prompts": ["likelihood"]}), PARAMETERS)


def test_a_model_is_recorded_and_diagnosed_on_the_part_that_it_was_asked(tmp_path: Path) -> None:
    source, pool, answers = (tmp_path / f"{name}.jsonl" for name in ("test", "train", "answers"))
    write_jsonl(source, made_rows("test", 20))
    write_jsonl(pool, made_rows("train", 5))
    statements, params = AskedRecords("logicnli", source, pool), EvaluationRun(seed=1, evaluation=PARAMETERS)
    ask_benchmark(statements, AskingOptions("Guesser", tmp_path / "store.sqlite"), answers, params)
    assert len(list(read_predictions(answers))) == 80
    record_benchmark(statements, RecordOptions((answers,), "Guesser", tmp_path / "guesser"), params)
    tables = read_manifest(tmp_path / "guesser").tables
    assert {(table.kind, table.prompt, table.rows) for table in tables} == {
        ("logicnli", prompt, 40) for prompt in ("zero_shot", "few_shot")
    }
    sets = tmp_path / "sets"
    for name in ASKED:
        write_jsonl(sets / f"{name}.jsonl", made_rows(name, 20) if name == "test" else [])
    write_diagnosis(
        (answers,), folder=sets, out=tmp_path / "out", answers=tmp_path / "a.jsonl", params=run_of(100)
    )
    rows = {row["system"]: row for row in csv_rows(tmp_path / "out" / "diagnosis.csv")}
    assert set(rows) == {"Guesser", "Guesser, few shot"}
    right = [p.correct for p in read_predictions(answers) if p.prompt == "zero_shot"]
    assert rows["Guesser"]["statements"] == "40"
    assert rows["Guesser"]["test"] == f"{100 * sum(right) / len(right):.1f}"
    # Ten quartets, two of each depth: the accuracy reads as a depth.
    assert rows["Guesser"]["depth"] != ""
