"""Command-line options of the steps that ask a model, record its answers or read recorded ones."""

from __future__ import annotations

import click

from divlogic.config.option import FILE, FOLDER, together
from divlogic.models.parameters import LimitParameters

limit_options = together(
    click.option(
        "--concurrency", type=click.IntRange(1, 1000), help="Maximum number of concurrent requests."
    ),
    click.option(
        "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds after which an attempt ends."
    ),
)
"""``--concurrency`` and ``--timeout``, which :func:`with_options` puts into the limits."""

model_options = together(
    click.option(
        "--model", "name", required=True, help="Label or name of a model; need not be in the parameters."
    ),
    click.option(
        "--base-url", help="Address of an OpenAI-compatible server, in place of that of the parameters."
    ),
)
"""``--model`` (received as ``name``) and ``--base-url``, which ``models.parameters.model_named`` takes."""

asking_options = together(
    model_options,
    click.option("--store", type=FILE, required=True, help="Response store (appended to)."),
    limit_options,
)
"""What every step takes that asks a model: which one, its store, and the limits."""

record_options = together(
    click.option("--predictions", type=FILE, multiple=True, required=True, help="The answers; repeatable."),
    click.option(
        "--model", "name", required=True, help="Label or name of the model whose answers are recorded."
    ),
    click.option("--out", type=FOLDER, required=True, help="The model's folder in data/recorded."),
)
"""What every step takes that records a model's answers."""

recorded_options = together(
    click.option(
        "--from", "folders", type=FOLDER, multiple=True, help="Folder of a recorded model; repeatable."
    ),
    click.option("--out", type=FILE, required=True, help="Predictions (jsonl)."),
    click.option("--report", type=FILE, required=True, help="What was met in each table (json), for notes."),
)
"""What every step takes that reads recorded answers back."""

reports_option = click.option(
    "--recordings",
    multiple=True,
    type=FILE,
    help="Report on recorded answers, for the note; repeatable.",
)
"""``--recordings``: the reports of steps that read recorded answers."""


def with_options(limits: LimitParameters, concurrency: int | None, timeout: float | None) -> LimitParameters:
    """Return the limits with what the command line gives in place of the parameters."""
    given = {"concurrency": concurrency, "timeout": timeout}
    return limits.model_copy(update={name: value for name, value in given.items() if value is not None})
