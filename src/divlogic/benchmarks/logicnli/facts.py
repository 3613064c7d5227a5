"""What the release of LogicNLI (generated) says, and how many records it must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.spec import Planned, read_release
from divlogic.io.files import read_json

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def planned(run: Any, files: Sequence[Path]) -> Iterator[Planned]:
    """Yield how many records each set has by the statistics of :func:`write_sets`."""
    return (
        Planned("logicnli", (row["benchmark"],), row["instances"])
        for row in read_json(files[0])["sets"]
    )
