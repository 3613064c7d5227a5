"""What LLMEval-Logic is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.llmeval_logic.parameters import LLMEvalLogicParameters
from divlogic.benchmarks.llmeval_logic.reader import llmeval_base, llmeval_hard
from divlogic.benchmarks.source import SourceFile
from divlogic.benchmarks.spec import (
    Audit,
    Benchmark,
    Format,
    Generator,
    PaperTable,
    Part,
    Published,
    ReleaseFacts,
)

if TYPE_CHECKING:
    from click import Command

    from divlogic.records import Record


def _has_questions(row: Mapping[str, Any], file: SourceFile) -> bool:
    return isinstance(row["question"], list)


def _audit(seconds: float) -> Audit:
    from divlogic.benchmarks.llmeval_logic.queries import audit_query

    return audit_query


def llmeval_queries(row: str, item: dict[str, Any], file: SourceFile) -> Iterator[Record]:
    """Read the closed queries of an item; what reads formulas is imported when it is needed."""
    from divlogic.benchmarks.llmeval_logic.queries import llmeval_queries as read

    yield from read(row, item, file)


def _commands() -> Command:
    from divlogic.config.command import Commands

    here = "benchmarks.llmeval_logic"
    return Commands(
        "llmeval_logic",
        "Steps of LLMEval-Logic: own seeds, the symbolic hardener.",
        {
            "seeds": f"{here}.seeds:write_seeds",
            "harden": f"{here}.realise:write_shard",
            "assemble": f"{here}.facts:write_sets",
            "figures": f"{here}.figures:draw_figures",
            "confirm": f"{here}.check:write_confirmation",
            "published": f"{here}.published_tables:measure_published",
        },
    )


def _release() -> ReleaseFacts:
    from divlogic.benchmarks.llmeval_logic.facts import RELEASE

    return RELEASE


def _verify(source: Path, out: Path) -> object:
    from divlogic.benchmarks.llmeval_logic.verify import verify

    return verify(source, out)


def _rubrics(source: Path, out: Path, processes: int) -> object:
    from divlogic.benchmarks.llmeval_logic.audit import audit_rubrics

    return audit_rubrics(source, out)


def _sensitivity(source: Path, out: Path, processes: int) -> object:
    from divlogic.benchmarks.llmeval_logic.sensitivity import measure_sensitivity

    return measure_sensitivity(source, out, processes=processes)


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
        verify=_verify,
        commands=_commands,
        measures={"rubrics": _rubrics, "sensitivity": _sensitivity},
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
            _audit,
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
    release=_release,
    tables=(PaperTable("LLMEval-Logic", "Abstract and Section 2.2"),),
)
