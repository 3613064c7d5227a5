"""Files from outside: whether one can be what its name promises, and unpacking of zips within limits."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable

_MAGIC = {".zip": b"PK", ".gz": b"\x1f\x8b", ".bz2": b"BZh", ".parquet": b"PAR1"}
"""First bytes of the binary forms that are downloaded."""

_BOM = b"\xef\xbb\xbf"
_ERROR_KEYS = frozenset(("error", "errors", "message", "detail", "status", "code", "documentation_url"))


def implausible(path: Path) -> str | None:
    """Return why a file without a registered checksum cannot be what its name promises, or ``None``.

    A download that waits is called ``NAME.part``; the name before that suffix decides.
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
    if (
        start.lstrip(_BOM + b" \t\r\n")
        .lower()
        .startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml"))
    ):
        return "a web page was sent instead of the file"
    if b"\0" in start:
        return "this is no text"
    return _no_data(path, form[1:]) if form in (".json", ".jsonl") else None


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


def _no_data(path: Path, form: str) -> str | None:
    """Return why a JSON document, or the first row of JSON Lines, holds no data."""
    with path.open("rb") as stream:
        text = stream.readline() if form == "jsonl" else stream.read()
    try:
        value = orjson.loads(text.removeprefix(_BOM))
    except orjson.JSONDecodeError:
        return f"this is no {form} file"
    if not isinstance(value, dict | list) or not value:
        return "there are no data in it"
    if isinstance(value, dict) and _ERROR_KEYS.issuperset(map(str.lower, value)):
        return "the server's error message was sent instead of the file"
    return None


def unpack(archive: Path, folder: Path, *, members: list[str], limit: int) -> list[str]:
    """Unpack members of a zip (all its files if none are named) and return their names in archive order.

    Args:
        archive: the zip.
        folder: where the members go, under their own names.
        members: the names wanted.
        limit: bytes that the members may have together; `zipfile` reads no more of one than the zip announces.

    Raises:
        DivLogicError: the zip is broken, lacks a member, leads out of the folder, holds links or encrypted
            members, or is larger than ``limit``; the disk is full.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            files = [member for member in zipped.infolist() if not member.is_dir()]
            names = [member.filename for member in files]
            if lacking := sorted(set(members) - set(names)):
                raise DivLogicError(
                    f"{archive}: the member '{lacking[0]}' is not in it; fetch the registered version."
                )
            chosen = [member for member in files if not members or member.filename in members]
            size = sum(member.file_size for member in chosen)
            problem = (
                f"its members have {size:,} bytes, more than the {limit:,} registered" if size > limit else ""
            )
            if len(set(names)) < len(names):  # one file could hide behind another
                problem = "two of its members have the same name"
            for member in chosen:
                if not _is_plain_file(member):
                    problem = f"the member {member.orig_filename!r} is encrypted, a link, or leads out of the folder"
            if problem:
                raise DivLogicError(
                    f"{archive}: not unpacked, since {problem}; fetch the registered version."
                )
            zipped.extractall(folder, chosen)
            return [member.filename for member in chosen]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DivLogicError(f"{archive}: not a whole zip file ({error}); fetch it again.") from error
    except OSError as error:
        raise unwritable(folder, error) from error


def _is_plain_file(member: zipfile.ZipInfo) -> bool:
    """Return whether a member is a readable file below the folder it is unpacked to."""
    # ZipInfo cuts the name at a NUL byte and may turn separators round; orig_filename is what the zip says.
    name = member.orig_filename
    path = PurePosixPath(name)
    if stat.S_ISLNK(member.external_attr >> 16) or member.flag_bits & 0x1 or not path.parts:
        return False
    outside = path.is_absolute() or ".." in path.parts or ":" in path.parts[0]
    return not (outside or {"\\", "\0"} & set(name))
