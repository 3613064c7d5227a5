"""The merged sets, and the tables of gates and of the panel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.benchmarks.llmeval_logic.hardener.build import gate_rows, merged, panel_rows, read_tally
from divlogic.benchmarks.llmeval_logic.hardener.forge import GATES
from divlogic.benchmarks.llmeval_logic.hardener.records import hard_record, seed_record
from divlogic.benchmarks.llmeval_logic.schema import require_releasable
from divlogic.benchmarks.llmeval_logic.seeds import read_seeds
from divlogic.io.files import write_jsonl
from divlogic.io.tables import write_listing, write_table

GATE_COLUMNS = ("operator", "strategy", "drawn", *GATES, "duplicate", "kept")
PANEL_COLUMNS = ("solver", "gate", "set", "items", "item_accuracy", "questions", "question_accuracy")
PANEL_NOTE = (
    "Shares that solvers without search answer right. seeds: the scenarios' own questions (carried knows them by"
    " definition). drawn: hard items before the panel's gate. kept: what is released. gate: whether an item that the"
    " solver gets wholly right is refused. all_open reads no premise: what is left to the others above it is reasoning."
)


def write_sets(
    shards: Sequence[Path], counts: Sequence[Path], seeds_file: Path, out: Path, tables: Path
) -> int:
    """Write ``base.jsonl``, ``hard.jsonl``, the tables ``hardening`` and ``panel``; return the hard items.

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
    write_listing(tables / "hardening", GATE_COLUMNS, gates)
    panel = panel_rows(seeds, tallies, items)
    write_table(tables / "panel", PANEL_COLUMNS, panel, PANEL_NOTE)
    return len(items)
