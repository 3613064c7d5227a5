"""``divlogic benchmarks ilogiceval``: the step that ILogicEval alone has."""

from divlogic.config.command import Commands

cli = Commands(
    "ilogiceval",
    "Cut DivLogicEval's instances into ILogicEval's splits.",
    {"cut": "benchmarks.ilogiceval.splits:write_ilogiceval"},
)
