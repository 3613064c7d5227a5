"""Croissant metadata (format 1.0, https://docs.mlcommons.org/croissant): one record set per split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from divlogic import __version__
from divlogic.benchmarks.release.facts import Facts, Split
from divlogic.benchmarks.release.schema import meaning_of, parts_of
from divlogic.errors import DivLogicError

if TYPE_CHECKING:
    import mlcroissant as mlc


def croissant(facts: Facts, splits: Sequence[Split]) -> dict[str, Any]:
    """Return the metadata as a JSON-LD object; files are named relative to its own folder.

    Raises:
        DivLogicError: mlcroissant finds an error in it.
    """
    import mlcroissant as mlc

    metadata = mlc.Metadata(
        name=facts.benchmark.name,
        description=facts.known.summary,
        version=__version__,
        license=[facts.licence.url],
        in_language=[facts.benchmark.language],
        cite_as=facts.known.citation.strip(),
        creators=[mlc.Organization(name="The DivLogic authors")],
        distribution=[_file(split) for split in splits],
        record_sets=[_record_set(split, facts.columns) for split in splits],
    )
    if errors := sorted(metadata.ctx.issues.errors):
        raise DivLogicError(
            f"{facts.benchmark.name}: its Croissant metadata are not valid: {'; '.join(errors)}."
        )
    written: dict[str, Any] = metadata.to_json()
    return written


def _file(split: Split) -> mlc.FileObject:
    import mlcroissant as mlc

    return mlc.FileObject(
        id=_file_id(split),
        name=_file_id(split),
        description=f"The {split.name} split of {split.config}: {split.rows:,} records.",
        content_url=split.file,
        content_size=f"{split.bytes} B",
        encoding_formats=[mlc.EncodingFormat.PARQUET],
        sha256=split.sha256,
    )


def _record_set(split: Split, columns: pa.Schema) -> mlc.RecordSet:
    import mlcroissant as mlc

    name = f"{split.config}_{split.name}"
    return mlc.RecordSet(
        id=name,
        name=name,
        description=f"Records of the {split.name} split of {split.config}.",
        key=[f"{name}/id"],
        fields=[_field(columns.field(column), name, split) for column in split.columns],
    )


def _field(column: pa.Field, prefix: str, split: Split, parent: str = "") -> mlc.Field:
    """Describe a column; a part of a struct is taken out of its column by a JSON path.

    Args:
        column: the column, or a part of one.
        prefix: identifier of what it belongs to.
        split: the file that it is in.
        parent: name of the column that it is a part of; empty for a column.
    """
    import mlcroissant as mlc

    path = f"{prefix}/{column.name}"
    about: dict[str, Any] = {"id": path, "name": path, "description": meaning_of(column)}
    if pa.types.is_list(column.type):
        about["repeated"] = True
    if parts := parts_of(column):
        fields = [_field(part, path, split, column.name) for part in parts]
        return mlc.Field(sub_fields=fields, **about)
    source = mlc.Source(file_object=_file_id(split), extract=mlc.Extract(column=parent or column.name))
    if parent:
        source.transforms = [mlc.Transform(json_path=f"$.{column.name}")]
    kind = mlc.DataType.INTEGER if pa.types.is_integer(column.type) else mlc.DataType.TEXT
    return mlc.Field(data_types=[kind], source=source, **about)


def _file_id(split: Split) -> str:
    return f"{split.config}_{split.name}.parquet"
