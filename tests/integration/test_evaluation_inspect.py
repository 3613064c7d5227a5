"""The Inspect tasks, run by Inspect itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.errors import DivLogicError
from divlogic.evaluation.predictions import answers_of
from divlogic.evaluation.replay import read_inspect
from divlogic.evaluation.scoring import in_preset, score_all
from divlogic.files import write_jsonl
from tests.unit.evaluation.samples import records

pytestmark = pytest.mark.integration


@pytest.fixture()
def data(tmp_path: Path) -> dict[str, str]:
    for split in ("test", "unpolished"):
        write_jsonl(tmp_path / f"{split}.jsonl", (record.to_json() for record in records(9, split)))
    return {"data": str(tmp_path / "test.jsonl"), "pool": str(tmp_path / "unpolished.jsonl")}


def evaluated(folder: Path, task: object, model: str) -> object:
    from inspect_ai import eval as inspect_eval

    import divlogic.inspect_registry  # noqa: F401 - as Inspect's entry point does

    (log,) = inspect_eval(task, model=model, log_dir=str(folder / "logs"), display="none")  # type: ignore[arg-type]
    assert log.status == "success"
    return log


@pytest.mark.parametrize("model", ["baseline/overlap", "baseline/position"])
def test_inspect_reports_the_scores_that_the_replayed_log_gives(
    tmp_path: Path, data: dict[str, str], model: str
) -> None:
    from divlogic.evaluation.inspect_tasks import divlogiceval

    log = evaluated(tmp_path, divlogiceval(shots=3, **data), model)
    reported = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}  # type: ignore[attr-defined]
    answers = answers_of(read_inspect(Path(log.location), note=pytest.fail))  # type: ignore[attr-defined]
    (series,) = answers
    assert series == ("divlogiceval", model, "three_shot", 0)
    acc, cir, pc = in_preset(score_all(answers, seed=1, resamples=100), "corrected")[:3]
    assert reported["accuracy_unrotated"] == pytest.approx(100 * acc.estimate.value)
    assert reported["circular"] == pytest.approx(100 * cir.estimate.value)
    assert reported["partial_circular"] == pytest.approx(100 * pc.estimate.value)
    assert reported["answers_read"] == pytest.approx(100 * acc.parse_rate)


def test_a_number_of_shots_without_a_prompt_is_refused(data: dict[str, str]) -> None:
    from divlogic.evaluation.inspect_tasks import divlogiceval

    with pytest.raises(DivLogicError, match="no prompt with 5 shots"):
        divlogiceval(shots=5, **data)


def test_another_file_is_no_inspect_log(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(DivLogicError, match="not a readable Inspect log"):
        list(read_inspect(path, note=pytest.fail))
