"""One command from a model's name to a printed table, and the plan of the papers' models."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.config.option import read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import BaselineFiles
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.plan import DECLARED, plan
from divlogic.io.files import write_jsonl
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import read_predictions
from divlogic.published import read_published
from divlogic.records import Record
from tests.unit.evaluation.samples import records

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a benchmark of letters and one of labels, in which the command is run."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(tmp_path / "data/benchmarks/divlogiceval/test.jsonl", [r.to_json() for r in records(12)])
    named, options = ("mine", "test", "It rains."), ("True", "False")
    labels = [Record(f"l{n}", *named, f"It rains {n}.", options, n % 2).to_json() for n in range(8)]
    write_jsonl(tmp_path / "labels.jsonl", labels)
    return tmp_path


def evaluate(*words: str) -> Result:
    return CliRunner().invoke(cli, ["evaluate", *words, "--params", '{"seed": 1}'])


def test_a_table_is_printed_with_rotations_and_labels(folder: Path) -> None:
    words = ["baseline/uniform", "--benchmark", "divlogiceval", "--benchmark", "labels.jsonl", "--limit", "6"]
    done = evaluate(*words, "--out", "said.jsonl")
    assert done.exit_code == 0, done.output or done.exception
    head, *rows = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()]
    assert head == ["benchmark", "prompt", "instances", "ACC", "CIR", "PC", "answers read"]
    assert [row[:3] for row in rows] == [["divlogiceval", "zero_shot", "6"], ["mine", "zero_shot", "6"]]
    assert len(list(read_predictions(folder / "said.jsonl"))) == 5 * (6 * 4 + 6)  # guessing is repeated
    assert "150 in the store" in evaluate(*words).stderr


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
    assert "GPT-4: withdrawn by its provider, and skipped" in capsys.readouterr().err
    labels = {model.label for model in section.models}
    assert {"LLaMA3.3", "Llama3-8B"} <= labels and "GPT-4" not in labels
    logic = [str(model.label) for model in section.llmeval_logic.models]
    families = {label.partition(" (")[0] for label in logic}
    assert len(logic) == 14 and len(families) == 7
    thinking = section.llmeval_logic.models[0]
    assert thinking.sampling_within(section.sampling)["max_tokens"] == 8192


def test_a_plan_has_a_row_for_each_printed_table_that_a_model_fills(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = [record.to_json() for record in records(3, "pool")]
    write_jsonl(folder / "data/benchmarks/divlogiceval/unpolished.jsonl", pool)
    models = [{"name": "a/free", "label": "GPT-4", "prompts": ["zero_shot"], "benchmarks": ["divlogiceval"]}]
    models += [{"name": "anthropic/claude-opus-4-6", "prompts": ["zero_shot"]}]
    section = {"models": models, "benchmarks": ["divlogiceval"], "prompts": ["zero_shot"]}
    run = EvaluationRun.model_validate({"evaluation": section})
    plan(BaselineFiles(), run, published=ROOT / "data/published")
    lines = capsys.readouterr().out.splitlines()
    rows = {line.split("  ")[0]: line.split() for line in lines}
    assert {"DivLogicEval Table 1", "DivLogicEval Table 6", "no printed table"} <= {*rows}
    assert rows["DivLogicEval Table 1"][-1] == "unknown" and float(rows["no printed table"][-1]) > 0
    assert "the unknown prices of GPT-4" in lines[-1]


def test_what_a_plan_goes_by_names_printed_tables_and_where_a_price_stands() -> None:
    tables = {(one.paper, one.number) for one in read_published(ROOT / "data/published").tables()}
    for table in DECLARED["tables"]:
        assert (table["paper"], table["number"]) in tables or table["systems"] == "all"
    for price in DECLARED["prices"].values():
        assert price["source"].startswith("https://") and price["date"].year >= 2026


def test_the_sampling_of_a_model_lies_over_that_of_the_section() -> None:
    section = SamplingParameters(temperature=0.0, max_tokens=16384)
    assert ModelParameters(name="a/b", thinking=True).sampling_within(section)["max_tokens"] == 16384
    own = ModelParameters(name="a/b", thinking=True, sampling={"max_tokens": 900})  # type: ignore[arg-type]
    assert own.sampling_within(section) == {"temperature": 0.0, "max_tokens": 900}
