"""Every format that can be read, and how to tell which one a file has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from typing import Any

from divlogic.benchmarks import source
from divlogic.benchmarks.columns import find_columns, what_is_needed
from divlogic.benchmarks.readers import generic
from divlogic.benchmarks.registry import formats
from divlogic.benchmarks.source import TABLES, OnProblem, SourceFile, report, rows
from divlogic.benchmarks.spec import Format
from divlogic.errors import DivLogicError
from divlogic.io.log import track
from divlogic.records import Record, harm

_TABLE = "own data: a table (csv, tsv, xlsx, parquet, Arrow) with questions and options"
_OBJECTS = "own data: JSON objects with questions and options"
FORMATS: dict[str, Format] = {
    **formats(),
    "csv": Format("csv", _TABLE, (), generic.record_row, fits=generic.is_table),
    "jsonl": Format("jsonl", _OBJECTS, (), generic.record_json, fits=generic.is_json),
}
"""Formats by name, in the order in which sniffing tries them."""


def read_benchmark(
    path: Path,
    format: str | None = None,
    *,
    on_problem: OnProblem | None = None,
    columns: Mapping[str, str] | None = None,
) -> Iterator[Record]:
    """Yield the records of a benchmark file, folder or zip archive, one row in memory at a time.

    Args:
        path: the file; of a folder or archive every file that has the format is read, in name order.
        format: a name of :data:`FORMATS`; sniffed if left out.
        on_problem: called for each malformed row, which is then skipped.
        columns: field of a record -> the column that holds it, for a user's own table.

    Raises:
        DivLogicError: the path or format is unknown, nothing in it has the format, a document is broken, or,
            without ``on_problem``, a row is malformed.
    """
    if format and format not in FORMATS:
        raise DivLogicError(f"there is no format '{format}'; known: {', '.join(FORMATS)}.")
    chosen = FORMATS[format] if format else detect_format(path, columns)
    several = Path(path).is_dir() or Path(path).suffix == ".zip"
    files = [file for file in named_files(path, columns) if not several or _has_format(file, chosen)]
    if not files:
        raise DivLogicError(f"{path}: no file there has the format '{chosen.name}'; name one with --format.")
    seen: dict[str, int] = {}
    for file in files:
        for record in track(_read_file(file, chosen, on_problem), f"Reading {file.name}"):
            if chosen.unique:
                yield record
                continue
            seen[record.id] = seen.get(record.id, 0) + 1
            yield record if seen[record.id] == 1 else replace(record, id=f"{record.id}-{seen[record.id]}")


def named_files(path: Path, columns: Mapping[str, str] | None = None) -> list[SourceFile]:
    """Return the data files of a path, whose columns have the names that the user gives them."""
    named = tuple((columns or {}).items())
    return [replace(file, columns=named) for file in source.source_files(Path(path))]


def detect_format(path: Path, columns: Mapping[str, str] | None = None) -> Format:
    """Return the format of a file (or of the first recognised file of a folder or archive)."""
    files = named_files(path, columns)
    for file, one in product(files, FORMATS.values()):
        if _has_format(file, one):
            return one
    first = next((row for file in files if isinstance(row := _first_row(file), dict)), None)
    if first is None:
        for file in files:
            _start(file)  # says what is wrong with a file that cannot be read at all
        if all(file.path.stat().st_size == 0 for file in files):
            raise DivLogicError(f"{path}: the file is empty.")
        raise DivLogicError(f"{path}: it has no row of a table (a header alone is none) and no JSON object.")
    found = find_columns(first, with_options=False)
    if found is not None:
        raise DivLogicError(
            f"{path}: its questions have no options, and the column '{found.fields['answer']}' holds free answers (as"
            " in GSM8K), not a few labels: only questions with options can be rotated and scored here."
        )
    raise DivLogicError(f"{path}: {what_is_needed(first)}")


def _has_format(file: SourceFile, one: Format) -> bool:
    if one.name_part not in file.name or (not one.name_part and "_logic." in file.name):
        return False  # "_logic.": the symbolic half of a LogicNLI pair
    row = _first_row(file)
    if not isinstance(row, dict) or not all(field in row for field in one.fields):
        return False
    return one.fits is None or one.fits(row, file)


def first_rows(file: SourceFile, number: int) -> list[dict[str, Any]]:
    """Return the first rows of a table or of JSON objects, with nested fields at their top."""
    found = (row for _, row in rows(file, on_problem=lambda problem: None) if isinstance(row, dict))
    return [generic.plain_row(row) for row in islice(found, number)]


def _first_row(file: SourceFile) -> Any:
    try:
        return _start(file)
    except DivLogicError:
        return None


def _start(file: SourceFile) -> Any:
    """Return the first row of a file, ``None`` if it has none."""
    encoding = source.detected_encoding(file) if file.name.endswith(TABLES) else "utf-8-sig"
    if encoding == "cp1252":
        encoding = "iso-8859-1"  # has every byte, and any will do to see a header
    return next(rows(file, encoding=encoding, on_problem=lambda problem: None), (None, None))[1]


def _read_file(file: SourceFile, one: Format, on_problem: OnProblem | None) -> Iterator[Record]:
    if one.rows is not None:
        found = one.rows(file, on_problem)
    else:
        found = rows(file, encoding=one.encoding, on_problem=on_problem)
    for name, row in found:
        try:
            # A row's records are made before the first is handed on: a row counts whole or not at all.
            records = list(one.records(name, row, file))
            if problem := next(filter(None, map(harm, records)), None):
                raise ValueError(problem)
        except KeyError as error:
            report(file, name, f"the field {error} is missing", on_problem)
        except (ValueError, TypeError, AttributeError, SyntaxError, IndexError) as error:
            report(file, name, str(error) or type(error).__name__, on_problem)
        else:
            yield from records
