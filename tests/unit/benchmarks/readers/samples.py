"""Rows in every published layout, worded for these tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from divlogic.benchmarks.readers.importing import import_records, said_by_user
from divlogic.records import Record, read_records

ROWS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def __getattr__(name: str) -> Any:
    """Return the rows of samples.json that have a name, such as ``RECLOR``."""
    if name in ROWS:
        return ROWS[name]
    raise AttributeError(name)


def lines(path: Path, *rows: Any) -> Path:
    """Write JSON lines; a string is written as it is."""
    text = "".join(
        (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n"
        for row in rows
    )
    path.write_text(text, encoding="utf-8")
    return path


def imported(
    path: Path, *, columns: tuple[str, ...] = (), keys: str | None = None, **options: Any
) -> list[Record]:
    """Import a file and return its records; ``columns`` and ``keys`` are what the options of the command say."""
    out = path.parent / "out" / "records.jsonl"
    import_records(path, out, said=said_by_user(columns, keys, None, None), **options)
    return list(read_records(out))


def quiz(folder: Path, *rows: Any, called: str = "", **options: Any) -> list[Record]:
    """Import a table that is given by its lines, or JSON lines that are given by their objects."""
    usual = "quiz.csv" if isinstance(rows[0], str) else "quiz.jsonl"
    return imported(lines(folder / (called or usual), *rows), **options)


def parquet(path: Path, *rows: dict[str, Any]) -> Path:
    """Write a parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return path


def document(path: Path, value: Any, indent: int | None = 1) -> Path:
    """Write one JSON document."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent), encoding="utf-8")
    return path


def table(path: Path, *rows: dict[str, str], encoding: str = "utf-8") -> Path:
    """Write CSV with the first row's keys as header."""
    import csv

    with path.open("w", encoding=encoding, newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def registered(root: Path, *corpora: str) -> Path:
    """Write the manifest of each corpus folder below ``root``: its registered files that lie there."""
    from divlogic.corpora.manifest import ManifestFile, describe, write_manifest
    from divlogic.corpora.registry import load_registry

    registry = load_registry(Path(__file__).parents[4] / "data" / "registry.yaml")
    for name in corpora:
        corpus = registry[name]
        files = [
            ManifestFile(entry.path, path.stat().st_size, "", None, entry.reader, "whole", "")
            for entry in (*corpus.files, *corpus.stand_ins)
            if (path := root / name / entry.path).is_file()
        ]
        write_manifest(root / name, describe(name, corpus, files, []))
    return root
