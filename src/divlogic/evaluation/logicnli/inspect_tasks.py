"""Inspect task: LogicNLI's sets, scored by accuracy, quartet-EM and the depth that the accuracy stands for.

``inspect eval divlogic/logicnli -T data=data/benchmarks/logicnli/test_g.jsonl --model ...``
"""

from __future__ import annotations

from collections import Counter

from inspect_ai import Task, task
from inspect_ai.scorer import SampleScore, Scorer, accuracy, scorer

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.logicnli.set_names import spaced_groups
from divlogic.evaluation.harness_scores import circular
from divlogic.evaluation.logicnli.diagnosis import equivalent_depth
from divlogic.evaluation.parameters import EvaluationParameters
from divlogic.library.write import drawn_file
from divlogic.models.inspecting import shown_errors
from divlogic.models.styles import CLOSED, WITH_CONTEXT
from divlogic.models.tasks import SEED, about, closed_task, metric_named, score_closed

DATA = "data/benchmarks/logicnli/test.jsonl"
POOL = "data/benchmarks/logicnli/train.jsonl"
_REASONING_TOKENS = 4096


@task
@shown_errors()
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
    if size or level:
        data = str(drawn_file("logicnli", size=size, seed=seed, level=level))
    sampling = EvaluationParameters().sampling
    if prompt in CLOSED and CLOSED[prompt].reasoning:
        sampling = sampling.model_copy(update={"max_tokens": _REASONING_TOKENS})
    return closed_task(
        label_scorer(),
        sampling,
        data=data,
        pool=pool,
        prompt=prompt,
        prompts=WITH_CONTEXT,
        instances=quartets,
        seed=seed,
        name="logicnli",
        form_of=answer_format,
        choose=spaced_groups,
    )


def quartet_em(scores: list[SampleScore]) -> float:
    """Share of quartets all of whose items are right; nan where the set has none."""
    items = [[about(score)["quartet"], 0, 1, score.score.as_float(), 2] for score in scores]
    return circular([item for item in items if item[0]])


def reasoning_depth(scores: list[SampleScore]) -> float:
    """Rounds of the chaining reader that has this accuracy; nan unless depths are uniform and all items in quartets."""
    depths = Counter(about(score)["depth"] or 0 for score in scores)
    if len(set(depths.values())) != 1 or not all(about(score)["quartet"] for score in scores):
        return float("nan")
    right = sum(score.score.as_float() for score in scores) / len(scores)
    return equivalent_depth(right, list(depths))


METRICS = (
    accuracy(),
    metric_named("quartet_em", quartet_em),
    metric_named("reasoning_depth", reasoning_depth),
)


@scorer(metrics=list(METRICS))
def label_scorer() -> Scorer:
    """Right if the answer names the right label and no other."""
    return score_closed
