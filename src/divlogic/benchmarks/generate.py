"""The steps that make a benchmark from its generator: draw, word, assemble and confirm; one shard at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.parameters import BenchmarksRun
from divlogic.benchmarks.registry import BENCHMARKS, benchmark_named, generator_named
from divlogic.benchmarks.spec import Benchmark
from divlogic.config.command import ARGUMENT, BASE, FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import write_json, write_jsonl, write_parts
from divlogic.io.imports import load
from divlogic.io.log import track
from divlogic.io.shards import expanded, merge_sorted
from divlogic.records import Record, read_records

GENERATED = tuple(one.name for one in BENCHMARKS if one.generator and one.generator.draw)
"""The benchmarks that these steps make."""

_VERIFIED = tuple(one.name for one in BENCHMARKS if one.generator and one.generator.verify)

_Name = Annotated[str, ARGUMENT, "NAME", click.Choice(GENERATED)]
_Shard = Annotated[int, click.IntRange(0), "Number of this shard, from 0."]


def draw(
    name: _Name,
    *,
    shard: _Shard,
    shards: Annotated[int, click.IntRange(1), "Number of shards."],
    out: Annotated[Path, "Symbolic instances (jsonl)."],
    params: BenchmarksRun,
) -> None:
    """Draw the symbolic instances of one shard of the benchmark NAME."""
    if shard >= shards:
        raise DivLogicError(
            f"shard {shard} is not one of the {shards} shards; give 0 to {shards - 1}."
        )
    rows = load(generator_named(name).draw)(params, shard, shards)
    write_jsonl(out, track(rows, "symbolic instances"))


def realise(
    name: _Name,
    inputs: Annotated[tuple[str, ...], ARGUMENT, "[INPUT=FILE]..."] = (),
    *,
    source: Annotated[Path, "--in", "Symbolic instances of the shard."],
    shard: _Shard,
    out: Annotated[Path, "Records (jsonl)."],
    counts: Annotated[Path, "How the wording went (json)."],
    params: BenchmarksRun,
) -> None:
    """Word the instances of one shard of the benchmark NAME so that their labels hold.

    INPUT=FILE names each further file that the benchmark's wording reads (`groups=groups.jsonl`).
    """
    generator = generator_named(name)
    files = dict(text.partition("=")[::2] for text in inputs)
    if set(files) != set(generator.inputs):
        given = ", ".join(files) or "none"
        raise DivLogicError(
            f"the wording of {name} reads {', '.join(generator.inputs)}, not {given}; name each as INPUT=FILE."
        )
    paths = {key: Path(path) for key, path in files.items()}
    counted: dict[str, Any] = {}
    records = load(generator.realise)(params, source, shard, paths, counted)
    # Rows repeat most of what the row before says: the lightest compression leaves a ninth, at a third of the time.
    written = write_jsonl(
        out, (record.to_json() for record in track(records, "worded instances")), level=1
    )
    write_json(counts, {"instances": written, **counted})


def assemble(
    name: _Name,
    realised: Annotated[tuple[Path, ...], ARGUMENT, expanded],
    *,
    out: Annotated[Path, FOLDER, "Folder of the splits (jsonl)."],
    compressed: Annotated[bool, "Write jsonl.gz, for splits that another step finishes."] = False,
) -> None:
    """Put the splits of the benchmark NAME together from the REALISED shards, in order."""
    benchmark = benchmark_named(name)
    suffix = ".gz" if compressed else ""
    paths = {split: out / f"{benchmark.file_of(split)}{suffix}" for split in benchmark.splits}
    write_parts(
        paths, ((record.split, record.to_json()) for record in _realised(realised, benchmark))
    )


def verify(
    name: Annotated[str, ARGUMENT, "NAME", click.Choice(_VERIFIED)],
    *,
    source: Annotated[
        Path, "--in", BASE, "Records (jsonl), or a folder of published layout where NAME has one."
    ],
    out: Annotated[Path, "Report (json, or csv of a folder)."],
) -> None:
    """Confirm every label of a file or folder of the benchmark NAME with a solver, from what it states."""
    load(generator_named(name).verify)(source, out)


def _realised(files: Sequence[Path], benchmark: Benchmark) -> Iterator[Record]:
    """Yield the records of all shards in the order of the benchmark's instances."""
    if not (benchmark.generator and benchmark.generator.order):
        return chain.from_iterable(map(read_records, files))
    order = load(benchmark.generator.order)
    rows = merge_sorted(files, order)
    return (Record.from_json(row) for _, row in rows)
