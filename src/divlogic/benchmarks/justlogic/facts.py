"""What the release of JustLogic (generated) says, and how many records it must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.justlogic.draw import split_sizes
from divlogic.benchmarks.spec import Planned, read_release

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def planned(run: Any, files: Sequence[Path]) -> Iterator[Planned]:
    """Yield how many records each split has, all of which are drawn."""
    settings = run.benchmarks.justlogic
    for split, size in split_sizes(settings, run.corpus_source).items():
        yield Planned("justlogic", (split,), size * len(settings.depths))
