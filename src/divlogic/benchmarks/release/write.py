"""Write the release of a benchmark from its jsonl splits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from divlogic.benchmarks.release.card import (
    Facts,
    Split,
    columns_of,
    croissant,
    data_card,
    row_converter,
)
from divlogic.benchmarks.spec import Planned
from divlogic.errors import DivLogicError
from divlogic.io import files
from divlogic.io.files import file_sha256, read_json, read_jsonl, write_json, write_text
from divlogic.io.shards import HashSet, hash_of
from divlogic.records import Record

_WORD = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")

ROW_GROUP = 1000
"""Rows per row group: the unit that is held in memory, fixed so that the bytes do not depend on the machine."""


def write_release(
    folder: Path,
    configs: Mapping[str, Mapping[str, Path]],
    facts: Facts,
    *,
    confirmed: Path | None = None,
    planned: Iterable[Planned] = (),
) -> tuple[Split, ...]:
    """Write ``parquet/<config>/<split>.parquet``, ``README.md`` and ``croissant.json`` as one folder.

    The folder then loads with ``datasets.load_dataset(folder, config)``; the first configuration is the default. It
    replaces an earlier one in one step, once everything in it is checked: each record has the form of a record, its
    answer is one of its options, it is of its split, and no two of a configuration share an id. Rows are read and
    written in batches of ``ROW_GROUP``; hashes of the ids of a configuration are held in memory.

    Args:
        configs: configuration name -> split name -> jsonl file of records. Splits planned to be empty are left out.
        confirmed: report of the solver on the test split; every record of it must have been confirmed.
        planned: the records that the splits must have.

    Returns:
        The written files with their counts.
    """
    folder = Path(folder)
    splits = []
    with files.filling(folder) as place:
        for config, paths in configs.items():
            ids = HashSet()
            for name, path in paths.items():
                split = _write_split(place, config, name, Path(path), facts, ids)
                if split is not None:
                    splits.append(split)
        if not splits:
            raise DivLogicError(
                f"{folder}: there is no record to release; generate the benchmark first."
            )
        _check_planned(planned, configs, splits)
        if confirmed is not None:
            _check_confirmed(confirmed, splits)
        write_text(place / "README.md", data_card(facts, splits))
        write_json(place / "croissant.json", croissant(facts, splits))
    return tuple(splits)


def _check_planned(
    planned: Iterable[Planned], configs: Mapping[str, Mapping[str, Path]], splits: list[Split]
) -> None:
    """Compare the splits with what was planned: the solver's report lacks lost rows as well."""
    rows = {(split.config, split.name): split.rows for split in splits}
    for config, names, wanted in planned:
        found = sum(rows.get((config, name), 0) for name in names)
        if found < wanted:
            raise DivLogicError(
                f"{' and '.join(str(configs[config][name]) for name in names)}: {found:,} records, but {wanted:,} were"
                " planned; delete the file and run the workflow again."
            )


def _check_confirmed(report: Path, splits: list[Split]) -> None:
    """Compare the test splits with what the solver has confirmed."""
    values = read_json(report)
    instances, disagreements = values["instances"], values["disagreements"]
    if disagreements:
        raise DivLogicError(
            f"{report}: {disagreements} labels are not confirmed; they cannot be released."
        )
    for split in splits:
        if split.name == "test" and split.rows != instances:
            raise DivLogicError(
                f"{split.config}: the test split has {split.rows:,} records, but {instances:,} were confirmed"
                f" ({report}); assemble and verify the split again."
            )


def _write_split(
    folder: Path, config: str, name: str, path: Path, facts: Facts, ids: HashSet
) -> Split | None:
    """Write one parquet file and count its records; an empty split leaves no file.

    What is kept apart of the test split goes to ``keys/<config>.jsonl``, with the id of each record.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = next(read_jsonl(path), None)
    if first is None:
        return None
    columns = columns_of(facts.columns, first[1])
    split = Split(config, name, f"parquet/{config}/{name}.parquet", tuple(columns.names))
    apart = facts.known.kept_apart if name == "test" else ()
    if apart:
        with files.atomic_writer(folder / "keys" / f"{config}.jsonl") as stream:
            for _, row in read_jsonl(path):
                key = {"id": row.get("id")} | {
                    k: v for k, v in row.get("metadata", {}).items() if k in apart
                }
                stream.write(orjson.dumps(key, option=orjson.OPT_APPEND_NEWLINE))

    converted = row_converter(columns)

    def cells() -> Iterator[dict[str, Any]]:
        for number, row in read_jsonl(path):
            try:
                _count(row, split, ids)
                for key in apart:
                    row.get("metadata", {}).pop(key, None)
                yield converted(row)
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise DivLogicError(
                    f"{path}, row {number}: {error}; regenerate the file."
                ) from error

    target = folder / split.file
    target.parent.mkdir(parents=True, exist_ok=True)
    rows = cells()
    with pq.ParquetWriter(target, columns, compression="zstd", use_dictionary=True) as writer:
        while batch := list(islice(rows, ROW_GROUP)):
            writer.write_table(
                pa.Table.from_pylist(batch, schema=columns), row_group_size=ROW_GROUP
            )
    split.bytes, split.sha256 = target.stat().st_size, file_sha256(target)
    return split


def _count(row: Mapping[str, Any], split: Split, ids: HashSet) -> None:
    """Check and count one record; ``ids`` are hashes of those of the configuration's records so far."""
    record = Record.from_json(dict(row))
    if record.answer is None and (record.options or not record.metadata.get("questions")):
        raise ValueError("the answer is missing")
    if record.split != split.name:
        raise ValueError(f"the record is of the split '{record.split}', not '{split.name}'")
    if not ids.add(hash_of(record.id)):
        raise ValueError(f"the id '{record.id}' is duplicated")
    split.rows += 1
    split.words += sum(map(_word_count, (row["context"], row["question"], *row["options"])))
    split.types[row.get("question_type") or "all"] += 1
    if record.answer is not None:
        split.answers[record.answer] += 1


def _word_count(text: str) -> int:
    """Return the number of words; a Chinese character counts as one."""
    return len(text.split()) if text.isascii() else len(_WORD.findall(text))
