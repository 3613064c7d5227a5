"""The section ``prior_knowledge`` of params.yaml."""

from __future__ import annotations

from pydantic import Field, field_validator

from divlogic.models.closed_prompts import STYLES
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    known_prompts,
)
from divlogic.section import Section


class ProbeParameters(Section):
    """The classifier that learns what the questions alone give away."""

    folds: int = Field(4, ge=2, le=100, description="folds of the cross-validation")
    regularisation: float = Field(
        1.0, gt=0, description="inverse strength C of the logistic regression's penalty"
    )
    word_ngrams: int = Field(2, ge=1, le=5, description="longest word n-gram")
    char_ngrams: int = Field(3, ge=2, le=8, description="longest character n-gram (from 2 on)")
    min_count: int = Field(2, ge=1, description="questions that an n-gram must occur in")
    most_instances: int | None = Field(
        4000, ge=50, description="instances the probe sees at most, spread evenly; null: all"
    )


class PriorKnowledgeParameters(Section):
    """Answers without a context, against guessing."""

    probe: ProbeParameters = ProbeParameters()
    prompts: list[str] = Field(["question_only"], description=f"prompt styles: {', '.join(STYLES)}")
    models: list[ModelParameters] = Field([], description="models that are asked (Inspect's names)")
    sampling: SamplingParameters = SamplingParameters(max_tokens=256)
    limits: LimitParameters = LimitParameters()
    instances: int | None = Field(300, ge=1, description="instances a model is asked; null: all")
    resamples: int = Field(1000, ge=100, description="bootstrap resamples behind each interval")
    level: float = Field(0.05, gt=0, lt=1, description="below this p value a benchmark counts as dependent")

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return known_prompts(value, STYLES)

    @field_validator("models")
    @classmethod
    def _known_of_models(cls, value: list[ModelParameters]) -> list[ModelParameters]:
        for model in value:
            known_prompts(model.prompts or [], STYLES)
        return value
