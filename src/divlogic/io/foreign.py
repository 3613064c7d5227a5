"""Bytes from outside: one budget for all that is downloaded, imported or answered, and one way to show its text.

A small file may unpack to gigabytes, nest without end, or say of itself what is not so. Each reader of foreign bytes
takes its limits from :data:`BUDGET` and says in a sentence which one was passed.
"""

from __future__ import annotations

import io
import os
import re
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from divlogic.errors import DivLogicError


@dataclass(frozen=True, slots=True)
class Budget:
    """What foreign bytes may cost; a machine with 1 GiB to spare reads all that is within.

    Attributes:
        reply: bytes of a server's reply, packed and unpacked.
        line: bytes without the end of a line, of a file that is read line by line.
        document: bytes without the end of a line, of a JSON document, which is read element by element.
        whole: bytes that are held at once: a workbook, a packed table, a batch of rows.
        unpacked, times: what a packed file may unpack to: so many bytes, or so many times its own size if that is more.
            Real texts pack to a fifth, rows that differ in a number to a fiftieth.
        depth: levels of lists and objects in JSON. Real data sets have fewer than ten.
        marks: brackets and commas of a JSON value that is held at once; 64 bytes of memory each, where they hold least.
        columns: of a table.
        cell: bytes of a cell of separated values; 128 KiB, as `csv` has it, is too small for proofs.
        rows: of a parquet or Arrow file, or one for each of its bytes if these are more.
        sheet_rows: rows of a sheet, as Excel has them.
        sheet_cells: cells of a sheet, those included that are left out between others.
        members: data files of a zip archive.
        shown: characters of foreign text in a message.
    """

    reply: int = 16 << 20
    line: int = 64 << 20
    document: int = 1 << 30
    whole: int = 256 << 20
    unpacked: int = 64 << 20
    times: int = 200
    depth: int = 100
    marks: int = 5_000_000
    columns: int = 2000
    cell: int = 16 << 20
    rows: int = 100_000
    sheet_rows: int = 1_048_576
    sheet_cells: int = 20_000_000
    members: int = 10_000
    shown: int = 2000

    def largest(self, packed: int) -> int:
        """Return how many bytes a packed file of a size may unpack to."""
        return max(self.unpacked, self.times * packed)


BUDGET = Budget()

_BLOCK = 1 << 18

# Marks that turn the direction of what follows them: with them a line reads other than it is.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")


def shown(text: str, limit: int = BUDGET.shown) -> str:
    r"""Return foreign text as a message may hold it: without control characters, but for tab and end of line, and marks
    of direction.

    >>> shown("a\x1b[2Jb"), shown("abcdef", 4)
    ('a\\x1b[2Jb', 'abc…')
    """
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    if text.isascii() and not _CONTROL.search(text):
        return text
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character in "\n\t":
        return character
    hidden = character in _TURNING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
    return character.encode("unicode_escape").decode() if hidden else character


class Unpacked(io.RawIOBase):
    """The content of a packed file, which ends with an error where it is out of all proportion to the file."""

    def __init__(self, stream: IO[bytes], name: str, packed: int) -> None:
        self._stream, self._name, self._left = stream, name, BUDGET.largest(packed)
        self._limit = self._left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # No more at once than a block: who asks for all would otherwise get all of it before it is counted.
        block = self._stream.read(min(len(buffer), _BLOCK))
        buffer[: len(block)] = block
        self._left -= len(block)
        if self._left < 0:
            raise DivLogicError(
                f"{self._name}: unpacks to more than {self._limit >> 20:,} MiB, {BUDGET.times} times its size or more;"
                " no data set packs so well. Unpack it yourself if it is one."
            )
        return len(block)


class Lined(io.RawIOBase):
    """A stream that ends with an error where too much comes without the end of a line; a few KiB may unpack to that."""

    def __init__(self, stream: IO[bytes], name: str, limit: int = BUDGET.line) -> None:
        self._stream, self._name, self._limit = stream, name, limit
        self._since = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        last = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._since = len(block) - last - 1 if last >= 0 else self._since + len(block)
        if self._since > self._limit:
            raise DivLogicError(
                f"{self._name}: more than {self._limit >> 20:,} MiB without the end of a line; no data set is like"
                " that, fetch or export it again."
            )
        return len(block)


class BeyondError(DivLogicError):
    """A JSON text costs more than foreign bytes may; ``reason`` says in which way."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}; no data set is like that, fetch or export it again.")
        self.reason = reason


_OTHER = bytes(set(range(256)) - set(b'"[]{},'))
# Of each byte by how many levels it goes down (1) or up (-1, as a signed byte).
_STEPS = bytes(1 if chr(code) in "[{" else 255 if chr(code) in "]}" else 0 for code in range(256))
_ESCAPE = re.compile(rb"\\.", re.DOTALL)


class Nesting:
    """Counts levels and marks of a JSON text that comes in blocks, outside its strings.

    Args:
        name: of the file.
        held: level at which a value is given up and the next one begins, so that marks are counted anew; -1: none is.
    """

    def __init__(self, name: str, held: int = 0) -> None:
        self._name, self._held = name, held
        self._depth, self._marks, self._inside, self._carry = 0, 0, 0, b""

    def look(self, block: bytes) -> None:
        """Take the next block into account.

        Raises:
            BeyondError: it is nested too deep, or a value has too many parts.
        """
        block = self._carry + block
        self._carry = b""
        if b"\\" in block:
            if (len(block) - len(block.rstrip(b"\\"))) % 2:
                block, self._carry = block[:-1], b"\\"
            block = _ESCAPE.sub(b"", block)
        parts = block.translate(None, _OTHER).split(b'"')
        outside = b"".join(parts[self._inside :: 2])
        if len(parts) % 2 == 0:
            self._inside ^= 1
        deepest, shallowest = self._depth, self._depth
        if outside:
            import numpy as np  # not at the start of each command

            steps = np.frombuffer(outside.translate(_STEPS), dtype=np.int8)
            depths = self._depth + np.cumsum(steps, dtype=np.int64)
            self._depth = int(depths[-1])
            deepest = max(deepest, int(depths.max()))
            shallowest = min(shallowest, int(depths.min()))
        if deepest > BUDGET.depth:
            raise BeyondError(self._name, f"nested deeper than {BUDGET.depth} levels")
        self._marks = 0 if shallowest <= self._held else self._marks + len(outside)
        if max(self._marks, len(outside)) > BUDGET.marks:
            raise BeyondError(self._name, f"one JSON value of more than {BUDGET.marks:,} parts")


class Nested(io.RawIOBase):
    """A stream of JSON that ends with an error where :class:`Nesting` finds one."""

    def __init__(self, stream: IO[bytes], name: str, held: int = 0) -> None:
        self._stream, self._nesting = stream, Nesting(name, held)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(min(len(buffer), _BLOCK))
        buffer[: len(block)] = block
        self._nesting.look(block)
        return len(block)


def check_json(text: bytes, name: str) -> None:
    """Refuse a JSON text, a line or a reply, that is nested too deep or has too many parts to be held."""
    # A short text with few brackets cannot be either.
    if len(text) > BUDGET.marks or text.count(b"[") + text.count(b"{") > BUDGET.depth:
        nesting = Nesting(name, -1)
        for start in range(0, len(text), _BLOCK):
            nesting.look(text[start : start + _BLOCK])


Form = Literal["parquet", "arrow"]


def arrow_batches(source: Any, form: Form) -> tuple[Any, Iterator[Any]]:
    """Return the schema of a parquet file or an Arrow stream, and its rows in batches of a thousand at most."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if form == "arrow":
        stream = pa.ipc.open_stream(source)
        return stream.schema, (
            batch.slice(start, 1000)
            for batch in _validated(stream)
            for start in range(0, batch.num_rows, 1000)
        )
    file = pq.ParquetFile(source)
    return file.schema_arrow, file.iter_batches(1000)


def _validated(batches: Any) -> Iterator[Any]:
    """Yield batches whose offsets lie within their buffers: the reader in C does not look."""
    for batch in batches:
        batch.validate(full=True)
        yield batch


def check_arrow(path: Path | bytes, name: str, form: Form) -> None:
    """Read a parquet or Arrow file once in a process of its own, which a file that lies may end.

    Raises:
        DivLogicError: it is no such file, passes the budget, or ends the process.
    """
    import subprocess

    program = "from divlogic.io.foreign import examine; examine()"
    content = path if isinstance(path, bytes) else None
    done = subprocess.run(
        [sys.executable, "-c", program, form, "" if content is not None else str(path)],
        input=content if content is not None else b"",
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Arrow's own allocators set gigabytes of addresses aside, which a limit would count.
        env=os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONPATH": _path()},
        check=False,
    )
    said = shown(done.stdout.decode("utf-8", "replace").strip(), 300)
    kind = "an Arrow stream" if form == "arrow" else "a parquet file"
    if done.returncode == _NOT:
        raise DivLogicError(f"{name}: not {kind} ({said}); export it again, or as csv.")
    if done.returncode == _TOO_MUCH:
        raise DivLogicError(f"{name}: {said}; export it as csv.")
    if done.returncode:
        raise DivLogicError(
            f"{name}: not {kind} (what it says of its own content is not so, and its reader broke down); export it"
            " again, or as csv."
        )


_NOT, _TOO_MUCH = 3, 4
"""Exit statuses of :func:`examine`: not a file of this form; a file that passes the budget."""


def _path() -> str:
    """Return the search path of this process, so that the other one imports the same package."""
    return os.pathsep.join(filter(None, sys.path))


def examine() -> None:
    """Read the file that the command line names, or standard input, within the budget; exit with what was found."""
    form, path = sys.argv[-2:]
    content = b"" if path else sys.stdin.buffer.read()
    size = Path(path).stat().st_size if path else len(content)
    import pyarrow as pa
    import pyarrow.parquet

    _limit_memory(3 * BUDGET.whole)
    try:
        problem = _beyond(path or io.BytesIO(content), form, size)
    except (MemoryError, pa.ArrowMemoryError):
        problem = f"unpacks to more than {3 * BUDGET.whole >> 20} MiB at once"
    except (pa.ArrowException, OSError, ValueError, TypeError, SystemError, OverflowError) as error:
        print(str(error).partition("\n")[0])
        sys.exit(_NOT)
    if problem:
        print(problem)
        sys.exit(_TOO_MUCH)


def _limit_memory(more: int) -> None:
    """Let this process have so many bytes more than now, where the system tells how many these are."""
    import resource

    sizes = Path("/proc/self/statm")
    if sizes.exists():
        now = int(sizes.read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = now + more if hard == resource.RLIM_INFINITY else min(now + more, hard)
        resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))


def _beyond(source: Any, form: Any, size: int) -> str:
    """Return what passes the budget in a parquet file or an Arrow stream; empty if nothing does."""
    schema, batches = arrow_batches(source, form)
    if len(schema) > BUDGET.columns:
        return f"has {len(schema):,} columns, more than the {BUDGET.columns:,} that are read"
    rows = total = 0
    for batch in batches:
        batch.validate(full=True)
        rows += batch.num_rows
        total += batch.nbytes
        if batch.nbytes > BUDGET.whole:
            return f"has a thousand rows of more than {BUDGET.whole >> 20} MiB"
        if total > BUDGET.largest(size):
            return f"unpacks to more than {BUDGET.largest(size) >> 20:,} MiB, {BUDGET.times} times its size or more"
        if rows > max(BUDGET.rows, size):
            return f"has more rows than bytes ({size:,})"
        if sum(map(_values, batch.columns)) > BUDGET.marks:
            return f"has a thousand rows of more than {BUDGET.marks:,} values"
        # What a dictionary holds once is a text of each row, once it is read.
        if sum(map(_length, batch.columns)) > BUDGET.whole:
            return f"has a thousand rows of more than {BUDGET.whole >> 20} MiB"
    return ""


def _values(array: Any) -> int:
    """Return how many values an array holds, those in lists and structures included."""
    import pyarrow as pa

    kind = array.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return len(array) + _values(array.flatten())
    if pa.types.is_map(kind):
        return len(array) + len(array.items) * 2
    if pa.types.is_struct(kind):
        return len(array) + sum(_values(part) for part in array.flatten())
    return len(array)


def _length(array: Any) -> int:
    """Return how many bytes the texts of a column have that is stored as a dictionary, each counted where it stands."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(array.type):
        return 0
    kept = array.dictionary
    if not (pa.types.is_string(kept.type) or pa.types.is_large_string(kept.type)):
        return 0
    lengths = pc.take(pc.binary_length(kept), array.indices)
    return int(pc.sum(lengths).as_py() or 0)
