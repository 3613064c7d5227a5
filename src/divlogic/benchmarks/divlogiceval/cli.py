"""``divlogic benchmarks divlogiceval``: the steps that DivLogicEval alone has."""

from divlogic.config.command import Commands

_ROOM = "benchmarks.divlogiceval"

cli = Commands(
    "divlogiceval",
    "Steps of DivLogicEval: groups of sentences, plan, symbolic twin, polish, verification.",
    {
        "fresh": f"{_ROOM}.fresh:write_fresh",
        "fresh-worded": f"{_ROOM}.fresh:write_fresh_worded",
        "shuffle": f"{_ROOM}.groups:shuffle",
        "plan": f"{_ROOM}.build:write_plan",
        "twin": f"{_ROOM}.build:write_twin",
        "polish": f"{_ROOM}.build:polish_split",
        "verification": f"{_ROOM}.build:write_verification",
        "english": f"{_ROOM}.english:write_english",
        "premises": f"{_ROOM}.build:write_premises_needed",
        "yield": f"{_ROOM}.yields:tabulate_yield",
    },
)
