"""What Inspect finds under the entry point ``divlogic``: the tasks and our model providers."""

from divlogic.evaluation.baselines import BaselineAPI
from divlogic.evaluation.inspect_tasks import divlogiceval, prior_knowledge
from divlogic.evaluation.provider import CompatibleAPI

__all__ = ["BaselineAPI", "CompatibleAPI", "divlogiceval", "prior_knowledge"]
