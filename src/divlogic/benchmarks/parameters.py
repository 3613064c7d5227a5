"""The section ``benchmarks`` of params.yaml: the section of each generated benchmark, as the registry has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field, create_model

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.section import RunParameters, Section
from divlogic.sentences.parameters import SentencesParameters


class AuditParameters(Section):
    """Label audit: labels derived again from the symbolic forms that benchmarks carry."""

    solver_seconds: float = Field(
        2.0,
        gt=0,
        description="limit of Z3 for one label, in seconds of a usual machine, counted as units of work",
    )


if TYPE_CHECKING:

    class BenchmarksParameters(Section):
        """The benchmarks that are generated; each has its own section under its name."""

        audit: AuditParameters = AuditParameters()

        def __getattr__(self, name: str) -> Any: ...

else:
    _sections: dict[str, Any] = {
        one.name: (one.generator.parameters, one.generator.parameters())
        for one in BENCHMARKS
        if one.generator is not None
    }
    BenchmarksParameters = create_model(
        "BenchmarksParameters",
        __base__=Section,
        __module__=__name__,
        __doc__="The benchmarks that are generated, and the audit of labels.",
        **_sections,
        audit=(AuditParameters, AuditParameters()),
    )


class BenchmarksRun(RunParameters):
    """What a step of this phase reads: the run's parameters and the section ``benchmarks``."""

    benchmarks: BenchmarksParameters = BenchmarksParameters()


class ReleaseRun(BenchmarksRun):
    """What tells of the making of the sentences too: a release, and the yield."""

    sentences: SentencesParameters = SentencesParameters()
