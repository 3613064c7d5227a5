"""What DivLogicEval is, with its symbolic twin s-DivLogicEval."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.divlogiceval.parameters import DivLogicEvalParameters
from divlogic.benchmarks.spec import DIVERGENCE_TABLE, Audit, Benchmark, Generator, ReleaseFacts
from divlogic.models.answers import Letters

if TYPE_CHECKING:
    from click import Command

    from divlogic.models.baselines import Baseline


def _draw(out: Path, *, shard: int, shards: int, run: Any) -> int:
    from divlogic.benchmarks.divlogiceval.build import write_symbolic

    return write_symbolic(out, shard, shards, run)


def _realise(
    drawn: Path, *, shard: int, inputs: Mapping[str, Path], out: Path, counts: Path, run: Any
) -> int:
    from divlogic.benchmarks.divlogiceval.build import read_plan, write_worded

    return write_worded(drawn, shard, inputs["groups"], read_plan(inputs["plan"]), out, counts, run)


def _verify(records: Path, report: Path) -> object:
    from divlogic.benchmarks.divlogiceval.check import write_report

    return write_report(records, report)


def _audit(seconds: float) -> Audit:
    from divlogic.benchmarks.divlogiceval.facts import audit_choices

    return audit_choices


def _commands() -> Command:
    from divlogic.benchmarks.divlogiceval.cli import cli

    return cli


def _baselines() -> tuple[Baseline, ...]:
    from divlogic.benchmarks.divlogiceval.reader import BASELINES

    return BASELINES


def _in_order(row: Mapping[str, Any]) -> tuple[int, str]:
    from divlogic.benchmarks.divlogiceval.build import in_order

    return in_order(row)


def _release() -> ReleaseFacts:
    from divlogic.benchmarks.divlogiceval.facts import RELEASE

    return RELEASE


DIVLOGICEVAL = Benchmark(
    name="divlogiceval",
    title="DivLogicEval",
    paper="Chung et al., 2025",
    answers=Letters(4),
    splits=("test", "unpolished"),
    generator=Generator(
        DivLogicEvalParameters,
        draw=_draw,
        realise=_realise,
        verify=_verify,
        inputs=("groups", "plan"),
        audit=_audit,
        twins={"s-divlogiceval": "s-DivLogicEval"},
        commands=_commands,
        order=_in_order,
    ),
    release=_release,
    tables=(DIVERGENCE_TABLE,),
    baselines=_baselines,
)
