"""Before the first job: models that cannot be asked, and the sentence pairs that there are for the instances."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.corpora.manifest import ManifestFile, describe, write_manifest
from divlogic.corpora.registry import load_registry
from divlogic.errors import DivLogicError
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
    make_empty(folder / "data/interim/evaluation/my-model.jsonl.gz")
    assert model_problems(params, reach=False) == []
    assert model_problems(validate({}), reach=False) == []


def test_a_published_benchmark_is_answered_in_full_runs_or_where_it_is_imported(
    folder: Path,
) -> None:
    asked = {
        "evaluation": {"benchmarks": ["divlogiceval", "ilogiceval", "s-ilogiceval", "logiqa2"]}
    }
    (problem,) = model_problems(validate(asked), reach=False)
    wanted = "evaluation.benchmarks: 'logiqa2' is read in runs with `corpus_source: full` only"
    assert problem.startswith(wanted)
    assert model_problems(validate({**asked, "corpus_source": "full"}), reach=False) == []
    make_empty(folder / "data/imported/logiqa2.jsonl.gz")
    assert model_problems(validate(asked), reach=False) == []


def test_a_benchmark_that_cannot_be_rotated_is_refused_with_what_to_do_instead(
    folder: Path,
) -> None:
    names = ["clutrr", "llmeval_logic_base", "llmeval_logic_hard", "llmeval_logic_generated"]
    for source in ("full", "embedded"):
        params = validate(
            {"corpus_source": source, "evaluation": {"benchmarks": ["divlogiceval", *names]}}
        )
        problems = model_problems(params, reach=False)
        assert [problem.split("'")[1] for problem in problems] == names
        assert "import a file" in problems[0] and "evaluation.llmeval_logic.models" in problems[1]
    make_empty(folder / "data/imported/clutrr.jsonl")
    assert len(model_problems(params, reach=False)) == len(names) - 1


def test_every_published_benchmark_with_more_than_ten_answers_says_that_it_is_not_rotated() -> None:
    many = [one for one in BENCHMARKS if len(getattr(one.answers, "names", ())) > MOST_OPTIONS]
    assert many and all(
        records.name in one.not_rotated for one in many for records in one.published
    )


def sizes(test: int, unpolished: int = 0, **settings: object) -> dict[str, object]:
    splits = {"test": test, "unpolished": unpolished}
    return {"benchmarks": {"divlogiceval": {"splits": splits, **settings}}}


def test_a_run_says_of_how_many_pairs_its_instances_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    # A square quartet of t rounds has 4(t+1) variables, one of a missing premise two more, for four instances each.
    said = instances_notice(validate(sizes(90, 90, rounds={2: 1.0})))
    groups = (90 + 90) * (3 * 12 + 2) / 12
    assert "180 instances are asked for" in said and f"about {groups:.0f} sentence groups" in said
    captions = sum(map(row_count, Path("data/embedded/captions").glob("*.jsonl*")))
    assert captions and f"captions {captions:,}" in said


def test_instances_that_no_pair_is_left_for_are_refused_before_they_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    assert "9,000 instances" in instances_notice(validate(sizes(9_000)))
    with pytest.raises(DivLogicError, match=r"900,000 instances.* in vain: ask for fewer"):
        instances_notice(validate(sizes(900_000)))


def test_a_part_of_a_corpus_is_counted_as_a_part(folder: Path) -> None:
    registry = folder / "data/registry.yaml"
    registry.parent.mkdir()
    registry.write_bytes((ROOT / "data/registry.yaml").read_bytes())
    whole = load_registry(registry)["snli"]
    assert whole.rows is not None
    raw = folder / "data/raw/full/snli"
    raw.mkdir(parents=True)
    part = ManifestFile("snli.jsonl", 1, "0" * 64, 21_422, "nli", "some", "by hand")
    write_manifest(raw, describe("snli", whole, [part], []))
    said = instances_notice(validate({"corpus_source": "full", **sizes(90)}))
    assert f"snli 21,422 of {whole.rows:,}" in said
