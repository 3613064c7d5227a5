"""``divlogic config``: check params.yaml, write its JSON schema."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.cli import params_option
from divlogic.config import Parameters, schema
from divlogic.files import write_json


@click.group("config")
def cli() -> None:
    """Check the parameters and write their schema."""


@cli.command()
@params_option
def check(params: Parameters) -> None:
    """Check params.yaml (or --params) and print the parameters in full."""
    import yaml

    click.echo(yaml.safe_dump(params.model_dump(mode="json"), sort_keys=False, allow_unicode=True), nl=False)


@cli.command("schema")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Where to write the JSON schema.")
def write_schema(out: Path) -> None:
    """Write the JSON schema of params.yaml."""
    write_json(out, schema())
