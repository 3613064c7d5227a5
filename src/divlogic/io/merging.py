"""Merging many sorted files into one sorted sequence, with few of them open at a time and a row of each in memory."""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from divlogic.io.files import read_as, write_jsonl

OPEN = 256
"""Files that are read at once; systems often allow a process 1,024."""


def merge_sorted(
    files: Sequence[Path],
    build: Callable[[dict[str, Any]], dict[str, Any]],
    what: str,
    key: Callable[[dict[str, Any]], Any],
) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield (file, row) of sorted JSON Lines by ``key``; of equal keys in the order of the files.

    At most :data:`OPEN` files are open at once: of more files, groups of that size are first merged into one file each,
    which then is the file that a row comes from.

    Args:
        files: what is merged, each sorted by ``key``.
        build, what: as of :func:`~divlogic.io.files.read_as`.
        key: what the rows are sorted by.

    Raises:
        DivLogicError: a file is missing or a row is malformed.
    """
    if len(files) <= OPEN:
        yield from heapq.merge(*(_rows(path, build, what) for path in files), key=lambda item: key(item[1]))
        return
    with tempfile.TemporaryDirectory(prefix="divlogic-merge-") as folder:
        parts = []
        for start in range(0, len(files), OPEN):
            parts.append(Path(folder, f"{start}.jsonl.gz"))
            some = merge_sorted(files[start : start + OPEN], build, what, key)
            write_jsonl(parts[-1], (row for _, row in some))
        yield from merge_sorted(parts, build, what, key)


def _rows(
    path: Path, build: Callable[[dict[str, Any]], dict[str, Any]], what: str
) -> Iterator[tuple[Path, dict[str, Any]]]:
    for _, row in read_as(path, build, what):
        yield path, row
