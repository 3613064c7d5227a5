"""The few numbers of each phase that `dvc metrics diff` compares between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from divlogic.io.files import write_json
from divlogic.io.tables import read_table
from divlogic.paper.findings import read_findings
from divlogic.paper.measured import read_rows


def write_metrics(out: Path, findings: Path, words: Path, scores: Path) -> None:
    """Write the numbers by phase.

    Args:
        out: where they go (JSON).
        findings: what `divlogic paper findings` wrote.
        words: words per benchmark (table4), without suffix.
        scores: scores of all systems (csv).
    """
    found = read_findings(findings)
    write_json(
        out,
        {
            "benchmarks": _benchmarks(found),
            "diversity": _diversity(words),
            "prior_knowledge": _prior_knowledge(found),
            "evaluation": _evaluation(scores),
        },
    )


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


def _diversity(words: Path) -> dict[str, Any]:
    """Return KL and vocabulary of every benchmark that has them."""
    rows = read_table(words)
    return {
        "kl": {row["benchmark"]: round(row["kl_bits"], 4) for row in rows if row["kl_bits"] is not None},
        "vocabulary": {
            row["benchmark"]: int(row["vocabulary_lower"])
            for row in rows
            if row["vocabulary_lower"] is not None
        },
    }


def _prior_knowledge(found: dict[str, Any]) -> dict[str, Any]:
    best = found["shortcuts"]
    presets = ("as_published", "balanced") if best else ()
    return {"options_only": {name: best[name]["accuracy"] for name in presets}}


def _evaluation(scores: Path) -> dict[str, Any]:
    """Return ACC, CIR and PC of every system on each whole benchmark; PC as the papers' text defines it."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for row in read_rows(scores):
        if row["question_type"] == "all" and row["preset"] != "as_published":
            system = f"{row['model']}, {row['prompt']}"
            found.setdefault(row["benchmark"], {}).setdefault(system, {})[row["metric"]] = float(row["value"])
    return found
