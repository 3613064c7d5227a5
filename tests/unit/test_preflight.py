"""Before the first job: models that cannot be asked, and instances that the sentences cannot word."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.evaluation.metrics import MOST_OPTIONS
from divlogic.io.files import row_count
from divlogic.parameters import validate
from divlogic.preflight import instances_notice, model_problems

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the test works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make_empty(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()


def test_a_model_is_checked_until_its_answers_are_there(folder: Path) -> None:
    params = validate({"evaluation": {"models": [{"name": "nowhere/model", "label": "my-model"}]}})
    (problem,) = model_problems(params, reach=False)
    assert problem.startswith("my-model:")
    make_empty(folder / "data/interim/evaluation/my-model.jsonl")
    assert model_problems(params, reach=False) == []
    assert model_problems(validate({}), reach=False) == []


def test_a_published_benchmark_is_answered_in_full_runs_or_where_it_is_imported(folder: Path) -> None:
    asked = {"evaluation": {"benchmarks": ["divlogiceval", "ilogiceval", "s-ilogiceval", "logiqa2"]}}
    (problem,) = model_problems(validate(asked), reach=False)
    wanted = "evaluation.benchmarks: 'logiqa2' is read in runs with `corpus_source: full` only"
    assert problem.startswith(wanted)
    assert model_problems(validate({**asked, "corpus_source": "full"}), reach=False) == []
    make_empty(folder / "data/imported/logiqa2.jsonl.gz")
    assert model_problems(validate(asked), reach=False) == []


def test_a_benchmark_that_cannot_be_rotated_is_refused_with_what_to_do_instead(folder: Path) -> None:
    names = ["clutrr", "llmeval_logic_base", "llmeval_logic_hard", "llmeval_logic_generated"]
    for source in ("full", "embedded"):
        params = validate({"corpus_source": source, "evaluation": {"benchmarks": ["divlogiceval", *names]}})
        problems = model_problems(params, reach=False)
        assert [problem.split("'")[1] for problem in problems] == names
        assert "import a file" in problems[0] and "evaluation.llmeval_logic.models" in problems[1]
    make_empty(folder / "data/imported/clutrr.jsonl")
    assert len(model_problems(params, reach=False)) == len(names) - 1


def test_every_published_benchmark_with_more_than_ten_answers_says_that_it_is_not_rotated() -> None:
    many = [one for one in BENCHMARKS if len(getattr(one.answers, "names", ())) > MOST_OPTIONS]
    assert many and all(records.name in one.not_rotated for one in many for records in one.published)


def test_more_instances_than_the_captions_give_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    sizes = [{"test": 9_000, "unpolished": 0}, {"test": 90, "unpolished": 90}]
    many, few = (instances_notice(validate({"benchmarks": {"divlogiceval": {"splits": n}}})) for n in sizes)
    rows = sum(map(row_count, Path("data/embedded/captions").glob("*.jsonl*")))
    assert "of 9,000" in many and rows and f"captions {rows:,}" in many
    assert few == ""
