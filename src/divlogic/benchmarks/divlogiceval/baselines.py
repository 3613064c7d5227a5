"""DivLogicEval's own baseline, offered to whoever asks models."""

from __future__ import annotations

from pathlib import Path

from divlogic.models.baselines import Answerer, Baseline, several


def _symbolic_reader(records: str | list[str], groups: str | None = None) -> Answerer:
    from divlogic.benchmarks.divlogiceval.symbolic_reader import SymbolicReader

    return SymbolicReader([Path(path) for path in several(records)], Path(groups) if groups else None)


BASELINES = (
    Baseline(
        "symbolic_reader",
        _symbolic_reader,
        needs=("records", "groups"),
        optional=("groups",),
        code=(Path(__file__).with_name("symbolic_reader.py"),),
    ),
)
