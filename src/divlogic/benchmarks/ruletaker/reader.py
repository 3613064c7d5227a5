"""RuleTaker's theories with their questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import integer, label, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record

TRUTH = ("True", "False")


def ruletaker(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a RuleTaker theory: one record per question."""
    for question in item["questions"]:
        meta = question["meta"]
        yield Record(
            id=str(question["id"]),
            benchmark="ruletaker",
            split=file.split,
            context=text(item["context"], "context"),
            question=text(question["text"], "text"),
            options=TRUTH,
            answer=label(question["label"], TRUTH),
            question_type=meta.get("strategy"),
            depth=integer(meta.get("QDep")),
            metadata={"theory": str(item["id"]), "part": file.folder},
        )
