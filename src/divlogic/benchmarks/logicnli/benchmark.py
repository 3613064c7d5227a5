"""What LogicNLI is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.logicnli.parameters import LogicNLIDiagnosisParameters, LogicNLIParameters
from divlogic.benchmarks.logicnli.reader import LABELS, logicnli, logicnli_rows
from divlogic.benchmarks.logicnli.set_names import SETS, spaced_groups
from divlogic.benchmarks.spec import (
    DIVERGENCE_TABLE,
    Asked,
    Audit,
    Benchmark,
    Format,
    Generator,
    PaperTable,
    Part,
    Published,
    ReleaseFacts,
)
from divlogic.models.answers import Labels

if TYPE_CHECKING:
    from click import Command


def _audit(seconds: float) -> Audit:
    from divlogic.benchmarks.logicnli.facts import LogicNLIAudit

    return LogicNLIAudit()


def _draw(out: Path, *, shard: int, shards: int, run: Any) -> int:
    from divlogic.benchmarks.logicnli.build import write_drawn

    section = run.benchmarks.logicnli
    return write_drawn(out, shard, shards, seed=run.seed, parameters=section, corpus_source=run.corpus_source)


def _realise(
    drawn: Path, *, shard: int, inputs: Mapping[str, Path], out: Path, counts: Path, run: Any
) -> int:
    from divlogic.benchmarks.logicnli.build import write_realised

    return write_realised(drawn, out, seed=run.seed, parameters=run.benchmarks.logicnli, counts=counts)


def _verify(records: Path, report: Path) -> object:
    from divlogic.benchmarks.logicnli.check import confirm

    return confirm((records,), out=report)


def _commands() -> Command:
    from divlogic.config.command import Commands

    return Commands(
        "logicnli",
        "Put the sets of LogicNLI together and confirm their labels.",
        {
            "sets": "benchmarks.logicnli.build:write_sets",
            "describe": "benchmarks.logicnli.describe:write_description",
            "profile": "benchmarks.logicnli.describe:write_profile",
            "confirm": "benchmarks.logicnli.check:confirm",
            "confirmed": "benchmarks.logicnli.check:merge_reports",
        },
    )


def _release() -> ReleaseFacts:
    from divlogic.benchmarks.logicnli.facts import RELEASE

    return RELEASE


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
        draw=_draw,
        realise=_realise,
        verify=_verify,
        records="logicnli_generated",
        title="LogicNLI (generated)",
        audit=_audit,
        commands=_commands,
    ),
    published=(
        Published(
            "logicnli",
            "LogicNLI",
            (
                Part("logicnli", ("LogicNLI_sim/test_language.json",), "test", 2000),
                Part(
                    "logicnli", ("LogicNLI_sim/dev_language.json",), "dev instead of test", 2000, exact=False
                ),
                Part(
                    "logicnli",
                    ("LogicNLI_sim/train_language.json",),
                    "train instead of test",
                    16_000,
                    exact=False,
                ),
            ),
            _audit,
        ),
    ),
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
    release=_release,
    tables=(DIVERGENCE_TABLE, PaperTable("LogicNLI", "Table 2")),
    asked=Asked(
        parameters=LogicNLIDiagnosisParameters,
        number="quartets",
        choose=spaced_groups,
        if_named=True,
        once=True,
    ),
)
