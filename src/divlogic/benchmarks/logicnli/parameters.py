"""The sections ``benchmarks.logicnli`` and ``evaluation.logicnli`` of params.yaml."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from divlogic.benchmarks.logicnli.lanes import LEAST_PROPERTIES, RULES_PER_ROUND
from divlogic.benchmarks.logicnli.theories import FORMS
from divlogic.config.section import Label, RunParameters, Section, SectionsAside
from divlogic.models.parameters import SamplingParameters, among, slug_of_name
from divlogic.models.styles import WITH_CONTEXT

FIELDS, NAMES = 30, 100
"""Fields of adjectives, of which a theory takes one each, and names in the smallest pool."""


def _check_words(people: int, predicates: int, name: str = "predicates") -> None:
    if predicates > FIELDS:
        raise ValueError(
            f"{name} is {predicates}, but a theory draws one adjective of each of {FIELDS} fields"
        )
    if people > NAMES:
        raise ValueError(f"people is {people}, but a pool has {NAMES} names")


def _distinct(least: int, value: list[int], *, ascending: bool = True) -> list[int]:
    if not value or min(value) < least or len(set(value)) < len(value):
        raise ValueError(f"give distinct whole numbers of {least} or more")
    if ascending and value != sorted(value):
        raise ValueError("give the numbers in ascending order")
    return value


Depths = Annotated[list[int], AfterValidator(partial(_distinct, 1, ascending=False))]
Sizes = Annotated[list[int], AfterValidator(partial(_distinct, 1))]
Noise = Annotated[list[int], AfterValidator(partial(_distinct, 0))]


class BalancedParameters(Section):
    """Quartets: four items with the same rules, statement and words, and four different labels."""

    depths: Depths = Field(
        [1, 2, 3, 4, 5],
        min_length=1,
        description="rounds of reasoning in the sets A, R and d, and per connective",
    )
    deep_depths: Depths = Field(
        [6, 7, 8, 9, 10], min_length=1, description="rounds of reasoning in the set G"
    )
    traced_depth: int = Field(
        6, ge=1, description="rounds of reasoning in the set T (traceability)"
    )
    people: int = Field(7, ge=1, description="persons per theory")
    predicates: int = Field(20, ge=1, description="adjectives per theory")
    facts: int = Field(12, ge=4, description="facts per theory, noise included")
    rules: int = Field(24, ge=4, description="rules per theory, four a round, the rest noise")
    deep_predicates: int = Field(
        28, ge=1, description="adjectives per theory in the sets G, T and per connective"
    )
    deep_facts: int = Field(16, ge=4, description="facts per theory in the sets G and T")
    deep_rules: int = Field(44, ge=4, description="rules per theory in the set G")
    traced_rules: int = Field(30, ge=4, description="rules per theory in the set T")
    noise: Noise = Field(
        [0, 4, 8, 12, 16, 20, 24, 28],
        description="noise sentences added to the same core in the sets R, even numbers: rules come in twins",
    )
    reading: Literal["both", "signed"] = Field(
        "both",
        description="both: entailment, contradiction and neutral also hold in classical logic, so that a reader who"
        " contraposes agrees; signed: only from cause to effect",
    )
    quartets: int | None = Field(
        None,
        ge=1,
        description="quartets per depth and split; null: 800 of train and 100 of dev and test (full) or 50",
    )
    robust_quartets: int | None = Field(
        None,
        ge=1,
        description="quartets per depth and set R; null: 600 of train and 100 of dev and test (full) or 2",
    )
    deep_quartets: int | None = Field(
        None, ge=1, description="quartets per depth in G; null: 206 (full) or 10"
    )
    traced_quartets: int | None = Field(
        None, ge=1, description="quartets in T; null: 2,013 (full) or 50"
    )
    degraded_quartets: int | None = Field(
        None,
        ge=1,
        description="groups per depth and set of d; null: as the set's counterpart (full) or 2",
    )
    connective_quartets: int | None = Field(
        None, ge=1, description="quartets per depth and connective; null: 75 (full) or 2"
    )

    @model_validator(mode="after")
    def _room(self) -> BalancedParameters:
        for depth, prefix, rules in (
            (max(self.depths), "", "rules"),
            (max(self.deep_depths), "deep_", "deep_rules"),
            (self.traced_depth, "deep_", "traced_rules"),
        ):
            needed, given = RULES_PER_ROUND * depth, getattr(self, rules)
            if given < needed:
                raise ValueError(
                    f"{rules} is {given}, but two chains of depth {depth}, each of two lanes, need {needed}"
                )
            name = f"{prefix}predicates"
            predicates = getattr(self, name)
            _check_words(self.people, predicates, name)
            if predicates < LEAST_PROPERTIES:
                raise ValueError(
                    f"{name} is {predicates}, but a quartet has {LEAST_PROPERTIES} different adjectives at least"
                )
        return self

    @field_validator("noise")
    @classmethod
    def _twins(cls, value: list[int]) -> list[int]:
        odd = [number for number in value if number % 2]
        if odd:
            raise ValueError(
                f"{odd[0]} is odd, but rules of noise come in twins: give even numbers"
            )
        return value


class AsPublishedParameters(Section):
    """Random theories with the parameters recovered from the release."""

    people: int = Field(7, ge=1, description="persons per theory")
    predicates: int = Field(6, ge=4, description="adjectives per theory")
    facts: int = Field(12, ge=1, description="facts per theory, on different atoms")
    rules: int = Field(12, ge=1, description="rules per theory")
    statements: int = Field(5, ge=1, description="statements per label and theory")
    max_rounds: int = Field(
        4, ge=1, description="theories of more rounds are drawn again (sets A, R, d)"
    )
    sizes: Sizes = Field(
        [10, 12, 14, 16, 18, 20, 22, 24], description="facts and rules left in the sets R"
    )
    degraded_facts: int = Field(5, ge=1, description="facts per theory of d-LogicNLI")
    degraded_rules: int = Field(10, ge=1, description="rules per theory of d-LogicNLI")
    degraded_sizes: Sizes = Field(
        [5, 7, 9, 11, 13, 15], description="facts and rules left in R of d-LogicNLI"
    )
    deep_facts: int = Field(
        4, ge=1, description="facts per theory in the sets G and T, and per connective"
    )
    deep_rules: int = Field(20, ge=1, description="rules per theory in the sets G and T")
    hops: list[int] = Field([6, 7, 8, 9, 10], min_length=1, description="hops of the set G")
    traced_hops: int = Field(6, ge=1, description="hops of the set T")
    share: float = Field(
        1.0,
        gt=0,
        le=1,
        description="share of the sizes of Tables 2 and 5 that is drawn, rounded up to whole groups",
    )

    @model_validator(mode="after")
    def _room(self) -> AsPublishedParameters:
        _check_words(self.people, self.predicates)
        atoms = self.people * self.predicates
        for name in ("facts", "degraded_facts", "deep_facts"):
            if getattr(self, name) > atoms:
                raise ValueError(
                    f"{name} is {getattr(self, name)}, but {self.people} people and {self.predicates} predicates"
                    f" make {atoms} atoms"
                )
        for name, facts, rules in (
            ("sizes", self.facts, self.rules),
            ("degraded_sizes", self.degraded_facts, self.degraded_rules),
        ):
            if max(getattr(self, name)) > facts + rules:
                raise ValueError(
                    f"{name} go up to {max(getattr(self, name))}, but a theory has {facts + rules} sentences"
                )
        return self


class LogicNLIParameters(Section):
    """Construction of LogicNLI (Tian et al., 2021)."""

    preset: Literal["balanced", "as_published"] = Field(
        "balanced",
        description="balanced: quartets, of which fewer rounds than the depth tell nothing; as_published: random"
        " theories with the parameters of the release",
    )
    forms: dict[int, float] = Field(
        {code: form.weight for code, form in FORMS.items()},
        description="weight of each class of rules, by its code in the release",
    )
    balanced: BalancedParameters = BalancedParameters()
    as_published: AsPublishedParameters = AsPublishedParameters()
    shards: int = Field(
        2, ge=1, le=10_000, description="number of shards; the results do not depend on it"
    )

    @field_validator("forms")
    @classmethod
    def _weights(cls, value: dict[int, float]) -> dict[int, float]:
        unknown = sorted(set(value) - set(FORMS))
        if unknown:
            raise ValueError(f"there is no class {unknown[0]}; known: {', '.join(map(str, FORMS))}")
        if any(weight < 0 for weight in value.values()) or not any(value.values()):
            raise ValueError("weights must not be negative, and at least one must be positive")
        return value


class NetworkParameters(Section):
    """A network that is trained on LogicNLI's sets (`make env-neural`); null: the default of its kind.

    The defaults of an encoder are those of Table 3 for BERT.
    """

    label: Label = Field(description="what it is called in tables")
    kind: Literal["transformer", "encoder"] = Field(
        "encoder", description="a small transformer from scratch, or an encoder of `transformers`"
    )
    model: str | None = Field(
        None,
        min_length=1,
        description="weights of an encoder: minilm-l6-v2, a folder or a name of the hub",
    )
    train: list[Literal["train", "train_r", "d_train", "d_train_r", "connectives"]] = Field(
        ["train", "train_r", "d_train", "d_train_r", "connectives"],
        min_length=1,
        description="training sets; the sets that go with them are answered",
    )
    instances: int | None = Field(None, ge=1, description="records trained on; null: all")
    epochs: int | None = Field(None, ge=1, description="passes over the training set, at most")
    patience: int | None = Field(
        None, ge=1, description="passes without a better accuracy before it stops"
    )
    batch: int | None = Field(None, ge=1, description="records per step")
    rate: float | None = Field(None, gt=0, le=1, description="learning rate of AdamW")
    head_rate: float | None = Field(None, gt=0, le=1, description="learning rate of the head")
    decay: float | None = Field(
        None, gt=0, le=1, description="factor of the rate from pass to pass"
    )
    weight_decay: float | None = Field(None, ge=0, le=1, description="weight decay of AdamW")

    @property
    def options(self) -> list[str]:
        """Return the options of ``divlogic evaluation logicnli train``."""
        given = self.model_dump(exclude_none=True, exclude={"train"})
        return [f"--{name.replace('_', '-')}={value}" for name, value in given.items()] + [
            f"--train={name}" for name in self.train
        ]


class LogicNLIDiagnosisParameters(Section):
    """LogicNLI's diagnosis (Tian et al., 2021, Section 4.3)."""

    learners: list[str] = Field(
        [
            *("majority", "sign", "lookup", "overlap", "bag_of_words"),
            *("reasoner_1", "reasoner_2", "reasoner_3", "reasoner_4"),
            *("contraposing_reader", "symbolic_reader"),
        ],
        description="learners: majority, sign, lookup, overlap, bag_of_words, reasoner_K (K rounds of chaining),"
        " contraposing_reader, symbolic_reader",
    )
    predictions: list[str] = Field(
        [],
        description="paths of prediction files of further systems (jsonl), such as trained transformers",
    )
    networks: list[NetworkParameters] = Field(
        [], description="networks that the run trains and diagnoses"
    )
    prompts: Annotated[list[str], among("prompt", WITH_CONTEXT)] = Field(
        ["zero_shot", "few_shot"],
        description="prompt styles in which every model that has ``logicnli`` among its benchmarks is asked Test-A:"
        " zero_shot, few_shot, chain_of_thought",
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=64)
    quartets: int | None = Field(
        None,
        ge=1,
        description="number of quartets that models are asked, evenly spaced over the depths; null: all",
    )

    @field_validator("networks")
    @classmethod
    def _distinct(cls, value: list[NetworkParameters]) -> list[NetworkParameters]:
        names = [slug_of_name(network.label) for network in value]
        if len(set(names)) < len(names):
            raise ValueError("two networks have one label")
        return value

    @field_validator("learners")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        known = [
            name for name in cls.model_fields["learners"].default if not name.startswith("reasoner")
        ]
        for name in value:
            if name not in known and not re.fullmatch(r"reasoner_\d+", name):
                raise ValueError(
                    f"there is no learner '{name}'; known are {', '.join(known)} and reasoner_K"
                )
        if len(set(value)) < len(value):
            raise ValueError("a learner is named twice")
        return value


class LogicNLISections(SectionsAside):
    """The section that this benchmark's steps read."""

    logicnli: LogicNLIParameters = LogicNLIParameters()


class LogicNLIRun(RunParameters):
    """What a step of this benchmark reads."""

    benchmarks: LogicNLISections = LogicNLISections()
