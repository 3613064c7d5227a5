"""Inspect task of drawn items: ``inspect eval divlogic/items -T benchmark=justlogic -T level=3 --model ...``."""

from __future__ import annotations

from divlogic.errors import needing
from divlogic.library.dataset import Credit, create, read_answer, score_answer, share_of_groups

with needing("inspect-ai"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import SampleScore, Score, Scorer, Target, scorer
    from inspect_ai.solver import TaskState

    from divlogic.models.inspect_asking import asking
    from divlogic.models.inspecting import shown_errors
    from divlogic.models.parameters import SamplingParameters
    from divlogic.models.tasks import about, metric_named, status_of, with_errors

SAMPLING = SamplingParameters(temperature=None, max_tokens=None)
"""The provider's own, unless Inspect's command line says otherwise."""


@task
def items(
    benchmark: str = "justlogic",
    size: int = 300,
    seed: int = 0,
    level: int | None = None,
    credit: Credit = "all",
) -> Task:
    """Items of any generator, scored one by one and by whole groups.

    Args:
        benchmark: the generator.
        size: number of items.
        seed: of all draws.
        level: of difficulty, from 1.
        credit: ``each``: of an item with sub-questions the share that is right counts.
    """
    with shown_errors():
        data = create(benchmark, size=size, seed=seed, level=level)
        samples = [
            Sample(
                id=item["metadata"]["id"],
                input=item["question"],
                target=item["answer"],
                metadata={"item": item, "cluster": str(item["metadata"]["group"])},
            )
            for item in data
        ]
    name = f"{benchmark}-level-{level}-seed-{seed}"
    return Task(
        dataset=MemoryDataset(samples, name=name),
        solver=asking(SAMPLING),
        scorer=item_scorer(credit),
        version="2",
    )


def groups_right(scores: list[SampleScore]) -> float:
    """Share of groups of which all items are right."""
    return share_of_groups(
        (about(one)["item"]["metadata"]["group_id"], one.score.as_float()) for one in scores
    )


@scorer(metrics=[*with_errors(), metric_named("groups_right", groups_right)])
def item_scorer(credit: Credit = "all") -> Scorer:
    """Right if the answer of the completion is that of the item."""

    async def score(state: TaskState, target: Target) -> Score:
        item, status = (state.metadata or {})["item"], status_of(state.output)
        text = "" if status == "refused" else state.output.completion
        return Score(
            value=score_answer(text, item, credit=credit),
            answer=read_answer(text, item),
            explanation=state.output.completion,
            metadata={"status": status},
        )

    return score
