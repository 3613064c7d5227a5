"""The section ``evaluation`` of params.yaml."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator

from divlogic.config.section import Label, Name, RunParameters, Section
from divlogic.models.parameters import (
    LimitParameters,
    ModelParameters,
    SamplingParameters,
    distinct_models,
    known_prompts,
)
from divlogic.models.styles import CLOSED, ROTATED, STYLES


class JustLogicQuestionParameters(Section):
    """JustLogic's questions, put to every model that has ``justlogic`` among its benchmarks or names none."""

    prompts: list[str] = Field(
        ["zero_shot", "few_shot", "chain_of_thought"],
        description="prompt styles: zero_shot, few_shot, chain_of_thought; an empty list asks nothing",
    )
    sampling: SamplingParameters = SamplingParameters(max_tokens=2048)
    instances: int | None = Field(
        None, ge=1, description="number of instances asked, evenly spaced over the test set; null: all"
    )

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return known_prompts(value, [s.name for s in CLOSED.values() if s.context])


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
        [], description="paths of prediction files of further systems (jsonl), such as trained transformers"
    )
    prompts: list[str] = Field(
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

    @field_validator("prompts")
    @classmethod
    def _known_prompts(cls, value: list[str]) -> list[str]:
        return known_prompts(value, [s.name for s in CLOSED.values() if s.context])

    @field_validator("learners")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        known = (
            "majority",
            "sign",
            "lookup",
            "overlap",
            "bag_of_words",
            "contraposing_reader",
            "symbolic_reader",
        )
        for name in value:
            if name not in known and not re.fullmatch(r"reasoner_\d+", name):
                raise ValueError(f"there is no learner '{name}'; known are {', '.join(known)} and reasoner_K")
        if len(set(value)) < len(value):
            raise ValueError("a learner is named twice")
        return value


class LLMEvalLogicEvaluationParameters(Section):
    """LLMEval-Logic's tracks (paper, Section 2.3)."""

    models: list[ModelParameters] = Field(
        [],
        description="models that answer LLMEval-Logic; an empty list: only the reference answers and the baselines",
    )
    tracks: list[Literal["answer", "formalise_free", "formalise_fixed"]] = Field(
        ["answer", "formalise_free", "formalise_fixed"], description="tracks to be run"
    )
    language: Literal["zh", "en"] = Field(
        "zh", description="language of the prompts; published items have `zh` only"
    )
    runs: int = Field(3, ge=1, le=100, description="independent runs per model; the paper has 3")
    order: Literal["corrected", "as_published"] = Field(
        "corrected", description="rules of the rubric: this project's, or those of the released scorer"
    )
    sampling: SamplingParameters = SamplingParameters(temperature=0.7, max_tokens=4096)
    judges: list[ModelParameters] = Field(
        [],
        description="models that judge what stays open; the first decides, all enter the agreement; none: `not judged`",
    )
    judge_sampling: SamplingParameters = SamplingParameters(temperature=0.0, max_tokens=2048)
    judge_sample: int = Field(
        100, ge=1, description="number of items whose open points all judges decide, for their agreement"
    )
    resamples: int = Field(1000, ge=100, description="number of bootstrap resamples per interval")

    @field_validator("models", "judges")
    @classmethod
    def _distinct(cls, value: list[ModelParameters]) -> list[ModelParameters]:
        distinct_models(value)
        return value


class ReplayParameters(Section):
    """Answers that somebody else recorded, to stand in the tables."""

    file: str = Field(description="path of the recording")
    format: Literal["ilogiceval", "inspect", "predictions", "justlogic"] = Field(
        description="format of the recording; `justlogic` recordings go into JustLogic's table"
    )
    model: Label | None = Field(
        None, description="model that made the predictions; null: as named in the file, or the file name"
    )
    prompt: str = Field("zero_shot", description="prompt style, if the file does not name it")
    run: int = Field(0, ge=0, description="number of the run, if the file does not name it")


class EvaluationParameters(Section):
    """Rotations, model runs and scores (DivLogicEval, Sections 2.2 and 4)."""

    benchmarks: list[Name] = Field(
        ["divlogiceval", "s-divlogiceval"], description="benchmarks to be answered"
    )
    prompts: list[str] = Field(
        ["zero_shot", "three_shot", "zero_shot_nolr"], description=f"prompt styles: {', '.join(ROTATED)}"
    )
    models: list[ModelParameters] = Field(
        [
            ModelParameters(name="baseline/uniform", prompts=["zero_shot"], runs=5),
            ModelParameters(name="baseline/position", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/majority", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/overlap", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(
                name="baseline/hypothesis_only", prompts=["zero_shot"], benchmarks=["divlogiceval"]
            ),
            ModelParameters(name="baseline/ranker", prompts=["zero_shot"], benchmarks=["divlogiceval"]),
            ModelParameters(name="baseline/symbolic_reader", prompts=["zero_shot"]),
        ],
        description="models to be run",
    )
    runs: int = Field(1, ge=1, le=100, description="independent runs per model and prompt")
    sampling: SamplingParameters = SamplingParameters()
    justlogic: JustLogicQuestionParameters = JustLogicQuestionParameters()
    logicnli: LogicNLIDiagnosisParameters = LogicNLIDiagnosisParameters()
    llmeval_logic: LLMEvalLogicEvaluationParameters = LLMEvalLogicEvaluationParameters()
    limits: LimitParameters = LimitParameters()
    replays: list[ReplayParameters] = Field(
        [], description="recorded predictions that are scored in addition to the models"
    )
    resamples: int = Field(1000, ge=100, description="number of bootstrap resamples per interval")
    none_outcome: Literal["fifth", "excluded"] = Field(
        "fifth",
        description="how an answer that names no option enters PC in Figure 2 and in paired tests: as a fifth"
        " outcome, or not at all; the tables show both",
    )

    @field_validator("prompts")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        return known_prompts(value, ROTATED)

    @field_validator("models")
    @classmethod
    def _known_of_models(cls, value: list[ModelParameters]) -> list[ModelParameters]:
        for model in value:
            known_prompts(model.prompts or [], STYLES)
        distinct_models(value)
        return value


class EvaluationRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``evaluation``."""

    evaluation: EvaluationParameters = EvaluationParameters()
