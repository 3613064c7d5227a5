"""LogiQA 2.0's own files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import index, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record


def logiqa2(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a LogiQA 2.0 item; `type` holds the kinds of reasoning that apply."""
    options = strings(item["options"], "options")
    kinds = sorted(name for name, applies in (item.get("type") or {}).items() if applies)
    yield Record(
        id=str(item["id"]),
        benchmark="logiqa2",
        split=file.split,
        context=text(item["text"], "text"),
        question=text(item["question"], "question"),
        options=options,
        answer=index(item.get("answer"), options, "answer"),
        metadata={"reasoning": kinds} if kinds else {},
    )
