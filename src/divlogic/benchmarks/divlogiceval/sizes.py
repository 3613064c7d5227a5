"""How the instances that the sentences allow are shared out between the splits."""

from __future__ import annotations

from collections.abc import Mapping

QUESTION_TYPES = ("3c1e", "3e1c", "missing_premise")
"""Every split has as many instances of each."""

QUARTET = 4 * len(QUESTION_TYPES)
"""Consecutive instances that hold whole quartets, one of each type: four that share their four options."""


def share_out(possible: int, wanted: Mapping[str, int], reserve: float) -> dict[str, int]:
    """Share out the possible instances; what falls short of the wish is cut to whole quartets of each type.

    ``reserve`` is the share of the unpolished split if there are too few.
    """
    if possible >= sum(wanted.values()):
        return dict(wanted)
    unpolished = min(wanted["unpolished"], int(possible * reserve))
    test = min(wanted["test"], possible - unpolished)
    if test < wanted["test"]:
        test = whole_rounds(test)
    unpolished = min(wanted["unpolished"], possible - test)
    if unpolished < wanted["unpolished"]:
        unpolished = whole_rounds(unpolished)
    return {"test": test, "unpolished": unpolished}


def whole_rounds(count: int) -> int:
    """Return the greatest number up to ``count`` of instances in whole quartets, of a few in whole rounds."""
    return count - count % (QUARTET if count >= QUARTET else len(QUESTION_TYPES))
