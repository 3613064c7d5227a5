"""One command from a model's name to a printed table, and the plan of the papers' models."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.config.option import read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import read_predictions
from divlogic.records import Record
from tests.unit.evaluation.samples import records

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a benchmark of letters and one of labels, in which the command is run."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "data/benchmarks/divlogiceval/test.jsonl", [r.to_json() for r in records(12)])
    labels = [
        Record(f"l{n}", "mine", "test", "It rains.", f"It rains {n}.", ("True", "False"), n % 2)
        for n in range(8)
    ]
    write_jsonl(tmp_path / "labels.jsonl", [record.to_json() for record in labels])
    return tmp_path


def evaluate(*words: str) -> Result:
    return CliRunner().invoke(cli, ["evaluate", *words, "--params", '{"seed": 1}'])


def test_a_table_is_printed_with_rotations_and_labels(folder: Path) -> None:
    done = evaluate(
        "baseline/uniform", "--benchmark", "divlogiceval", "--benchmark", "labels.jsonl", "--limit", "6",
        "--out", "said.jsonl",
    )  # fmt: skip
    assert done.exit_code == 0, done.output or done.exception
    head, *rows = done.stdout.splitlines()
    assert re.split(r"\s{2,}", head) == [
        *["benchmark", "prompt", "instances", "ACC", "CIR", "PC"],
        "answers read",
    ]
    assert [re.split(r"\s{2,}", row)[:3] for row in rows] == [
        ["divlogiceval", "zero_shot", "6"],
        ["mine", "zero_shot", "6"],
    ]
    assert len(list(read_predictions(folder / "said.jsonl"))) == 5 * (6 * 4 + 6)  # guessing is repeated
    assert "150 in the store" in evaluate("baseline/uniform", "--benchmark", "divlogiceval", "--benchmark",
                                         "labels.jsonl", "--limit", "6").stderr  # fmt: skip


def test_a_model_that_costs_money_is_confirmed_first(folder: Path) -> None:
    done = evaluate("openai/gpt-4o", "--limit", "3", "--input-price", "2", "--output-price", "8")
    assert done.exit_code == 1 and "12 to ask" in done.stderr and "cost about" in done.stderr
    assert "Ask the model?" in done.stderr


def test_an_unknown_benchmark_is_refused_with_a_suggestion(folder: Path) -> None:
    done = evaluate("baseline/uniform", "--benchmark", "divlogicevl")
    assert isinstance(done.exception, DivLogicError) and "did you mean 'divlogiceval'" in str(done.exception)


def test_the_papers_models_are_planned_and_withdrawn_ones_are_skipped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = (str(ROOT / "params.yaml"), str(ROOT / "config/paper_models.yaml"))
    section = read_params(EvaluationRun, files).evaluation
    assert "Gemini: withdrawn by its provider, and skipped" in capsys.readouterr().err
    labels = {model.label for model in section.models}
    assert {"GPT-4", "GPT-4o", "Mixtral", "OpenAI o1"} <= labels and "Gemini" not in labels
    (o1,) = [model for model in section.models if model.label == "OpenAI o1"]
    assert o1.sampling_within(section.sampling) == {"temperature": 1.0, "max_tokens": 8192}


def test_the_sampling_of_a_model_lies_over_that_of_the_section() -> None:
    section = SamplingParameters(temperature=0.0, max_tokens=16384)
    assert ModelParameters(name="a/b", thinking=True).sampling_within(section)["max_tokens"] == 16384
    own = ModelParameters(name="a/b", thinking=True, sampling={"max_tokens": 900})  # type: ignore[arg-type]
    assert own.sampling_within(section) == {"temperature": 0.0, "max_tokens": 900}
