"""Copies of a corpus in a mirror folder: official files, members of zips that lie unpacked, registered stand-ins."""

from __future__ import annotations

import contextlib
import gzip
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, Any

from divlogic.corpora.download import Expected, UnobtainableError, check, unpack, write_limited
from divlogic.corpora.manifest import MANIFEST, ManifestFile, describe_file, read_manifest
from divlogic.corpora.registry import Corpus, RegisteredFile
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256
from divlogic.io.log import say


def expected_of(file: RegisteredFile) -> Expected:
    """Return what the registry knows of a file."""
    if file.sha256 is not None:
        return Expected(file.sha256, file.bytes)
    known = Expected(None, file.bytes, *(file.bytes_between or ()))
    return replace(known, git_blob=file.git_blob)


def unpacked(archive: Path, file: RegisteredFile, folder: Path, origin: str) -> list[ManifestFile]:
    """Unpack a zip that lies in the corpus folder, remove it, and describe its members."""
    assert file.unpacked_bytes is not None  # the registry's model sees to it
    names = unpack(
        archive, folder / file.into, members=list(file.members), limit=file.unpacked_bytes
    )
    archive.unlink()
    places = [PurePosixPath(file.into, name).as_posix() for name in sorted(names)]
    return [describe_file(folder, place, origin, None, file.reader) for place in places]


def rows_at_hand(name: str, corpus: Corpus, folder: Path, mirror: Path | None) -> int | None:
    """Return the rows of a registered corpus that a run will have; ``None`` where the registry does not know them.

    What is here counts: the corpus folder by its manifest, else what the mirror has of it, in whole or in registered
    parts. A corpus of which neither has anything will be downloaded, so that the registry's number stands.
    """
    if (folder / MANIFEST).is_file():
        with contextlib.suppress(DivLogicError):  # the step that reads it says what is wrong
            manifest = read_manifest(folder)
            if manifest.corpus == name and manifest.rows is not None:
                return manifest.rows
    if mirror is not None and mirror.is_dir():
        copies = Mirror(mirror, name, corpus, folder)
        found = [copies.rows(file) for file in corpus.files]
        if any(rows != 0 for rows in found):
            known = [rows for rows in found if rows is not None]
            return sum(known) if len(known) == len(found) else corpus.rows
    return corpus.rows


@dataclass(frozen=True, slots=True)
class Mirror:
    """What a mirror folder has of one corpus, whose folder ``out`` is filled."""

    root: Path
    name: str
    corpus: Corpus
    out: Path

    @property
    def folders(self) -> list[Path]:
        return [self.root / place for place in self.corpus.mirror_folders or [self.name]]

    def rows(self, file: RegisteredFile) -> int | None:
        """Return the rows that the mirror has of an official file; ``None``: some, and it is not known how many."""
        parts = [
            one
            for one in self.corpus.stand_ins
            if one.of == file.path and (self.root / one.mirror).is_file()
        ]
        taken = {self.root / one.mirror for one in parts}
        if set(self._copies(file.path)) - taken:
            return file.rows
        if {path for member in file.members for path in self._copies(member)} - taken:
            return None
        counts = [one.rows for one in parts if one.rows is not None]
        return sum(counts) if len(counts) == len(parts) else None

    def take(self, file: RegisteredFile, *, whole: bool) -> tuple[list[ManifestFile], list[str]]:
        """Copy what there is of an official file into the corpus folder; return that, and the pieces that lack.

        With ``whole`` nothing is taken of a file that is here in part.
        """
        taken = self._official(file) or self._loose_members(file) or self._stand_ins(file)
        names = {copy.name for copy in taken}
        pieces = [
            piece.path
            for piece in self.corpus.stand_ins
            if piece.of == file.path and piece.part == "whole"
        ]
        lacking = [piece for piece in pieces if piece not in names] if names & set(pieces) else []
        if whole and (lacking or any(copy.part != "whole" for copy in taken)):
            for copy in taken:
                (self.out / copy.name).unlink()
            return [], []
        if not taken:
            self._say_other_case(file)
        return taken, lacking

    def _copies(self, path: str) -> list[Path]:
        """Return the files of a path or its name, loose or gzipped."""
        forms = dict.fromkeys((path, PurePosixPath(path).name))
        places = (
            place / f"{form}{end}"
            for place in self.folders
            for form in forms
            for end in ("", ".gz")
        )
        return [place for place in places if place.is_file()]

    def _official(self, file: RegisteredFile) -> list[ManifestFile]:
        """Take an official file, loose, gzipped or inside a zip, that is as registered; ``[]`` if there is none."""
        others = {
            self.root / stand_in.mirror: stand_in.sha256 for stand_in in self.corpus.stand_ins
        }
        for path, stream in self._streams(file):
            # The official file may lie where a stand-in is registered: only the stand-in's own bytes are left to it.
            if path in others and file_sha256(path) == others[path]:
                continue
            origin = path.relative_to(self.root).as_posix()
            if self._write(stream, file.path, expected_of(file), origin):
                origin = f"mirror: {origin}"
                if file.unpack:
                    return unpacked(self.out / file.path, file, self.out, origin)
                about = file.rows, file.reader, "whole", tuple(file.members)
                return [describe_file(self.out, file.path, origin, *about)]
        return []

    def _streams(self, file: RegisteredFile) -> Iterator[tuple[Path, IO[bytes]]]:
        """Open what bears a file's name: the file, its gzipped form, and members of zips."""
        name = PurePosixPath(file.path).name
        for path in self._copies(file.path):
            with _open(path, packed=path.name == f"{name}.gz") as stream:
                yield path, stream
        for archive in (path for place in self.folders for path in sorted(place.glob("*.zip"))):
            try:
                with zipfile.ZipFile(archive) as zipped:
                    for member in zipped.infolist():
                        if not member.is_dir() and PurePosixPath(member.filename).name == name:
                            with zipped.open(member) as stream:
                                yield archive / member.filename, stream
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
                say(f"{archive}: passed over, not a readable zip ({error}).")

    def _loose_members(self, file: RegisteredFile) -> list[ManifestFile]:
        """Take the registered members of a zip that lie unpacked in the mirror; no checksum is known for those."""
        known = {self.root / stand_in.mirror for stand_in in self.corpus.stand_ins}
        left = file.unpacked_bytes or Expected().most_bytes
        taken: list[tuple[str, str]] = []
        lacking: list[str] = []
        for member in file.members:
            path = next(iter(self._copies(member)), None)
            if path is None or path in known:
                lacking.append(PurePosixPath(member).name)
                continue
            origin = path.relative_to(self.root).as_posix()
            target = PurePosixPath(file.into, member).as_posix() if file.unpack else path.name
            with _open(path, packed=path.suffix == ".gz" and file.unpack) as stream:
                if not self._write(stream, target, Expected(most_bytes=left), origin):
                    for name, _ in taken:
                        (self.out / name).unlink()
                    return []
            left -= (self.out / target).stat().st_size
            taken.append((target, f"mirror: {origin}"))
        which = f"without {', '.join(lacking)}" if lacking else "whole"
        part = f"{which}, as unpacked (no checksum is registered for the members of {file.path})"
        about = None, None if file.unpack else file.reader, part
        return [describe_file(self.out, target, origin, *about) for target, origin in taken]

    def _stand_ins(self, file: RegisteredFile) -> list[ManifestFile]:
        """Take the registered stand-ins of a file that are there with their checksum."""
        taken = []
        for stand_in in self.corpus.stand_ins:
            path = self.root / stand_in.mirror
            if stand_in.of != file.path or not path.is_file():
                continue
            with path.open("rb") as stream:
                expected = Expected(stand_in.sha256, stand_in.bytes)
                if self._write(stream, stand_in.path, expected, stand_in.mirror):
                    about = stand_in.rows, stand_in.reader, stand_in.part
                    taken.append(
                        describe_file(self.out, stand_in.path, f"mirror: {stand_in.mirror}", *about)
                    )
        return taken

    def _write(self, stream: IO[bytes], name: str, expected: Expected, origin: str) -> bool:
        """Copy a file of the mirror within its limits; one that is not what it should be is named and not taken."""
        target = self.out / name
        try:
            write_limited(_blocks(stream, origin), target, expected, origin)
            check(target, expected, origin)
        except UnobtainableError as reason:
            say(f"{reason}; not taken.")
            target.unlink(missing_ok=True)
            return False
        return True

    def _say_other_case(self, file: RegisteredFile) -> None:
        """Name a file of the mirror whose path differs from the wanted one in capitals only."""
        for wanted in (
            place / name for place in self.folders for name in (file.path, *file.members)
        ):
            found = Path()
            for part in wanted.parts:
                if not (found / part).exists() and found.is_dir():
                    names = (path.name for path in found.iterdir())
                    part = next(
                        (name for name in names if name.casefold() == part.casefold()), part
                    )
                found /= part
            if found != wanted and found.is_file():
                say(f"{found}: passed over; did you mean {wanted.name}? Rename it to {wanted}.")


def _open(path: Path, *, packed: bool) -> Any:
    return gzip.open(path, "rb") if packed else path.open("rb")


def _blocks(stream: IO[bytes], origin: str) -> Iterator[bytes]:
    """Yield the blocks of a stream; distinguish errors of reading from those of writing."""
    try:
        while block := stream.read(1 << 20):
            yield block
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise UnobtainableError(f"{origin}: its compression is broken ({error})") from error
    except OSError as error:
        raise DivLogicError(f"{origin}: could not be read ({error.strerror or error}).") from error
