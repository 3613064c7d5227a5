"""The steps that LogicNLI alone has: ``divlogic benchmarks logicnli``."""

from __future__ import annotations

from pathlib import Path

import click

_FILE = click.Path(path_type=Path, dir_okay=False)
_FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group("logicnli")
def cli() -> None:
    """Put the sets of LogicNLI together and confirm their labels."""


@cli.command("sets")
@click.argument("realised", type=_FILE, nargs=-1, required=True)
@click.option("--out", type=_FOLDER, required=True, help="Folder of the sets.")
def sets_step(realised: tuple[Path, ...], out: Path) -> None:
    """Put the REALISED shards, in order, together into one file per set."""
    from divlogic.benchmarks.logicnli.build import write_sets

    write_sets(realised, out)


@cli.command("confirm")
@click.argument("records", type=_FILE, nargs=-1, required=True)
@click.option("--out", type=_FILE, required=True, help="Report (json).")
def confirm_step(records: tuple[Path, ...], out: Path) -> None:
    """Read every text of the RECORDS back and confirm every label with Z3, twice where they claim it."""
    from divlogic.benchmarks.logicnli.verify import write_report

    write_report(records, out)
