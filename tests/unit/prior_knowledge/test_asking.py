"""Asking models and recording their answers: the store, the answers, and the Inspect task."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, get_model, modelapi

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.models.asking import AskingOptions
from divlogic.models.parameters import ModelParameters
from divlogic.models.predictions import Prediction, read_predictions
from divlogic.models.recordings.model_answers import RecordedOptions, record_answers
from divlogic.models.requests import read_responses
from divlogic.prior_knowledge import steps
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters, PriorKnowledgeRun
from divlogic.prior_knowledge.steps import AskedCollection, AskedFile
from tests.support import write_collection
from tests.unit.prior_knowledge.test_prior_knowledge import record, toy_records


@modelapi(name="parrot")
class Parrot(ModelAPI):
    """Says one sentence, whatever it is asked."""

    def __init__(self, model_name: str, *_: Any, said: str = "Answer: False", **__: Any) -> None:
        super().__init__(model_name)
        self._said = said

    async def generate(
        self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        return ModelOutput.from_content("parrot", self._said)


MODEL = ModelParameters(name="parrot/grey")


def run_of(model: ModelParameters, *prompts: str) -> PriorKnowledgeRun:
    section = PriorKnowledgeParameters(instances=12, prompts=list(prompts), models=[model])
    return PriorKnowledgeRun(seed=1, prior_knowledge=section)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file of questions."""
    write_jsonl(tmp_path / "records.jsonl", [r.to_json() for r in toy_records(leak=False)])
    return tmp_path / "records.jsonl"


def ask(source: Path, store: Path, model: ModelParameters) -> list[Prediction]:
    params = run_of(model, "question_only", "zero_shot")
    steps.ask_file(AskedFile(source), AskingOptions(model.name, store), params)
    steps.export_file(AskedFile(source), store, source.with_name("out.jsonl"), params)
    return list(read_predictions(source.with_name("out.jsonl")))


def test_a_model_is_asked_once_and_its_answers_are_read(source: Path) -> None:
    store = source.with_name("store.sqlite")
    answers = ask(source, store, MODEL)
    before = read_responses(store)
    assert ask(source, store, MODEL) == answers
    assert read_responses(store) == before
    assert Counter(answer.prompt for answer in answers) == {"question_only": 12, "zero_shot": 12}
    assert {answer.predicted for answer in answers} == {"False"}
    assert sum(answer.correct for answer in answers) == sum(
        answer.gold == "False" for answer in answers
    )


def test_an_answer_that_names_no_option_is_wrong(source: Path) -> None:
    model = ModelParameters(name="parrot/grey", args={"said": "Who can say?"})
    found = ask(source, source.with_name("store.sqlite"), model)
    told = {(one.asked, one.answered, one.predicted, one.correct) for one in found}
    assert told == {(True, True, None, False)}


def test_a_model_that_says_nothing_is_given_up_and_nothing_is_kept(source: Path) -> None:
    model = ModelParameters(name="parrot/grey", args={"said": ""})
    store = source.with_name("store.sqlite")
    with pytest.raises(DivLogicError, match=r"given up .empty: the reply has no text"):
        ask(source, store, model)
    assert not read_responses(store)


def test_a_model_is_asked_its_own_prompts_benchmarks_and_runs(tmp_path: Path) -> None:
    rows = [r.to_json() for r in toy_records(leak=False)]
    named = {name: [row | {"benchmark": name} for row in rows] for name in ("toy", "other")}
    asked_of = AskedCollection(write_collection(tmp_path, named), (tmp_path / "train.jsonl",))
    pool = [row | {"benchmark": "toy", "id": f"t{n}"} for n, row in enumerate(rows)]
    write_jsonl(tmp_path / "train.jsonl", pool)

    def asked(**own: Any) -> Counter[tuple[str, str, int]]:
        model = ModelParameters(name="baseline/uniform", label=str(own), **own)
        out, options = (
            tmp_path / "answers.jsonl",
            AskingOptions(str(own), tmp_path / "store.sqlite"),
        )
        run = run_of(model, "question_only", "question_only_few_shot")
        steps.ask_collection(asked_of, options, out, run)
        answers = list(read_predictions(out))
        assert {answer.source for answer in answers} == {"baseline"}
        return Counter((answer.benchmark, answer.prompt, answer.run) for answer in answers)

    # Without a training part there are no solved examples to show.
    plain, shown = "question_only", "question_only_few_shot"
    assert asked() == {("toy", plain, 0): 12, ("toy", shown, 0): 12, ("other", plain, 0): 12}
    assert asked(benchmarks=["other"], runs=2) == {("other", plain, 0): 12, ("other", plain, 1): 12}
    assert asked(prompts=[shown]) == {("toy", shown, 0): 12}


def test_the_inspect_task_scores_labels_and_lettered_options(tmp_path: Path) -> None:
    from inspect_ai import eval as inspect_eval

    from divlogic.prior_knowledge.task import prior_knowledge

    labels, options = tmp_path / "labels.jsonl", tmp_path / "options.jsonl"
    write_jsonl(labels, [record(n, f"Wugs see {n}.", n % 3).to_json() for n in range(9)])
    texts = ("wugs see", "daxes see", "zups see", "no one sees")
    write_jsonl(options, [record(n, f"Which {n}?", n % 4, texts).to_json() for n in range(8)])
    for path, said, accuracy in ((labels, "Answer: False", 1 / 3), (options, "Answer: C", 1 / 4)):
        model = get_model("parrot/grey", said=said, memoize=False)
        (log,) = inspect_eval(
            prior_knowledge(data=str(path)),
            model=model,
            log_dir=str(tmp_path / "logs"),
            display="none",
        )
        assert log.status == "success" and log.results is not None
        metrics = log.results.scores[0].metrics
        assert abs(metrics["accuracy"].value - accuracy) < 1e-9
        assert abs(metrics["delta_to_random"].value) < 1e-9


DICE = ModelParameters(name="baseline/uniform", label="Dice")
RUN = run_of(DICE, "question_only")


def collection(folder: Path, **further: str) -> Path:
    """Write a collection of two benchmarks; ``further`` is put after the questions of a benchmark."""
    rows = [r.to_json() | {"benchmark": "as_stored"} for r in toy_records(leak=False)]
    changed = {
        name: [row | {"question": row["question"] + further.get(name, "")} for row in rows]
        for name in ("toy", "other")
    }
    return write_collection(folder, changed)


def read(folder: Path, recorded: Path) -> tuple[list[Prediction], list[str]]:
    out, report = recorded.with_name("out.jsonl"), recorded.with_name("report.json")
    steps.recorded_collection(
        AskedCollection(folder), RecordedOptions(out, report, (recorded,)), RUN
    )
    errors = [row["error"] for row in json.loads(report.read_text(encoding="utf-8"))]
    return list(read_predictions(out)), errors


def test_what_was_answered_counts_again_for_each_benchmark_that_is_the_same(tmp_path: Path) -> None:
    folder, recorded, answers = collection(tmp_path), tmp_path / "dice", tmp_path / "answers.jsonl"
    asked_of = AskedCollection(folder)
    steps.ask_collection(asked_of, AskingOptions("Dice", tmp_path / "store.sqlite"), answers, RUN)
    record_answers((answers,), "Dice", recorded)

    asked = {(p.benchmark, p.instance): (p.gold, p.predicted) for p in read_predictions(answers)}
    found, errors = read(folder, recorded)
    assert errors == ["", ""]
    assert {(p.benchmark, p.instance): (p.gold, p.predicted) for p in found} == asked
    assert len(asked) == 24
    assert {prediction.model for prediction in found} == {"Dice (recorded)"}

    found, errors = read(collection(tmp_path, other=" Really?"), recorded)
    assert {prediction.benchmark for prediction in found} == {"toy"}
    assert sorted(errors) == ["", "recorded on another version"]
