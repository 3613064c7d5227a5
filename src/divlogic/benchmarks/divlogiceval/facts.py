"""What the release of DivLogicEval says, with ILogicEval and the symbolic twins, and how many records it must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from divlogic.benchmarks.spec import Planned, read_release
from divlogic.io.files import read_json

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def planned(run: Any, files: Sequence[Path]) -> Iterator[Planned]:
    """Yield how many records the plan has for each split; the predecessor's two share the unpolished ones."""
    made = read_json(files[0])["made"]
    for split, config in product(made, ("divlogiceval", "s-divlogiceval")):
        yield Planned(config, (split,), made[split])
    yield Planned("ilogiceval", ("test",), made["test"])
    yield Planned("ilogiceval", ("train", "validation"), made["unpolished"])
