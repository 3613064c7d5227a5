"""LogicNLI's statements for Inspect and for lm-evaluation-harness: whole quartets, and scores that agree with ours."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.logicnli.set_names import spaced_groups
from divlogic.errors import DivLogicError
from divlogic.evaluation.harness import write_logicnli_harness
from divlogic.evaluation.logicnli.diagnosis import Diagnosis
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.io.files import read_jsonl, write_jsonl
from divlogic.models.asking import read_questions
from divlogic.models.requests import ClosedQuestion
from divlogic.records import Record
from tests.support import module_at
from tests.unit.benchmarks.logicnli import checker
from tests.unit.benchmarks.logicnli.conftest import made_rows

ROWS = made_rows("test", 20)
RECORDS = [Record.from_json(row) for row in ROWS]
SAID = [f"Some thought. Answer: {checker.k_round_answer(row, 2)}" for row in ROWS]
LABELS = {record.id: text.rpartition(" ")[2] for record, text in zip(RECORDS, SAID, strict=True)}


def asked_questions(source: Path, quartets: int | None = None) -> list[ClosedQuestion]:
    drawn = {"instances": quartets, "seed": 1, "form_of": answer_format, "choose": spaced_groups}
    return read_questions(source, None, prompts=["zero_shot"], **drawn)  # type: ignore[arg-type]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write_jsonl(tmp_path / "test.jsonl", ROWS)
    return tmp_path / "test.jsonl"


def test_a_prompt_says_what_the_labels_mean_and_shows_the_whole_passage(source: Path) -> None:
    first, *_ = asked_questions(source)
    assert RECORDS[0].context in first.input and f"Statement: {RECORDS[0].question}" in first.input
    assert "self_contradiction' if both follow" in first.input
    assert first.gold == RECORDS[0].options[RECORDS[0].answer or 0]


def test_whole_quartets_are_asked_evenly_spaced_over_the_depths(source: Path) -> None:
    # The depths take turns, 1 to 5: every fourth quartet would do, every fifth would have one depth only.
    for quartets in (4, 5, 10):
        asked = asked_questions(source, quartets)
        chosen = dict.fromkeys(question.metadata["quartet"] for question in asked)
        assert len(asked) == 4 * len(chosen) == 4 * quartets
        assert len({question.depth for question in asked}) == min(quartets, 5)
    ids = [question.instance for question in asked]
    assert ids == sorted(ids, key=[record.id for record in RECORDS].index)


def test_the_exported_scores_are_ours_on_the_same_answers(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_logicnli_harness((source,), out=tmp_path / "task", params=EvaluationRun(seed=1))
    assert capsys.readouterr().out == "logicnli_test_zero_shot\n"
    utils = module_at(tmp_path / "task" / "utils.py")
    docs = [row for _, row in read_jsonl(tmp_path / "task" / "logicnli_test_zero_shot.jsonl")]
    items = [utils.process_results(doc, [text]) for doc, text in zip(docs, SAID, strict=True)]
    diagnosis = Diagnosis(LABELS)
    acc, em = ([item[name] for item in items] for name in ("acc", "quartet_em"))
    assert utils.accuracy(acc) == diagnosis.accuracy(RECORDS).value == 0.55
    assert utils.circular(em) == diagnosis.quartet_em(RECORDS).value == 0.4
    assert utils.answers_read([utils.process_results(docs[0], ["no idea"])["acc"]]) == 0
    assert "divlogic." not in (tmp_path / "task" / "utils.py").read_text()


def test_prompts_and_sets_that_are_not_there_are_named(source: Path, tmp_path: Path) -> None:
    given: dict[str, Any] = {"out": tmp_path / "task", "params": EvaluationRun(seed=1)}
    with pytest.raises(DivLogicError, match="no prompt 'question_only' with context"):
        write_logicnli_harness((source,), prompt="question_only", **given)
    with pytest.raises(DivLogicError, match=r"none\.jsonl: there is no such file"):
        write_logicnli_harness((tmp_path / "none.jsonl",), **given)
    with pytest.raises(DivLogicError, match="was already written"):
        write_logicnli_harness((source, source), **given)


def test_inspect_reports_accuracy_quartet_em_and_depth(source: Path, tmp_path: Path) -> None:
    from inspect_ai import eval as inspect_eval

    import divlogic.inspect_registry  # noqa: F401 - as Inspect's entry point does
    from divlogic.evaluation.inspect_tasks import logicnli

    log_dir = str(tmp_path / "logs")
    task = logicnli(data=str(source), quartets=10)
    (log,) = inspect_eval(task, model="baseline/uniform", log_dir=log_dir, display="none")
    assert log.status == "success", log.error
    assert log.results and log.results.completed_samples == 40
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert {"accuracy", "stderr", "lower", "upper", "quartet_em", "reasoning_depth"} <= set(found)
    assert found["answers_refused"] == found["answers_cut"] == found["answers_unanswered"] == 0
    assert 0 < found["accuracy"] < 0.6 and found["quartet_em"] < 0.2


def test_inspects_metrics_are_ours_on_the_same_answers() -> None:
    from inspect_ai.scorer import SampleScore, Score

    from divlogic.evaluation.inspect_tasks import quartet_em as share_of_quartets, reasoning_depth

    scores = [
        SampleScore(
            score=Score(value=int(LABELS[record.id] == record.options[record.answer or 0])),
            sample_metadata={"quartet": record.metadata["quartet"], "depth": record.depth},
        )
        for record in RECORDS
    ]
    assert share_of_quartets(scores) == 0.4
    assert reasoning_depth(scores) == pytest.approx(2.0)
    assert math.isnan(reasoning_depth(scores[:5]))
