"""``divlogic sentences``: filter, negate and group sentences."""

from __future__ import annotations

from divlogic.config.command import Commands

cli = Commands(
    "sentences",
    "Filter, negate and group sentences.",
    {
        "partition": "sentences.groups:partition",
        "filter": "sentences.groups:filter_sentences",
        "count": "sentences.acceptability.usage:count_usage",
        "sum": "sentences.acceptability.usage:sum_usage",
        "merge": "sentences.merging:merge_sentences",
        "show": "sentences.groups:show",
        "train-checker": "sentences.checker.training:train_checker",
        "check": "sentences.checker.judging:check_groups",
        "judge": "sentences.checker.judging:judge_pairs",
        "read-pairs": "sentences.checker.judging:show_pairs",
        "record-check": "sentences.checker.judging:record_check",
        "tabulate-check": "sentences.checker.judging:tabulate_check",
    },
)
