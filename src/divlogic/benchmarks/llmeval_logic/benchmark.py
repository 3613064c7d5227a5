"""What LLMEval-Logic is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from divlogic.benchmarks.llmeval_logic.parameters import LLMEvalLogicParameters
from divlogic.benchmarks.llmeval_logic.reader import llmeval_base, llmeval_hard
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import Benchmark, Format, Generator, PaperTable, Part, Published
from divlogic.records import Record

_ROOM = "benchmarks.llmeval_logic"


def _has_questions(row: Mapping[str, Any], file: SourceFile) -> bool:
    return isinstance(row["question"], list)


def llmeval_queries(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read the possible and necessary queries of an item; what reads formulas is imported when it is needed."""
    from divlogic.benchmarks.llmeval_logic.formal import llmeval_queries as read

    return read(item)


LLMEVAL_LOGIC = Benchmark(
    name="llmeval_logic",
    title="LLMEval-Logic",
    paper="Fudan NLP Lab, 2026",
    language="zh",
    answers=None,  # free answers, which rubrics judge
    splits=("base", "hard"),
    generator=Generator(
        LLMEvalLogicParameters,
        records="llmeval_logic_generated",
        title="LLMEval-Logic (generated)",
        verify=f"{_ROOM}.verify:verify",
        help="Steps of LLMEval-Logic: own seeds, the symbolic hardener.",
        commands={
            "seeds": f"{_ROOM}.seeds:write_seeds",
            "harden": f"{_ROOM}.realise:write_shard",
            "assemble": f"{_ROOM}.facts:write_sets",
            "figures": f"{_ROOM}.figures:draw_figures",
            "confirm": f"{_ROOM}.check:write_confirmation",
            "published": f"{_ROOM}.published_tables:measure_published",
        },
        measures={
            "rubrics": f"{_ROOM}.verify:audit_rubrics",
            "sensitivity": f"{_ROOM}.sensitivity:measure_sensitivity",
        },
        tabled="hard",
    ),
    published=(
        Published(
            "llmeval_logic_base",
            "LLMEval-Logic Base",
            (Part("llmeval_logic", ("base/llmeval_logic_base.json",), "public part", exact=False),),
        ),
        Published(
            "llmeval_logic_queries",
            "LLMEval-Logic Base, queries of yes or no",
            (
                Part(
                    "llmeval_logic",
                    ("base/llmeval_logic_base.json",),
                    "possible and necessary queries of the public part",
                    exact=False,
                    reader="llmeval_logic_queries",
                ),
            ),
            f"{_ROOM}.formal:audit_query",
            view=True,
        ),
        Published(
            "llmeval_logic_hard",
            "LLMEval-Logic Hard",
            (Part("llmeval_logic", ("hard/llmeval_logic_hard.json",), "public part", exact=False),),
        ),
    ),
    formats=(
        Format("llmeval_logic_base", "LLMEval-Logic Base", ("original", "formalization"), llmeval_base),
        Format(
            "llmeval_logic_queries",
            "LLMEval-Logic Base, its possible and necessary queries as records with two options",
            ("original", "formalization"),
            llmeval_queries,
            fits=lambda row, file: False,  # read where it is named only
        ),
        Format(
            "llmeval_logic_hard",
            "LLMEval-Logic Hard",
            ("background", "question", "answer"),
            llmeval_hard,
            fits=_has_questions,
        ),
    ),
    release=f"{_ROOM}.facts:RELEASE",
    tables=(PaperTable("LLMEval-Logic", "Abstract and Section 2.2"),),
)
