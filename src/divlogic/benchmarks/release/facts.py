"""What a release says of itself beyond its rows: title, licence, provenance, reports; its columns as an Arrow schema.

The fields of the schema carry their meaning, and turn a record into a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from divlogic.benchmarks.spec import Benchmark, Columns, Licence, ReleaseFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A corpus whose sentences are in the release.

    Attributes:
        title: name of the corpus.
        version: its version.
        licence: name of its licence.
        origin: ``embedded``, ``mirror``, ``url``, ... (how the corpus came here; never a local path).
        part: which part of the corpus was read (``whole``, ``9,842 of 10,000 rows``).
        sha256: checksum of what was read.
        citation: authors, title, venue and year.
    """

    title: str
    version: str = ""
    licence: str
    licence_url: str | None = None
    origin: str = ""
    part: str = ""
    sha256: str | None = None
    citation: str | None = None
    homepage: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything that the data card and the Croissant file say of a benchmark.

    Attributes:
        benchmark: what is released.
        known: what its spec says of the release.
        licence: of the data as it was made.
        columns: Arrow schema of all columns.
        sources: the corpora that the sentences come from.
        parameters: the parameters that made the data.
        reports: title of a table -> its json, shown in the card under "Verification".
    """

    benchmark: Benchmark
    known: ReleaseFacts
    licence: Licence
    columns: pa.Schema
    sources: tuple[Source, ...]
    parameters: Mapping[str, Any]
    reports: Mapping[str, Path]


@dataclass(slots=True)
class Split:
    """One parquet file, counted while it is written.

    Attributes:
        config: configuration it belongs to.
        name: split name.
        file: path inside the release folder, with ``/``.
        columns: names of the columns it has.
        rows: number of records.
        types: question type -> records.
        answers: index of the right option -> records.
        words: words of context, question and options together.
    """

    config: str
    name: str
    file: str
    columns: tuple[str, ...]
    bytes: int = 0
    sha256: str = ""
    rows: int = 0
    types: Counter[str] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    words: int = 0


_MEANING, _FORM = b"meaning", b"form"


_COMMON = {"id": "identifier, unique within the benchmark", "benchmark": "name of the benchmark"}


def schema_of(columns: Columns) -> pa.Schema:
    """Return the Arrow schema of columns that are described by name and meaning.

    A name ends in ``#`` for whole numbers, ``[]`` for lists, ``{}`` for texts that hold JSON. The parts of an object
    follow its meaning; a list of objects is a mapping in the records, whose first part holds the key of each entry.
    """
    return pa.schema([_column(name, about) for name, about in {**_COMMON, **columns}.items()])


def _column(name: str, about: Any) -> pa.Field:
    plain = name.rstrip("#[]{}")
    mark, (meaning, parts) = name[len(plain) :], (about, {}) if isinstance(about, str) else about
    kind = pa.int64() if mark == "#" else pa.string()
    if parts:
        kind = pa.struct([_column(*part) for part in parts.items()])
    metadata = {_MEANING: meaning.encode()} | ({_FORM: b"json"} if mark == "{}" else {})
    return pa.field(plain, pa.list_(kind) if mark == "[]" else kind, metadata=metadata)


def meaning_of(field: pa.Field) -> str:
    """Return what a column means, in one phrase."""
    return str((field.metadata or {}).get(_MEANING, b""), "utf-8")


def is_json(field: pa.Field) -> bool:
    """Return whether a column holds JSON as text."""
    return (field.metadata or {}).get(_FORM) == b"json"


def parts_of(field: pa.Field) -> list[pa.Field]:
    """Return the parts of a column of objects or of lists of them; none for other columns."""
    kind = field.type.value_type if pa.types.is_list(field.type) else field.type
    return [kind.field(index) for index in range(kind.num_fields)] if pa.types.is_struct(kind) else []


def columns_of(schema: pa.Schema, row: Mapping[str, Any]) -> pa.Schema:
    """Return the columns of a file whose first record is ``row``, in their fixed order."""
    return pa.schema([field for field in schema if field.name in row])


def row_converter(columns: pa.Schema) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return a function that turns a record's JSON object into a row of the columns.

    It raises ValueError where the record has a field that is no column; the message names it. What the columns are is
    looked up once: a release has millions of cells.
    """
    to_cells = _object_converter(list(columns))
    return lambda row: to_cells(row, "")


def _object_converter(parts: Sequence[pa.Field]) -> Callable[[Mapping[str, Any], str], dict[str, Any]]:
    """Return a function of an object and of its place, for messages; what it leaves out is null."""
    names = frozenset(part.name for part in parts)
    made = [(part.name, to_cell) for part in parts if (to_cell := _cell_converter(part))]

    def convert(value: Mapping[str, Any], place: str) -> dict[str, Any]:
        if not names >= value.keys():
            unknown = min(value.keys() - names)
            raise ValueError(f"the field '{place}{unknown}' has no column in this release")
        row = {**value}
        for name, to_cell in made:
            row[name] = to_cell(value.get(name))
        return row

    return convert


def _cell_converter(field: pa.Field) -> Callable[[Any], Any] | None:
    """Return what turns a value into a cell; ``None`` where it is one already, or is left out."""
    name = field.name
    if is_json(field):
        # Always an object, so that the text parses whether or not there was anything to say.
        return lambda value: orjson.dumps(value or {}).decode()
    parts = parts_of(field)
    if not parts:
        return None
    if pa.types.is_struct(field.type):
        whole = _object_converter(parts)
        return lambda value: None if value is None else whole(value, f"{name}.")
    key, rest = parts[0].name, _object_converter(parts[1:])

    def entries(value: Mapping[str, Any] | None) -> list[dict[str, Any]] | None:
        if value is None:
            return None
        return [{key: name_of, **rest(entry, f"{name}.{name_of}.")} for name_of, entry in value.items()]

    return entries
