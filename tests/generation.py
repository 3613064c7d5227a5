"""Benchmarks made in a test as the workflow makes them: drawn and worded in shards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from divlogic.benchmarks.generate import draw, realise
from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.config.section import Section


def run_of(name: str, section: Section | Mapping[str, Any], seed: int = 0) -> BenchmarksRun:
    """Return the parameters of a run with one benchmark's section."""
    values = section.model_dump() if isinstance(section, Section) else section
    return BenchmarksRun.model_validate({"seed": seed, "benchmarks": {name: values}})


def drawn_shards(name: str, folder: Path, run: BenchmarksRun, shards: int = 1) -> list[Path]:
    """Draw the symbolic instances of every shard; return their files."""
    files = [folder / f"drawn-{shard}-of-{shards}.jsonl.gz" for shard in range(shards)]
    for shard, out in enumerate(files):
        draw(name, shard=shard, shards=shards, out=out, params=run)
    return files


def worded_shards(
    name: str, folder: Path, run: BenchmarksRun, drawn: Sequence[Path], **inputs: Path
) -> tuple[list[Path], list[Path]]:
    """Word what was drawn; return the files of records and those of counts."""
    files = [folder / f"worded-{shard}-of-{len(drawn)}.jsonl.gz" for shard in range(len(drawn))]
    counts = [path.with_name(f"{path.name}.counts.json") for path in files]
    given = tuple(f"{key}={path}" for key, path in inputs.items())
    for shard, source in enumerate(drawn):
        realise(
            name,
            given,
            source=source,
            shard=shard,
            out=files[shard],
            counts=counts[shard],
            params=run,
        )
    return files, counts
