"""What JustLogic is: the authors' data set and this project's generator of the same construction."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters, JustLogicQuestionParameters
from divlogic.benchmarks.justlogic.reader import LABELS, justlogic
from divlogic.benchmarks.spec import Asked, read_benchmark
from divlogic.models.answers import TRUTH_HINT, Labels

JUSTLOGIC = read_benchmark(
    Path(__file__).with_name("benchmark.yaml"),
    {"justlogic": {"records": justlogic}},
    parameters=JustLogicParameters,
    answers=Labels(LABELS, TRUTH_HINT),
    asked=Asked(parameters=JustLogicQuestionParameters),
)
