"""The few numbers of what was made that `dvc metrics diff` compares between two runs; other phases write their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from divlogic.io.files import write_json
from divlogic.paper.findings import read_findings


def write_metrics(out: Path, findings: Path) -> None:
    """Write instances, yield and disagreements.

    Args:
        out: where they go (JSON).
        findings: what `divlogic paper findings` wrote.
    """
    write_json(out, {"benchmarks": _benchmarks(read_findings(findings))})


def _benchmarks(found: dict[str, Any]) -> dict[str, Any]:
    freely = found["worded_freely"]["share"]
    return {
        "instances": {one["name"]: one["total"] for one in found["made"]},
        "yield": {
            one["split"]: round(one["made"] / one["wanted"], 4) for one in found["plan"] if one["wanted"]
        },
        "disagreements": found["confirmed"]["disagreements"],
        "unsupported_if_worded_freely": None if freely is None else round(freely, 4),
    }
