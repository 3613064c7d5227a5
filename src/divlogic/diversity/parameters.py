"""The `diversity` section of params.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from divlogic.config.section import RunParameters, Section


class DivergenceParameters(Section):
    """How the distance between a benchmark's words and Wikipedia's is measured."""

    direction: Literal["benchmark_to_reference", "reference_to_benchmark"] = Field(
        "benchmark_to_reference",
        description="KL(benchmark ‖ Wikipedia) or KL(Wikipedia ‖ benchmark)",
    )
    smoothing: float = Field(
        0.1, gt=0, description="added to every count over the union vocabulary (α)"
    )
    base: float = Field(2.0, gt=1, description="base of the logarithm; 2 gives bits")
    tokens: Literal["alphabetic", "lower", "cased"] = Field(
        "alphabetic",
        description="alphabetic: lower-cased tokens of letters a-z only; lower, cased: all tokens",
    )
    scope: Literal["contexts", "distinct_contexts", "instances"] = Field(
        "contexts",
        description="contexts: each as often as an instance has it; distinct_contexts: each once; instances: contexts"
        " with questions and options",
    )
    unit: Literal["token", "text"] = Field(
        "token",
        description="what a subsample draws without replacement: single tokens or whole texts",
    )
    size: int | Literal["smallest"] | str = Field(
        "folio",
        description="tokens in each subsample: a number, `smallest`, or a benchmark, whose token count is taken"
        " (the smallest count if that benchmark is unavailable)",
    )
    repeats: int = Field(
        50, ge=2, description="number of subsamples; their mean and interval are reported"
    )
    confidence: float = Field(
        0.95, gt=0, lt=1, description="share of the subsamples inside the interval"
    )


class SensitivityParameters(Section):
    """The grid of the sensitivity figure."""

    smoothing: list[Annotated[float, Field(gt=0)]] = Field(
        [0.001, 0.01, 0.1, 0.5, 1.0], min_length=1, description="values of α"
    )
    sizes: list[Annotated[int, Field(ge=1)]] = Field(
        [1000, 2000, 4000, 8000, 16000], min_length=1, description="tokens in a subsample"
    )
    repeats: int = Field(20, ge=2, description="subsamples per cell")
    shares: list[Annotated[float, Field(ge=0, le=1)]] = Field(
        [0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.75, 0.9, 1.0],
        min_length=1,
        description="shares of MultiNLI's sentence groups for which DivLogicEval's divergence is measured",
    )


class ReadabilityParameters(Section):
    """Flesch–Kincaid as published: what the authors' measurement rests on."""

    characters: int = Field(
        10_000, ge=1000, description="characters of the joined contexts that are scored"
    )
    separators: dict[str, str] = Field(
        {"clutrr": " "},
        description="string that joins the contexts of a benchmark in `as_published`; the empty string"
        " for those not named",
    )


class TypeTokenParameters(Section):
    """Type–token statistics."""

    segment: int = Field(
        100, ge=10, description="tokens per segment of the mean segmental type–token ratio"
    )
    threshold: float = Field(
        0.72, gt=0, lt=1, description="type–token ratio that ends a factor of MTLD"
    )
    tokens: int = Field(200_000, ge=1000, description="maximum number of tokens that MTLD reads")


class DiversityParameters(Section):
    """Vocabulary, divergence from Wikipedia, readability, and label audit of every benchmark."""

    tokenizer: Literal["nltk", "letters"] = Field(
        "nltk",
        description="nltk: its word tokens; letters: runs of letters, much faster, for very large texts",
    )
    as_published: DivergenceParameters = DivergenceParameters()
    corrected: DivergenceParameters = DivergenceParameters(
        scope="distinct_contexts", unit="text", size="smallest"
    )
    minimum_tokens: int = Field(
        2000,
        ge=1,
        description="number of context tokens below which a benchmark has no divergence: smoothing would decide it",
    )
    sensitivity: SensitivityParameters = SensitivityParameters()
    readability: ReadabilityParameters = ReadabilityParameters()
    type_token: TypeTokenParameters = TypeTokenParameters()


class DiversityRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``diversity``."""

    diversity: DiversityParameters = DiversityParameters()
