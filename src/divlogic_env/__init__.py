"""DivLogic as an environment of `verifiers` (0.4): ``vf-eval divlogic-env --env.taskset.benchmark logicnli``.

A task is a group of items (a quartet, a three), of which each is one run of the agent. With ``--env.reward group`` all
runs of a group must be right to earn anything; a constant answer then earns nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Literal

import divlogic
from divlogic.errors import needing

with needing("verifiers>=0.4"):
    import verifiers.v1 as vf
    from verifiers.v1.harnesses.null import NullHarness, NullHarnessConfig

__all__ = ["DivLogicEnv", "DivLogicTaskset", "QuestionHarness"]


class DivLogicTasksetConfig(vf.TasksetConfig):
    """What is drawn: ``--env.taskset.benchmark``, ``.size`` (items), ``.seed``, ``.level``.

    ``.credit each`` rewards of an item with sub-questions the share that is right.
    """

    benchmark: str = "logicnli"
    size: int = 400
    seed: int = 0
    level: int | None = None
    credit: Literal["all", "each"] = "all"


class GroupData(vf.TaskData):
    """The items of a group, or the one that a run asks."""

    items: list[dict[str, Any]]
    credit: Literal["all", "each"] = "all"


class GroupTask(vf.Task[GroupData]):
    """A group; what :class:`DivLogicEnv` hands to an agent holds one item."""

    @vf.reward
    async def right(self, trace: vf.Trace) -> float:
        """Return 1 if the answer to the item is right."""
        return divlogic.score_answer(trace.last_reply, self.data.items[0], credit=self.data.credit)

    @vf.metric
    async def readable(self, trace: vf.Trace) -> float:
        """Return 1 if the reply gives an answer that can be read."""
        return float(divlogic.read_answer(trace.last_reply, self.data.items[0]) is not None)


class DivLogicTaskset(vf.Taskset[GroupTask, DivLogicTasksetConfig]):
    """The groups of a data set, in order."""

    def load(self) -> Iterator[GroupTask]:
        """Yield the groups that ``size`` items fill."""
        config = self.config
        data = divlogic.create(
            config.benchmark, size=config.size, seed=config.seed, level=config.level
        )
        number = index = 0
        while index < len(data):
            items = data.group(number)
            name = f"{data.name} {number}"
            asked = GroupData(
                id=items[0]["metadata"]["group_id"],
                name=name,
                prompt=items[0]["question"],
                items=items,
                credit=config.credit,
            )
            yield GroupTask(asked, config.task)
            number, index = number + 1, index + len(items)


class DivLogicEnvConfig(vf.EnvConfig):
    """``--env.reward``: ``item`` pays each right answer, ``group`` only groups that are right throughout."""

    agent: vf.AgentConfig = vf.AgentConfig()
    reward: Literal["item", "group"] = "item"


class DivLogicEnv(vf.Env[DivLogicEnvConfig]):
    """Plays the members of a group as runs that do not see each other."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Ask the agent each item of the group."""
        async with asyncio.TaskGroup() as runs:
            for item in task.data.items:
                runs.create_task(
                    agents.agent.run(task.with_data(prompt=item["question"], items=[item]))
                )

    async def finalize(self, task: vf.Task, episode: vf.Episode) -> None:
        """Record on each run whether the whole group is right, as a metric or as the reward."""
        whole = float(all(trace.reward == 1.0 for trace in episode.traces))
        for trace in episode.traces:
            trace.record_metric("group", whole)
            if self.config.reward == "group":
                trace.record_reward("right", whole)


class QuestionHarness(NullHarness):
    """The default harness of the items: one chat turn without tools (that of `verifiers` itself would run commands)."""

    config: NullHarnessConfig
