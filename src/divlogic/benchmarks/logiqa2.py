"""LogiQA 2.0: multiple-choice logical reasoning from civil service examinations (Liu et al., 2023)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import index, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    DIVERGENCE_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Benchmark,
    Format,
    Part,
    Published,
)
from divlogic.models.answers import Letters
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


LOGIQA2 = Benchmark(
    name="logiqa2",
    title="LogiQA2",
    paper="Liu et al., 2023",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    published=(
        Published(
            "logiqa2",
            "LogiQA2",
            (
                Part("logiqa2", ("test.jsonl",), "test", 1572),
                Part("logiqa2", ("dev.jsonl",), "dev instead of test", 1569, exact=False),
                Part("logiqa2", ("ood_test.jsonl",), "out-of-domain test instead of test", 575, exact=False),
            ),
        ),
    ),
    formats=(Format("logiqa2", "LogiQA 2.0 JSON lines", ("text", "options", "type"), logiqa2, unique=False),),
    tables=(DIVERGENCE_TABLE, COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
)
