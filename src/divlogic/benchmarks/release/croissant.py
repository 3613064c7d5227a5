"""Croissant metadata (format 1.0, https://docs.mlcommons.org/croissant): one record set per split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from divlogic.benchmarks.release.facts import Facts, Split
from divlogic.benchmarks.release.schema import COLUMNS, Column

# The context that the format's specification prescribes, word for word.
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def croissant(facts: Facts, splits: Sequence[Split]) -> dict[str, Any]:
    """Return the metadata as a JSON-LD object; files are named relative to its own folder."""
    document: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.name,
        "alternateName": facts.title,
        "description": facts.summary,
        "version": facts.version,
        "license": facts.licence_url,
        "inLanguage": "en",
        "citeAs": facts.citation.strip(),
        "creator": [{"@type": "sc:Organization", "name": name} for name in facts.creators],
    }
    if facts.homepage:
        document["url"] = facts.homepage
    if facts.published:
        document["datePublished"] = facts.published
    return document | {
        "distribution": [_file(split) for split in splits],
        "recordSet": [_record_set(split) for split in splits],
    }


def _file(split: Split) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": _file_id(split),
        "name": _file_id(split),
        "description": f"The {split.name} split of {split.config}: {split.rows:,} records.",
        "contentUrl": split.file,
        "contentSize": f"{split.bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": split.sha256,
    }


def _record_set(split: Split) -> dict[str, Any]:
    name = f"{split.config}_{split.name}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"Records of the {split.name} split of {split.config}.",
        "key": {"@id": f"{name}/id"},
        "field": [_field(column, name, split) for column in COLUMNS if column.name in split.columns],
    }


def _field(column: Column, prefix: str, split: Split, parent: Column | None = None) -> dict[str, Any]:
    """Describe a column; a part of a struct is taken out of its column by a JSON path."""
    path = f"{prefix}/{column.name}"
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": path,
        "name": path,
        "description": column.meaning,
    }
    if column.kind in ("texts", "structs"):
        field["repeated"] = True
    if column.parts:
        return field | {"subField": [_field(part, path, split, column) for part in column.parts]}
    source: dict[str, Any] = {
        "fileObject": {"@id": _file_id(split)},
        "extract": {"column": parent.name if parent else column.name},
    }
    if parent:
        source["transform"] = {"jsonPath": f"$.{column.name}"}
    return field | {"dataType": "sc:Integer" if column.kind == "integer" else "sc:Text", "source": source}


def _file_id(split: Split) -> str:
    return f"{split.config}_{split.name}.parquet"
