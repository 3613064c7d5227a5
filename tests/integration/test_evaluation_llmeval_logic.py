"""LLMEval-Logic's Inspect tasks, run by Inspect itself with models that need no network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi

from divlogic.benchmarks.llmeval_logic.realise import seed_record
from divlogic.benchmarks.llmeval_logic.seeds import read_scenarios
from divlogic.errors import DivLogicError
from divlogic.evaluation.llmeval_logic import steps
from divlogic.evaluation.llmeval_logic.inspect_tasks import (
    llmeval_logic_answer,
    llmeval_logic_formalise,
)
from divlogic.io.files import write_jsonl
from tests.contract.graph import ROOT
from tests.integration.test_evaluation_inspect import evaluated
from tests.unit.benchmarks.llmeval_logic import samples

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sets") / "base.jsonl"
    seeds = read_scenarios(ROOT / "data/embedded/scenarios")[:4]
    write_jsonl(path, (seed_record(seed).to_json() for seed in seeds))
    return path


@modelapi("in_order")
class Scripted(ModelAPI):
    """Gives the replies of its argument in order; Inspect's own mock counts tokens with a table that it downloads."""

    def __init__(self, model_name: str, replies: list[str], **_: Any) -> None:
        super().__init__(model_name)
        self.replies = iter(replies)

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return ModelOutput.from_content("in_order", next(self.replies))


@modelapi("judging")
class Judge(ModelAPI):
    """Passes everything if its name is ``mild``; else its reply is no verdict."""

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
        return ModelOutput.from_content(
            "judge", '{"1": true}' if self.model_name == "mild" else "I cannot say"
        )


def scripted(replies: dict[str, str]) -> Any:
    """Return a model that gives each item its reply, in the order of the items."""
    return get_model("in_order/model", replies=list(replies.values()), memoize=False)


COMMON = {
    *("accuracy", "stderr", "lower", "upper"),
    *("answers_refused", "answers_cut", "answers_unanswered"),
}
"""Metrics of every task, as fractions."""


def metrics(log: Any) -> dict[str, float]:
    """Return the metrics of the track, in percent; those that every task has are there, too."""
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert set(found) > COMMON
    return {name: value for name, value in found.items() if name not in COMMON}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbols", ["answer", "free", "fixed"])
def test_the_gold_scores_100_in_every_track_and_language(
    tmp_path: Path, base: Path, symbols: str, language: Any
) -> None:
    if symbols == "answer":
        track, task = "answer", llmeval_logic_answer(str(base), language)
    else:
        track, task = f"formalise_{symbols}", llmeval_logic_formalise(str(base), symbols, language)  # type: ignore[arg-type]
    gold = steps.baseline_replies(steps.read_tasks(base), "gold", track)  # type: ignore[arg-type]
    task.config.max_connections = 1
    log = evaluated(tmp_path, task, scripted(gold))
    assert set(metrics(log).values()) == {100.0}
    assert log.results.total_samples == 4  # type: ignore[attr-defined]


def test_what_is_wrong_unreadable_or_open_counts_as_the_workflow_counts_it(tmp_path: Path) -> None:
    source = samples.folder(tmp_path / "in")
    said = {
        "3": '{"answers": {"Q1": "impossible", "Q2": "unnecessary"}}',
        "4": "I do not know",
        "5": '{"1": "（1）"}',
        "hard-8": '{"answers": {"Q1": "红的。", "Q2": "two"}}',
    }
    task = llmeval_logic_answer(str(source))
    task.config.max_connections = 1
    found = metrics(evaluated(tmp_path, task, scripted(said)))
    assert found == {
        "item_accuracy": 25.0,
        "sub_question_accuracy": pytest.approx(100 * 3 / 6),
        "replies_read": 75.0,
        "judged": pytest.approx(200 / 3),
    }


@pytest.mark.parametrize(
    ("judge", "right", "judged"), [("mild", 100.0, 100.0), ("mute", 50.0, 0.0)]
)
def test_a_judge_decides_free_text_and_what_it_does_not_decide_stays_open(
    tmp_path: Path, judge: str, right: float, judged: float
) -> None:
    source = samples.folder(tmp_path / "in", items=[], rubrics={})
    task = llmeval_logic_answer(str(source), judge=f"judging/{judge}")
    said = {"hard-8": '{"answers": {"Q1": "红的。", "Q2": "two"}}'}
    found = metrics(evaluated(tmp_path, task, scripted(said)))
    assert (found["sub_question_accuracy"], found["judged"]) == (right, judged)


def test_a_file_without_reference_formalizations_is_refused(tmp_path: Path) -> None:
    source = samples.folder(tmp_path / "in", items=[], rubrics={})
    with pytest.raises(
        DivLogicError, match="no item can be asked in track formalise_fixed and language zh"
    ):
        llmeval_logic_formalise(str(source))
    with pytest.raises(DivLogicError, match="there is no such file"):
        llmeval_logic_answer(str(tmp_path / "none.jsonl"))
