"""Inspect task: LogicNLI's sets, scored by accuracy, quartet-EM and the depth that the accuracy stands for.

``inspect eval divlogic/logicnli -T data=data/benchmarks/logicnli/test_g.jsonl --model ...``
"""

from __future__ import annotations

from collections import Counter

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Scorer, accuracy, metric, scorer

from divlogic.evaluation.logicnli import harness_scores
from divlogic.evaluation.logicnli.diagnosis import equivalent_depth
from divlogic.evaluation.logicnli.questions import asked_questions
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.library.write import drawn_file
from divlogic.models.inspecting import find_data, shown_errors
from divlogic.models.styles import CLOSED
from divlogic.models.tasks import SEED, about, score_closed, task_of

DATA = "data/benchmarks/logicnli/test.jsonl"
POOL = "data/benchmarks/logicnli/train.jsonl"
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
    return task_of(questions, label_scorer(), sampling, data=data, name="logicnli")


@metric
def quartet_em() -> Metric:
    """Share of quartets all of whose items are right; nan where the set has none."""

    def compute(scores: list[SampleScore]) -> float:
        items = [[about(score)["quartet"], 1, score.score.as_float()] for score in scores]
        return harness_scores.quartet_em([item for item in items if item[0]])

    return compute


@metric
def reasoning_depth() -> Metric:
    """Rounds of the chaining reader that has this accuracy; nan unless depths are uniform and all items in quartets."""

    def compute(scores: list[SampleScore]) -> float:
        depths = Counter(about(score)["depth"] or 0 for score in scores)
        if len(set(depths.values())) != 1 or not all(about(score)["quartet"] for score in scores):
            return float("nan")
        right = sum(score.score.as_float() for score in scores) / len(scores)
        return equivalent_depth(right, list(depths))

    return compute


@scorer(metrics=[accuracy(), quartet_em(), reasoning_depth()])
def label_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    return score_closed
