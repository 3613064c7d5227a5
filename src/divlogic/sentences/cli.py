"""``divlogic sentences``: filter, negate and group sentences."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "sentences",
    "Filter, negate and group sentences.",
    {
        "partition": "sentences.groups:partition",
        "filter": "sentences.steps:filter_sentences",
        "count": "sentences.acceptability.counting:count_usage",
        "sum": "sentences.acceptability.counting:sum_usage",
        "merge": "sentences.merging:merge_sentences",
        "show": "sentences.groups:show",
        "train-checker": "sentences.checker.cli:train_step",
        "check": "sentences.checker.cli:check_step",
        "judge": "sentences.checker.cli:judge_step",
        "read-pairs": "sentences.checker.cli:read_step",
        "record-check": "sentences.checker.cli:record_step",
        "tabulate-check": "sentences.checker.cli:tabulate_step",
    },
)
