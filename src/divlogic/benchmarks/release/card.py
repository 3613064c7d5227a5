"""Facts of a release, its columns as an Arrow schema, its data card and its Croissant metadata.

The fields of the schema carry their meaning, and turn a record into a row. The header of the card tells ``datasets``
where the files are. Croissant: format 1.0, https://docs.mlcommons.org/croissant, one record set per split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
import pyarrow as pa

from divlogic import __version__
from divlogic.benchmarks.spec import Benchmark, Columns, Licence, ReleaseFacts
from divlogic.corpora.manifest import Manifest
from divlogic.corpora.registry import Corpus
from divlogic.io.files import read_json
from divlogic.io.tables import format_cell, read_cells

if TYPE_CHECKING:
    from huggingface_hub import DatasetCardData


class Source(NamedTuple):
    """A corpus whose sentences are in the release: what of it was read, and what the registry says of it."""

    manifest: Manifest
    registered: Corpus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything that the data card and the Croissant file say of a benchmark.

    ``reports`` are titles of tables, shown in the card under "Verification", with their json.
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
        file: path inside the release folder, with ``/``.
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
    return (
        [kind.field(index) for index in range(kind.num_fields)] if pa.types.is_struct(kind) else []
    )


def columns_of(schema: pa.Schema, row: Mapping[str, Any]) -> pa.Schema:
    """Return the columns of a file whose first record is ``row``, in their fixed order."""
    return pa.schema([field for field in schema if field.name in row])


def row_converter(parts: Iterable[pa.Field]) -> Callable[..., dict[str, Any]]:
    """Return a function that turns a record's JSON object, or a part of it, into a row of the columns.

    It raises ValueError where the object has a field that is no column; the message names it, after the place that the
    function is given. What the object leaves out is null. What the columns are is looked up once: a release has
    millions of cells.
    """
    parts = list(parts)
    names = frozenset(part.name for part in parts)
    made = [(part.name, to_cell) for part in parts if (to_cell := _cell_converter(part))]

    def convert(value: Mapping[str, Any], place: str = "") -> dict[str, Any]:
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
        whole = row_converter(parts)
        return lambda value: None if value is None else whole(value, f"{name}.")
    key, rest = parts[0].name, row_converter(parts[1:])

    def entries(value: Mapping[str, Any] | None) -> list[dict[str, Any]] | None:
        if value is None:
            return None
        return [
            {key: name_of, **rest(entry, f"{name}.{name_of}.")} for name_of, entry in value.items()
        ]

    return entries


_TEMPLATE = Path(__file__).with_name("card.md.j2")
_CONTEXT = Path(__file__).with_name("croissant.json")
"""The names that each Croissant file of format 1.0 explains in its beginning."""
_SHORTCUTS = Path(__file__).with_name("shortcuts.json")
"""The highest probe of each construction, as ``python -m tools.package_data`` records them."""


def data_card(facts: Facts, splits: Sequence[Split]) -> str:
    """Return the card's text, YAML header included."""
    import yaml
    from huggingface_hub import DatasetCard

    first = {split.config: split for split in reversed(splits)}
    configs = list(dict.fromkeys(split.config for split in splits))
    present = [
        column for column in facts.columns if any(column.name in split.columns for split in splits)
    ]
    names = [column.name for column in present]
    missing = {
        config: [name for name in names if name not in first[config].columns] for config in configs
    }
    made = facts.benchmark.generator
    own = {facts.benchmark.generated_name, *(made.twins if made else ())}
    header, *probes = read_json(_SHORTCUTS)
    probes = [row for row in probes if row[0] in own]
    card = DatasetCard.from_template(
        _header(facts, configs, splits),
        template_path=str(_TEMPLATE),
        facts=facts,
        configs=configs,
        sizes=_sizes(splits),
        fields=markdown_table(
            ("field", "type", "meaning"), (row for column in present for row in _fields(column)), 3
        ),
        missing={config: names for config, names in missing.items() if names},
        listing=_listing,
        tested=[split.config for split in splits if split.name == "test"],
        kept_apart=[f"metadata.{name}" for name in facts.known.kept_apart],
        sources=markdown_table(
            ("source of sentences", "version", "licence", "taken from", "part", "sha256"),
            map(_source, facts.sources),
            6,
        ),
        parameters=yaml.safe_dump(dict(facts.parameters), sort_keys=False, allow_unicode=True),
        reports={
            title: _report(Path(path).with_suffix("")) for title, path in facts.reports.items()
        },
        shortcuts=markdown_table(header, probes, 5) if probes else "",
    )
    return f"{card}\n"


def markdown_table(
    header: Iterable[str], rows: Iterable[Iterable[Any]], numbers_from: int = 1
) -> str:
    """Return a Markdown table; columns from ``numbers_from`` on are aligned to the right."""
    header = list(header)
    marks = ["---" if index < numbers_from else "---:" for index in range(len(header))]
    cells = ([str(cell).replace("|", "\\|") for cell in row] for row in rows)
    return "\n".join("| " + " | ".join(line) + " |" for line in (header, marks, *cells))


def _header(facts: Facts, configs: Sequence[str], splits: Sequence[Split]) -> DatasetCardData:
    from huggingface_hub import DatasetCardData

    rows = sum(split.rows for split in splits if split.config == configs[0])
    bounds = (
        (1_000, "n<1K"),
        (10_000, "1K<n<10K"),
        (100_000, "10K<n<100K"),
        (1_000_000, "100K<n<1M"),
    )
    return DatasetCardData(
        pretty_name=facts.benchmark.generated_title,
        license=facts.licence.name,
        language=[facts.benchmark.language],
        task_categories=list(facts.known.tasks),
        tags=list(facts.known.tags),
        size_categories=[next((name for bound, name in bounds if rows < bound), "1M<n<10M")],
        configs=[
            {
                "config_name": config,
                **({"default": True} if config == configs[0] else {}),
                "data_files": [
                    {"split": split.name, "path": split.file}
                    for split in splits
                    if split.config == config
                ],
            }
            for config in configs
        ],
    )


def _sizes(splits: Sequence[Split]) -> str:
    kinds = sorted({kind for split in splits for kind in split.types})
    answers = sorted({answer for split in splits for answer in split.answers})
    letters = [f"answer {chr(65 + answer)}" for answer in answers]
    rows = []
    for split in splits:
        counts = [split.types[kind] for kind in kinds] + [
            split.answers[answer] for answer in answers
        ]
        numbers = [f"{number:,}" for number in (split.rows, *counts, split.words, split.bytes)]
        rows.append([split.config, split.name, *numbers])
    return markdown_table(
        ("configuration", "split", "records", *kinds, *letters, "words", "bytes"), rows, 2
    )


def _fields(column: pa.Field, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield name, type and meaning of a column and of its parts."""

    many, parts = pa.types.is_list(column.type), parts_of(column)
    kind = "struct" if parts else str(column.type.value_type if many else column.type)
    shown = "string (JSON)" if is_json(column) else f"{'list of ' if many else ''}{kind}"
    yield f"`{prefix}{column.name}`", shown, meaning_of(column)
    for part in parts:
        yield from _fields(part, f"{prefix}{column.name}{'[]' if many else ''}.")


def _source(source: Source) -> tuple[str, ...]:
    manifest, known = source
    title, licence = manifest.title, manifest.licence
    return (
        f"[{title}]({known.homepage})" if known and known.homepage else title,
        manifest.version,
        f"[{licence}]({known.licence.url})" if known and known.licence.url else licence,
        manifest.origin,
        manifest.part,
        f"`{manifest.sha256[:16]}…`",
    )


def _report(path: Path) -> str:
    header, rows = read_cells(path)
    return markdown_table(header, ([format_cell(cell) for cell in row] for row in rows))


def _listing(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]


def croissant(facts: Facts, splits: Sequence[Split]) -> dict[str, Any]:
    """Return the metadata as a JSON-LD object; files are named relative to its own folder.

    It is written by hand: `mlcroissant`, by which the tests read it, takes longer to import than all else here.
    """
    return {
        "@context": read_json(_CONTEXT),
        "@type": "sc:Dataset",
        "name": facts.benchmark.name,
        "description": facts.known.summary,
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "citeAs": facts.known.citation.strip(),
        "creator": {"@type": "sc:Organization", "name": "The DivLogic authors"},
        "inLanguage": facts.benchmark.language,
        "license": facts.licence.url,
        "version": __version__,
        "distribution": list(map(_file, splits)),
        "recordSet": [_record_set(split, facts.columns) for split in splits],
    }


def _file(split: Split) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": _file_id(split),
        "name": _file_id(split),
        "description": f"The {split.name} split of {split.config}: {split.rows:,} records.",
        "contentSize": f"{split.bytes} B",
        "contentUrl": split.file,
        "encodingFormat": "application/x-parquet",
        "sha256": split.sha256,
    }


def _record_set(split: Split, columns: pa.Schema) -> dict[str, Any]:
    name = f"{split.config}_{split.name}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"Records of the {split.name} split of {split.config}.",
        "key": {"@id": f"{name}/id"},
        "field": [_metadata_field(columns.field(column), name, split) for column in split.columns],
    }


def _metadata_field(
    column: pa.Field, prefix: str, split: Split, parent: str = ""
) -> dict[str, Any]:
    """Describe a column; a part of a struct is taken out of its column, its parent, by a JSON path."""
    path, parts = f"{prefix}/{column.name}", parts_of(column)
    about: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": path,
        "name": path,
        "description": meaning_of(column),
    }
    if not parts:
        about["dataType"] = "sc:Integer" if pa.types.is_integer(column.type) else "sc:Text"
    if pa.types.is_list(column.type):
        about["repeated"] = True
    if parts:
        return about | {
            "subField": [_metadata_field(part, path, split, column.name) for part in parts]
        }
    source = {"fileObject": {"@id": _file_id(split)}, "extract": {"column": parent or column.name}}
    if parent:
        source["transform"] = {"jsonPath": f"$.{column.name}"}
    return about | {"source": source}


def _file_id(split: Split) -> str:
    return f"{split.config}_{split.name}.parquet"
