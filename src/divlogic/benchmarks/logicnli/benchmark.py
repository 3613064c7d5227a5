"""What LogicNLI is."""

from __future__ import annotations

from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters, LogicNLIParameters
from divlogic.benchmarks.logicnli.reader import logicnli, logicnli_rows
from divlogic.benchmarks.logicnli.set_names import SETS, spaced_groups
from divlogic.benchmarks.logicnli.theories import LABELS
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Asked, Benchmark, Format, Generator, PaperTable, Part
from divlogic.models.answers import Labels

_ROOM = "benchmarks.logicnli"
_AUDIT = f"{_ROOM}.check:audit_logicnli"

_HINT = (
    "Say 'entailment' if the statement follows from the passage, 'contradiction' if its opposite follows, 'neutral' if"
    " neither follows, and 'self_contradiction' if both follow. Apply the rules from premise to conclusion only, and"
    " take nothing to be false that is not said or derived to be."
)

LOGICNLI = Benchmark(
    name="logicnli",
    title="LogicNLI",
    paper="Tian et al., 2021",
    answers=Labels(LABELS, hint=_HINT),
    splits=SETS,
    generator=Generator(
        LogicNLIParameters,
        draw=f"{_ROOM}.draw:drawn",
        realise=f"{_ROOM}.realise:worded",
        verify=f"{_ROOM}.check:write_report",
        records="logicnli_generated",
        title="LogicNLI (generated)",
        audit=_AUDIT,
        help="Put the sets of LogicNLI together and confirm their labels.",
        commands={
            "sets": f"{_ROOM}.build:write_sets",
            "describe": f"{_ROOM}.describe:write_description",
            "profile": f"{_ROOM}.describe:write_profile",
            "count": f"{_ROOM}.describe:write_counts",
            "confirm": f"{_ROOM}.check:confirm",
            "confirmed": f"{_ROOM}.check:merge_reports",
        },
    ),
    parts=(
        Part("logicnli", ("LogicNLI_sim/test_language.json",), "test", 2000),
        Part("logicnli", ("LogicNLI_sim/dev_language.json",), "dev instead of test", 2000, exact=False),
        Part("logicnli", ("LogicNLI_sim/train_language.json",), "train instead of test", 16_000, exact=False),
    ),
    audit=_AUDIT,
    formats=(
        Format(
            "logicnli",
            "LogicNLI *_language.json with *_logic.json beside it, or the zip",
            ("facts", "rules", "statements", "labels"),
            logicnli,
            rows=logicnli_rows,
            name_part="_language",
        ),
    ),
    release=f"{_ROOM}.check:RELEASE",
    tables=(DIVERGENCE_TABLE, PaperTable("LogicNLI", "Table 2")),
    asked=Asked(
        parameters=LogicNLIDiagnosisParameters,
        number="quartets",
        choose=spaced_groups,
        if_named=True,
        once=True,
    ),
)
