"""``divlogic benchmarks``: the generic steps, and a group for every benchmark that has steps of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import click

from divlogic.benchmarks.registry import BENCHMARKS
from divlogic.config.command import ARGUMENT, BASE, Commands, command_of
from divlogic.errors import DivLogicError
from divlogic.io.imports import load

_GENERATORS = {one.name: one.generator for one in BENCHMARKS if one.generator}
MEASURED = {name: made.measures for name, made in _GENERATORS.items() if made.measures}
"""The benchmarks that have measurements of their own."""


def _measure_command(measure: str) -> click.Command:
    def step(
        name: Annotated[str, ARGUMENT, "NAME"],
        *,
        source: Annotated[Path, "--in", BASE, "Folder of published layout, or own items (jsonl)."],
        out: Annotated[Path, "Table (csv); its counts go next to it as json."],
        shards: Annotated[int, click.IntRange(1), "Number of processes."] = 1,
    ) -> Any:
        own = MEASURED.get(name, {})
        if measure not in own:
            having = ", ".join(one for one, measures in MEASURED.items() if measure in measures)
            raise DivLogicError(f"{name} has no measurement '{measure}'; these have: {having}.")
        load(own[measure])(source, out, shards)

    step.__doc__ = f"Measure the {measure} of the benchmark NAME, without a model."
    return command_of(step, measure)


cli = Commands(
    "benchmarks",
    "Generate, verify, show and import benchmarks.",
    {
        "show": "benchmarks.show:show",
        "import": "benchmarks.readers.importing:import_data_set",
        "formats": "benchmarks.readers.importing:list_formats",
        "draw": "benchmarks.generate:draw",
        "realise": "benchmarks.generate:realise",
        "assemble": "benchmarks.generate:assemble",
        "verify": "benchmarks.generate:verify",
        "release": "benchmarks.release.gather:release",
        "collect": "benchmarks.collection.collect:collect_sources",
        "audit": "benchmarks.collection.collect:audit",
    },
    {
        **{
            name: _measure_command(name)
            for name in sorted({name for own in MEASURED.values() for name in own})
        },
        **{
            name: Commands(name, made.help, made.commands)
            for name, made in _GENERATORS.items()
            if made.commands
        },
    },
)
"""The generic steps, the measurements that some benchmarks have, and the groups of single benchmarks."""
