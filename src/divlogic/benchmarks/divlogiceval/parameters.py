"""The sections ``benchmarks.divlogiceval`` and ``benchmarks.ilogiceval`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from divlogic.benchmarks.polish.parameters import PolishParameters
from divlogic.config.section import Section

Preset = Literal["as_published", "balanced"]
FRESH = {
    "embedded": {"as_published": 3000, "balanced": 600},
    "full": {"as_published": 3000, "balanced": 3000},
}
"""Fresh instances per question type and preset, by corpus source; what a quartet settles is exact however few."""

FRESH_WORDED = {"embedded": 600, "full": 3000}
"""Fresh worded instances of ``as_published`` per question type, by corpus source."""


class SplitSizes(Section):
    """Requested number of instances per split; each split is balanced over the three question types."""

    test: int = Field(
        900, ge=3, multiple_of=3, description="the test split, every label of which Z3 confirms"
    )
    unpolished: int = Field(
        1500, ge=0, multiple_of=3, description="the split for few-shot examples and training"
    )
    reserve: float = Field(
        0.2,
        ge=0,
        lt=1,
        description="share of the unpolished split if there are too few sentences for all instances",
    )


class DivLogicEvalParameters(Section):
    """Construction of DivLogicEval (paper Section 2.1, Appendices A and B)."""

    variables: int = Field(8, ge=3, le=8, description="propositional variables A, B, ... (x)")
    max_uses_per_variable: int = Field(
        3, ge=2, le=6, description="maximum number of propositions per variable (n of Algorithm 1)"
    )
    cap_probability: float = Field(
        0.1,
        ge=0,
        le=1,
        description="selection weight of a variable that may be used only once more (Appendix B)",
    )
    rule_weights: dict[Literal["implication", "not_and", "or"], float] = Field(
        {"implication": 0.5, "not_and": 0.25, "or": 0.25}, description="probability of each rule of Eq. 1"
    )
    literal_divisor: float = Field(
        1.5,
        gt=0,
        description="divisor d of the number of single literals in a context, which is 0 to floor(|x'| / d)",
    )
    literal_negation: float = Field(
        1 / 3, ge=0, le=1, description="probability that such a literal is negated"
    )
    preset: Preset = Field(
        "balanced",
        description="balanced: instances come in quartets that share their options and all that can be counted of their"
        " passages, each option being right once, so that only reasoning tells the answer; as_published: options are"
        " drawn one by one from their groups, as in the paper, which lets the options alone give the answer away",
    )
    premises_needed: dict[int, float] | None = Field(
        None,
        description="weights of the number of premises that an answer needs (2, 3, ...), for example 2: 1.0, 3: 1.0;"
        " null: not controlled",
    )
    contradictions: dict[Literal["3c1e", "3e1c", "missing_premise"], float] = Field(
        {"3c1e": 1.0, "3e1c": 0.0, "missing_premise": 1.0},
        description="probability that, where there is one, an NLI contradiction words one wrong option (of 3e1c the"
        " right one: there it is the only option that does not follow, and its words would give it away)",
    )
    verification: Literal["symbolic", "nli"] = Field(
        "nli", description="what a label is verified against: the formulas, or also the sentences as worded"
    )
    max_hypotheses: int = Field(
        2,
        ge=0,
        le=3,
        description="maximum number of entailed hypotheses of a group that may word its variable in addition"
        " to the premise",
    )
    splits: SplitSizes = SplitSizes()
    fresh: int | None = Field(
        None,
        ge=48,
        multiple_of=4,
        description="fresh symbolic instances per question type and preset that are searched for shortcuts; null:"
        " 3,000, but 600 of the preset balanced if corpus_source is embedded: its quartets settle the limited probes"
        " exactly",
    )
    audited: int | None = Field(
        300,
        ge=1,
        description="instances of the test split whose English is compared with their formulas, evenly spaced"
        " over the question types; null: all",
    )
    shards: int = Field(2, ge=1, le=10_000, description="number of shards; the results do not depend on it")
    polish: PolishParameters = PolishParameters()

    @field_validator("premises_needed")
    @classmethod
    def _some_depth(cls, value: dict[int, float] | None) -> dict[int, float] | None:
        if value is not None and (
            min(value, default=0) < 2 or min(value.values()) < 0 or sum(value.values()) <= 0
        ):
            raise ValueError(
                "an answer needs 2 premises or more; weights are not negative, and one is positive"
            )
        return value

    @model_validator(mode="after")
    def _some_rule(self) -> DivLogicEvalParameters:
        weights = self.rule_weights.values()
        if min(weights, default=0) < 0 or sum(weights) <= 0:
            raise ValueError("rule_weights must not be negative, and one at least must be positive")
        return self


class ILogicEvalParameters(Section):
    """The predecessor's splits: the same instances, cut into train, validation and test (ILogicEval, Section 3.2)."""

    validation: int = Field(
        300,
        ge=0,
        multiple_of=3,
        description="validation instances taken from the unpolished ones (900 in the paper); the rest trains",
    )
