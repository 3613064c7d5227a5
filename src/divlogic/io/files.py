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
from divlogic.io import notes

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
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary sibling of ``path`` that replaces it once the block ends without an error.

    The temporary file is flushed to disk before the rename, so that ``path`` is either the old file or the
    whole new one, also after a crash in between. What a killed process left of the same file is removed.
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
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        notes.forget(path)
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
        temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".tmp", dir=folder.parent))
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
def writing(path: Path) -> Iterator[None]:
    """Name the file or folder that could not be written where an error of the operating system says so."""
    try:
        yield
    except OSError as error:
        raise unwritable(path, error) from error


def unwritable(path: Path, error: OSError) -> DivLogicError:
    """Return the sentence for a file that could not be written; other errors keep their own words."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DivLogicError(f"{path}: the disk is full; free some space and run the same command again.")
    if error.errno == errno.EFBIG:
        return DivLogicError(
            f"{path}: larger than a file may be here; raise the limit (ulimit -f) and run the same command again."
        )
    if path.is_dir():
        return DivLogicError(f"{path}: this is a folder; name a file, or remove the folder.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return DivLogicError(f"{path}: not writable ({error.strerror}); check the folder's permissions.")
    return DivLogicError(f"{path}: could not be written ({error.strerror or error}).")


@contextlib.contextmanager
def atomic_writer(path: Path, *, note: bool = True, level: int = 6) -> Iterator[IO[bytes]]:
    """Open ``path`` for writing bytes, atomically; ``.gz`` and ``.zst`` are compressed without a time stamp.

    Args:
        level: how hard gzip compresses it, 1 (fast) to 9 (small).
        note: count what is written and note it next to the file, if files of its kind carry a note
            (:mod:`divlogic.io.notes`); not for what is kept in git or given away.
    """
    path = Path(path)
    count = notes.Count() if note and notes.is_noted(path) else None
    with atomic_path(path) as temporary, temporary.open("wb") as raw, contextlib.ExitStack() as stack:
        stream: Any = raw
        if path.suffix == ".gz":
            packed = gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=level, mtime=0)
            stream = stack.enter_context(packed)
        elif path.suffix == ".zst":
            # A tenth of gzip's time, and half its size where long rows repeat.
            stream = stack.enter_context(ZstdFile(raw, "wb", level=5))
            stream.write(b"")  # of a content without a byte a frame is written, too
        yield stack.enter_context(notes.counted(stream, count)) if count else stream
    if count:
        with writing(path):
            notes.write_note(path, count)


def accept(path: Path) -> notes.Count:
    """Note a file that its user says is right; return what was counted.

    One that has the content of another file, in its folder or of its name in a folder next to it, took its place.
    """
    if path.is_file() and not notes.is_noted(path):
        raise DivLogicError(f"{path}: files of this kind have no note; it is read as it is.")
    count = count_of(path)
    if twin := notes.twin_of(path, count):
        raise DivLogicError(
            f"{path}: this is the content of {twin}; put the file's own content there, or delete it and run the step"
            " that makes it."
        )
    with writing(path):
        notes.write_note(path, count)
    return count


def count_of(path: Path) -> notes.Count:
    """Return the account of a file as it is."""
    count = notes.Count()
    with _unpacked(path) as stream:
        while block := stream.read(notes.BLOCK):
            count.add(block)
    return count


def write_text(path: Path, text: str, *, note: bool = True) -> None:
    """Write ``text`` as UTF-8, atomically."""
    with atomic_writer(path, note=note) as stream:
        stream.write(text.encode("utf-8"))


def copy_file(source: Path, out: Path, *, note: bool = True) -> None:
    """Copy a file's content, atomically."""
    with open_bytes(source) as stream, atomic_writer(out, note=note) as copy:
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


def write_json(path: Path, value: Any, *, note: bool = True) -> None:
    """Write one indented JSON document, atomically; keys keep their order."""
    with atomic_writer(path, note=note) as stream:
        stream.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))


def write_csv(path: Path, header: Iterable[str], rows: Iterable[Iterable[Any]], *, note: bool = True) -> None:
    """Write a comma-separated file with Unix line ends, atomically; ``None`` becomes an empty cell.

    A text that a spreadsheet would take for a formula (``=1+1``) gets an apostrophe in front; numbers stay.
    """
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(map(_harmless, row) for row in rows)
    write_text(path, text.getvalue(), note=note)


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
def open_bytes(path: Path, offset: int = 0) -> Iterator[IO[bytes]]:
    """Open a plain or compressed file (``.gz``, ``.zst``) for reading bytes, from a byte on.

    Of a file that is read from its middle, the whole is compared with its note first, if it is no larger than
    :data:`~divlogic.io.notes.WHOLE`.
    """
    path = Path(path)
    with _unpacked(path) as stream:
        noted = notes.required_note(path)
        if offset:
            if noted and noted.bytes <= notes.WHOLE:
                check_whole(path)
            stream.seek(offset)
        yield notes.checked(path, stream, noted) if noted and not offset else stream


@contextlib.contextmanager
def _unpacked(path: Path) -> Iterator[IO[bytes]]:
    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; check the path or run the step that makes it.")
    try:
        opened = path.open("rb")
    except OSError as error:
        raise DivLogicError(f"{path}: cannot be read ({error.strerror}); check its permissions.") from error
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
        raise DivLogicError(f"{path}: broken {kind} data ({error}); fetch or make the file again.") from error


def check_begun() -> None:
    """Read to its end what this process has begun to read, so that it is compared with its note.

    For a command that has read as much as it needs, and for one that is about to fail for another reason: if rows were
    changed or lost, that is the reason.
    """
    for path in notes.begun():
        with contextlib.suppress(OSError):
            check_whole(path)


def check_whole(path: Path) -> None:
    """Compare a file with its note, before it is read by other means than :func:`open_bytes`."""
    with open_bytes(path) as stream:
        while stream.read(notes.BLOCK):
            pass


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


def read_jsonl(path: Path, *, on_problem: RowProblem | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
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
            raise DivLogicError(f"{path}, row {number}: not {what} ({why}); make the file again.") from error
        yield number, value


def read_json(path: Path, *needed: str) -> Any:
    """Return the value of a JSON document; ``needed`` names the fields that it must have."""
    with open_bytes(path) as stream:
        content = stream.read()
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise DivLogicError(f"{path}: not valid JSON ({error.msg}); make the file again.") from error
    if missing := [name for name in needed if not isinstance(value, dict) or name not in value]:
        raise DivLogicError(f"{path}: the field '{missing[0]}' is missing; make the file again.")
    return value


def read_yaml(path: Path) -> Any:
    """Return the value of a YAML document; by the parser in C, which takes a tenth of the time, where there is one."""
    import yaml

    return yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def row_count(path: Path) -> int:
    """Return the number of rows of a jsonl file: from the note on it, or, where there is none, by counting."""
    path = Path(path)
    noted = notes.required_note(path) if path.is_file() else None
    if noted:
        return noted.rows
    with open_bytes(path) as stream:
        return sum(not line.isspace() for line in stream)


def file_sha256(path: Path) -> str:
    """Return the hexadecimal SHA-256 of a file's bytes."""
    path = Path(path)
    if notes.is_product(path):
        check_whole(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
