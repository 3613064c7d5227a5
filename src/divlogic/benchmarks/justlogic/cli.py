"""``divlogic benchmarks justlogic``: the steps that JustLogic alone has."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "justlogic",
    "Steps of JustLogic: the table of generic statements.",
    {
        "partition": "benchmarks.justlogic.statements:partition_statements",
        "statements": "benchmarks.justlogic.statements:filter_statements",
        "fresh": "benchmarks.justlogic.realise:write_fresh",
        "table": "benchmarks.justlogic.table:tabulate_statements",
    },
)
