"""Every format that can be read, and how to tell which one a file has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from divlogic.benchmarks import source
from divlogic.benchmarks.readers import generic
from divlogic.benchmarks.readers.layout import file_rows, layout_of, unquestioned
from divlogic.benchmarks.registry import formats
from divlogic.benchmarks.source import (
    NOTHING_SAID,
    OnProblem,
    Said,
    SourceFile,
    is_tabular,
    report,
    rows,
)
from divlogic.benchmarks.spec import Format
from divlogic.errors import DivLogicError
from divlogic.io.log import track
from divlogic.records import Record, harm

_TABLE = "own data: a table (csv, tsv, xlsx, parquet, Arrow) with questions and options"
_OBJECTS = "own data: JSON objects with questions and options"
OWN_DATA = ("csv", "jsonl")
"""Formats of a user's own data set."""

_ROW_ERRORS = (ValueError, TypeError, AttributeError, SyntaxError, LookupError)
"""What readers raise for a row that is not of their format."""

FirstRows = dict[str | None, tuple[str, Any]]
"""The first row of a file, with its name, by the encoding in which it is read."""

FORMATS: dict[str, Format] = {
    **formats(),
    "csv": Format("csv", _TABLE, (), generic.record_row, rows=file_rows),
    "jsonl": Format("jsonl", _OBJECTS, (), generic.record_row, rows=file_rows),
}
"""Formats by name, in the order in which sniffing tries them."""


def read_benchmark(
    path: Path,
    format: str | None = None,
    *,
    on_problem: OnProblem | None = None,
    said: Said = NOTHING_SAID,
) -> Iterator[Record]:
    """Yield the records of a benchmark file, folder or zip archive, one row in memory at a time.

    Args:
        path: the file; of a folder or archive every file that has the format is read, in name order.
        format: a name of :data:`FORMATS`; sniffed if left out.
        on_problem: called for each malformed row, which is then skipped.
        said: what the user says of a file of their own.

    Raises:
        DivLogicError: the path or format is unknown, nothing in it has the format, a document is broken, or,
            without ``on_problem``, a row is malformed.
    """
    if format and format not in FORMATS:
        raise DivLogicError(f"there is no format '{format}'; known: {', '.join(FORMATS)}.")
    chosen = FORMATS[format] if format else detect_format(path, said)
    seen: dict[str, int] = {}
    for file in files_of(path, chosen, said):
        for record in track(_read_file(file, chosen, on_problem), f"Reading {file.name}"):
            if chosen.unique:
                yield record
                continue
            seen[record.id] = seen.get(record.id, 0) + 1
            yield (
                record
                if seen[record.id] == 1
                else replace(record, id=f"{record.id}-{seen[record.id]}")
            )


def files_of(path: Path, chosen: Format, said: Said = NOTHING_SAID) -> list[SourceFile]:
    """Return the files of a path that have a format; a single file is taken at its word."""
    files = named_files(path, said)
    if not Path(path).is_dir() and Path(path).suffix != ".zip":
        return files
    found = [file for file in files if _has_format(file, chosen, {})]
    if not found:
        raise DivLogicError(
            f"{path}: no file there has the format '{chosen.name}'; name one with --format."
        )
    return found


def named_files(path: Path, said: Said = NOTHING_SAID) -> list[SourceFile]:
    """Return the data files of a path, with what the user says of them."""
    return [replace(file, said=said) for file in source.source_files(Path(path))]


def detect_format(path: Path, said: Said = NOTHING_SAID) -> Format:
    """Return the format of a file (or of the first recognised file of a folder or archive)."""
    files = named_files(path, said)
    # Whoever names columns, labels or keys means a file of their own.
    own = bool(said.columns or said.keys or said.labels)
    known = [one for one in FORMATS.values() if one.name in OWN_DATA or not own]
    for file in files:
        firsts: FirstRows = {}
        for one in known:
            if _has_format(file, one, firsts):
                return one
    # The reason why the first file cannot be read is the reason of all.
    layout_of(files[0])
    return _own_format(files[0])


def _own_format(file: SourceFile) -> Format:
    return FORMATS["csv" if is_tabular(file) else "jsonl"]


def _has_format(file: SourceFile, one: Format, firsts: FirstRows) -> bool:
    """Return whether a file has a format: its first row has the fields, and the format's reader can read it.

    Its first row is taken from ``firsts`` if it stands there, since each of some twenty formats asks for it.
    """
    try:
        if one.name in OWN_DATA:
            return one is _own_format(file) and not unquestioned(file)
        if one.name_part not in file.name or (not one.name_part and "_logic." in file.name):
            return False  # "_logic.": the symbolic half of a LogicNLI pair
        encoded = _in_its_encoding(file, one)
        encoding = encoded.said.encoding
        if encoding not in firsts:
            firsts[encoding] = _first_row(encoded)
        name, row = firsts[encoding]
        if not isinstance(row, dict) or not all(field in row for field in one.fields):
            return False
        if one.fits is not None and not one.fits(row, file):
            return False
        return one.rows is not None or bool(list(one.records(name, row, file)))
    except (DivLogicError, *_ROW_ERRORS):
        return False


def _plain_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    return rows(file, on_problem=on_problem)


def _first_row(file: SourceFile) -> tuple[str, Any]:
    """Return the first row that can be read, by its name; ``None`` if none can."""
    try:
        return next(rows(file, on_problem=lambda problem: None), ("", None))
    except (DivLogicError, *_ROW_ERRORS):
        return "", None


def _in_its_encoding(file: SourceFile, one: Format) -> SourceFile:
    """Return a file with the encoding that its format has, if the user names none."""
    if not one.encoding or file.said.encoding:
        return file
    return replace(file, said=replace(file.said, encoding=one.encoding))


def _read_file(file: SourceFile, one: Format, on_problem: OnProblem | None) -> Iterator[Record]:
    rows_of = one.rows or _plain_rows
    found = rows_of(_in_its_encoding(file, one), on_problem)
    for name, row in found:
        try:
            # A row's records are made before the first is handed on: a row counts whole or not at all.
            records = list(one.records(name, row, file))
            if problem := next(filter(None, map(harm, records)), None):
                raise ValueError(problem)
        except KeyError as error:
            report(file, name, f"the field {error} is missing", on_problem)
        except _ROW_ERRORS as error:
            report(file, name, str(error) or type(error).__name__, on_problem)
        else:
            yield from records
