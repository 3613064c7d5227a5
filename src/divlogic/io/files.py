"""Reading and writing files so that nothing is lost and the same content gives the same bytes."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import gzip
import hashlib
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import orjson

from divlogic.errors import DivLogicError

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile
else:
    from backports.zstd import ZstdError, ZstdFile

T = TypeVar("T")

_BUFFER = 1 << 18
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

RowProblem = Callable[[int, str], None]
"""Called with (row number, what is wrong) for a row that cannot be used; the row is then skipped."""


@contextlib.contextmanager
def atomic_path(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield a temporary sibling of ``path`` that replaces it once the block ends without an error.

    The temporary file is flushed to disk before the rename, so that ``path`` is either the old file or the
    whole new one, also after a crash in between. What a killed process left of the same file is removed.

    Args:
        path: the file.
        private: nobody but the owner may read it, whatever the umask says.
    """
    path = Path(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with contextlib.suppress(OSError):  # a file system without locks only keeps its leftovers
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield temporary
        with temporary.open("rb") as stream:
            os.fsync(stream.fileno())
        # mkstemp makes the file private; give it the mode an ordinary open() would have given.
        if not private:
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
        temporary.replace(path)
    except OSError as error:
        # Another errno may come from something else that the block did: let it speak for itself.
        if error.errno in _NO_ROOM or path.is_dir():
            raise unwritable(path, error) from error
        raise
    finally:
        os.close(handle)
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def filling(folder: Path) -> Iterator[Path]:
    """Yield a temporary sibling folder that replaces ``folder`` once the block ends without an error."""
    folder = Path(folder)
    with writing(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        # What a killed run left behind would otherwise stay there for good.
        for suffix in ("tmp", "old"):
            for left in folder.parent.glob(f".{folder.name}.*.{suffix}"):
                shutil.rmtree(left, ignore_errors=True)
        temporary = Path(
            tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent)
        )
    try:
        yield temporary
        # mkdtemp makes the folder private; give it its parent's mode, as far as a folder's goes.
        temporary.chmod(folder.parent.stat().st_mode & 0o777)
        old = temporary.with_suffix(".old")
        if folder.is_dir():
            folder.rename(old)
        temporary.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise unwritable(folder, error) from error
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextlib.contextmanager
def alone(folder: Path, *, strict: bool = False) -> Iterator[None]:
    """Make other processes wait that work in the same folder, such as a second clone with the same .divlogic.

    Args:
        folder: the folder, which is made where it is missing.
        strict: refuse a file system without locks; otherwise nobody waits there.
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            if strict:
                raise DivLogicError(
                    f"{folder}: cannot be locked ({error.strerror}), and two processes at once would harm it;"
                    " move it to a local disk."
                ) from error
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Name the file or folder that could not be written where an error of the operating system says so."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> DivLogicError:
    """Return the sentence for a file that could not be written; other errors keep their own words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DivLogicError(
            f"{path}: the disk is full; free some space and run the same command again."
        )
    if error.errno == errno.EFBIG:
        return DivLogicError(
            f"{path}: larger than a file may be here; raise the limit (ulimit -f) and run the same command again."
        )
    if path.is_dir():
        return DivLogicError(f"{path}: this is a folder; name a file, or remove the folder.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return DivLogicError(
            f"{path}: not writable ({error.strerror}); check the folder's permissions."
        )
    return DivLogicError(f"{path}: could not be written ({error.strerror or error}).")


@contextlib.contextmanager
def atomic_writer(path: Path, *, level: int = 6) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing bytes, atomically; ``.gz`` and ``.zst`` are compressed without a time stamp.

    Args:
        level: how hard gzip compresses it, 1 (fast) to 9 (small).
    """
    path = Path(path)
    with (
        atomic_path(path) as temporary,
        temporary.open("wb", buffering=_BUFFER) as raw,
        contextlib.ExitStack() as stack,
    ):
        stream: Any = raw
        if path.suffix == ".gz":
            packed = gzip.GzipFile(
                filename="", mode="wb", fileobj=raw, compresslevel=level, mtime=0
            )
            stream = stack.enter_context(packed)
        elif path.suffix == ".zst":
            # A tenth of gzip's time, and half its size where long rows repeat.
            stream = stack.enter_context(ZstdFile(raw, "wb", level=5))
            stream.write(b"")  # of a content without a byte a frame is written, too
        yield stream


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8, atomically."""
    with atomic_writer(path) as stream:
        stream.write(text.encode("utf-8"))


def copy_file(source: Path, out: Path) -> None:
    """Copy a file's content, atomically."""
    with open_bytes(source) as stream, atomic_writer(out) as copy:
        shutil.copyfileobj(stream, copy)


def write_jsonl(path: Path, rows: Iterable[Any], *, level: int = 6) -> int:
    """Write one JSON value per line (compressed if the name ends in ``.gz`` or ``.zst``); return the number of rows."""
    count = 0
    with atomic_writer(path, level=level) as stream:
        for row in rows:
            stream.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            count += 1
    return count


def write_parts(paths: Mapping[str, Path], rows: Iterable[tuple[str, Any]]) -> dict[str, int]:
    """Write each row as a line of JSON into the file of the part named; return the number of rows of each."""
    counts = dict.fromkeys(paths, 0)
    with contextlib.ExitStack() as stack:
        streams = {part: stack.enter_context(atomic_writer(path)) for part, path in paths.items()}
        for part, row in rows:
            streams[part].write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            counts[part] += 1
    return counts


def write_json(path: Path, value: Any) -> None:
    """Write one indented JSON document, atomically; keys keep their order."""
    with atomic_writer(path) as stream:
        stream.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def write_csv(path: Path, header: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a comma-separated file with Unix line ends, atomically; ``None`` becomes an empty cell.

    A text that a spreadsheet would take for a formula (``=1+1``) gets an apostrophe in front; numbers stay.
    """
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_harmless, row) for row in rows)
    write_text(path, text.getvalue())


def _harmless(cell: Any) -> Any:
    if not isinstance(cell, str) or len(cell) < 2 or cell[0] not in "=+-@\t\r":
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def _remove_leftovers(path: Path) -> None:
    """Remove the temporary files of ``path`` whose writers are gone: a living one holds a lock on its own."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.????????.tmp"):
        with contextlib.suppress(OSError), leftover.open("r+b") as stream:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            leftover.unlink()


@contextlib.contextmanager
def open_bytes(path: Path) -> Iterator[IO[bytes]]:
    """Open a plain or compressed file (``.gz``, ``.zst``) for reading bytes.

    A compressed file is unpacked once before, so that no row of a damaged one is handed out: its checksum stands at
    its end, which a reader of the first rows does not reach. That takes a tenth of the time in which rows are parsed.

    Raises:
        DivLogicError: there is no such file, it cannot be read, or it is damaged.
    """
    path = Path(path)
    if path.suffix in (".gz", ".zst"):
        _check_whole(path)
    with _unpacked(path) as stream:
        yield stream


def _check_whole(path: Path) -> None:
    """Refuse a compressed file that is cut, or whose content has another checksum than the one at its end."""
    with _unpacked(path) as stream:
        if path.stat().st_size == 0:  # gzip takes it for an empty content, which has a header
            raise EOFError("the file is empty")
        while stream.read(_BUFFER):
            pass


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    if not path.is_file():
        raise DivLogicError(
            f"{path}: there is no such file; check the path or run the step that makes it."
        )
    try:
        opened = path.open("rb")
    except OSError as error:
        raise DivLogicError(
            f"{path}: cannot be read ({error.strerror}); check its permissions."
        ) from error
    try:
        with opened as raw, contextlib.ExitStack() as stack:
            stream: Any = raw
            if unpack := {".gz": gzip.GzipFile, ".zst": ZstdFile}.get(path.suffix):
                # Their own way to read lines is Python; a buffer in front of it reads them in C.
                unpacked: Any = stack.enter_context(unpack(path, mode="rb"))
                stream = io.BufferedReader(unpacked, _BUFFER)
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error, ZstdError) as error:
        kind = "zstd" if path.suffix == ".zst" else "gzip"
        raise DivLogicError(
            f"{path}: damaged {kind} data ({error}). If a step of the workflow wrote the file, delete it and run the"
            " same command again, which makes it again; if you brought it, bring it again."
        ) from error


def read_lines(path: Path, *, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
    """Yield (row number from 1, line without its end) of a plain or gzipped text file."""
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                line = raw.decode(encoding)
            except UnicodeDecodeError as error:
                raise DivLogicError(
                    f"{path}, row {number}: not valid {encoding.upper()} ({error.reason} at byte {error.start});"
                    " convert the file to UTF-8 or name its encoding."
                ) from error
            yield number, line.rstrip("\r\n")


def read_jsonl(
    path: Path, *, on_problem: RowProblem | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number, object) of a jsonl file, plain or gzipped; blank lines are passed over.

    A malformed row is given to ``on_problem`` and skipped; without that it is an error.
    """
    with open_bytes(path) as stream:
        for number, raw in enumerate(stream, start=1):
            if raw.isspace():
                continue
            try:
                row = orjson.loads(raw)
                problem = f"a JSON {type(row).__name__} instead of an object"
            except orjson.JSONDecodeError as error:
                row, problem = None, f"not valid JSON ({error.msg})"
            if isinstance(row, dict):
                yield number, row
            elif on_problem is not None:
                on_problem(number, problem)
            else:
                raise DivLogicError(f"{path}, row {number}: {problem}; fix or delete that row.")


def read_as(path: Path, build: Callable[[dict[str, Any]], T], what: str) -> Iterator[tuple[int, T]]:
    """Yield (row number, what ``build`` makes of the row) of a jsonl file that another step has written.

    An error that ``build`` raises is reported with the row, and with ``what`` it should be ("a prediction").
    """
    for number, row in read_jsonl(path):
        try:
            value = build(row)
        except (KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
            why = f"the field {error} is missing" if isinstance(error, KeyError) else str(error)
            raise DivLogicError(
                f"{path}, row {number}: not {what} ({why}); make the file again."
            ) from error
        yield number, value


def read_json(path: Path, *needed: str) -> Any:
    """Return the value of a JSON document; ``needed`` names the fields that it must have."""
    with open_bytes(path) as stream:
        content = stream.read()
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise DivLogicError(
            f"{path}: not valid JSON ({error.msg}); make the file again."
        ) from error
    if missing := [name for name in needed if not isinstance(value, dict) or name not in value]:
        raise DivLogicError(f"{path}: the field '{missing[0]}' is missing; make the file again.")
    return value


def read_yaml(path: Path) -> Any:
    """Return the value of a YAML document; by the parser in C, which takes a tenth of the time, where there is one."""
    import yaml

    return yaml.load(
        path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )


def form_of(path: Path) -> str:
    """Return a file's suffix before compression.

    >>> form_of(Path("0.counts.csv.gz")), form_of(Path("table.csv"))
    ('.csv', '.csv')
    """
    return Path(path.name.removesuffix(".gz").removesuffix(".zst")).suffix


def row_count(path: Path) -> int:
    """Return the number of rows of a jsonl file; blank lines are not counted."""
    with open_bytes(path) as stream:
        return sum(not line.isspace() for line in stream)


def file_sha256(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file's bytes."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
