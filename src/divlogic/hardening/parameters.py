"""The section ``hardening`` of params.yaml."""

from __future__ import annotations

from pydantic import Field, model_validator

from divlogic.config.section import RunParameters, Section
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    distinct_names,
)


class RoleParameters(Section):
    """Which model plays which role; a role without a model is an error once hardening is enabled."""

    decider: ModelParameters | None = Field(
        None, description="finds the shallow path, chooses strategies"
    )
    proposal: ModelParameters | None = Field(None, description="rewrites texts and formalization")
    review: ModelParameters | None = Field(
        None, description="checks that the item is well-posed and closed"
    )
    answering: ModelParameters | None = Field(
        None, description="solves the item k times; also probes the source"
    )
    verification: ModelParameters | None = Field(
        None, description="looks for unsupported conclusions and missing recomputation"
    )

    @model_validator(mode="after")
    def _distinct(self) -> RoleParameters:
        # One model may play several roles, and its answers are then kept together.
        labels: dict[str, ModelParameters] = {}
        for _, model in self:
            if model and labels.setdefault(model.label or model.name, model) != model:
                name = model.label or model.name
                raise ValueError(f"two different models are called '{name}'; give them labels")
        distinct_names(labels, "models")
        return self


class HardeningParameters(Section):
    """Hardening with models (LLMEval-Logic, Section 2.2). The paper's budgets are not in its text; these are ours."""

    enabled: bool = Field(
        False, description="whether models are asked; if not, the phase writes empty files"
    )
    roles: RoleParameters = RoleParameters()
    items: int | None = Field(
        None, ge=1, description="number of seeds that are used, from the first; null: all"
    )
    easy: float = Field(
        0.5, ge=0, le=1, description="smallest share of right answers at which an item is hardened"
    )
    rounds: int = Field(3, ge=1, le=20, description="largest number of proposals for an item")
    k: int = Field(
        3, ge=1, le=20, description="number of independent solutions of the Answering role"
    )
    agree: int = Field(
        2,
        ge=1,
        le=20,
        description="smallest number of solutions that must equal the solver's answer",
    )
    repairs: int = Field(
        1,
        ge=0,
        le=10,
        description="maximum number of rewordings of a proposal that failed only on its answers",
    )
    sampling: SamplingParameters = SamplingParameters(temperature=0.7, max_tokens=4096)
    limits: LimitParameters = LimitParameters()

    @model_validator(mode="after")
    def _agree_fits(self) -> HardeningParameters:
        if self.agree > self.k:
            raise ValueError(f"agree is {self.agree} and only k = {self.k} solutions are asked for")
        return self


class HardeningRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``hardening``."""

    hardening: HardeningParameters = HardeningParameters()
