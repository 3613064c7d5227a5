"""Names of many files in one: ``drawn/{0..99}.jsonl.gz`` stands for a hundred shards, in order.

A command line has room for some thousand names; a run may have ten thousand shards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from divlogic.errors import DivLogicError

_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")
MOST = 10**6
"""Files that one name may stand for."""


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
