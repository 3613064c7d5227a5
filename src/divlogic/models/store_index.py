"""Where each answer stands in a response store, so that a store of millions opens at once and in little memory.

The store itself, an append-only jsonl file, is the only truth. The index is a file next to it that can be deleted at
any time: it covers the first rows, the rest is read. It is used only if it is whole and the store still ends, as far as
the index covers it, with the bytes that it was made from; each answer found through it is checked against its key.
"""

from __future__ import annotations

import hashlib
import os
import weakref
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_path

INDEX_FROM = 10_000
"""Rows without an index from which one is written at closing; fewer are read faster than they are indexed."""

_VERSION = 1
_HEADER, _CHECKSUM = 512, 4
_CHECKED = 4096
_BLOCK = 4096

Row = dict[str, Any]


class Rows(Mapping[str, Row]):
    """The answered rows of a store by key; of two rows with one key the first counts.

    Attributes:
        torn: rows that were cut off by the end of a run; they are passed over.
        size: bytes of the store that have been read.
    """

    def __init__(self, path: Path, required: frozenset[str], allowed: frozenset[str]) -> None:
        """Read a store, through its index as far as that goes.

        Args:
            path: the store.
            required, allowed: fields of a row with an answer.

        Raises:
            DivLogicError: the file is not a response store.
        """
        self.path = Path(path)
        self._required, self._allowed = required, allowed
        self._handle = os.open(self.path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._handle)
        self._open()

    def __getitem__(self, key: str) -> Row:
        offset = self._tail.get(key)
        if offset is None:
            return self._indexed(key)
        row = self._row_at(offset)
        if row is None or row.get("key") != key:
            raise DivLogicError(
                f"{self.path}: the file was changed while it was read; run the same command again."
            )
        return row

    def __iter__(self) -> Iterator[str]:
        for offset in np.sort(self._offsets):
            row = self._row_at(int(offset))
            if row is not None:
                yield row["key"]
        yield from self._tail

    def __len__(self) -> int:
        return len(self._offsets) + len(self._tail)

    def __contains__(self, key: object) -> bool:
        if key in self._tail:
            return True
        try:
            self._indexed(str(key))
        except KeyError:
            return False
        return True

    def add(self, key: str, length: int) -> None:
        """Note an answer of ``length`` bytes that was just appended."""
        if key not in self:
            self._tail[key] = self.size
        self.size += length
        self._count += 1

    def skip(self, length: int) -> None:
        """Note ``length`` bytes that were just appended and hold no answer."""
        self.size += length

    def write_index(self) -> None:
        """Write the index of a store that has grown by many rows since the last one."""
        if len(self._tail) < INDEX_FROM:
            return
        tail_prefixes = np.fromiter((_prefix(key) for key in self._tail), np.uint64, len(self._tail))
        tail_offsets = np.fromiter(self._tail.values(), np.uint64, len(self._tail))
        prefixes = np.concatenate([self._prefixes, tail_prefixes])
        offsets = np.concatenate([self._offsets, tail_offsets])
        order = np.argsort(prefixes, kind="stable")
        body = prefixes[order].astype("<u8").tobytes() + offsets[order].astype("<u8").tobytes()
        header = {
            "version": _VERSION,
            "covered": self.size,
            "count": len(order),
            "torn": self.torn,
            "rows": self._count,
            "check": self._check(self.size),
        }
        with atomic_path(_index_path(self.path)) as temporary, temporary.open("wb") as stream:
            described = orjson.dumps(header).ljust(_HEADER - _CHECKSUM)
            stream.write(zlib.crc32(body, zlib.crc32(described)).to_bytes(_CHECKSUM, "little"))
            stream.write(described)
            stream.write(body)

    def _open(self, *, with_index: bool = True) -> None:
        self._prefixes: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._offsets: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._tail: dict[str, int] = {}
        self.torn = self.size = self._count = 0
        if with_index:
            self._open_index()
        self._read_rest()

    def _open_index(self) -> None:
        path = _index_path(self.path)
        try:
            with path.open("rb") as stream:
                checksum = int.from_bytes(stream.read(_CHECKSUM), "little")
                described = stream.read(_HEADER - _CHECKSUM)
                header = orjson.loads(described)
            count, covered = header["count"], header["covered"]
            whole = path.stat().st_size == _HEADER + 16 * count
            if header["version"] != _VERSION or not whole or covered > os.fstat(self._handle).st_size:
                return
            if header["check"] != self._check(covered):
                return
            numbers = np.memmap(path, dtype="<u8", mode="r", offset=_HEADER, shape=(2 * count,))
            if checksum != zlib.crc32(numbers.data, zlib.crc32(described)):
                return
        except (OSError, ValueError, LookupError, TypeError):
            return
        self._prefixes, self._offsets = numbers[:count], numbers[count:]
        self.size, self.torn, self._count = covered, header["torn"], header["rows"]

    def _read_rest(self) -> None:
        """Read the rows that the index does not cover."""
        with os.fdopen(os.dup(self._handle), "rb") as stream:
            stream.seek(self.size)
            for raw in stream:
                offset, self.size = self.size, self.size + len(raw)
                self._count += 1
                try:
                    row = orjson.loads(raw)
                except orjson.JSONDecodeError:
                    self.torn += bool(raw.strip())
                    continue
                if not isinstance(row, dict) or not isinstance(row.get("key"), str):
                    raise DivLogicError(
                        f"{self.path}, row {self._count}: not a row of a response store; give another file."
                    )
                if "fault" in row or row["key"] in self._tail or (len(self._prefixes) and row["key"] in self):
                    continue
                if not self._required <= row.keys() <= self._allowed:
                    raise DivLogicError(
                        f"{self.path}, row {self._count}: not a row of this version's response store; give another"
                        " file."
                    )
                self._tail[row["key"]] = offset
        if self.torn and self.torn == self._count:
            raise DivLogicError(
                f"{self.path}: no row of it is JSON; it is not a response store, give another file."
            )

    def _indexed(self, key: str) -> Row:
        prefix = _prefix(key)
        place = int(np.searchsorted(self._prefixes, np.uint64(prefix)))
        while place < len(self._prefixes) and int(self._prefixes[place]) == prefix:
            row = self._row_at(int(self._offsets[place]))
            if row is None:
                # The store was edited in a place that the check does not see.
                self._open(with_index=False)
                return self[key]
            if row.get("key") == key:
                return row
            place += 1
        raise KeyError(key)

    def _row_at(self, offset: int) -> Row | None:
        raw = b""
        while b"\n" not in raw:
            part = os.pread(self._handle, _BLOCK, offset + len(raw))
            raw += part
            if not part:
                break
        try:
            row = orjson.loads(raw.partition(b"\n")[0])
        except orjson.JSONDecodeError:
            return None
        return row if isinstance(row, dict) else None

    def _check(self, covered: int) -> str:
        """Return a hash of the last bytes of those that an index covers."""
        start = max(covered - _CHECKED, 0)
        return hashlib.sha256(os.pread(self._handle, covered - start, start)).hexdigest()


def _index_path(store: Path) -> Path:
    return store.with_name(f"{store.name}.index")


def _prefix(key: str) -> int:
    """Return the first 64 bits of a key, which is a SHA-256 in hexadecimal; of any other string those of its hash."""
    try:
        return int(key[:16], 16) if len(key) == 64 else int(hashlib.sha256(key.encode()).hexdigest()[:16], 16)
    except ValueError:
        return int(hashlib.sha256(key.encode()).hexdigest()[:16], 16)
