"""The parameters of the paper phase."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from divlogic.config.keys import KEYS
from divlogic.config.section import RunParameters, Section


class Tolerance(Section):
    """How far a measured number may lie from the printed one, in addition to half a unit of its last printed digit."""

    absolute: float = Field(0.0, ge=0, description="difference allowed, in the number's own unit")
    relative: float = Field(
        0.0, ge=0, description="difference allowed, as a share of the printed number"
    )

    def allowed(self, printed: float) -> float:
        """Return the larger of the two for one printed number."""
        return max(self.absolute, self.relative * abs(printed))


class Tolerances(Section):
    """The tolerance of each kind of number."""

    percent: Tolerance = Field(
        Tolerance(absolute=1.0),
        description="scores, probabilities and coefficients of variation, in points",
    )
    count: Tolerance = Field(Tolerance(relative=0.02), description="words, instances and options")
    bits: Tolerance = Field(Tolerance(absolute=0.05), description="divergence, in bits")
    grade: Tolerance = Field(
        Tolerance(absolute=0.1), description="reading difficulty, in school grades"
    )


class BrowserParameters(Section):
    """The item browser."""

    most_instances: int | None = Field(
        1000,
        ge=1,
        description="maximum number of instances shown of each split, evenly spaced over its question types; null: all",
    )


class PaperParameters(Section):
    """The report: which measured numbers count as reproduced."""

    tolerances: Tolerances = Tolerances()
    near_factor: float = Field(
        3.0,
        ge=1,
        description="number of tolerances within which a number that is not reproduced is marked as near",
    )
    items: BrowserParameters = BrowserParameters()


class PaperRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``paper``."""

    paper: PaperParameters = PaperParameters()


class ProvenanceRun(PaperRun):
    """The same with the sections of every other phase as they were handed over, for the report's provenance."""

    corpora: dict[str, Any] = Field(default_factory=dict)
    sentences: dict[str, Any] = Field(default_factory=dict)
    benchmarks: dict[str, Any] = Field(default_factory=dict)
    hardening: dict[str, Any] = Field(default_factory=dict)
    diversity: dict[str, Any] = Field(default_factory=dict)
    prior_knowledge: dict[str, Any] = Field(default_factory=dict)
    evaluation: dict[str, Any] = Field(default_factory=dict)
    contamination: dict[str, Any] = Field(default_factory=dict)

    def in_order(self) -> dict[str, Any]:
        """Return everything that was handed over, in the order of params.yaml."""
        values = self.model_dump(mode="json")
        return {key: values[key] for key in KEYS if key in values}
