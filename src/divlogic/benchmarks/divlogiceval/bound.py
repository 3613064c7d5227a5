"""Maximum number of instances that the sentences can word, reported before the work begins."""

from __future__ import annotations

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters

GROUPS_PER_INSTANCE = 6
"""Sentence groups that an instance takes at least; most take seven or eight, and no group serves two instances."""


def bound_notice(parameters: DivLogicEvalParameters, groups: int, source: str) -> str:
    """Say that a larger test split is asked for than there can be sentences for; empty if it is not.

    Args:
        parameters: the sizes asked for.
        groups: sentence groups that there can be at most: those that an embedded run composes
            (``corpora.captions.groups``), or the registered sentence pairs of a full run's corpora, of which filtering
            leaves a part.
        source: ``corpus_source``.
    """
    most = groups // GROUPS_PER_INSTANCE
    if parameters.splits.test <= most:
        return ""
    asked = f"benchmarks.divlogiceval.splits.test asks for {parameters.splits.test:,} instances;"
    if source == "full":
        return (
            f"{asked} the {groups:,} registered sentence pairs of the corpora allow fewer than {most:,}, and fewer will"
            " be made. More need corpora of your own, or composed captions (corpus_source: embedded with a larger"
            " corpora.captions.groups)."
        )
    return (
        f"{asked} the {groups:,} composed sentence groups (corpora.captions.groups) allow {most:,} at most, and fewer"
        " will be made. More need a larger corpora.captions.groups, or corpus_source: full."
    )
