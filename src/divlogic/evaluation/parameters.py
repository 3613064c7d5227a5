"""The section ``evaluation`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from divlogic.models import closed_prompts
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    known_prompts,
)
from divlogic.models.styles import STYLES
from divlogic.section import Section


class JustLogicQuestionParameters(Section):
    """JustLogic's questions, put to every model that has ``justlogic`` among its benchmarks or names none."""

    prompts: list[str] = Field(
        ["zero_shot", "few_shot", "chain_of_thought"],
        description="prompt styles: zero_shot, few_shot, chain_of_thought; none: nothing is asked",
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=2048)
    instances: int | None = Field(
        None, ge=1, description="so many questions, spread over the test set; null: all"
    )

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return known_prompts(value, [s.name for s in closed_prompts.STYLES.values() if s.context])


class ReplayParameters(Section):
    """Answers that somebody else recorded, to stand in the tables."""

    file: str = Field(description="the recording")
    format: Literal["ilogiceval", "inspect", "predictions", "justlogic"] = Field(
        description="its format; what `justlogic` holds goes into JustLogic's table"
    )
    model: str | None = Field(None, description="whose answers they are; null: as the file says, or its name")
    prompt: str = Field("zero_shot", description="prompt style, where the file names none")
    run: int = Field(0, ge=0, description="number of the run, where the file names none")


class EvaluationParameters(Section):
    """Rotations, model runs and scores (DivLogicEval, Sections 2.2 and 4)."""

    benchmarks: list[str] = Field(["divlogiceval", "s-divlogiceval"], description="benchmarks to be answered")
    prompts: list[str] = Field(
        ["zero_shot", "three_shot", "zero_shot_nolr"], description=f"prompt styles: {', '.join(STYLES)}"
    )
    models: list[ModelParameters] = Field(
        [
            ModelParameters(name="baseline/uniform", prompts=["zero_shot"], runs=5),
            ModelParameters(name="baseline/position", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/majority", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/overlap", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(
                name="baseline/hypothesis_only", prompts=["zero_shot"], benchmarks=["divlogiceval"]
            ),
            ModelParameters(name="baseline/ranker", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/symbolic_reader", prompts=["zero_shot"]),
        ],
        description="models to be run",
    )
    runs: int = Field(1, ge=1, le=100, description="independent runs per model and prompt")
    sampling: SamplingParameters = SamplingParameters()
    justlogic: JustLogicQuestionParameters = JustLogicQuestionParameters()
    limits: LimitParameters = LimitParameters()
    replays: list[ReplayParameters] = Field([], description="recorded answers to be scored beside the models")
    resamples: int = Field(1000, ge=100, description="bootstrap resamples behind each interval")
    none_outcome: Literal["fifth", "excluded"] = Field(
        "fifth",
        description="how an answer that names no option enters PC in Figure 2 and in paired tests: as a fifth"
        " outcome, or not at all; the tables show both",
    )

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return known_prompts(value, STYLES)

    @field_validator("models")
    @classmethod
    def _known_of_models(cls, value: list[ModelParameters]) -> list[ModelParameters]:
        for model in value:
            known_prompts(model.prompts or [], STYLES | closed_prompts.STYLES)
        return value
