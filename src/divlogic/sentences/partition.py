"""Rows divided among shards, so that a shard reads its own and no others; sentence pairs are divided by premise."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from divlogic.corpora.manifest import filling
from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl
from divlogic.io.log import track
from divlogic.io.notes import Count, write_note
from divlogic.sentences.groups import check_row, shard_of

HELD = 64 << 20
"""Bytes of rows that are held in memory before they are written; however many shards, one file is open at a time."""


def partition(source: Path, out: Path, shards: int, *, held: int = HELD) -> int:
    """Write the sentence pairs of each shard as :func:`divide` does; return their number.

    Args:
        source: sentence pairs (jsonl, plain or gzipped), one per row.
        out: folder of the files, replaced as a whole.
        shards: number of shards.
        held: bytes held in memory.

    Raises:
        DivLogicError: the file is empty, or a row is malformed.
    """

    def placed() -> Iterator[tuple[int, dict[str, Any]]]:
        premise, shard = None, 0
        for number, row in track(read_jsonl(source), "pairs"):
            check_row(source, number, row)
            if row["premise"] != premise:  # the pairs of a premise follow one another
                premise = row["premise"]
                shard = shard_of(premise, shards)
            yield shard, row

    return divide(source, placed(), out, shards, held=held)


def divide(
    source: Path, rows: Iterator[tuple[int, dict[str, Any]]], out: Path, shards: int, *, held: int = HELD
) -> int:
    """Write the rows of each shard to a file of its own, in their order; return their number.

    Args:
        source: the file that the rows are from, for the error.
        rows: (shard, row).
        out: folder of the files, ``0.jsonl.gz`` and so on; replaced as a whole.
        shards: number of shards.
        held: bytes held in memory.

    Raises:
        DivLogicError: there are no rows.
    """
    number = kept = 0
    with filling(out) as folder:
        parts = [_Part(folder / f"{shard}.jsonl.gz") for shard in range(shards)]
        for shard, row in rows:
            number += 1
            kept += parts[shard].add(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            if kept >= held:
                for part in parts:
                    part.write()
                kept = 0
        for part in parts:
            part.close()
        if not number:
            raise DivLogicError(f"{source}: the file is empty; run the step that makes it again.")
    return number


class _Part:
    """The file of one shard: compressed members, one behind the other."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows = bytearray()  # of rows as objects each would take three times its size
        self._count = Count()

    def add(self, row: bytes) -> int:
        self._rows += row
        return len(row)

    def write(self) -> None:
        if self._rows:
            self._count.add(self._rows)
            with self._path.open("ab") as stream:
                # Fast rather than small: it is read once.
                stream.write(gzip.compress(self._rows, compresslevel=1, mtime=0))
            self._rows = bytearray()

    def close(self) -> None:
        self.write()
        if not self._path.exists():
            self._path.write_bytes(gzip.compress(b"", mtime=0))
        write_note(self._path, self._count)
