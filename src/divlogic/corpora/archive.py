"""Unpacking zips that somebody else made: nothing lands outside the folder, nothing grows past its size."""

from __future__ import annotations

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable

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
