"""``divlogic benchmarks import``: bring a published benchmark, or your own data set, into records."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.benchmarks.readers.formats import FORMATS
from divlogic.benchmarks.readers.importing import benchmark_name, import_records
from divlogic.config.option import FILE


@click.command("import")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default=None,
    help="Format of the source; recognised from its first row if left out.",
)
@click.option(
    "--name", default=None, help="Benchmark name to give the records (lower-case letters, digits, _)."
)
@click.option("--split", default=None, help="Split to give the records.")
@click.option(
    "--out",
    type=FILE,
    default=None,
    help="Records to write [default: data/imported/NAME.jsonl.gz].",
)
@click.option("--strict", is_flag=True, help="Fail if any row is malformed instead of leaving it out.")
def import_command(
    source: Path, format_name: str | None, name: str | None, split: str | None, out: Path | None, strict: bool
) -> None:
    """Turn SOURCE (file, folder or zip) into records that every analysis includes."""
    target = out or Path("data/imported") / f"{name or benchmark_name(source.name.split('.', 1)[0])}.jsonl.gz"
    report = import_records(source, target, format=format_name, name=name, split=split, strict=strict)
    how = "a table" if report.format == "csv" else f"'{report.format}'"
    click.echo(f"{target}: {report.records:,} records read as {how}")
    if report.malformed:
        click.echo(f"warning: {report.problems}", err=True)


@click.command("formats")
def formats_command() -> None:
    """List the formats that `import` reads."""
    width = max(map(len, FORMATS))
    for one in FORMATS.values():
        click.echo(f"{one.name:<{width}}  {one.about}")
