"""What a release says of itself beyond its rows: columns, title, licence, provenance, parameters, reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlogic.benchmarks.spec import Benchmark, Licence, ReleaseFacts

if TYPE_CHECKING:
    import pyarrow as pa


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
