"""What ILogicEval is: DivLogicEval's instances, cut into train, validation and test."""

from __future__ import annotations

from divlogic.benchmarks.divlogiceval.parameters import ILogicEvalParameters
from divlogic.benchmarks.spec import Benchmark, Generator
from divlogic.models.answers import Letters

ILOGICEVAL = Benchmark(
    name="ilogiceval",
    title="ILogicEval",
    paper="Anonymous, 2023",
    answers=Letters(4),
    splits=("train", "validation", "test"),
    generator=Generator(
        ILogicEvalParameters,
        audit="benchmarks.divlogiceval.check:audit_choices",
        help="Cut DivLogicEval's instances into ILogicEval's splits.",
        commands={"cut": "benchmarks.divlogiceval.build:write_ilogiceval"},
    ),
)
