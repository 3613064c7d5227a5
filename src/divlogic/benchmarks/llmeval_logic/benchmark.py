"""What LLMEval-Logic is; its answers are free, and rubrics judge them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.parameters import LLMEvalLogicParameters
from divlogic.benchmarks.llmeval_logic.reader import llmeval_base, llmeval_hard
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import read_benchmark
from divlogic.records import Record


def llmeval_queries(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read the possible and necessary queries of an item; what reads formulas is imported when it is needed."""
    from divlogic.benchmarks.llmeval_logic.formal import llmeval_queries as read

    return read(item)


LLMEVAL_LOGIC = read_benchmark(
    Path(__file__).with_name("benchmark.yaml"),
    {
        "llmeval_logic_base": {"records": llmeval_base},
        # Read where it is named only.
        "llmeval_logic_queries": {"records": llmeval_queries, "fits": lambda row, file: False},
        "llmeval_logic_hard": {
            "records": llmeval_hard,
            "fits": lambda row, file: isinstance(row["question"], list),
        },
    },
    parameters=LLMEvalLogicParameters,
    answers=None,
)
