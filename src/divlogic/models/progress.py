"""How far a model's run is: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from divlogic.io.log import say

LINE_SECONDS = 60.0
"""Seconds between two lines where standard error is no terminal."""


class Progress:
    """The progress of a run: answers, time left, tokens.

    Args:
        label: name of the model.
        wanted: answers that are to be asked for.
        clock: seconds (given by tests).
    """

    def __init__(self, label: str, wanted: int, clock: Any = time.monotonic) -> None:
        self._label, self._wanted, self._clock = label, wanted, clock
        self._start = self._said = clock()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if self._wanted and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Bar(*columns, TextColumn("{task.fields[tokens]}"), console=Console(stderr=True))
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=self._wanted, tokens="")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, answered: int, tokens: int) -> None:
        """Show the number of answers and of tokens in and out."""
        if self._bar is not None:
            self._bar.update(self._task, completed=answered, tokens=f"{tokens:,} tokens")
            return
        now = self._clock()
        if now - self._said >= LINE_SECONDS:
            self._said = now
            say(f"{self._label}: {self.sentence(answered, tokens)}")

    def sentence(self, answered: int, tokens: int) -> str:
        """Return the progress in words."""
        rate = answered / max(self._clock() - self._start, 1e-9)
        left = (self._wanted - answered) / rate if rate else 0.0
        return f"{answered:,} of {self._wanted:,} answers, {tokens:,} tokens, about {_duration(left)} left"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "a minute" if seconds > 30 else "half a minute"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"
