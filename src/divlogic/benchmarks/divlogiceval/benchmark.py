"""What DivLogicEval is, with its symbolic twin s-DivLogicEval."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.spec import read_benchmark
from divlogic.models.answers import Letters

DIVLOGICEVAL = read_benchmark(
    Path(__file__).with_name("benchmark.yaml"), parameters=DivLogicEvalParameters, answers=Letters(4)
)
