"""A table of made-up statements and items worded with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from divlogic.benchmarks.generate import assemble
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.justlogic.table import merge_statements
from divlogic.benchmarks.made import JUSTLOGIC
from divlogic.io.files import write_jsonl
from divlogic.records import Record, read_records
from tests.generation import drawn_shards, run_of, worded_shards

SEED = 7
_VERBS = ("gather", "carry", "need", "guard")
_OBJECTS = ("stones", "leaves", "blankets", "bridges", "lamps")


def statement(number: int) -> dict[str, object]:
    """Return a statement; four follow each other on every term."""
    term = f"wug{'abcdefghijklmnopqrstuvwxyz'[number // 4]}"
    thing = f"{'zyxwvutsrqponmlkjihgfedcba'[number // 4]}ol {_OBJECTS[number % 5]}"
    verb = _VERBS[number % 4]
    return {
        "id": f"{number:012x}",
        "term": term,
        "text": f"{term}s {verb} {thing}",
        "negated": f"{term}s don't {verb} {thing}" if number % 2 else None,
        "source": "made-up",
        "structured": False,
    }


def write_statement_table(path: Path, rows: list[dict[str, object]]) -> Path:
    """Write statements as the shard and the table that is made of it."""
    shard = path.with_name("shard.jsonl")
    write_jsonl(shard, sorted(rows, key=lambda row: (row["term"], row["id"])))
    merge_statements([shard], path, 1.0, Counter(kept=len(rows)))
    return path


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 100 statements on 25 terms."""
    folder = tmp_path_factory.mktemp("table")
    return write_statement_table(
        folder / "statements.jsonl", [statement(number) for number in range(100)]
    )


def make(
    table: Path, folder: Path, parameters: JustLogicParameters, shards: int = 1
) -> list[Record]:
    """Generate a benchmark in the given number of shards; return its records, training split first."""
    run = run_of("justlogic", parameters, SEED)
    drawn = drawn_shards("justlogic", folder, run, shards)
    worded, _ = worded_shards("justlogic", folder, run, drawn, statements=table)
    files = [folder / "benchmark" / f"{split}.jsonl" for split in JUSTLOGIC.splits]
    assemble("justlogic", worded, out=folder / "benchmark")
    return [record for path in files for record in read_records(path)]


@pytest.fixture(scope="session")
def records(table: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """Twenty items of every depth."""
    return make(table, tmp_path_factory.mktemp("items"), JustLogicParameters(per_depth=20))
