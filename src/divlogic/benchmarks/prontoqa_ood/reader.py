"""PrOntoQA-OOD's problems, as its generator writes them or one in a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.records import Record


def prontoqa_ood(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read a PrOntoQA-OOD problem, flat or as its author's generator nests it; it asks for a proof."""
    nested = "test_example" in item
    problem = item["test_example"] if nested else item
    part = file.stem if nested else str(item.get("file", file.stem))
    key = row if nested else str(item.get("key", row))
    verdict = problem.get("answer")
    options = () if verdict is None else ("True", "False")
    yield Record(
        id=f"{part}-{key}",
        benchmark="prontoqa_ood",
        split="test",
        context=text(problem["question"], "question"),
        question=text(problem["query"], "query"),
        options=options,
        answer=None if verdict is None else label(verdict, options),
        question_type=part,
        depth=len(problem["chain_of_thought"]),
        metadata={"chain_of_thought": list(strings(problem["chain_of_thought"], "chain_of_thought"))},
    )
