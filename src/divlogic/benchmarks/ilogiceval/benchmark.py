"""What ILogicEval is: DivLogicEval's instances, cut into train, validation and test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from divlogic.benchmarks.divlogiceval.parameters import ILogicEvalParameters
from divlogic.benchmarks.spec import Audit, Benchmark, Generator
from divlogic.models.answers import Letters

if TYPE_CHECKING:
    from click import Command


def _audit(seconds: float) -> Audit:
    from divlogic.benchmarks.divlogiceval.facts import audit_choices

    return audit_choices


def _commands() -> Command:
    from divlogic.benchmarks.ilogiceval.cli import cli

    return cli


ILOGICEVAL = Benchmark(
    name="ilogiceval",
    title="ILogicEval",
    paper="Anonymous, 2023",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    generator=Generator(ILogicEvalParameters, audit=_audit, commands=_commands),
)
