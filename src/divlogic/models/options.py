"""Command-line options that every step which asks a model takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from divlogic.models.parameters import LimitParameters

F = TypeVar("F", bound=Callable[..., Any])


def limit_options(command: F) -> F:
    """Add ``--concurrency`` and ``--timeout``, which the step receives under these names."""
    for option in (
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
            help="Seconds after which an attempt ends.",
        ),
        click.option(
            "--concurrency", type=click.IntRange(1, 1000), help="Maximum number of concurrent requests."
        ),
    ):
        command = option(command)
    return command


def with_options(limits: LimitParameters, concurrency: int | None, timeout: float | None) -> LimitParameters:
    """Return the limits with what the command line gives in place of the parameters."""
    given = {"concurrency": concurrency, "timeout": timeout}
    return limits.model_copy(update={name: value for name, value in given.items() if value is not None})
