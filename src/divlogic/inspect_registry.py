"""What Inspect finds under the entry point ``divlogic``: the tasks and our model providers."""

from divlogic.benchmarks.answers import offer_baselines
from divlogic.evaluation.inspect_tasks import divlogiceval, justlogic, logicnli
from divlogic.evaluation.llmeval_logic.inspect_tasks import (
    llmeval_logic_answer,
    llmeval_logic_formalise,
)
from divlogic.library.inspect_tasks import items
from divlogic.models.provider import BaselineAPI, CompatibleAPI
from divlogic.models.serving.provider import LocalAPI
from divlogic.prior_knowledge.task import prior_knowledge

offer_baselines()

__all__ = [
    "BaselineAPI",
    "CompatibleAPI",
    "LocalAPI",
    "divlogiceval",
    "items",
    "justlogic",
    "llmeval_logic_answer",
    "llmeval_logic_formalise",
    "logicnli",
    "prior_knowledge",
]
