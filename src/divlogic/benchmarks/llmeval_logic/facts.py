"""What the release of LLMEval-Logic (generated) says, and how many records it must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.spec import Planned, read_release
from divlogic.io.files import row_count
from divlogic.io.tables import read_table

RELEASE = read_release(Path(__file__).with_name("release.yaml"))


def planned(run: Any, files: Sequence[Path]) -> Iterator[Planned]:
    """Yield how many seeds there are, and how many hard items were kept by the table of gates."""
    seeds, gates = files
    yield Planned("llmeval_logic", ("base",), row_count(seeds))
    yield Planned("llmeval_logic", ("hard",), read_table(gates.with_suffix(""))[0]["kept"])
