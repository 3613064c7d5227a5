"""``divlogic prior_knowledge``: the commands of the phase."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "prior_knowledge",
    "Test whether questions can be answered without their context.",
    {
        "probe": "prior_knowledge.steps:probe_file",
        "ask": "prior_knowledge.steps:ask_file",
        "export": "prior_knowledge.steps:export_file",
        "probe-collection": "prior_knowledge.steps:probe_collection",
        "ask-collection": "prior_knowledge.steps:ask_collection",
        "record": "prior_knowledge.steps:record_collection",
        "recorded": "prior_knowledge.steps:recorded_collection",
        "shortcuts-fresh": "prior_knowledge.shortcuts.steps:measure_fresh",
        "shortcuts-benchmarks": "prior_knowledge.shortcuts.steps:measure_benchmarks",
        "shortcuts": "prior_knowledge.shortcuts.table:tabulate",
        "ladder": "prior_knowledge.shortcuts.ladder:write_with_models",
        "leaks": "prior_knowledge.shortcuts.release:list_leaks",
        "table": "prior_knowledge.independence:write_independence",
        "figures": "prior_knowledge.figures:draw_figures",
    },
)
