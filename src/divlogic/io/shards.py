"""Rows divided among shards, and names of many files in one: ``drawn/{0..99}.jsonl.gz`` stands for a hundred shards.

A command line has room for some thousand names; a run may have ten thousand shards.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import filling
from divlogic.io.notes import Count, write_note

_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")
MOST = 10**6
"""Files that one name may stand for."""
HELD = 64 << 20
"""Bytes of rows that are held in memory before they are written; however many shards, one file is open at a time."""


def shard_files(names: Iterable[Path | str]) -> tuple[Path, ...]:
    """Return the files that the names stand for, in order; a name without a range stands for itself.

    >>> [str(path) for path in shard_files(["a/{8..10}.jsonl.gz", "b"])]
    ['a/8.jsonl.gz', 'a/9.jsonl.gz', 'a/10.jsonl.gz', 'b']

    Raises:
        DivLogicError: a range is empty or too long.
    """
    found: list[Path] = []
    for name in names:
        given = _RANGE.search(str(name))
        if given is None:
            found.append(Path(name))
            continue
        first, last = int(given[1]), int(given[2])
        if not 0 <= last - first < MOST:
            raise DivLogicError(
                f"{name}: from {first} to {last} there is no range of files; give FIRST..LAST."
            )
        start, end = str(name)[: given.start()], str(name)[given.end() :]
        found += [Path(f"{start}{number}{end}") for number in range(first, last + 1)]
    return tuple(found)


def shard_names(files: Iterable[Path | str]) -> list[str]:
    """Return the names that stand for the files: one with a range, where they are one shard after the other.

    >>> shard_names(["a/0.counts.csv", "a/1.counts.csv", "a/2.counts.csv"])
    ['a/{0..2}.counts.csv']
    >>> shard_names(["a/0.csv", "a/2.csv"])
    ['a/0.csv', 'a/2.csv']
    """
    names = [str(file) for file in files]
    parts = [re.fullmatch(r"(.*/)(\d+)(\.[^/]*)", name) for name in names]
    if len(names) < 2 or parts[0] is None:
        return names
    start, first, end = parts[0].groups()
    wanted = [f"{start}{int(first) + place}{end}" for place in range(len(names))]
    return [f"{start}{{{first}..{int(first) + len(names) - 1}}}{end}"] if names == wanted else names


def expanded(_context: Any, _parameter: Any, names: tuple[Path, ...]) -> tuple[Path, ...]:
    """Expand the names of an argument of the command line (a callback of click)."""
    return shard_files(names)


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
