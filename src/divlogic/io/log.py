"""What goes on: log records as plain lines on standard error, and progress bars on a terminal."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from divlogic.io.foreign import shown

_SECONDS_OF_LINES = 10.0
"""Between two lines of progress: rare enough to read the others, too."""

_LONGEST = 100_000
"""Characters of a line; tracebacks are long, and a name of a million characters is no name."""

T = TypeVar("T")
LOGGER = logging.getLogger("divlogic")


class _Stderr(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to what standard error is at the time, not to what it was when the handler was made."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self):  # type: ignore[no-untyped-def]
        return sys.stderr


class _Lines(logging.Formatter):
    """A line is its message; an error names the program first."""

    def format(self, record: logging.LogRecord) -> str:
        text = shown(super().format(record), _LONGEST)
        return f"divlogic: {text}" if record.levelno >= logging.ERROR else text


def set_up(level: int = logging.INFO) -> None:
    """Send the package's log records to standard error (the rule's log in a workflow run); a second call adds nothing.

    Only the command line does so: a program that imports the package decides itself where its records go.
    """
    LOGGER.setLevel(level)
    LOGGER.propagate = False
    LOGGER.disabled = False  # another library's logging configuration may have switched it off
    if not any(isinstance(handler, _Stderr) for handler in LOGGER.handlers):
        handler = _Stderr()
        handler.setFormatter(_Lines("%(message)s"))
        LOGGER.addHandler(handler)


def say(message: str) -> None:
    """Log one line of what is going on."""
    LOGGER.info("%s", message)


def track(
    items: Iterable[T], description: str, total: int | None = None, *, lines: bool = False
) -> Iterator[T]:
    """Yield ``items`` with a progress bar on standard error.

    Args:
        items: what is gone over.
        description: what they are.
        total: their number, if it is known.
        lines: where standard error is no terminal, log a line every ten seconds; by default nothing is shown there.
    """
    if not sys.stderr.isatty():
        yield from _told(items, description, total) if lines else items
        return
    try:
        from rich.console import Console
        from rich.progress import track as rich_track
    except ModuleNotFoundError:  # rich is one of the workflow's packages
        yield from _told(items, description, total)
        return
    yield from rich_track(items, description=description, total=total, console=Console(stderr=True))


def _told(items: Iterable[T], description: str, total: int | None) -> Iterator[T]:
    """Yield items, and log now and then how many there were."""
    of_all = "" if total is None else f" of {total:,}"
    due = time.monotonic() + _SECONDS_OF_LINES
    for count, item in enumerate(items, start=1):
        yield item
        if time.monotonic() >= due:
            say(f"{description}: {count:,}{of_all}")
            due = time.monotonic() + _SECONDS_OF_LINES
