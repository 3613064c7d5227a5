"""Files from outside: whether one can be what its name promises, and unpacking of zips within limits."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable

_MAGIC = {".zip": b"PK", ".gz": b"\x1f\x8b", ".bz2": b"BZh", ".parquet": b"PAR1"}
"""First bytes of the binary forms that are downloaded."""

_BOM = b"\xef\xbb\xbf"
_ERROR_KEYS = frozenset(("error", "errors", "message", "detail", "status", "code", "documentation_url"))


def implausible(path: Path) -> str | None:
    """Return why a file without a registered checksum cannot be what its name promises, or ``None``.

    A download that waits is called ``NAME.part``; the name before that suffix decides. Files of any size are read in
    constant memory.
    """
    form = Path(path.name.removesuffix(".part").removesuffix(".bad")).suffix.lower()
    with path.open("rb") as stream:
        start = stream.read(512)
    if not start:
        return "the file is empty"
    if form in _MAGIC:
        if not start.startswith(_MAGIC[form]):
            return f"this is no {form[1:]} file"
        return None if _ends_well(path, form) else f"this {form[1:]} file breaks off"
    text = start.lstrip(_BOM + b" \t\r\n").lower()
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")):
        return "a web page was sent instead of the file"
    if b"\0" in start:
        return "this is no text"
    if form not in (".json", ".jsonl"):
        return None
    with path.open("rb") as stream:
        stream.seek(len(_BOM) if start.startswith(_BOM) else 0)
        return _no_data(stream, form[1:])


def web_page(path: Path) -> str:
    """Return a remark that a file is a web page, the usual reason why it is not the file asked for; else nothing."""
    with path.open("rb") as stream:
        start = stream.read(512).lstrip().lower()
    return " (it is a web page)" if start.startswith((b"<!doctype html", b"<html")) else ""


def _ends_well(path: Path, form: str) -> bool:
    """Return whether the end of an archive or parquet file is there, without which it cannot be opened."""
    if form == ".zip":
        return zipfile.is_zipfile(path)
    if form == ".parquet":
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - 4))
            return stream.read() == _MAGIC[form]
    return True


def _no_data(stream: IO[bytes], form: str) -> str | None:
    """Return why a JSON document, or the first one of JSON Lines, holds no data."""
    import ijson

    outermost, depth, parts, only_error_keys = "", 0, 0, True
    try:
        for event, value in ijson.basic_parse(stream, multiple_values=form == "jsonl", use_float=True):
            outermost = outermost or event
            depth -= event.startswith("end")
            if depth == 1 and not event.startswith("end"):
                parts += 1
                only_error_keys &= event != "map_key" or value.lower() in _ERROR_KEYS
            depth += event.startswith("start")
            if depth == 0 and form == "jsonl":
                break
    except (ijson.JSONError, UnicodeDecodeError):
        return f"this is no {form} file"
    if not parts:
        return "there are no data in it"
    if outermost == "start_map" and only_error_keys:
        return "the server's error message was sent instead of the file"
    return None


BLOCK = 1 << 20


def unpack(archive: Path, folder: Path, *, members: list[str], limit: int) -> list[str]:
    """Unpack members of a zip (all its files if none are named) and return their names in archive order.

    Args:
        archive: the zip.
        folder: where the members go, under their own names.
        members: the names wanted.
        limit: bytes that the members may have together.

    Raises:
        DivLogicError: the zip is broken, lacks a member, leads out of the folder, holds links or encrypted
            members, or is larger than ``limit``; the disk is full.
    """
    archive, folder = Path(archive), Path(folder)
    try:
        with zipfile.ZipFile(archive) as zipped:
            chosen = _chosen(archive, zipped, members)
            for member in chosen:
                _check(archive, member)
            size = sum(member.file_size for member in chosen)
            if size > limit:
                raise _refusal(
                    archive, f"its members have {size:,} bytes, more than the {limit:,} registered"
                )
            left = limit
            for member in chosen:
                left -= _extract(archive, zipped, member, folder / member.filename, left)
            return [member.filename for member in chosen]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DivLogicError(f"{archive}: not a whole zip file ({error}); fetch it again.") from error


def _chosen(archive: Path, zipped: zipfile.ZipFile, members: list[str]) -> list[zipfile.ZipInfo]:
    """Pick the wanted members; a name that occurs twice could hide one file behind another."""
    files = [member for member in zipped.infolist() if not member.is_dir()]
    names = [member.filename for member in files]
    if len(set(names)) < len(names):
        raise _refusal(archive, "two of its members have the same name")
    lacking = sorted(set(members) - set(names))
    if lacking:
        raise DivLogicError(
            f"{archive}: the member '{lacking[0]}' is not in it; fetch the registered version."
        )
    return [member for member in files if not members or member.filename in members]


def _check(archive: Path, member: zipfile.ZipInfo) -> None:
    """Refuse a member that is no plain file below the folder it is unpacked to."""
    # ZipInfo cuts the name at a NUL byte and may turn separators round; orig_filename is what the zip says.
    name = member.orig_filename
    path = PurePosixPath(name)
    if not path.parts:
        raise _refusal(archive, f"the member {name!r} names no file")
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or ":" in path.parts[0]:
        raise _refusal(archive, f"the member {name!r} leads out of the folder")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise _refusal(archive, f"the member {name!r} is a symbolic link")
    if member.flag_bits & 0x1:
        raise _refusal(archive, f"the member {name!r} is encrypted")


def _extract(archive: Path, zipped: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, left: int) -> int:
    """Write one member and return its size; what the zip says of that size is not believed."""
    written = 0
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipped.open(member) as source, path.open("wb") as target:
            while block := source.read(BLOCK):
                written += len(block)
                if written > left:
                    raise _refusal(archive, f"'{member.filename}' grows past the registered size")
                target.write(block)
    except OSError as error:
        raise unwritable(path, error) from error
    return written


def _refusal(archive: Path, why: str) -> DivLogicError:
    """Return the sentence for a zip that is not unpacked."""
    return DivLogicError(f"{archive}: not unpacked, since {why}; fetch the registered version.")
