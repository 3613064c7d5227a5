"""``divlogic hardening``: make items harder with models."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE, FOLDER, params_option
from divlogic.hardening.parameters import HardeningRun


@click.group("hardening")
def cli() -> None:
    """Make items harder with models that play five roles (off by default)."""


@cli.command("run")
@click.option("--in", "source", type=FILE, required=True, help="Seeds (jsonl).")
@click.option(
    "--stores",
    type=FOLDER,
    default=".divlogic/responses/hardening",
    show_default=True,
    help="Response stores, one per model (appended to).",
)
@click.option("--out", type=FILE, required=True, help="Accepted items (jsonl).")
@click.option("--trace", type=FILE, required=True, help="Every step of every item (jsonl).")
@click.option("--table", type=FILE, required=True, help="Items by outcome (csv).")
@params_option(HardeningRun)
def run_step(source: Path, stores: Path, out: Path, trace: Path, table: Path, params: HardeningRun) -> None:
    """Lead the seeds through Decider, Proposal, solver, Review, Answering and Verification.

    Every answer is stored the moment it arrives: a run that was stopped goes on where it was and asks nothing twice.
    """
    from divlogic.hardening.run import write_hardened
    from divlogic.io.log import say

    accepted = write_hardened(source, stores, out, trace, table, params.hardening, params.seed)
    say(f"{accepted:,} hard items accepted.")
