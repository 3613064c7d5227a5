"""Progress bars on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def track(items: Iterable[T], description: str, total: int | None = None) -> Iterator[T]:
    """Yield ``items`` with a progress bar on standard error; nothing is shown when that is no terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track as rich_track

    yield from rich_track(items, description=description, total=total, console=Console(stderr=True))


def say(message: str) -> None:
    """Print one line of what is going on to standard error (the rule's log in a workflow run)."""
    print(message, file=sys.stderr, flush=True)
