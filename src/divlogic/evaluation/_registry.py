"""What Inspect finds under the entry point ``divlogic``: the tasks and our model providers."""

from divlogic.evaluation.baselines import BaselineAPI
from divlogic.evaluation.inspect_tasks import divlogiceval
from divlogic.evaluation.provider import CompatibleAPI
from divlogic.prior_knowledge.task import prior_knowledge

__all__ = ["BaselineAPI", "CompatibleAPI", "divlogiceval", "prior_knowledge"]
