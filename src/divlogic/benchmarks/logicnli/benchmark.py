"""What LogicNLI is."""

from __future__ import annotations

from pathlib import Path

from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters, LogicNLIParameters
from divlogic.benchmarks.logicnli.reader import logicnli, logicnli_rows
from divlogic.benchmarks.logicnli.set_names import SETS, spaced_groups
from divlogic.benchmarks.logicnli.theories import LABELS
from divlogic.benchmarks.spec import Asked, read_benchmark
from divlogic.models.answers import Labels

_HINT = (
    "Say 'entailment' if the statement follows from the passage, 'contradiction' if its opposite follows, 'neutral' if"
    " neither follows, and 'self_contradiction' if both follow. Apply the rules from premise to conclusion only, and"
    " take nothing to be false that is not said or derived to be."
)

LOGICNLI = read_benchmark(
    Path(__file__).with_name("benchmark.yaml"),
    {"logicnli": {"records": logicnli, "rows": logicnli_rows}},
    parameters=LogicNLIParameters,
    answers=Labels(LABELS, hint=_HINT),
    splits=SETS,
    asked=Asked(
        parameters=LogicNLIDiagnosisParameters,
        number="quartets",
        choose=spaced_groups,
        if_named=True,
        once=True,
    ),
)
