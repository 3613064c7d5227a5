"""A small table of made-up statements and items worded with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.benchmarks.justlogic.benchmark import JUSTLOGIC
from divlogic.benchmarks.justlogic.build import write_symbolic, write_worded
from divlogic.benchmarks.justlogic.merging import merge_statements
from divlogic.benchmarks.justlogic.parameters import JustLogicParameters
from divlogic.benchmarks.shards import write_split
from divlogic.io.files import write_jsonl
from divlogic.records import Record, read_records

SEED = 7
_VERBS = ("gather", "carry", "need", "guard")
_OBJECTS = ("heavy stones", "green leaves", "warm blankets", "the old bridge")


def statement(number: int) -> dict[str, object]:
    """Return a statement; four follow each other on every term."""
    term = f"wug{'abcdefghijklmnopqrstuvwxyz'[number // 4]}"
    verb, thing = _VERBS[number % 4], _OBJECTS[number % 4]
    return {
        "id": f"{number:012x}",
        "term": term,
        "text": f"{term}s {verb} {thing}",
        "negated": f"{term}s don't {verb} {thing}" if number % 2 else None,
        "source": "made-up",
    }


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of 100 statements on 25 terms, and one on a term of its own."""
    folder = tmp_path_factory.mktemp("table")
    rows = [statement(number) for number in range(100)]
    rows.append(
        statement(100) | {"term": "zax", "text": "a zax cuts slate", "negated": "a zax doesn't cut slate"}
    )
    write_jsonl(folder / "shard.jsonl", sorted(rows, key=lambda row: (row["term"], row["id"])))
    merge_statements([folder / "shard.jsonl"], folder / "statements.jsonl")
    return folder / "statements.jsonl"


def make(table: Path, folder: Path, parameters: JustLogicParameters, shards: int = 1) -> list[Record]:
    """Generate a benchmark in the given number of shards; return its records, training split first."""
    worded = []
    for shard in range(shards):
        symbolic = folder / f"symbolic{shard}.jsonl"
        write_symbolic(symbolic, shard, shards, seed=SEED, parameters=parameters, corpus_source="embedded")
        worded.append(folder / f"worded{shard}.jsonl")
        write_worded(symbolic, table, worded[-1], seed=SEED, parameters=parameters)
    for split in JUSTLOGIC.splits:
        write_split(JUSTLOGIC, worded, split, folder / "benchmark" / f"{split}.jsonl")
    return [
        record
        for split in JUSTLOGIC.splits
        for record in read_records(folder / "benchmark" / f"{split}.jsonl")
    ]


@pytest.fixture(scope="session")
def records(table: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """Twenty items of every depth."""
    return make(table, tmp_path_factory.mktemp("items"), JustLogicParameters(per_depth=20))
