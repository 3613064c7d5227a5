"""Inspect task: the questions of any closed benchmark without their contexts, or with them.

``inspect eval divlogic/prior_knowledge -T data=data/benchmarks/justlogic/test.jsonl --model ...``
"""

from __future__ import annotations

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, accuracy, metric, scorer
from inspect_ai.solver import TaskState, generate

from divlogic.errors import DivLogicError
from divlogic.models.asking import read_questions
from divlogic.models.closed_answers import said_option
from divlogic.models.closed_prompts import STYLES, lettered

DATA = "data/benchmarks/justlogic/test.jsonl"
POOL = "data/benchmarks/justlogic/train.jsonl"
SEED = 20260101


@task
def prior_knowledge(
    data: str = DATA,
    prompt: str = "question_only",
    pool: str = POOL,
    instances: int | None = None,
    seed: int = SEED,
) -> Task:
    """Closed questions, scored by accuracy and its distance to guessing.

    Args:
        data: records (jsonl) with options and answers.
        prompt: ``question_only``, ``question_only_few_shot``; with the context ``zero_shot``, ``few_shot``,
            ``chain_of_thought``.
        pool: records that solved examples are drawn from.
        instances: ask so many, spread over the file.
        seed: seed of the draw of examples.
    """
    if prompt not in STYLES:
        raise DivLogicError(f"there is no prompt '{prompt}'; known are {', '.join(STYLES)}.")
    style = STYLES[prompt]
    questions = read_questions(
        Path(data), Path(pool) if style.shots else None, prompts=[prompt], instances=instances, seed=seed
    )
    samples = [
        Sample(
            id=question.instance,
            input=question.input,
            target=question.label,
            metadata={
                "benchmark": question.record.benchmark,
                "prompt": question.prompt,
                "instance": question.instance,
                "options": list(question.record.options),
                "letters": lettered(question.record),
                "depth": question.record.depth,
            },
        )
        for question in questions
    ]
    name = f"{questions[0].record.benchmark}-{prompt}"
    return Task(
        dataset=MemoryDataset(samples, name=name, location=data),
        solver=generate(),
        scorer=option_scorer(),
        version="1",
        metadata={"prompt": prompt},
    )


@metric
def delta_to_random() -> Metric:
    """|accuracy - random probability|, in percentage points (JustLogic's |Δ|)."""

    def compute(scores: list[SampleScore]) -> float:
        if not scores:
            return float("nan")
        right = sum(score.score.as_float() for score in scores) / len(scores)
        chance = sum(1 / len((score.sample_metadata or {})["options"]) for score in scores) / len(scores)
        return 100 * abs(right - chance)

    return compute


@scorer(metrics=[accuracy(), delta_to_random()])
def option_scorer() -> Scorer:
    """Right if the answer names the right option and no other."""

    async def score(state: TaskState, target: Target) -> Score:
        said = state.output.completion
        named = said_option(said, tuple(state.metadata["options"]), letters=state.metadata["letters"])
        return Score(value=1 if named == target.text else 0, answer=named, explanation=said)

    return score
