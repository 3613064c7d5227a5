"""Before the first job: models that cannot be asked, and instances that the sentences cannot word."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.io.files import row_count
from divlogic.parameters import validate
from divlogic.preflight import instances_notice, model_problems

ROOT = Path(__file__).resolve().parents[2]


def test_a_model_is_checked_until_its_answers_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    params = validate({"evaluation": {"models": [{"name": "nowhere/model", "label": "my-model"}]}})
    (problem,) = model_problems(params, reach=False)
    assert problem.startswith("my-model:")
    answers = tmp_path / "data/interim/evaluation/my-model.jsonl"
    answers.parent.mkdir(parents=True)
    answers.write_text("", encoding="utf-8")
    assert model_problems(params, reach=False) == []
    assert model_problems(validate({}), reach=False) == []


def test_a_published_benchmark_is_answered_in_full_runs_or_where_it_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = {"evaluation": {"benchmarks": ["divlogiceval", "ilogiceval", "s-ilogiceval", "logiqa2"]}}
    (problem,) = model_problems(validate(asked), reach=False)
    assert problem.startswith(
        "evaluation.benchmarks: 'logiqa2' is read in runs with `corpus_source: full` only"
    )
    assert model_problems(validate({**asked, "corpus_source": "full"}), reach=False) == []
    imported = tmp_path / "data/imported/logiqa2.jsonl.gz"
    imported.parent.mkdir(parents=True)
    imported.touch()
    assert model_problems(validate(asked), reach=False) == []


def test_more_instances_than_the_captions_give_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    splits = {"test": 9_000, "unpolished": 0}
    notice = instances_notice(validate({"benchmarks": {"divlogiceval": {"splits": splits}}}))
    rows = sum(map(row_count, Path("data/embedded/captions").glob("*.jsonl*")))
    assert "of 9,000" in notice and rows and f"captions {rows:,}" in notice
    few = {"test": 90, "unpolished": 90}
    assert instances_notice(validate({"benchmarks": {"divlogiceval": {"splits": few}}})) == ""
