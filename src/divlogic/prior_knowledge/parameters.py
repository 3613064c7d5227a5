"""The section ``prior_knowledge`` of params.yaml."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from divlogic.benchmarks.registry import baseline_names
from divlogic.config.section import RunParameters, Section
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    among,
    askable,
)
from divlogic.models.styles import CLOSED


class ProbeParameters(Section):
    """The classifier that learns what the questions alone give away."""

    folds: int = Field(4, ge=2, le=100, description="folds of the cross-validation")
    regularisation: float = Field(
        1.0, gt=0, description="inverse strength C of the logistic regression's penalty"
    )
    word_ngrams: int = Field(2, ge=1, le=5, description="longest word n-gram")
    char_ngrams: int = Field(3, ge=2, le=8, description="longest character n-gram (from 2 on)")
    min_count: int = Field(
        2, ge=1, description="smallest number of questions in which an n-gram occurs"
    )
    most_instances: int | None = Field(
        4000,
        ge=50,
        description="maximum number of instances for the probe, evenly spaced over question types and"
        " depths; null: all",
    )


class ShortcutParameters(Section):
    """The listwise probes that look for shortcuts."""

    folds: int = Field(
        3,
        ge=2,
        le=20,
        description="folds of the cross-validation; 2 where there are 2,000 instances or more",
    )
    repeats: int = Field(
        3,
        ge=1,
        le=100,
        description="deals of the folds over which a learner's accuracy is averaged; 1 where there are 2,000 instances"
        " or more",
    )
    most_instances: int = Field(
        3000,
        ge=50,
        description="maximum number of instances of each question type of a published benchmark, evenly spaced over the"
        " depths",
    )
    least_instances: int = Field(
        50, ge=20, description="smallest number of instances for which a type gets a row"
    )
    least_judged: int = Field(
        3000,
        ge=100,
        description="instances from which an interval must end below its limit; that of 200 or more must begin there",
    )
    options: float = Field(
        28.0,
        ge=0,
        le=100,
        description="limit of benchmarks with four options, in percent; it holds for what their construction excludes",
    )
    labels: float = Field(
        38.0, ge=0, le=100, description="limit of benchmarks with three labels, in percent"
    )
    enforce: bool = Field(
        True, description="stop the run if a limit is exceeded for a balanced benchmark"
    )


class AdversaryParameters(Section):
    """The learner on counts that are made from the formulas, for leaks that nobody has thought of."""

    rounds: int = Field(2, ge=0, le=6, description="largest number of rounds of derivation")
    instances: int = Field(
        600,
        ge=50,
        description="maximum number of instances of each benchmark, construction and question type, in whole groups,"
        " evenly spaced over the depths",
    )
    least_instances: int = Field(
        50, ge=20, description="smallest number of instances for which a view gets a row"
    )
    repeats: int = Field(
        2, ge=1, le=100, description="deals of the folds over which an accuracy is averaged"
    )


class PriorKnowledgeParameters(Section):
    """Answers without a context, against guessing."""

    probe: ProbeParameters = ProbeParameters()
    adversary: AdversaryParameters = AdversaryParameters()
    shortcuts: ShortcutParameters = ShortcutParameters()
    prompts: Annotated[list[str], among("prompt", CLOSED)] = Field(
        ["question_only"], description=f"prompt styles: {', '.join(CLOSED)}"
    )
    models: Annotated[list[ModelParameters], askable(CLOSED, baseline_names())] = Field(
        [], description="models to run (Inspect's names)"
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=256)
    limits: LimitParameters = LimitParameters()
    instances: int | None = Field(300, ge=1, description="number of instances per model; null: all")
    resamples: int = Field(1000, ge=100, description="number of bootstrap resamples per interval")
    level: float = Field(
        0.05,
        gt=0,
        lt=1,
        description="significance level: a benchmark with a smaller p-value counts as not independent",
    )
    least_instances: int = Field(
        100, ge=1, description="number of instances below which a benchmark gets no verdict"
    )


class PriorKnowledgeRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``prior_knowledge``."""

    prior_knowledge: PriorKnowledgeParameters = PriorKnowledgeParameters()
