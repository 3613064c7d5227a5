"""Command-line options of the steps that ask a model, record its answers or read recorded ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from divlogic.config.option import FILE
from divlogic.models.parameters import LimitParameters, ModelParameters, model_named


@dataclass(frozen=True)
class AskingOptions:
    """What every step takes that asks a model: which one, its store, and the limits."""

    name: Annotated[str, "--model", "Label or name of a model; need not be in the parameters."]
    store: Annotated[Path, "Response store (appended to)."]
    base_url: Annotated[
        str | None, "Address of an OpenAI-compatible server, in place of that of the parameters."
    ] = None
    concurrency: Annotated[int | None, click.IntRange(1, 1000), "Maximum number of concurrent requests."] = (
        None
    )
    timeout: Annotated[
        float | None, click.FloatRange(min=0, min_open=True), "Seconds after which an attempt ends."
    ] = None

    def model(self, models: Sequence[ModelParameters]) -> ModelParameters:
        """Return the model, one of these or another one."""
        return model_named(models, self.name, self.base_url)

    def limits(self, limits: LimitParameters) -> LimitParameters:
        """Return the limits with what the command line gives in place of the parameters."""
        given = {"concurrency": self.concurrency, "timeout": self.timeout}
        return limits.model_copy(update={name: value for name, value in given.items() if value is not None})


Recordings = Annotated[tuple[Path, ...], "Report on recorded answers, for the note; repeatable."]
"""Type of the option ``--recordings``: the reports of steps that read recorded answers."""

reports_option = click.option(
    "--recordings",
    multiple=True,
    type=FILE,
    help="Report on recorded answers, for the note; repeatable.",
)
"""``--recordings``: the reports of steps that read recorded answers."""
