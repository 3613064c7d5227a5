"""The parameters of the paper phase."""

from __future__ import annotations

from pydantic import Field

from divlogic.section import Section


class Tolerance(Section):
    """How far a measured number may lie from the printed one, beside half a unit of its last printed digit."""

    absolute: float = Field(0.0, ge=0, description="difference allowed, in the number's own unit")
    relative: float = Field(0.0, ge=0, description="difference allowed, as a share of the printed number")

    def allowed(self, printed: float) -> float:
        """Return the larger of the two for one printed number."""
        return max(self.absolute, self.relative * abs(printed))


class Tolerances(Section):
    """The tolerance of each kind of number."""

    percent: Tolerance = Field(
        Tolerance(absolute=1.0), description="scores, probabilities and coefficients of variation, in points"
    )
    count: Tolerance = Field(Tolerance(relative=0.02), description="words, instances and options")
    bits: Tolerance = Field(Tolerance(absolute=0.05), description="divergence, in bits")
    grade: Tolerance = Field(Tolerance(absolute=0.1), description="reading difficulty, in school grades")


class PaperParameters(Section):
    """The report: which measured numbers count as reproduced."""

    tolerances: Tolerances = Tolerances()
    near: float = Field(
        3.0,
        ge=1,
        description="a number within this many tolerances is marked as near, farther ones as far off",
    )
