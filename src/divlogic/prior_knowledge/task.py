"""Inspect task: the questions of any closed benchmark without their contexts, or with them.

``inspect eval divlogic/prior_knowledge -T data=data/benchmarks/justlogic/test.jsonl --model ...``
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.scorer import SampleScore, Scorer, scorer

from divlogic.benchmarks.answers import answer_format
from divlogic.models.inspecting import shown_errors
from divlogic.models.tasks import SEED, about, closed_task, metric_named, score_closed, with_errors
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters

DATA = "data/benchmarks/justlogic/test.jsonl"
POOL = "data/benchmarks/justlogic/train.jsonl"


@task
@shown_errors()
def prior_knowledge(
    data: str = DATA,
    prompt: str = "question_only",
    pool: str = POOL,
    instances: int | None = None,
    seed: int = SEED,
    thinking: bool = False,
) -> Task:
    """Closed questions, scored by accuracy and its distance to guessing.

    Args:
        data: records (jsonl) with options and answers.
        prompt: ``question_only``, ``question_only_few_shot``; with the context ``zero_shot``, ``few_shot``,
            ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        instances: number of instances asked, evenly spaced over question types and depths; null: all.
        seed: seed of the draw of examples.
        thinking: let the model think first: answers have no limit.
    """
    return closed_task(
        option_scorer(),
        PriorKnowledgeParameters().sampling,
        data=data,
        pool=pool,
        prompt=prompt,
        instances=instances,
        seed=seed,
        thinking=thinking,
        form_of=answer_format,
        reasoning_tokens=2048,
    )


def delta_to_random(scores: list[SampleScore]) -> float:
    """|accuracy - random probability|, in percentage points (JustLogic's |Δ|)."""
    right = sum(score.score.as_float() for score in scores) / len(scores)
    chance = sum(1 / len(about(score)["names"]) for score in scores) / len(scores)
    return 100 * abs(right - chance)


@scorer(metrics=[*with_errors(), metric_named("delta_to_random", delta_to_random)])
def option_scorer() -> Scorer:
    """Right if the answer names the right option and no other."""
    return score_closed
