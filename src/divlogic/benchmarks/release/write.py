"""Write the release of a benchmark from its jsonl splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from divlogic.benchmarks.release.card import data_card
from divlogic.benchmarks.release.croissant import croissant
from divlogic.benchmarks.release.facts import Facts, Split
from divlogic.benchmarks.release.schema import Column, arrow_schema, columns_of, to_row
from divlogic.errors import DivLogicError
from divlogic.files import atomic_path, file_sha256, read_jsonl, write_json, write_text

ROW_GROUP = 1000
"""Rows per row group: the unit that is held in memory, fixed so that the bytes do not depend on the machine."""


def write_release(folder: Path, configs: Mapping[str, Mapping[str, Path]], facts: Facts) -> tuple[Split, ...]:
    """Write ``parquet/<config>/<split>.parquet``, ``README.md`` and ``croissant.json`` into a folder.

    The folder then loads with ``datasets.load_dataset(folder, config)``; the first configuration is the default.
    Rows are read and written in batches of ``ROW_GROUP``.

    Args:
        folder: where the release goes; other files there are left alone.
        configs: configuration name -> split name -> jsonl file of records. Empty splits are left out.
        facts: what the card and the metadata say.

    Returns:
        The written files with their counts.

    Raises:
        DivLogicError: a file is missing or a row cannot be used (named), or there is no record at all.
    """
    folder = Path(folder)
    splits = []
    for config, files in configs.items():
        for name, path in files.items():
            split = _write_split(folder, config, name, Path(path))
            if split is not None:
                splits.append(split)
    if not splits:
        raise DivLogicError(f"{folder}: there is no record to release; generate the benchmark first.")
    write_text(folder / "README.md", data_card(facts, splits))
    write_json(folder / "croissant.json", croissant(facts, splits))
    return tuple(splits)


def _write_split(folder: Path, config: str, name: str, path: Path) -> Split | None:
    """Write one parquet file and count its records; an empty split leaves no file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    target = folder / "parquet" / config / f"{name}.parquet"
    rows = read_jsonl(path)
    first = next(rows, None)
    if first is None:
        target.unlink(missing_ok=True)
        return None
    columns = columns_of(first[1])
    schema = arrow_schema(columns)
    tally = _Tally()
    with (
        atomic_path(target) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", use_dictionary=True) as writer,
    ):
        for batch in _batches(chain([first], rows), columns, path, tally):
            try:
                table = pa.Table.from_pylist(batch, schema=schema)
            except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
                raise DivLogicError(
                    f"{path}, rows {tally.rows - len(batch) + 1} to {tally.rows}: a field has the wrong type"
                    f" ({error}); make the file again."
                ) from error
            writer.write_table(table, row_group_size=ROW_GROUP)
    return Split(
        config=config,
        name=name,
        file=target.relative_to(folder).as_posix(),
        bytes=target.stat().st_size,
        sha256=file_sha256(target),
        rows=tally.rows,
        types=tally.types,
        answers=tally.answers,
        words=tally.words,
        columns=tuple(column.name for column in columns),
    )


class _Tally:
    """Counts what goes by."""

    def __init__(self) -> None:
        self.rows = 0
        self.words = 0
        self.types: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()

    def add(self, row: Mapping[str, Any]) -> None:
        self.rows += 1
        self.words += sum(len(text.split()) for text in (row["context"], row["question"], *row["options"]))
        self.types[row.get("question_type") or "all"] += 1
        if row["answer"] is not None:
            self.answers[row["answer"]] += 1


def _batches(
    rows: Iterator[tuple[int, dict[str, Any]]], columns: tuple[Column, ...], path: Path, tally: _Tally
) -> Iterator[list[dict[str, Any]]]:
    """Yield lists of ``ROW_GROUP`` rows, the last one shorter."""

    def converted() -> Iterator[dict[str, Any]]:
        for number, row in rows:
            try:
                cells = to_row(row, columns)
                tally.add(row)
            except ValueError as error:
                raise DivLogicError(f"{path}, row {number}: {error}; make the file again.") from error
            except (KeyError, TypeError, AttributeError) as error:
                raise DivLogicError(
                    f"{path}, row {number}: not a record ({error!r}); make the file again."
                ) from error
            yield cells

    cells = converted()
    while batch := list(islice(cells, ROW_GROUP)):
        yield batch
