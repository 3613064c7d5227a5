"""``divlogic hardening``: make items harder with models."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.llmeval_logic.hardener.item import item_json
from divlogic.benchmarks.llmeval_logic.realise import hard_record
from divlogic.benchmarks.llmeval_logic.seeds import read_seeds
from divlogic.config.command import FOLDER, Commands
from divlogic.hardening.machine import Outcome
from divlogic.hardening.parameters import HardeningRun
from divlogic.io.files import write_csv, write_jsonl
from divlogic.io.log import say

STORES = Path(".divlogic/responses/hardening")
OUTCOMES: tuple[Outcome, ...] = ("accepted", "exhausted", "hard_enough", "no_blueprint")

cli = Commands(
    "hardening",
    "Make items harder with models that play five roles (off by default).",
    {"run": "hardening.cli:write_hardened"},
)


def write_hardened(
    source: Annotated[Path, "--in", "Seeds (jsonl)."],
    *,
    stores: Annotated[Path, FOLDER, "Response stores, one per model (appended to)."] = STORES,
    out: Annotated[Path, "Accepted items (jsonl)."],
    trace: Annotated[Path, "Every step of every item (jsonl)."],
    table: Annotated[Path, "Items by outcome (csv)."],
    params: HardeningRun,
) -> None:
    """Lead the seeds through Decider, Proposal, solver, Review, Answering and Verification.

    Every answer is stored the moment it arrives: a run that was stopped goes on where it was and asks nothing twice.
    """
    from divlogic.hardening.run import harden

    parameters = params.hardening
    seeds = [each for each in read_seeds(source) if not each.item.contradictory][: parameters.items]
    if not parameters.enabled:
        say("hardening.enabled is false: no model is asked.")
    walks = harden(seeds, stores, parameters, params.seed) if parameters.enabled else []
    items = [state.item for state in walks if state.item is not None]
    write_jsonl(out, ({**hard_record(item).to_json(), "formal": item_json(item)} for item in items))
    write_jsonl(
        trace, ({"source": each.source, "outcome": each.outcome, "steps": each.trace} for each in walks)
    )
    counts = Counter(state.outcome for state in walks)
    write_csv(table, ("outcome", "items"), [(name, counts[name]) for name in OUTCOMES])
    say(f"{len(items):,} hard items accepted.")
