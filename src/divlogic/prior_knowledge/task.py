"""Inspect task: the questions of any closed benchmark without their contexts, or with them.

``inspect eval divlogic/prior_knowledge -T data=data/benchmarks/justlogic/test.jsonl --model ...``
"""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Scorer, accuracy, metric, scorer

from divlogic.benchmarks.answers import answer_format
from divlogic.errors import DivLogicError
from divlogic.models.asking import read_questions
from divlogic.models.inspecting import find_data, shown_errors
from divlogic.models.styles import CLOSED
from divlogic.models.tasks import SEED, about, score_closed, task_of
from divlogic.prior_knowledge.parameters import PriorKnowledgeParameters

DATA = "data/benchmarks/justlogic/test.jsonl"
POOL = "data/benchmarks/justlogic/train.jsonl"
REASONING_TOKENS = 2048
"""Longest answer of a style that lets the model think first."""


@task
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
        thinking: let the model think first: answers have 8,192 tokens.
    """
    with shown_errors():
        return _task(data, prompt, pool, instances, seed, thinking)


def _task(data: str, prompt: str, pool: str, instances: int | None, seed: int, thinking: bool) -> Task:
    if prompt not in CLOSED:
        raise DivLogicError(f"there is no prompt '{prompt}'; known are {', '.join(CLOSED)}.")
    style = CLOSED[prompt]
    questions = read_questions(
        find_data(data, "data"),
        find_data(pool, "pool") if style.has_examples else None,
        prompts=[prompt],
        instances=instances,
        seed=seed,
        form_of=answer_format,
    )
    sampling = PriorKnowledgeParameters().sampling
    if style.reasoning:
        sampling = sampling.model_copy(update={"max_tokens": REASONING_TOKENS})
    return task_of(questions, option_scorer(), sampling, data=data, thinking=thinking)


@metric
def delta_to_random() -> Metric:
    """|accuracy - random probability|, in percentage points (JustLogic's |Δ|)."""

    def compute(scores: list[SampleScore]) -> float:
        if not scores:
            return float("nan")
        right = sum(score.score.as_float() for score in scores) / len(scores)
        chance = sum(1 / len(about(score)["names"]) for score in scores) / len(scores)
        return 100 * abs(right - chance)

    return compute


@scorer(metrics=[accuracy(), delta_to_random()])
def option_scorer() -> Scorer:
    """Right if the answer names the right option and no other."""
    return score_closed
