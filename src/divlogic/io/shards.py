"""Rows of many files: divided among shards, merged again, and known by hashes.

``drawn/{0..99}.jsonl.gz`` stands for a hundred shards: a command line has room for some thousand names, and a run may
have ten thousand shards.
"""

from __future__ import annotations

import gzip
import hashlib
import heapq
import re
import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import filling, read_jsonl, write_jsonl

Row = dict[str, Any]
_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")
MOST = 10**6
"""Files that one name may stand for."""
HELD = 64 << 20
"""Bytes of rows that are held in memory before they are written; however many shards, one file is open at a time."""
OPEN = 256
"""Files that are read at once; systems often allow a process 1,024."""
_RECENT = 1 << 16
"""Hashes that are added before they are sorted in, at least; else a quarter of those there are."""


def shard_files(names: Iterable[Path | str]) -> tuple[Path, ...]:
    """Return the files that the names stand for, in order; a name without a range stands for itself.

    >>> [str(path) for path in shard_files(["a/{8..10}.jsonl.gz", "b"])]
    ['a/8.jsonl.gz', 'a/9.jsonl.gz', 'a/10.jsonl.gz', 'b']
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
                f"{name}: from {first} to {last} is no range of files; give FIRST..LAST."
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
    source: Path, rows: Iterator[tuple[int, Row]], out: Path, shards: int, *, held: int = HELD
) -> int:
    """Write (shard, row) to a file for each shard, ``0.jsonl.gz`` and so on, in their order; return the number of rows.

    The folder ``out`` is replaced as a whole. An error names ``source``, the file that the rows are from.
    """
    number = waiting = 0
    with filling(out) as folder:
        # Rows as objects would take three times the memory of their text.
        parts = [(folder / f"{shard}.jsonl.gz", bytearray()) for shard in range(shards)]
        for shard, row in rows:
            number += 1
            text = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
            parts[shard][1].extend(text)
            waiting += len(text)
            if waiting >= held:
                _append(parts)
                waiting = 0
        _append(parts)
        if not number:
            raise DivLogicError(f"{source}: the file is empty; run the step that makes it again.")
    return number


def _append(parts: list[tuple[Path, bytearray]]) -> None:
    """Append the waiting rows of each shard to its file, as a compressed member of their own."""
    for path, text in parts:
        if text or not path.exists():
            with path.open("ab") as stream:
                # Fast rather than small: it is read once.
                stream.write(gzip.compress(text, compresslevel=1, mtime=0))
            text.clear()


def merge_sorted(files: Sequence[Path], key: Callable[[Row], Any]) -> Iterator[tuple[Path, Row]]:
    """Yield (file, row) of sorted JSON Lines by ``key``; of equal keys in the order of the files.

    At most :data:`OPEN` files are open at once: of more files, groups of that size are first merged into one file each,
    which then is the file that a row comes from.
    """

    def rows(path: Path) -> Iterator[tuple[Path, Row]]:
        for _, row in read_jsonl(path):
            yield path, row

    if len(files) <= OPEN:
        yield from heapq.merge(*map(rows, files), key=lambda item: key(item[1]))
        return
    with tempfile.TemporaryDirectory(prefix="divlogic-merge-") as folder:
        parts = []
        for start in range(0, len(files), OPEN):
            parts.append(Path(folder, f"{start}.jsonl.gz"))
            some = merge_sorted(files[start : start + OPEN], key)
            write_jsonl(parts[-1], (row for _, row in some))
        yield from merge_sorted(parts, key)


def hash_of(text: str) -> int:
    """Hash a text to eight bytes, not 0: among a million rows two collide with a chance of 1 in 36 million."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


class HashSet:
    """Hashes in some ten bytes each (a Python set takes 100): a sorted array, and a set of those added recently."""

    def __init__(self) -> None:
        self._sorted = array("Q")
        self._recent: set[int] = set()

    def __contains__(self, key: int) -> bool:
        if key in self._recent:
            return True
        place = bisect_left(self._sorted, key)
        return place < len(self._sorted) and self._sorted[place] == key

    def add(self, key: int) -> bool:
        """Add a hash; return whether it was not there yet."""
        if key in self:
            return False
        self._recent.add(key)
        if len(self._recent) > max(_RECENT, len(self._sorted) >> 2):
            import numpy as np

            recent = np.fromiter(self._recent, np.uint64, len(self._recent))
            self._recent = set()
            merged = np.concatenate([np.frombuffer(self._sorted, np.uint64), recent])
            merged.sort()
            self._sorted = array("Q", merged.tobytes())
        return True
