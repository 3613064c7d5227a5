"""Inspect task: LogicNLI's sets, scored by accuracy, quartet-EM and the depth that the accuracy stands for.

``inspect eval divlogic/logicnli -T data=data/benchmarks/logicnli/test_g.jsonl --model ...``
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer
from inspect_ai.solver import TaskState, generate

from divlogic.benchmarks.logicnli.benchmark import LOGICNLI
from divlogic.evaluation.logicnli import harness_scores
from divlogic.evaluation.logicnli.diagnosis import equivalent_depth
from divlogic.evaluation.logicnli.questions import asked_questions
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.library.write import drawn_file
from divlogic.models.inspecting import find_data, generate_config, shown_errors
from divlogic.models.styles import CLOSED

DATA = "data/benchmarks/logicnli/test.jsonl"
POOL = "data/benchmarks/logicnli/train.jsonl"
SEED = 20260101
_REASONING_TOKENS = 4096


@task
def logicnli(
    data: str = DATA,
    prompt: str = "zero_shot",
    pool: str = POOL,
    quartets: int | None = None,
    seed: int = SEED,
    size: int | None = None,
    level: int | None = None,
) -> Task:
    """Statements to judge by facts and rules, in whole quartets.

    Args:
        data: one of LogicNLI's sets (jsonl).
        prompt: ``zero_shot``, ``few_shot`` or ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        quartets: number of quartets asked, evenly spaced over the depths; null: all.
        seed: seed of the draw of examples, and of a fresh set.
        size, level: a fresh set of that many statements and of that level is drawn, and no file is read.
    """
    with shown_errors():
        if size or level:
            data = str(drawn_file("logicnli", size=size, seed=seed, level=level))
        style = CLOSED.get(prompt)
        examples = find_data(pool, "pool") if style and style.has_examples else None
        questions = asked_questions(
            find_data(data, "data"), examples, prompt=prompt, quartets=quartets, seed=seed
        )
    sampling = EvaluationParameters().sampling
    if CLOSED[prompt].reasoning:
        sampling = sampling.model_copy(update={"max_tokens": _REASONING_TOKENS})
    samples = [
        Sample(
            id=question.instance,
            input=question.input,
            target=question.gold,
            metadata={
                "benchmark": question.benchmark,
                "prompt": question.prompt,
                "instance": question.instance,
                "options": list(question.options),
                "quartet": question.metadata.get("quartet"),
                "depth": question.depth,
            },
        )
        for question in questions
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"logicnli-{prompt}", location=data),
        solver=generate(),
        scorer=label_scorer(),
        config=generate_config(sampling),
        version="1",
        metadata={"prompt": prompt},
    )


@metric
def quartet_em() -> Metric:
    """Share of quartets all of whose items are right; nan where the set has none."""

    def compute(scores: list[SampleScore]) -> float:
        items = [[_about(score)["quartet"], 1, score.score.as_float()] for score in scores]
        return harness_scores.quartet_em([item for item in items if item[0]])

    return compute


@metric
def reasoning_depth() -> Metric:
    """Rounds of the chaining reader that has this accuracy; nan unless depths are uniform and all items in quartets."""

    def compute(scores: list[SampleScore]) -> float:
        depths = Counter(_about(score)["depth"] or 0 for score in scores)
        if len(set(depths.values())) != 1 or not all(_about(score)["quartet"] for score in scores):
            return float("nan")
        right = sum(score.score.as_float() for score in scores) / len(scores)
        return equivalent_depth(right, list(depths))

    return compute


@scorer(metrics=[accuracy(), quartet_em(), reasoning_depth()])
def label_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    form = LOGICNLI.answers
    assert form is not None

    async def score(state: TaskState, target: Target) -> Score:
        completion = state.output.completion
        named = form.read(completion)
        return Score(value=1 if named == target.text else 0, answer=named, explanation=completion)

    return score


def _about(score: SampleScore) -> dict[str, Any]:
    return score.sample_metadata or {}
