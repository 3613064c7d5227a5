"""``divlogic contamination``: train and ask learners, record them, tabulate."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "contamination",
    "Measure what training on a benchmark's sources, or on the benchmark itself, does to its scores.",
    {
        "run": "contamination.experiments:run_learner",
        "guess": "contamination.asking:guess_options",
        "record": "contamination.experiments:record",
        "tabulate": "contamination.tables:tabulate",
        "learnability": "contamination.learnability:draw_learnability",
        "learn": "contamination.learnability:learn",
        "transfer": "contamination.transfer:run_transfer",
        "tabulate-transfer": "contamination.transfer:tabulate_transfer",
    },
)
