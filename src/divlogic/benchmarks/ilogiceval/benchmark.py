"""What ILogicEval is: DivLogicEval's instances, cut into train, validation and test."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.divlogiceval.parameters import ILogicEvalParameters
from divlogic.benchmarks.spec import read_benchmark
from divlogic.models.answers import Letters

ILOGICEVAL = read_benchmark(
    Path(__file__).with_name("benchmark.yaml"), parameters=ILogicEvalParameters, answers=Letters(4)
)
