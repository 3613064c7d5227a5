"""The merged sets, the tables of gates and of the panel, and the figure of the panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.llmeval_logic.hardener.build import gate_rows, merged, panel_rows, read_tally
from divlogic.benchmarks.llmeval_logic.hardener.forge import GATES
from divlogic.benchmarks.llmeval_logic.hardener.panel import GATE, SOLVERS
from divlogic.benchmarks.llmeval_logic.hardener.records import hard_record, seed_record
from divlogic.benchmarks.llmeval_logic.schema import require_releasable
from divlogic.benchmarks.llmeval_logic.seeds import read_seeds
from divlogic.io.files import write_csv, write_jsonl
from divlogic.io.tables import format_cell, write_table

GATE_COLUMNS = ("operator", "strategy", "drawn", *GATES, "duplicate", "kept")
PANEL_COLUMNS = ("solver", "gate", "set", "items", "item_accuracy", "questions", "question_accuracy")
PANEL_NOTE = (
    "Shares that solvers without search answer right. seeds: the scenarios' own questions (carried knows them by"
    " definition). drawn: hard items before the panel's gate. kept: what is released. gate: whether an item that the"
    " solver gets wholly right is refused."
)
_SETS = ("seeds", "drawn", "kept")


def write_sets(
    shards: Sequence[Path], counts: Sequence[Path], seeds_file: Path, out: Path, tables: Path
) -> int:
    """Write ``base.jsonl``, ``hard.jsonl``, ``hardening.csv``, ``panel.{csv,md,tex,svg,png}``; return the hard items.

    Raises:
        DivLogicError: a file is missing or malformed, or an item derives from a published one.
    """
    seeds = list(read_seeds(seeds_file))
    require_releasable(seed.item for seed in seeds)
    items = merged(shards)
    tallies = [read_tally(path) for path in counts]
    write_jsonl(out / "base.jsonl", (seed_record(seed).to_json() for seed in seeds))
    write_jsonl(out / "hard.jsonl", (hard_record(item).to_json() for item in items))
    gates = gate_rows(tallies, items)
    write_csv(
        tables / "hardening.csv",
        GATE_COLUMNS,
        ([format_cell(row[column]) for column in GATE_COLUMNS] for row in gates),
    )
    panel = panel_rows(seeds, tallies, items)
    write_table(tables / "panel", PANEL_COLUMNS, panel, PANEL_NOTE)
    plot_panel(panel, tables / "panel")
    return len(items)


def plot_panel(rows: Sequence[Mapping[str, Any]], out: Path) -> list[Path]:
    """Draw the share of sub-questions that each solver answers, of seeds and of hard items; return the paths."""
    from matplotlib import pyplot

    from divlogic.io.figures import COLUMN_WIDTH, save_figure, style

    share = {(row["solver"], row["set"]): row["question_accuracy"] for row in rows}
    with style():
        fig, axes = pyplot.subplots(figsize=(COLUMN_WIDTH, 2.2))
        width = 0.26
        for place, name in enumerate(_SETS):
            at = [solver + (place - 1) * width for solver in range(len(SOLVERS))]
            heights = [100 * (share.get((solver, name)) or 0.0) for solver in SOLVERS]
            axes.bar(
                at, heights, width=width, label={"drawn": "hard, drawn", "kept": "hard, kept"}.get(name, name)
            )
        axes.set_xticks(range(len(SOLVERS)))
        axes.set_xticklabels(
            [solver.replace("_", "\n") + ("" if solver in GATE else "\n(no gate)") for solver in SOLVERS]
        )
        axes.set_ylabel("questions right (%)")
        axes.set_ylim(0, 105)
        axes.grid(axis="x", visible=False)
        axes.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.2))
        return save_figure(fig, out)
