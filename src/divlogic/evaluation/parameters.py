"""The section ``evaluation`` of params.yaml."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from divlogic.evaluation.styles import STYLES
from divlogic.section import Section


def _known_prompts(names: list[str]) -> list[str]:
    for name in names:
        if name not in STYLES:
            raise ValueError(f"unknown prompt '{name}'; known are {', '.join(STYLES)}")
    return names


class SamplingParameters(Section):
    """What a model is asked to sample with; ``null`` leaves the provider's own default."""

    temperature: float | None = Field(0.0, ge=0, le=2, description="sampling temperature")
    top_p: float | None = Field(None, gt=0, le=1, description="nucleus sampling mass")
    max_tokens: int | None = Field(64, ge=1, description="longest answer, in tokens")


class ModelParameters(Section):
    """One model to be run."""

    name: str = Field(
        description="Inspect's name, provider/model: openai/gpt-4o, compatible/NAME, baseline/uniform"
    )
    label: str | None = Field(None, description="name in tables; the model's own if null")
    base_url: str | None = Field(None, description="address of an OpenAI-compatible server, ending in /v1")
    args: dict[str, Any] = Field({}, description="further arguments of Inspect's provider")
    prompts: list[str] | None = Field(None, description="prompt styles; null for those of the section")
    benchmarks: list[str] | None = Field(None, description="benchmarks; null for those of the section")
    runs: int | None = Field(None, ge=1, description="independent runs; null for those of the section")
    instances: int | None = Field(None, ge=1, description="only the first instances (the papers' o1 saw 40)")

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str] | None) -> list[str] | None:
        return _known_prompts(value) if value is not None else None


class LimitParameters(Section):
    """Bounds of a run."""

    concurrency: int = Field(16, ge=1, le=1000, description="requests under way at once")
    attempts: int = Field(5, ge=1, description="attempts per answer before it is left for the next run")
    timeout: float = Field(120, gt=0, description="seconds after which an attempt is given up")
    first_wait: float = Field(
        1.0, ge=0, description="seconds before the second attempt; doubled for each further one"
    )
    longest_wait: float = Field(
        60.0, ge=0, description="seconds that a wait never exceeds, Retry-After included"
    )
    give_up_after: int = Field(20, ge=1, description="failed answers in a row after which the run stops")


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
    limits: LimitParameters = LimitParameters()
    resamples: int = Field(1000, ge=100, description="bootstrap resamples behind each interval")
    none_outcome: Literal["fifth", "excluded"] = Field(
        "fifth",
        description="how an answer that names no option enters PartialCircular: as a fifth outcome, or not at all",
    )

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return _known_prompts(value)
