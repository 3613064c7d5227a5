"""How many instances the sentences can word at most, told before the work begins."""

from __future__ import annotations

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters

GROUPS_PER_INSTANCE = 6
"""Sentence groups that an instance takes at least; most take seven or eight, and no group serves two instances."""


def bound_notice(parameters: DivLogicEvalParameters, captions: int, source: str) -> str:
    """Say that a larger test split is asked for than there can be sentences for; empty if it is not.

    Args:
        parameters: the sizes asked for.
        captions: sentence groups that an embedded run composes (``corpora.captions.groups``).
        source: ``corpus_source``; of a full run the number of sentences is known once they are filtered.
    """
    most = captions // GROUPS_PER_INSTANCE
    if source != "embedded" or parameters.splits.test <= most:
        return ""
    return (
        f"benchmarks.divlogiceval.splits.test asks for {parameters.splits.test:,} instances; the {captions:,} composed"
        f" sentence groups (corpora.captions.groups) allow {most:,} at most, and fewer will be made. More need a larger"
        " corpora.captions.groups, or corpus_source: full."
    )
