"""The section ``evaluation`` of params.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, create_model, field_validator

from divlogic.benchmarks.registry import BENCHMARKS, baseline_names
from divlogic.config.section import Label, Name, RunParameters, Section
from divlogic.models import parameters
from divlogic.models.styles import ROTATED

IMPORTED = Path("data/imported")

Recordings = Annotated[tuple[Path, ...], "Report on recorded answers, for the note; repeatable."]
"""Type of the option ``--recordings``: the reports of steps that read recorded answers."""

ROTATED_SETS = dict.fromkeys(("divlogiceval", "s-divlogiceval"), "unpolished")
ROTATED_SETS |= dict.fromkeys(("ilogiceval", "s-ilogiceval"), "train")
"""Benchmarks whose test sets are asked whole -> the split of their own that examples come from."""


def collected_names(published: bool = True) -> tuple[str, ...]:
    """Return the names of all benchmarks that a collection may hold: generated, published (if wanted), imported."""
    names = dict.fromkeys(ROTATED_SETS)
    for one in BENCHMARKS:
        if one.generator:
            names |= dict.fromkeys((one.generated_name, *one.generator.twins))
        names |= dict.fromkeys(each.name for each in one.published if published)
    return tuple(names | dict.fromkeys(imported_names()))


def imported_names() -> list[str]:
    """Return the names of the imported benchmarks."""
    return [path.name.partition(".")[0] for path in sorted(IMPORTED.glob("[!.]*.jsonl*"))]


class LLMEvalLogicEvaluationParameters(Section):
    """LLMEval-Logic's tracks (paper, Section 2.3)."""

    models: parameters.AskableModels = Field(
        [],
        description="models that answer LLMEval-Logic; an empty list: only the reference answers and the baselines",
    )
    tracks: list[Literal["answer", "formalise_free", "formalise_fixed"]] = Field(
        ["answer", "formalise_free", "formalise_fixed"], description="tracks to be run"
    )
    language: Literal["zh", "en"] = Field(
        "zh", description="language of the prompts; published items have `zh` only"
    )
    single_questions: bool = Field(
        False,
        description="ask each question of a generated Base item by itself, too: the paper's Base items have one",
    )
    runs: int = Field(3, ge=1, le=100, description="independent runs per model; the paper has 3")
    order: Literal["corrected", "as_published"] = Field(
        "corrected",
        description="rules of the rubric: this project's, or those of the released scorer",
    )
    sampling: parameters.SamplingParameters = parameters.SamplingParameters(
        temperature=0.7, max_tokens=4096
    )
    judges: parameters.AskableModels = Field(
        [],
        description="models that judge what stays open; the first decides, all enter the agreement; none: `not judged`",
    )
    judge_sampling: parameters.SamplingParameters = parameters.SamplingParameters(
        temperature=0.0, max_tokens=2048
    )
    judge_sample: int = Field(
        100,
        ge=1,
        description="number of items whose open points all judges decide, for their agreement",
    )
    resamples: int = Field(1000, ge=100, description="number of bootstrap resamples per interval")


class ReplayParameters(Section):
    """Answers that others recorded, to stand in the tables."""

    file: str = Field(description="path of the recording")
    format: Literal["ilogiceval", "inspect", "predictions", "justlogic"] = Field(
        description="format of the recording; `justlogic` recordings go into JustLogic's table"
    )
    model: Label | None = Field(
        None,
        description="model that made the predictions; null: as named in the file, or the file name",
    )
    prompt: str = Field("zero_shot", description="prompt style, if the file does not name it")
    run: int = Field(0, ge=0, description="number of the run, if the file does not name it")


class _Questions(Section):
    """What comes first in the section: DivLogicEval's questions, and who is asked."""

    benchmarks: list[Name] = Field(
        ["divlogiceval", "s-divlogiceval"],
        description="benchmarks of the collection to be answered in all rotations: generated, published (in full runs)"
        " or imported ones with two to ten options",
    )
    prompts: Annotated[list[str], parameters.among("prompt", ROTATED)] = Field(
        ["zero_shot", "three_shot", "zero_shot_nolr"],
        description=f"prompt styles: {', '.join(ROTATED)}",
    )
    models: Annotated[
        list[parameters.ModelParameters], parameters.askable(baselines=baseline_names())
    ] = Field(
        [
            parameters.ModelParameters(name="baseline/uniform", prompts=["zero_shot"], runs=5),
            *(
                parameters.ModelParameters(
                    name=f"baseline/{name}", prompts=["zero_shot"], benchmarks=["divlogiceval"]
                )
                for name in ("position", "majority", "overlap", "hypothesis_only", "ranker")
            ),
            parameters.ModelParameters(name="baseline/symbolic_reader", prompts=["zero_shot"]),
        ],
        description="models to be run",
    )
    runs: int = Field(1, ge=1, le=100, description="independent runs per model and prompt")
    sampling: parameters.SamplingParameters = parameters.SamplingParameters()

    @field_validator("benchmarks")
    @classmethod
    def _known_benchmarks(cls, value: list[str]) -> list[str]:
        return parameters.known_names("benchmark", collected_names(), value)


if TYPE_CHECKING:

    class _Sections(_Questions):
        def __getattr__(self, name: str) -> Any: ...

else:
    _Sections = create_model(
        "_Sections",
        __base__=_Questions,
        __module__=__name__,
        **{
            one.name: (one.asked.parameters, one.asked.parameters())
            for one in sorted(BENCHMARKS, key=lambda one: one.name)
            if one.asked is not None
        },
    )


class EvaluationParameters(_Sections):
    """Rotations, model runs and scores (DivLogicEval, Sections 2.2 and 4)."""

    llmeval_logic: LLMEvalLogicEvaluationParameters = LLMEvalLogicEvaluationParameters()
    limits: parameters.LimitParameters = parameters.LimitParameters()
    replays: list[ReplayParameters] = Field(
        [], description="recorded predictions that are scored in addition to the models"
    )
    resamples: int = Field(1000, ge=100, description="number of bootstrap resamples per interval")
    none_outcome: Literal["fifth", "excluded"] = Field(
        "fifth",
        description="how an answer that names no option enters PC in Figure 2 and in paired tests: as a fifth"
        " outcome, or not at all; the tables show both",
    )

    def asks(self, model: parameters.ModelParameters, benchmark: str, prompt: str) -> bool:
        """Return whether a model answers rotations: whether their prompt style and benchmark are the model's."""
        prompts = self.prompts if model.prompts is None else model.prompts
        return prompt in prompts and (model.benchmarks is None or benchmark in model.benchmarks)


class EvaluationRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``evaluation``."""

    evaluation: EvaluationParameters = EvaluationParameters()

    @property
    def bootstrap(self) -> dict[str, int]:
        """Return seed and number of resamples of every interval, as keyword arguments."""
        return {"seed": self.seed, "resamples": self.evaluation.resamples}
