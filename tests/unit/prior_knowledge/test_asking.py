"""Asking models: the store, the answers, and the Inspect task, with a model that always says the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, get_model, modelapi

from divlogic.evaluation.parameters import ModelParameters
from divlogic.files import write_jsonl
from divlogic.prior_knowledge.asking import ask, stored_answers
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters
from tests.unit.prior_knowledge.test_prior_knowledge import record, toy_records


@modelapi(name="parrot")
class Parrot(ModelAPI):
    """Says one sentence, whatever it is asked."""

    def __init__(self, model_name: str, *_: Any, said: str = "Answer: False", **__: Any) -> None:
        super().__init__(model_name)
        self._said = said

    async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> ModelOutput:
        return ModelOutput.from_content("parrot", self._said)


MODEL = ModelParameters(name="parrot/grey")
SETTINGS = PriorKnowledgeParameters(instances=12, prompts=["question_only", "zero_shot"])


def test_a_model_is_asked_once_and_its_answers_are_read(tmp_path: Path) -> None:
    source, store = tmp_path / "records.jsonl", tmp_path / "store.jsonl"
    write_jsonl(source, [r.to_json() for r in toy_records(leak=False)])
    ask(source, None, store, model=MODEL, parameters=SETTINGS, seed=1)
    before = store.read_bytes()
    ask(source, None, store, model=MODEL, parameters=SETTINGS, seed=1)
    assert store.read_bytes() == before
    answers = list(stored_answers(source, None, store, model=MODEL, parameters=SETTINGS, seed=1))
    assert len(answers) == 24
    assert {answer.prompt for answer in answers} == {"question_only", "zero_shot"}
    assert {answer.said for answer in answers} == {"False"}
    assert sum(answer.correct for answer in answers) == sum(answer.label == "False" for answer in answers)


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
            prior_knowledge(data=str(path)), model=model, log_dir=str(tmp_path / "logs"), display="none"
        )
        assert log.status == "success" and log.results is not None
        metrics = log.results.scores[0].metrics
        assert abs(metrics["accuracy"].value - accuracy) < 1e-9
        assert abs(metrics["delta_to_random"].value) < 1e-9
