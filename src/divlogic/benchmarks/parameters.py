"""The section ``benchmarks`` of params.yaml: the section of each generated benchmark, as the registry has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, create_model

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.section import Name, RunParameters, Section
from divlogic.sentences.parameters import SentencesParameters


class AuditParameters(Section):
    """Label audit: labels derived again from the symbolic forms that benchmarks carry."""

    solver_seconds: float = Field(
        2.0,
        gt=0,
        description="limit of Z3 for one label, in seconds of a usual machine, counted as units of work",
    )


class VariantParameters(Section):
    """A further set of one generator, in a folder of its own, data/variants/NAME."""

    name: Name = Field(description="name of the folder")
    benchmark: Literal["divlogiceval", "ilogiceval", "justlogic", "logicnli", "llmeval_logic"] = (
        Field(description="the generator")
    )
    size: int = Field(500, ge=1, description="number of items")
    level: int | None = Field(
        None,
        ge=1,
        description="level of difficulty (GALLERY.md); null: the generator's own parameters",
    )
    seed: int = Field(0, ge=0, description="seed; two seeds share no item")
    settings: dict[str, Any] = Field(
        {}, description="parameters of the generator that win over the level's"
    )


def _of_unique_names(variants: list[VariantParameters]) -> list[VariantParameters]:
    names = [variant.name for variant in variants]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{', '.join(twice)}: more than one variant has this name; rename one")
    return variants


Variants = Annotated[list[VariantParameters], AfterValidator(_of_unique_names)]

if TYPE_CHECKING:

    class BenchmarksParameters(Section):
        """The benchmarks that are generated; each has its own section under its name."""

        audit: AuditParameters = AuditParameters()
        variants: Variants = Field([])

        def __getattr__(self, name: str) -> Any: ...

else:
    _models = {one.name: one.generator.parameters for one in BENCHMARKS if one.generator}
    _sections: dict[str, Any] = {name: (model, model()) for name, model in _models.items()}
    BenchmarksParameters = create_model(
        "BenchmarksParameters",
        __base__=Section,
        __module__=__name__,
        __doc__="The benchmarks that are generated, and the audit of labels.",
        **_sections,
        audit=(AuditParameters, AuditParameters()),
        variants=(Variants, Field([], description="further sets, made beside the run's own")),
    )


class BenchmarksRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``benchmarks``."""

    benchmarks: BenchmarksParameters = BenchmarksParameters()


class ReleaseRun(BenchmarksRun):
    """What a release tells of: the making of the sentences too."""

    sentences: SentencesParameters = SentencesParameters()
