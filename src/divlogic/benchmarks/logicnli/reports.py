"""The report on confirmed labels, and how the reports on shares of them are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.logicnli.set_names import SETS
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json


def merge_reports(reports: Sequence[Path], out: Path) -> dict[str, Any]:
    """Put the reports on all shares of the theories together.

    Raises:
        DivLogicError: a report is missing or is not one of ``divlogic benchmarks logicnli confirm``.
    """
    counts: dict[str, Counter[str]] = {}
    for path in reports:
        try:
            for name, found in read_json(path)["sets"].items():
                counts.setdefault(name, Counter()).update(found)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise DivLogicError(
                f"{path}: not a report of `divlogic benchmarks logicnli confirm` ({error}); make it again."
            ) from error
    order = {name: place for place, name in enumerate(SETS)}
    return write_counts(out, dict(sorted(counts.items(), key=lambda row: order.get(row[0], len(order)))))


def write_counts(out: Path, counts: dict[str, Counter[str]]) -> dict[str, Any]:
    """Write how many items were confirmed: of the set ``test``, in all, and by set."""
    total = sum(counts.values(), Counter())
    report = {
        "instances": counts.get("test", total)["instances"],
        "signed_horn": total["instances"],
        "first_order": total["first_order"],
        "disagreements": 0,
        "sets": {name: dict(sorted(found.items())) for name, found in counts.items()},
    }
    write_json(out, report)
    return report
