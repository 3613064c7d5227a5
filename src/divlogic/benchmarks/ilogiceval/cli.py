"""``divlogic benchmarks ilogiceval``: the step that ILogicEval alone has."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.option import FOLDER, params_option


@click.group("ilogiceval")
def cli() -> None:
    """Cut DivLogicEval's instances into ILogicEval's splits."""


@cli.command()
@click.option("--in", "source", type=FOLDER, required=True, help="Folder of DivLogicEval's splits.")
@click.option("--out", type=FOLDER, required=True, help="Folder of ILogicEval's splits.")
@params_option(BenchmarksRun)
def cut(source: Path, out: Path, params: BenchmarksRun) -> None:
    """Cut the same instances into ILogicEval's train, validation and test splits."""
    from divlogic.benchmarks.ilogiceval.splits import write_ilogiceval

    write_ilogiceval(source, out, params)
