"""The sections ``benchmarks.divlogiceval`` and ``benchmarks.ilogiceval`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from divlogic.benchmarks.divlogiceval.square import variables_of
from divlogic.benchmarks.polish.parameters import PolishParameters
from divlogic.config.section import RunParameters, Section, SectionsAside

Preset = Literal["as_published", "balanced"]
Construction = Literal["square", "parity"]
FRESH = {
    "embedded": {"as_published": 900, "balanced": 3000},
    "full": {"as_published": 3000, "balanced": 8000},
}
"""Fresh symbolic instances per question type and preset, by corpus source; symbols cost milliseconds."""

FRESH_WORDED = {"embedded": 600, "full": 8000}
"""Fresh worded instances per question type of the preset balanced, by corpus source."""

MOST_ROUNDS = 5
"""More rounds need more than 26 variables, the names that there are."""

_FOR_PUBLISHED = ("cap_probability", "literal_divisor", "literal_negation", "contradictions")
_FOR_PARITY = ("links", "compound", "kappa", "least_pairs")
_FOR_BOTH = ("variables", "max_uses_per_variable", "rule_weights", "premises_needed")
WITHOUT_EFFECT: dict[str, tuple[str, ...]] = {
    "preset as_published": ("construction", "rounds", "lexical_steps", *_FOR_PARITY),
    "construction parity": ("rounds", *_FOR_PUBLISHED),
    "construction square": (*_FOR_BOTH, *_FOR_PARITY, *_FOR_PUBLISHED),
}
"""Parameters that are refused with a preset or construction, unless they have their default."""

DECIDE_QUARTETS = (*_FOR_BOTH, *_FOR_PARITY)
"""Parameters that decide whether there are parity quartets."""


def _drawn_by(preset: Preset, construction: Construction) -> str:
    """Return the key of :data:`WITHOUT_EFFECT` for a preset; only ``balanced`` has constructions."""
    return f"construction {construction}" if preset == "balanced" else "preset as_published"


class SplitSizes(Section):
    """Requested number of instances per split; each split is balanced over the three question types."""

    test: int = Field(
        900, ge=3, multiple_of=3, description="the test split, every label of which Z3 confirms"
    )
    unpolished: int = Field(600, ge=0, description="the split for few-shot examples and training")
    reserve: float = Field(
        0.2,
        ge=0,
        lt=1,
        description="share of the unpolished split if there are too few sentences for all instances",
    )


class DivLogicEvalParameters(Section):
    """Construction of DivLogicEval (paper Section 2.1, Appendices A and B)."""

    preset: Preset = Field(
        "balanced",
        description="balanced: instances come in quartets that share their options, each being right once, and what a"
        " reader of too few premises sees is independent of the answer (theorems, docs/methods.md); as_published:"
        " options are drawn one by one from their groups, as in the paper, which lets the options alone give the answer"
        " away",
    )
    construction: Construction = Field(
        "square",
        description="balanced: how quartets are drawn; square: rules hold one way only, and both their direction and"
        " their signs are needed; parity: each rule has a twin with all signs turned, so that `if` may be read as `if"
        " and only if`, and chains are as long as `premises_needed` says",
    )
    rounds: dict[int, float] = Field(
        {2: 1.0},
        description="square: weights of the number t of rounds in each half of a passage, for example 2: 1.0, 3: 1.0;"
        " an answer needs 2t + 1 premises, a missing premise 2t + 3 (it counts), and a passage has 4t + 4; any t of"
        " them are independent of the answer; 1 to 5",
    )
    lexical_steps: int | None = Field(
        2,
        ge=0,
        description="balanced, verified at the level nli: largest number of steps from a sentence to one that it"
        " entails on which a key rests; 0: each variable is worded by one sentence throughout; null: as many as there"
        " are sentences for",
    )
    variables: int = Field(
        8,
        ge=3,
        le=16,
        description="parity and as_published: propositional variables A, B, ... to choose from (x)",
    )
    max_uses_per_variable: int | None = Field(
        None,
        ge=2,
        le=16,
        description="maximum number of propositions per variable (n of Algorithm 1); null: 3 as_published; parity 6,"
        " of a missing premise 10",
    )
    cap_probability: float = Field(
        0.1,
        ge=0,
        le=1,
        description="as_published: selection weight of a variable that may be used only once more (Appendix B)",
    )
    rule_weights: dict[Literal["implication", "not_and", "or"], float] = Field(
        {"implication": 0.5, "not_and": 0.25, "or": 0.25},
        description="parity and as_published: probability of each rule of Eq. 1; of parity `compound` has the place of"
        " the first",
    )
    literal_divisor: float = Field(
        1.5,
        gt=0,
        description="as_published: divisor d of the number of single literals in a context, which is 0 to"
        " floor(|x'| / d)",
    )
    literal_negation: float = Field(
        1 / 3, ge=0, le=1, description="as_published: probability that such a literal is negated"
    )
    premises_needed: dict[int, float] | None = Field(
        None,
        description="weights of the number of premises that an answer needs, for example 2: 1.0, 3: 1.0; null: parity"
        " 2 to 5 (0.3, 0.4, 0.2, 0.1), as_published not controlled. In parity quartets a missing premise (it counts)"
        " needs 3 to half the variables: what lies beyond counts as the nearest",
    )
    links: int | None = Field(
        None,
        ge=4,
        le=15,
        description="parity: links of the tree of a quartet, which has one variable more; null: the fewest"
        " with which quartets of the depth are found easily (5 or 7, of a missing premise 6)",
    )
    compound: float | None = Field(
        None,
        ge=0,
        le=1,
        description="parity: probability that two links of a quartet come from one rule with two premises;"
        " null: 0.4 to 0.9, by depth",
    )
    kappa: int = Field(
        2,
        ge=1,
        le=4,
        description="parity: pairs of twins that the sum of two or three chains touches at least; a reader of fewer"
        " knows nothing of the answer",
    )
    least_pairs: int | None = Field(
        None,
        ge=1,
        le=8,
        description="parity: pairs of twins that each chain touches at least; null: 2, with 4 premises or more 3",
    )
    contradictions: dict[Literal["3c1e", "3e1c", "missing_premise"], float] | None = Field(
        None,
        description="as_published: probability that, where there is one, an NLI contradiction words one wrong option"
        " (of 3e1c the right one: there it is the only option that does not follow, and its words would give it away);"
        " null: 1, 0 and 1. Such a key holds only if both sentences tell of one event; balanced has none",
    )
    verification: Literal["symbolic", "nli"] = Field(
        "nli",
        description="what a label is verified against: the formulas, or also the sentences as worded",
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
        description="fresh instances per question type and preset that are searched for shortcuts; null: 3,000 and"
        " 8,000 of the preset balanced, or 900 and 3,000 (in words 600) if corpus_source is embedded",
    )
    audited: int | None = Field(
        300,
        ge=1,
        description="instances of the test split whose English is compared with their formulas, evenly spaced"
        " over the question types; null: all",
    )
    shards: int = Field(
        2, ge=1, le=10_000, description="number of shards; the results do not depend on it"
    )
    polish: PolishParameters = PolishParameters()

    @field_validator("premises_needed")
    @classmethod
    def _some_depth(cls, value: dict[int, float] | None) -> dict[int, float] | None:
        weights = [1.0] if value is None else value.values()
        if (
            (value is not None and min(value, default=0) < 2)
            or min(weights) < 0
            or sum(weights) <= 0
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

    @field_validator("rounds")
    @classmethod
    def _some_round(cls, value: dict[int, float]) -> dict[int, float]:
        outside = [rounds for rounds in value if not 1 <= rounds <= MOST_ROUNDS]
        weights = value.values()
        if outside or min(weights, default=0) < 0 or sum(weights) <= 0:
            raise ValueError(
                f"rounds are 1 to {MOST_ROUNDS}; weights are not negative, and one is positive"
            )
        return value

    @model_validator(mode="after")
    def _possible(self) -> DivLogicEvalParameters:
        """Refuse what has no effect on what is drawn, and quartets that do not exist."""
        fields = type(self).model_fields
        drawn_by = _drawn_by(self.preset, self.construction)
        for name in WITHOUT_EFFECT[drawn_by]:
            value = getattr(self, name)
            empty = name == "contradictions" and not any((value or {}).values())
            if value != fields[name].default and not empty:
                raise ValueError(
                    f"{name} has no effect with {drawn_by}; leave it at {fields[name].default}, or change preset or"
                    " construction"
                )
        changed = [name for name in DECIDE_QUARTETS if getattr(self, name) != fields[name].default]
        if self.preset == "balanced" and self.construction == "parity" and changed:
            from divlogic.benchmarks.divlogiceval.quartets import objection

            if problem := objection(self):
                raise ValueError(problem)
        return self

    def of_preset(self, preset: Preset) -> DivLogicEvalParameters:
        """Return these parameters with another preset; those that have no effect with it get their default."""
        if preset == self.preset:
            return self
        without_effect = WITHOUT_EFFECT[_drawn_by(preset, self.construction)]
        kept = self.model_dump(exclude=set(without_effect))
        return type(self).model_validate(kept | {"preset": preset})

    @property
    def most_variables(self) -> int:
        """The largest number of variables, and so of sentence groups, of an instance."""
        if self.preset == "balanced" and self.construction == "square":
            most_rounds = max(rounds for rounds, weight in self.rounds.items() if weight > 0)
            return variables_of("missing_premise", most_rounds)
        return self.variables


class ILogicEvalParameters(Section):
    """The predecessor's splits: the same instances, cut into train, validation and test (ILogicEval, Section 3.2)."""

    validation: int = Field(
        300,
        ge=0,
        multiple_of=3,
        description="validation instances taken from the unpolished ones (900 in the paper); the rest trains",
    )


class DivLogicEvalSections(SectionsAside):
    """The section that this benchmark's steps read."""

    divlogiceval: DivLogicEvalParameters = DivLogicEvalParameters()
    ilogiceval: ILogicEvalParameters = ILogicEvalParameters()


class DivLogicEvalRun(RunParameters):
    """What a step of this benchmark reads."""

    benchmarks: DivLogicEvalSections = DivLogicEvalSections()
