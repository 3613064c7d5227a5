"""ReClor's own files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import index, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record


def reclor(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a ReClor item; test items carry no label."""
    options = strings(item["answers"], "answers")
    yield Record(
        id=text(item["id_string"], "id_string"),
        benchmark="reclor",
        split=file.split,
        context=text(item["context"], "context"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("label"), options, "label"),
        question_type=None if item.get("question_type") is None else str(item["question_type"]),
    )
