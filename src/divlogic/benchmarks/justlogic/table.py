"""The table of statements, read at random places without being held in memory."""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from divlogic.benchmarks.justlogic.vocabulary import LIGHT
from divlogic.draws import Draws
from divlogic.errors import DivLogicError
from divlogic.io.files import check_whole

_CHUNK = 1 << 22
_TRIES = 10_000
_WORD = re.compile(r"[a-z']+")


class Row(NamedTuple):
    """One statement and the place of its term's statements: the number of the first, and how many."""

    number: int
    id: str
    term: str
    text: str
    negated: str | None
    source: str
    first: int
    siblings: int


class Statements:
    """The statements of a file made by :func:`merge_statements`; use :func:`open_statements`.

    Memory holds eight bytes per statement; the text stays in the file.
    """

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._path = path
        self._starts = _line_starts(data)
        self._count = len(self._starts) - 1
        self._paired = self._first_single()

    def __len__(self) -> int:
        return self._count

    def row(self, number: int) -> Row:
        """Return one statement.

        Raises:
            DivLogicError: the row is malformed.
        """
        line = self._data[self._starts[number] : self._starts[number + 1]]
        try:
            value = orjson.loads(line)
            first, siblings = value["group"]
            return Row(
                number,
                value["id"],
                value["term"],
                value["text"],
                value["negated"],
                value["source"],
                first,
                siblings,
            )
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise DivLogicError(
                f"{self._path}, row {number + 1}: not a statement ({error}); make the file again."
            ) from error

    def draw(self, draws: Draws, taken: Callable[[Row], bool]) -> Row:
        """Draw a statement that is not taken, each with the same probability.

        Raises:
            DivLogicError: no free statement is found.
        """
        for _ in range(_TRIES):
            row = self.row(draws.below(self._count))
            if not taken(row):
                return row
        raise DivLogicError(
            f"{self._path}: {self._count} statements are too few for one instance; use a larger corpus or lower depths."
        )

    def draw_pair(self, draws: Draws, taken: Callable[[Row], bool], max_overlap: float) -> tuple[Row, Row]:
        """Draw two statements on one term of which neither says what the other does.

        Raises:
            DivLogicError: no term has two such statements.
        """
        for _ in range(_TRIES if self._paired else 0):
            row = self.row(draws.below(self._paired))
            if taken(row):
                continue
            other = row.first + draws.below(row.siblings - 1)
            second = self.row(other + (other >= row.number))
            if not taken(second) and overlap(row, second) <= max_overlap:
                return row, second
        raise DivLogicError(
            f"{self._path}: no term with two different statements was found, which an uncertain query needs; use a"
            " larger corpus or raise 'benchmarks.justlogic.statements.max_overlap'."
        )

    def _first_single(self) -> int:
        """Return where the terms with a single statement begin: they come last in the file."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.row(middle).siblings > 1 else (low, middle)
        return low


@contextmanager
def open_statements(path: Path) -> Iterator[Statements]:
    """Open a table of statements.

    Raises:
        DivLogicError: the file is missing, empty, compressed, or not what was written.
    """
    if not path.is_file() or not path.stat().st_size:
        raise DivLogicError(f"{path}: there is no such file, or it is empty; run the step that makes it.")
    check_whole(path)
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:1] != b"{":
            raise DivLogicError(f"{path}: not plain jsonl; unpack it or make it again.")
        yield Statements(data, path)


def overlap(first: Row, second: Row) -> float:
    """Return the share of words that two statements on a term have in common, the term and light words apart.

    The Jaccard index; 1 where one statement's words all occur in the other.
    """
    left, right = (_content(row) for row in (first, second))
    common = left & right
    if not left or not right or common in (left, right):
        return 1.0
    return len(common) / len(left | right)


def _content(row: Row) -> frozenset[str]:
    """Return the stems of a statement's words without its term's and the light ones."""
    term = {_stem(word) for word in row.term.split()}
    return frozenset([_stem(word) for word in _WORD.findall(row.text.lower()) if word not in LIGHT]) - term


@lru_cache(maxsize=1 << 14)
def _stem(word: str) -> str:
    """Cut a plural or third-person ending, roughly: only equality matters."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _line_starts(data: mmap.mmap) -> NDArray[np.int64]:
    """Return where each line begins, and the end of the last."""
    ends = [np.zeros(1, dtype=np.int64)]
    for start in range(0, len(data), _CHUNK):
        block = np.frombuffer(data[start : start + _CHUNK], dtype=np.uint8)
        ends.append(np.flatnonzero(block == 10).astype(np.int64) + start + 1)
    starts = np.concatenate(ends)
    return starts if starts[-1] == len(data) else np.append(starts, len(data))
