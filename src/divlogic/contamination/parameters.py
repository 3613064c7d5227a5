"""The section ``contamination`` of params.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.section import Label, Section
from divlogic.errors import DivLogicError
from divlogic.models.parameters import (
    AskableModels,
    LimitParameters,
    SamplingParameters,
    distinct_names,
)


class LearnerParameters(Section):
    """A learner that is trained and asked."""

    kind: Literal["bag_of_words", "encoder", "causal"] = Field(
        "bag_of_words",
        description="bag_of_words: words alone, in a second; encoder, causal: a network, which needs the environment of"
        " `make env-learner`",
    )
    label: Label | None = Field(
        None, description="what it is called in tables; null: its kind or its model"
    )
    model: str | None = Field(
        None,
        min_length=1,
        description="weights of a network: minilm-l6-v2, smollm2-135m, a folder, a GGUF file or a name of the hub;"
        " null: the first of these for encoders, the second for causal models",
    )
    adaptation: Literal["full", "lora"] = Field(
        "full",
        description="causal models: train all weights but the embeddings, or low-rank additions",
    )
    rank: int = Field(16, ge=1, le=512, description="rank of the low-rank additions")
    rate: float = Field(1e-4, gt=0, le=1, description="learning rate of AdamW")
    batch: int = Field(8, ge=1, le=4096, description="texts per step")
    longest: int = Field(
        512,
        ge=16,
        le=131072,
        description="tokens of a text; longer ones are cut at their beginning",
    )
    steps_kept: int = Field(
        50, ge=1, description="steps of training after which a checkpoint is written"
    )
    seeds: int | None = Field(
        None, ge=1, le=100, description="number of trainings; null: `contamination.seeds`"
    )

    @property
    def name(self) -> str:
        """What it is called in tables."""
        return self.label or (self.kind.replace("_", " ") if self.model is None else self.model)


def ascending(least: int) -> AfterValidator:
    """Return the check of numbers that ascend from ``least`` or more."""

    def check(value: list[int]) -> list[int]:
        if value != sorted(set(value)) or min(value, default=least) < least:
            raise ValueError(f"the numbers ascend from {least} on")
        return value

    return AfterValidator(check)


class LearnabilityParameters(Section):
    """Learning curves of learners that do not reason (`snakemake results/contamination/learnability.csv`)."""

    sizes: Annotated[list[int], ascending(8)] = Field(
        [100, 300, 1000, 3000],
        min_length=1,
        description="numbers of training instances per question type",
    )
    tested: int = Field(600, ge=4, description="instances per question type that are asked")
    passes: int = Field(
        2,
        ge=1,
        description="passes of networks over the training instances (`divlogic contamination learn`)",
    )


class TransferParameters(Section):
    """Training on generated instances before questions on texts of people (ILogicEval, Table 1)."""

    reading: str | None = Field(
        None,
        description="questions on texts to train on in the run (jsonl of `divlogic benchmarks import`); null: what was"
        " recorded is shown",
    )
    test: str | None = Field(
        None, description="questions to test with (jsonl); null: a part of `reading`"
    )
    unlabelled: str | None = Field(
        None,
        description="questions without keys (jsonl), whose answers are written for the server that scores them",
    )
    form: Literal["ilogiceval", "f-ilogiceval", "s-ilogiceval"] = Field(
        "ilogiceval",
        description="f-: without a random 1/3.5 of the instances with more than five variables; s-: formulas in the"
        " place of sentences",
    )

    label: Label = Field("MiniLM-L6", description="what the encoder is called in tables")
    model: str | None = Field(
        None,
        min_length=1,
        description="encoder: a folder of `transformers` or a name of the hub; null: minilm-l6-v2",
    )
    pretrain: int = Field(600, ge=1, description="generated instances to train on first")
    pretrain_passes: int = Field(2, ge=1, description="passes over them")
    held_out: int = Field(150, ge=1, description="generated instances to test with")
    finetune: int = Field(
        600, ge=1, description="questions to train on afterwards, and in the arm without the first"
    )
    finetune_passes: int = Field(3, ge=1, description="passes over them")
    tested: int = Field(600, ge=1, description="questions to test with")
    rate: float = Field(0.0001, gt=0, le=1, description="learning rate of AdamW")
    warm_up: float = Field(
        0.0, ge=0, lt=1, description="share of the steps over which the rate rises from 0"
    )
    judged: int | None = Field(
        None,
        ge=1,
        description="steps after which the encoder is asked the generated instances held out, or the questions to test"
        " with; the best weights stay. null: the last ones",
    )
    batch: int = Field(8, ge=1, le=4096, description="questions per step")
    longest: int = Field(
        256,
        ge=16,
        le=4096,
        description="tokens of a passage with one option; of longer ones the longer text is cut",
    )
    steps_kept: int = Field(
        25, ge=1, description="steps of training after which a checkpoint is written"
    )
    seeds: int = Field(
        2, ge=1, le=100, description="number of trainings of each arm, each with another seed"
    )


class ContaminationParameters(Section):
    """What training on the sources of a benchmark, or on the benchmark itself, does to its scores."""

    learners: list[LearnerParameters] = Field(
        [LearnerParameters()],
        description="learners that are trained on pairs (Table 5) and on leaked instances",
    )
    seeds: int = Field(3, ge=1, le=100, description="number of trainings, each with another seed")
    passes: Annotated[list[int], ascending(1)] = Field(
        [1, 10],
        min_length=1,
        description="passes over the training pairs after which learners are asked",
    )
    train_pairs: int = Field(
        600, ge=3, description="pairs of natural language inference to train on"
    )
    test_pairs: int = Field(450, ge=3, description="pairs to test with")
    instances: int | None = Field(
        150,
        ge=1,
        description="instances of DivLogicEval asked for Table 5, evenly spaced over the question types; null: all of"
        " the test split",
    )
    leaked: int = Field(
        48,
        ge=4,
        description="instances of the test split that are trained on; as many others and fresh ones are asked",
    )
    leak_passes: int = Field(10, ge=1, description="passes over the leaked instances")
    models: AskableModels = Field(
        [], description="models that fill in masked options (TS-Guessing); they are not trained"
    )
    guessed: int | None = Field(
        300,
        ge=1,
        description="instances of the test split that these models are asked, evenly spaced over the question types;"
        " null: all",
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=64)
    limits: LimitParameters = LimitParameters()
    learnability: LearnabilityParameters = LearnabilityParameters()
    transfer: TransferParameters = TransferParameters()
    resamples: int = Field(1000, ge=1, description="number of bootstrap resamples per interval")

    def learner(self, name: str) -> LearnerParameters:
        """Return the learner of a name."""
        known = {learner.name: learner for learner in self.learners}
        if name not in known:
            raise DivLogicError(
                f"'{name}' is not a learner of the parameters (known: {', '.join(known) or 'none'}); add it to"
                " contamination.learners."
            )
        return known[name]

    @field_validator("learners")
    @classmethod
    def _distinct_learners(cls, value: list[LearnerParameters]) -> list[LearnerParameters]:
        distinct_names([learner.name for learner in value], "learners")
        return value


class ContaminationRun(BenchmarksRun):
    """The parameters of this phase, and of the benchmarks what draws fresh instances."""

    contamination: ContaminationParameters = ContaminationParameters()
