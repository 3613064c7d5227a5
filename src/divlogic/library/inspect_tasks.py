"""Inspect task of drawn items: ``inspect eval divlogic/items -T benchmark=justlogic -T level=3 --model ...``."""

from __future__ import annotations

from divlogic.errors import needing
from divlogic.library.dataset import create, read_answer, score_answer, share_of_groups

with needing("inspect-ai"):
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import SampleScore, Score, Scorer, Target, accuracy, scorer
    from inspect_ai.solver import TaskState, generate

    from divlogic.models.inspecting import count_mock_tokens_offline, shown_errors
    from divlogic.models.tasks import about, metric_named


@task
def items(benchmark: str = "justlogic", size: int = 300, seed: int = 0, level: int | None = None) -> Task:
    """Items of any generator, scored one by one and by whole groups.

    Args:
        benchmark: the generator.
        size: number of items.
        seed: of all draws.
        level: of difficulty, from 1.
    """
    count_mock_tokens_offline()
    with shown_errors():
        data = create(benchmark, size=size, seed=seed, level=level)
        samples = [
            Sample(
                id=item["metadata"]["id"],
                input=item["question"],
                target=item["answer"],
                metadata={"item": item},
            )
            for item in data
        ]
    name = f"{benchmark}-level-{level}-seed-{seed}"
    return Task(
        dataset=MemoryDataset(samples, name=name), solver=generate(), scorer=item_scorer(), version="1"
    )


def groups_right(scores: list[SampleScore]) -> float:
    """Share of groups of which all items are right."""
    return share_of_groups((about(one)["item"]["metadata"]["group"], one.score.as_float()) for one in scores)


@scorer(metrics=[accuracy(), metric_named("groups_right", groups_right)])
def item_scorer() -> Scorer:
    """Right if the answer of the completion is that of the item."""

    async def score(state: TaskState, target: Target) -> Score:
        item, text = (state.metadata or {})["item"], state.output.completion
        return Score(value=score_answer(text, item), answer=read_answer(text, item), explanation=text)

    return score
