"""PrOntoQA-OOD: proofs in made-up ontologies (Saparov et al., 2023)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from divlogic.benchmarks.fields import label, strings, text
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Benchmark, Format, Part, Published
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


PRONTOQA_OOD = Benchmark(
    name="prontoqa_ood",
    title="PrOntoQA-OOD",
    paper="Saparov et al., 2023",
    answers=None,  # most problems ask for a proof
    published=(
        Published(
            "prontoqa_ood",
            "PrOntoQA-OOD",
            (Part("prontoqa_ood", ("generated_ood_data.zip",), "generated test problems"),),
        ),
    ),
    formats=(
        Format(
            "prontoqa_ood",
            "PrOntoQA-OOD as generated (JSON object of examples, or their zip)",
            ("test_example",),
            prontoqa_ood,
        ),
        Format(
            "prontoqa_ood_flat",
            "PrOntoQA-OOD JSON lines, one problem each",
            ("question", "query", "chain_of_thought"),
            prontoqa_ood,
        ),
    ),
    tables=(DIVERGENCE_TABLE,),
)
