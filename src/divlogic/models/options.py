"""The option ``--recordings`` of the steps that write tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from divlogic.config.option import FILE

Recordings = Annotated[tuple[Path, ...], "Report on recorded answers, for the note; repeatable."]
"""Type of the option ``--recordings``: the reports of steps that read recorded answers."""

reports_option = click.option(
    "--recordings",
    multiple=True,
    type=FILE,
    help="Report on recorded answers, for the note; repeatable.",
)
"""The same for commands that are written by hand."""
