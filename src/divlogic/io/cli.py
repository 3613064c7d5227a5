"""``divlogic accept``: take files that were changed or brought by hand for what a step has written."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.io.files import accept


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def cli(files: tuple[Path, ...]) -> None:
    """Take FILES as they are: note their rows and contents, as the step does that writes them.

    Steps refuse a file whose rows were lost or changed since it was written, and a file without a note where only
    steps write. What is made from an accepted file is as right as the file, and is made again by the next run.
    """
    for path in files:
        count = accept(path)
        path.touch()  # what reads it runs again
        click.echo(f"{path}: accepted, {count.rows:,} rows, {count.bytes:,} bytes")
