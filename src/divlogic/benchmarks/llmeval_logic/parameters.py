"""The section ``benchmarks.llmeval_logic``."""

from __future__ import annotations

from pydantic import Field

from divlogic.config.section import RunParameters, Section, SectionsAside


class HardenerParameters(Section):
    """How the symbolic hardener draws items."""

    items: int = Field(220, ge=1, description="number of items drawn; not each passes every gate")
    shards: int = Field(
        2,
        ge=1,
        le=10_000,
        description="number of parts in which they are drawn; does not change them",
    )
    tries: int = Field(12, ge=1, description="largest number of draws for one item")
    min_operators: int = Field(2, ge=1, description="smallest number of operators on a theory")
    max_operators: int = Field(3, ge=1, le=7, description="largest number of operators on a theory")
    bridges: float = Field(
        0.4,
        ge=0,
        le=1,
        description="share of the draws that join two theories, of scenarios with a bridge",
    )
    min_questions: int = Field(
        4, ge=3, le=8, description="smallest number of sub-questions of an item"
    )
    max_questions: int = Field(
        8, ge=3, le=8, description="largest number of sub-questions of an item"
    )


class LLMEvalLogicParameters(Section):
    """LLMEval-Logic (generated): own seeds and what is made from them."""

    hardener: HardenerParameters = HardenerParameters()


class LLMEvalLogicSections(SectionsAside):
    """The section that this benchmark's steps read."""

    llmeval_logic: LLMEvalLogicParameters = LLMEvalLogicParameters()


class LLMEvalLogicRun(RunParameters):
    """What a step of this benchmark reads."""

    benchmarks: LLMEvalLogicSections = LLMEvalLogicSections()
