"""FOLIO's files, v0.0 and v2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label, lines, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record

LABELS = ("True", "False", "Uncertain")


def folio(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a FOLIO item: v0.0 lists its premises, v2 joins them with line breaks; Unknown is Uncertain."""
    premises = lines(item["premises"], "premises")
    formulas = {
        "premises": list(lines(item.get("premises-FOL", []), "premises-FOL")),
        "conclusion": item.get("conclusion-FOL"),
    }
    verdict = "Uncertain" if str(item["label"]).strip() == "Unknown" else item["label"]
    example = item.get("example_id")
    story = item.get("story_id")
    yield Record(
        id=f"{file.split}-{row}" if example is None else str(example),
        benchmark="folio",
        split=file.split,
        context=" ".join(premise.strip() for premise in premises),
        question=text(item["conclusion"], "conclusion"),
        options=LABELS,
        answer=label(verdict, LABELS),
        formulas=formulas,
        metadata={"premises": list(premises), **({} if story is None else {"story": story})},
    )
