"""What JustLogic is: the authors' data set and this project's generator of the same construction."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters, JustLogicQuestionParameters
from divlogic.benchmarks.justlogic.reader import LABELS, justlogic
from divlogic.benchmarks.spec import (
    COMPLEXITY_TABLE,
    PRIOR_KNOWLEDGE_TABLE,
    Asked,
    Audit,
    Benchmark,
    Format,
    Generator,
    Part,
    Published,
    ReleaseFacts,
)
from divlogic.models.answers import TRUTH_HINT, Labels

if TYPE_CHECKING:
    from click import Command


def _audit_published(seconds: float) -> Audit:
    from divlogic.benchmarks.justlogic.reader import audit_justlogic

    return audit_justlogic


def _audit_generated(seconds: float) -> Audit:
    from divlogic.benchmarks.justlogic.check import audit_arguments

    return audit_arguments


def _draw(out: Path, *, shard: int, shards: int, run: Any) -> int:
    from divlogic.benchmarks.justlogic.draw import write_drawn

    section = run.benchmarks.justlogic
    return write_drawn(out, shard, shards, seed=run.seed, parameters=section, corpus_source=run.corpus_source)


def _realise(
    drawn: Path, *, shard: int, inputs: Mapping[str, Path], out: Path, counts: Path, run: Any
) -> int:
    from divlogic.benchmarks.justlogic.realise import write_realised

    return write_realised(drawn, inputs, out, counts, seed=run.seed, parameters=run.benchmarks.justlogic)


def _order(row: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return the place of a record: the depths take turns in each split.

    Raises:
        ValueError: the record has no depth, or its id does not end with a number.
    """
    if not isinstance(row.get("depth"), int):
        raise ValueError("it has no depth")
    return JUSTLOGIC.splits.index(row["split"]), int(row["id"].rpartition("-")[2]), row["depth"]


def _verify(records: Path, report: Path) -> object:
    from divlogic.benchmarks.justlogic.check import write_report

    return write_report(records, report)


def _commands() -> Command:
    from divlogic.benchmarks.justlogic.cli import cli

    return cli


def _release() -> ReleaseFacts:
    from divlogic.benchmarks.justlogic.facts import RELEASE

    return RELEASE


JUSTLOGIC = Benchmark(
    name="justlogic",
    title="JustLogic",
    paper="Chen et al., 2025",
    answers=Labels(LABELS, TRUTH_HINT),
    splits=("train", "validation", "test"),
    generator=Generator(
        JustLogicParameters,
        draw=_draw,
        realise=_realise,
        verify=_verify,
        inputs=("statements",),
        records="justlogic_generated",
        title="JustLogic (generated)",
        audit=_audit_generated,
        commands=_commands,
        order=_order,
    ),
    published=(
        Published(
            "justlogic",
            "JustLogic",
            (
                Part("justlogic", ("test_dataset.csv",), "test", 1050),
                Part("justlogic", ("validate_dataset.csv",), "validation instead of test", 1050, exact=False),
            ),
            _audit_published,
        ),
    ),
    formats=(
        Format(
            "justlogic",
            "JustLogic CSV (ISO-8859-1)",
            ("paragraph", "conclusion", "arg", "statements"),
            justlogic,
            encoding="iso-8859-1",
        ),
    ),
    release=_release,
    tables=(COMPLEXITY_TABLE, PRIOR_KNOWLEDGE_TABLE),
    asked=Asked(parameters=JustLogicQuestionParameters),
)
