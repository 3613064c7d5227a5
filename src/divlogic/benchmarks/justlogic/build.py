"""The passes that make JustLogic: symbolic instances, wording, assembly.

An instance depends on the seed, its index and the table of statements only, so the union of the shards is the same
however many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.symbolic import SymbolicInstance, per_depth, shard_instances
from divlogic.benchmarks.justlogic.table import open_statements
from divlogic.benchmarks.justlogic.text import write_record
from divlogic.benchmarks.justlogic.wording import load_templates
from divlogic.draws import Draws
from divlogic.io.files import read_as, write_jsonl
from divlogic.io.log import track
from divlogic.records import Record

_WORDING_STREAM = 1


def write_symbolic(
    out: Path, shard: int, shards: int, *, seed: int, parameters: JustLogicParameters, corpus_source: str
) -> int:
    """Draw the symbolic instances of one shard; return their number."""
    count = per_depth(parameters, corpus_source)

    def rows() -> Iterator[dict[str, Any]]:
        instances = shard_instances(seed, shard, shards, parameters, count)
        for index, instance in track(instances, "symbolic instances"):
            yield {"index": index, **instance.to_json()}

    return write_jsonl(out, rows())


def write_worded(
    symbolic: Path, statements: Path, out: Path, *, seed: int, parameters: JustLogicParameters
) -> int:
    """Word the instances of one shard; return their number.

    Raises:
        DivLogicError: a file is missing or malformed, or there are too few statements.
    """
    drawn = track(read_as(symbolic, _symbolic_row, "a symbolic instance"), "worded instances")
    rows = worded((instance for _, instance in drawn), statements, seed, parameters)
    return write_jsonl(out, (record.to_json() for record in rows))


def worded(
    instances: Iterable[tuple[int, SymbolicInstance]],
    statements: Path,
    seed: int,
    parameters: JustLogicParameters,
) -> Iterator[Record]:
    """Yield the records of instances, given with their indices.

    Raises:
        DivLogicError: the file of statements is missing or malformed, or there are too few.
    """
    templates = load_templates()
    with open_statements(statements) as table:
        for index, instance in instances:
            draws = Draws(seed, index, _WORDING_STREAM)
            yield write_record(instance, table, templates, draws, parameters)


def _symbolic_row(row: dict[str, Any]) -> tuple[int, SymbolicInstance]:
    """Return the index of a symbolic instance, and the instance."""
    index = row["index"]
    if type(index) is not int or index < 0:
        raise ValueError(f"{index!r} is no index")
    return index, SymbolicInstance.from_json(row)
