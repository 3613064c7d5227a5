"""One command from a model's name to a printed table, and the plan of the papers' models."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from divlogic.cli import cli
from divlogic.config.option import read_params
from divlogic.errors import DivLogicError
from divlogic.evaluation.asked import BaselineFiles
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import rotation_json
from divlogic.io.files import write_jsonl
from divlogic.models import parameters
from divlogic.models.parameters import ModelParameters, SamplingParameters
from divlogic.models.predictions import read_predictions
from divlogic.paper.plan import DECLARED, plan
from divlogic.published import read_published
from divlogic.records import Record
from tests.integration.fault_server import Handler, serving
from tests.integration.reply_cases import always, reply, scored, top
from tests.unit.evaluation.samples import records, rotations

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a benchmark of letters and one of labels, in which the command is run."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(
        tmp_path / "data/benchmarks/divlogiceval/test.jsonl", [r.to_json() for r in records(12)]
    )
    named, options = ("mine", "test", "It rains."), ("True", "False")
    labels = [Record(f"l{n}", *named, f"It rains {n}.", options, n % 2).to_json() for n in range(8)]
    write_jsonl(tmp_path / "labels.jsonl", labels)
    return tmp_path


def evaluate(*words: str) -> Result:
    return CliRunner().invoke(cli, ["evaluate", *words, "--params", '{"seed": 1}'])


def test_a_table_is_printed_with_rotations_and_labels(folder: Path) -> None:
    words = [
        "baseline/uniform",
        "--benchmark",
        "divlogiceval",
        "--benchmark",
        "labels.jsonl",
        "--limit",
        "6",
    ]
    done = evaluate(*words, "--out", "said.jsonl")
    assert done.exit_code == 0, done.output or done.exception
    head, *rows = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()]
    assert head[:7] == ["benchmark", "prompt", "instances", "ACC", "CIR", "PC", "answers read"]
    assert head[7:] == ["refused", "cut", "unanswered"]
    assert [row[:3] for row in rows] == [
        ["divlogiceval", "zero_shot", "6"],
        ["mine", "zero_shot", "6"],
    ]
    assert len(list(read_predictions(folder / "said.jsonl"))) == 5 * (
        6 * 4 + 6
    )  # guessing is repeated
    assert "150 in the store" in evaluate(*words).stderr


def test_what_is_missing_is_said_before_the_price(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = evaluate("openai/gpt-4o", "--limit", "3", "--input-price", "2")
    assert isinstance(done.exception, DivLogicError) and "openai" in str(done.exception)
    assert "cost about" not in done.stderr


def test_where_there_is_no_terminal_a_model_that_costs_money_needs_a_yes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("divlogic.evaluation.evaluate.is_local", lambda address: False)
    with serving() as (address, handler):
        words = ["compatible/m", "--base-url", address, "--limit", "3"]
        done = evaluate(*words, "--input-price", "2", "--output-price", "8")
        assert isinstance(done.exception, DivLogicError) and "add --yes" in str(done.exception)
        assert "12 to ask" in done.stderr and "cost about" in done.stderr
        assert handler.asked.total() == 0
        assert evaluate(*words, "--yes").exit_code == 0
        assert handler.asked.total() == 12


def test_a_server_of_this_machine_is_asked_without_a_question(folder: Path) -> None:
    with serving() as (address, handler):
        done = evaluate("compatible/m", "--base-url", address, "--limit", "3")
        assert done.exit_code == 0, done.exception
        assert handler.asked.total() == 12


def test_the_bounds_of_a_run_may_be_given(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []
    bounds = parameters.limits_for

    def note(*given: Any) -> parameters.Limits:
        found = bounds(*given)
        seen.append((found.concurrency, found.timeout))
        return found

    monkeypatch.setattr("divlogic.models.parameters.limits_for", note)
    with serving() as (address, _):
        words = ["compatible/m", "--base-url", address, "--limit"]
        assert evaluate(*words, "1", "--concurrency", "3", "--timeout", "7.5").exit_code == 0
        assert evaluate(*words, "2").exit_code == 0
    assert seen == [(3, 7.5), (1, 600.0)]
    for option in ("--concurrency", "--timeout"):
        assert evaluate(*words, "3", option, "0").exit_code == 2


def test_one_more_instance_asks_one_more(folder: Path) -> None:
    pool = [record.to_json() for record in records(12, "pool")]
    write_jsonl(folder / "data/benchmarks/divlogiceval/unpolished.jsonl", pool)
    for prompt in ("zero_shot", "three_shot"):
        with serving() as (address, handler):
            words = ["compatible/m", "--base-url", address, "--prompt", prompt, "--limit"]
            for limit in range(1, 12):
                assert evaluate(*words, str(limit)).exit_code == 0
                assert handler.asked.total() == 4 * limit


def test_refused_and_cut_answers_stand_next_to_the_scores(folder: Path) -> None:
    def mixed(handler: Handler, prompt: str, before: int) -> None:
        number = list(handler.asked).index(prompt)
        if number < 3:
            handler.say("Answer: A", finish_reason="content_filter" if number else "length")

    with serving(mixed) as (address, _):
        done = evaluate(
            "compatible/m", "--base-url", address, "--limit", "5", "--out", "said.jsonl"
        )
    (_, row) = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()]
    assert row[-4:] == ["90.00", "10.00", "5.00", "0.00"]
    refused = [one for one in read_predictions(folder / "said.jsonl") if one.status == "refused"]
    assert [one.predicted for one in refused] == [None, None]


def test_a_question_that_the_server_never_answers_keeps_no_table_back(folder: Path) -> None:
    def broken(handler: Handler, prompt: str, before: int) -> None:
        if list(handler.asked).index(prompt) == 1:
            handler.reply(429, b"slow down", Retry_After="0")

    with serving(broken) as (address, _):
        done = evaluate("compatible/m", "--base-url", address, "--limit", "5")
    (_, row) = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()]
    assert row[2] == "4"
    assert done.exit_code == 1
    assert "1 answers of 'compatible/m' are still missing" in str(done.exception)


def test_a_model_that_the_parameters_do_not_list_is_asked_the_files_that_are_named(
    folder: Path,
) -> None:
    write_jsonl(folder / "rows.jsonl", map(rotation_json, rotations(2, "likelihood")))
    with serving(always(reply(200, scored(top(A=-0.1, B=-3.0))))) as (address, handler):
        words = [
            "evaluation",
            "run",
            "rows.jsonl",
            "--model",
            "compatible/m",
            "--base-url",
            address,
        ]
        words += ["--store", "s.sqlite", "--out", "said.jsonl", "--params", '{"seed": 1}']
        done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.exception
    assert handler.asked.total() == len(list(read_predictions(folder / "said.jsonl"))) == 8
    assert "the letters hold 95.5 % of the probability" in done.stderr


def test_an_unknown_benchmark_is_refused_with_a_suggestion(folder: Path) -> None:
    done = evaluate("baseline/uniform", "--benchmark", "divlogicevl")
    assert isinstance(done.exception, DivLogicError) and "did you mean 'divlogiceval'" in str(
        done.exception
    )


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
    assert "max_tokens" not in thinking.sampling_within(section.sampling)


def test_a_plan_has_a_row_for_each_printed_table_that_a_model_fills(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = [record.to_json() for record in records(3, "pool")]
    write_jsonl(folder / "data/benchmarks/divlogiceval/unpolished.jsonl", pool)
    models = [
        {
            "name": "a/free",
            "label": "GPT-4",
            "prompts": ["zero_shot"],
            "benchmarks": ["divlogiceval"],
        }
    ]
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
    thinking = ModelParameters(name="a/b", thinking=True).sampling_within(section)
    assert thinking == {"temperature": 0.0}
    own = ModelParameters(name="a/b", thinking=True, sampling={"max_tokens": 900})  # type: ignore[arg-type]
    assert own.sampling_within(section) == {"temperature": 0.0, "max_tokens": 900}
