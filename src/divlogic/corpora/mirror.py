"""The mirror: a folder of corpora already downloaded, whole or in part, looked into before the network."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from divlogic.corpora.download import UnobtainableError, check, unregistered
from divlogic.corpora.registry import Corpus, RegisteredFile
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, unwritable
from divlogic.io.log import say

BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Taken:
    """A file copied out of the mirror.

    Attributes:
        name: where it lies now, inside the corpus folder.
        origin: path inside the mirror; part: ``whole`` or which part of the official file it is.
    """

    name: str
    bytes: int
    sha256: str
    rows: int | None
    reader: str | None
    part: str
    origin: str
    members: tuple[str, ...] = ()


def take(name: str, corpus: Corpus, file: RegisteredFile, mirror: Path, folder: Path) -> list[Taken]:
    """Copy an official file out of the mirror into ``folder``, or what stands for it; ``[]`` if nothing does.

    Looked for in this order: the file as registered, loose or gzipped or inside a zip, with the registered
    checksum; the members of the zip that it is, loose or gzipped; the registered stand-ins.

    Raises:
        DivLogicError: the disk is full.
    """
    folders = [mirror / place for place in corpus.mirror_folders or [name]]
    others = {stand_in.mirror: stand_in.sha256 for stand_in in corpus.stand_ins}
    for path in (place / relative for place in folders for relative in _names(file.path)):
        for origin, stream in _forms(path):
            # The official file may lie where a stand-in is registered: only the stand-in's own bytes are left to it.
            place = _inside(mirror, origin)
            if place in others and file_sha256(Path(origin)) == others[place]:
                continue
            taken = _copy(stream, folder / file.path, file, _inside(mirror, origin))
            if taken:
                return [taken]
    for origin, stream in _in_zips(folders, PurePosixPath(file.path).name):
        taken = _copy(stream, folder / file.path, file, _inside(mirror, origin))
        if taken:
            return [taken]
    return _loose_members(corpus, file, folders, mirror, folder) or _stand_ins(corpus, file, mirror, folder)


def _names(path: str) -> list[str]:
    """Return the names under which a file may lie in a mirror folder."""
    return list(dict.fromkeys((path, PurePosixPath(path).name)))


def _inside(mirror: Path, path: str) -> str:
    """Return a path as seen from the mirror folder."""
    return PurePosixPath(path).relative_to(PurePosixPath(mirror)).as_posix()


def _forms(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Open a file as it is, then its gzipped form."""
    if path.is_file():
        with path.open("rb") as stream:
            yield path.as_posix(), stream
    packed = path.with_name(path.name + ".gz")
    if packed.is_file():
        with gzip.open(packed, "rb") as stream:
            yield packed.as_posix(), stream  # type: ignore[misc]


def _in_zips(folders: list[Path], name: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Open every zip member of the given name."""
    for archive in (path for place in folders for path in sorted(place.glob("*.zip"))):
        try:
            with zipfile.ZipFile(archive) as zipped:
                for member in zipped.infolist():
                    if not member.is_dir() and PurePosixPath(member.filename).name == name:
                        with zipped.open(member) as stream:
                            yield f"{archive.as_posix()}/{member.filename}", stream
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            say(f"{archive}: passed over, not a readable zip ({error}).")


def _copy(stream: IO[bytes], target: Path, file: RegisteredFile, origin: str) -> Taken | None:
    """Copy an official file; one with another size or checksum is named in the log and not taken."""
    size, found = _write(stream, target, origin)
    if found is None:
        return None
    if (file.sha256 or found) != found or (file.bytes or size) != size:
        expected = f"sha256 {file.sha256}" if file.sha256 else f"{file.bytes:,} bytes"
        say(f"{origin}: not taken as {file.path}: expected {expected}, found sha256 {found}, {size:,} bytes.")
        target.unlink()
        return None
    if file.sha256 is None:
        try:
            check(target, unregistered(file), origin)
        except UnobtainableError as reason:
            say(f"{reason}; not taken as {file.path}.")
            target.unlink()
            return None
    return Taken(file.path, size, found, file.rows, file.reader, "whole", origin, tuple(file.members))


def _write(stream: IO[bytes], target: Path, origin: str) -> tuple[int, str | None]:
    """Copy a stream; return its size and SHA-256, the latter ``None`` where its compression is broken."""
    digest = hashlib.sha256()
    size = 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as copy:
            while block := _read(stream, origin):
                digest.update(block)
                size += len(block)
                copy.write(block)
    except OSError as error:
        raise unwritable(target, error) from error
    except _BrokenError as error:
        say(f"{origin}: not taken, its compression is broken ({error}).")
        target.unlink()
        return size, None
    return size, digest.hexdigest()


class _BrokenError(Exception):
    """A compressed file of the mirror cannot be read to its end."""


def _read(stream: IO[bytes], origin: str) -> bytes:
    """Read a block; distinguish errors of reading from those of writing."""
    try:
        return stream.read(BLOCK)
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise _BrokenError(str(error)) from error
    except OSError as error:
        raise DivLogicError(f"{origin}: could not be read ({error.strerror or error}).") from error


def _loose_members(
    corpus: Corpus, file: RegisteredFile, folders: list[Path], mirror: Path, folder: Path
) -> list[Taken]:
    """Take the registered members of a zip that lie unpacked in the mirror; no checksum is known for those."""
    known = {stand_in.mirror for stand_in in corpus.stand_ins}
    found: list[tuple[str, Path]] = []
    lacking: list[str] = []
    for member in file.members:
        name = PurePosixPath(member).name
        candidates = [
            place / form for place in folders for form in (member, name, f"{member}.gz", f"{name}.gz")
        ]
        path = next((path for path in candidates if path.is_file()), None)
        if path is None or _inside(mirror, path.as_posix()) in known:
            lacking.append(name)
        else:
            found.append((member, path))
    which = f"without {', '.join(lacking)}" if lacking else "whole"
    taken = []
    for member, path in found:
        origin = _inside(mirror, path.as_posix())
        target = f"{file.into}/{member}" if file.unpack else path.name
        with path.open("rb") if path.suffix != ".gz" or not file.unpack else gzip.open(path, "rb") as stream:
            size, sha256 = _write(stream, folder / target, origin)  # type: ignore[arg-type]
        if sha256 is None:
            return []
        reader = None if file.unpack else file.reader
        part = f"{which}, as unpacked (no checksum is registered for the members of {file.path})"
        taken.append(Taken(PurePosixPath(target).as_posix(), size, sha256, None, reader, part, origin))
    return taken


def _stand_ins(corpus: Corpus, file: RegisteredFile, mirror: Path, folder: Path) -> list[Taken]:
    """Take the registered stand-ins of a file that are there with their checksum."""
    taken = []
    for stand_in in corpus.stand_ins:
        path = mirror / stand_in.mirror
        if stand_in.of != file.path or not path.is_file():
            continue
        with path.open("rb") as stream:
            size, sha256 = _write(stream, folder / stand_in.path, stand_in.mirror)
        if sha256 != stand_in.sha256:
            say(f"{stand_in.mirror}: not taken, sha256 expected {stand_in.sha256}, found {sha256}.")
            (folder / stand_in.path).unlink(missing_ok=True)
            continue
        rows, reader = stand_in.rows, stand_in.reader
        taken.append(
            Taken(stand_in.path, size, stand_in.sha256, rows, reader, stand_in.part, stand_in.mirror)
        )
    return taken
