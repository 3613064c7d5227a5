"""The section ``benchmarks.justlogic`` of params.yaml."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from divlogic.config.section import RunParameters, Section, SectionsAside
from divlogic.models.parameters import ClosedQuestionParameters

FormName = Literal[
    "modus_ponens",
    "modus_tollens",
    "hypothetical_syllogism",
    "disjunctive_syllogism",
    "reductio_ad_absurdum",
    "constructive_dilemma",
    "disjunction_elimination",
]
FORM_NAMES: tuple[FormName, ...] = FormName.__args__  # type: ignore[attr-defined]

LINKS: tuple[FormName, ...] = ("modus_ponens", "modus_tollens", "disjunctive_syllogism")
"""Forms that conclude one statement from another and what links the two."""

CONDITIONAL_LINKS: tuple[FormName, ...] = ("modus_ponens", "modus_tollens")
"""Those of which the link is a conditional; which of the two a step is, depends on the way that it is read."""

DEEPEST = 12
"""Most argument steps: each item of more takes a second and is no longer readable."""

PER_DEPTH = {"embedded": 200, "full": 1000}
"""Instances per depth where the parameter is null; JustLogic has 1,000 (depths 1 to 7: 7,000)."""


FRESH = {"embedded": 60, "full": 3000}
"""Fresh instances per depth where the parameter is null: as many as take a few seconds, and as the limits ask for."""


class StatementParameters(Section):
    """The light filter of generic statements."""

    min_tokens: int = Field(3, ge=2, description="shortest statement kept, in tokens")
    max_tokens: int = Field(20, ge=2, description="longest statement kept, in tokens")
    min_score: float = Field(
        0.0, ge=0, le=1, description="lowest score (GenericsKB's confidence) kept"
    )
    structured_share: float = Field(
        0.0,
        ge=0,
        le=1,
        description="largest share of statements that were put together from a knowledge base (GenericsKB's rows from"
        " ConceptNet, WordNet and TupleKB, or of score 1.0 where sources are not named)",
    )
    max_overlap: float = Field(
        0.5,
        gt=0,
        le=1,
        description="two statements of an instance share less than this part of the content words (lemmas) of the one"
        " that has fewer, so that neither decides the other",
    )


class SplitShares(Section):
    """Shares of the splits within each depth."""

    train: float = Field(0.7, ge=0, le=1, description="share of the training split")
    validation: float = Field(0.15, ge=0, le=1, description="share of the validation split")
    test: float = Field(0.15, ge=0, le=1, description="share of the test split")

    @model_validator(mode="after")
    def _whole(self) -> SplitShares:
        if abs(self.train + self.validation + self.test - 1) > 1e-9:
            raise ValueError(
                f"the shares add up to {self.train + self.validation + self.test:g}, not to 1"
            )
        return self


class JustLogicParameters(Section):
    """Construction of JustLogic (Section 3 of the paper), with labels decided by the solver."""

    depths: list[int] = Field(
        [1, 2, 3, 4, 5, 6, 7],
        min_length=1,
        description="depths: argument steps per instance, 12 at most",
    )
    per_depth: int | None = Field(
        None,
        ge=3,
        description="instances per depth; null: 1,000 (corpus_source full) or 200 (embedded)",
    )
    fresh: int | None = Field(
        None,
        ge=9,
        description="fresh instances per depth that are searched for shortcuts; null: 3,000 (corpus_source full), which"
        " are judged by the limits, or 60 (embedded), which are not",
    )
    splits: SplitShares = SplitShares()
    shape_weights: dict[Literal["statement", "conditional", "disjunction"], float] = Field(
        {"statement": 0.8, "conditional": 0.1, "disjunction": 0.1},
        description="weight of each shape of a query and of a proposition that a step introduces",
    )
    negation_probability: float = Field(
        0.3, ge=0, le=1, description="probability that such a proposition is negated"
    )
    polarity: Literal["query", "conclusion"] = Field(
        "query",
        description="what that probability governs: the query, so that its polarity does not depend on the label, or,"
        " as in the original, the conclusion, whose negation is then the query of every false instance",
    )
    uncertain_query: Literal["open", "absent"] = Field(
        "open",
        description="open: an uncertain query asks for a statement that the premises mention and leave open; instances"
        " come in threes, one of each label, with the same statements at the same places, sentence by sentence the same"
        " connectives and signs: two one-way routes lead from what is settled towards the query, and where they are"
        " interrupted decides (docs/benchmarks/justlogic.md); absent: as in the original, the statement of an uncertain"
        " query is not in the premises, which a comparison of words reveals",
    )
    forms: dict[FormName, float] = Field(
        dict.fromkeys(FORM_NAMES, 1.0),
        description="weight of each argument form among those that fit a conclusion; with uncertain_query: open"
        " modus ponens and modus tollens come together, with the sum of their weights, and a constructive dilemma comes"
        " before a disjunction elimination",
    )
    max_nesting: int = Field(
        2,
        ge=2,
        le=DEEPEST,
        description="deepest nesting of conditionals and disjunctions in a premise (1: if A, then B); the authors' own"
        " draw has no limit, which 12 comes to",
    )
    distractors: int = Field(
        0,
        ge=0,
        le=10,
        description="premises of an instance that its argument does not need; they settle nothing, and a statement of"
        " each stands in no premise of the argument",
    )
    shuffle_premises: bool = Field(
        True, description="whether the premises are in random order or in the order of the argument"
    )
    verb_negation: float = Field(
        0.0,
        ge=0,
        le=1,
        description="probability that a negated statement is negated at its verb, where that is certain ('bats aren't"
        " blind', of a kind a contrary only), and not by 'it is not true that' or the like",
    )
    statements: StatementParameters = StatementParameters()
    shards: int = Field(
        2, ge=1, le=10_000, description="number of shards; the results do not depend on it"
    )

    @field_validator("depths")
    @classmethod
    def _depths(cls, value: list[int]) -> list[int]:
        if min(value) < 1 or len(set(value)) < len(value):
            raise ValueError("depths must be distinct whole numbers of 1 or more")
        if max(value) > DEEPEST:
            raise ValueError(f"depths reach to {DEEPEST}; {max(value)} is more")
        return sorted(value)

    @field_validator("shape_weights", "forms")
    @classmethod
    def _weights(cls, value: dict[str, float]) -> dict[str, float]:
        if any(weight < 0 for weight in value.values()) or not any(value.values()):
            raise ValueError("weights must not be negative, and at least one must be positive")
        return value

    @model_validator(mode="after")
    def _one_polarity(self) -> JustLogicParameters:
        if self.polarity == "conclusion" and self.uncertain_query == "open":
            raise ValueError("polarity: conclusion goes with uncertain_query: absent only")
        return self

    @model_validator(mode="after")
    def _drawable(self) -> JustLogicParameters:
        weighted = {form for form, weight in self.forms.items() if weight}
        if weighted <= {"hypothetical_syllogism", "constructive_dilemma"}:
            raise ValueError(
                "forms: none of those with a weight concludes a statement; give modus_ponens one"
            )
        if self.uncertain_query == "open" and weighted.isdisjoint(CONDITIONAL_LINKS):
            raise ValueError(
                "forms: uncertain_query: open needs conditionals; give modus_ponens or modus_tollens a weight"
            )
        alone = self.uncertain_query == "open" and 1 in self.depths
        if alone and "reductio_ad_absurdum" not in weighted:
            raise ValueError(
                "forms: with uncertain_query: open an argument of depth 1 is a reductio ad absurdum; give"
                " reductio_ad_absurdum a weight, or leave 1 out of depths"
            )
        return self


class JustLogicQuestionParameters(ClosedQuestionParameters):
    """JustLogic's questions, put to every model that has ``justlogic`` among its benchmarks or names none."""


class JustLogicSections(SectionsAside):
    """The section that this benchmark's steps read."""

    justlogic: JustLogicParameters = JustLogicParameters()


class JustLogicRun(RunParameters):
    """What a step of this benchmark reads."""

    benchmarks: JustLogicSections = JustLogicSections()
