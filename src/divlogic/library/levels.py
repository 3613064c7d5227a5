"""Levels of difficulty: whole configurations that are valid together, easiest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def _theories(depth: int, **more: int) -> Mapping[str, Any]:
    return {"depths": [depth], **more}


_PREMISES = tuple({"premises_needed": {steps: 1.0}, "directed_share": 0.0} for steps in (2, 3, 4, 5))

LEVELS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "divlogiceval": _PREMISES,
    "ilogiceval": _PREMISES,
    "justlogic": tuple({"depths": [depth]} for depth in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12)),
    "logicnli": (
        *(_theories(depth) for depth in (1, 2, 3, 4, 5, 6)),
        _theories(8, rules=24, predicates=16, facts=14),
        _theories(10, rules=24, predicates=16, facts=14),
        _theories(15, rules=34, predicates=26, facts=14, people=10),
        _theories(20, rules=44, predicates=30, facts=14, people=12),
    ),
    "llmeval_logic": tuple(
        {"min_operators": least, "max_operators": most} for least, most in ((1, 1), (2, 3), (4, 5))
    ),
}
