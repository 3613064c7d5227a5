"""MANIFEST.json: what a corpus folder holds, which part of the corpus it is, and where it came from."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from divlogic.corpora.registry import Corpus, RegisteredFile
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, filling, read_json, write_json

MANIFEST = "MANIFEST.json"


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """One file of a corpus folder.

    Attributes:
        name: path inside the folder.
        part: ``whole``, or which part of the official file it is.
        origin: ``embedded``, ``mirror``, ``url``, ``archive url`` or ``by hand``, with the path or address.
        members: the members of a zip that are read.
    """

    name: str
    bytes: int
    sha256: str
    rows: int | None
    reader: str | None
    part: str
    origin: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The description of one corpus folder."""

    corpus: str
    title: str
    version: str
    licence: str
    roles: tuple[str, ...]
    source: str
    origin: str
    part: str
    files: tuple[ManifestFile, ...]

    @property
    def bytes(self) -> int:
        """Size of all files."""
        return sum(file.bytes for file in self.files)

    @property
    def rows(self) -> int | None:
        """Rows of all files that have rows, or ``None``."""
        counts = [file.rows for file in self.files if file.rows is not None]
        return sum(counts) if counts else None

    @property
    def sha256(self) -> str:
        """Checksum of the list of files (names, sizes, checksums)."""
        lines = "".join(f"{file.sha256} {file.bytes} {file.name}\n" for file in self.files)
        return hashlib.sha256(lines.encode("utf-8")).hexdigest()


def describe(name: str, corpus: Corpus, files: list[ManifestFile], absent: list[str]) -> Manifest:
    """Put the manifest of a corpus together; ``absent`` are official files of which nothing is here."""
    whole = sum(file.part == "whole" for file in files)
    parts = list(dict.fromkeys(file.part for file in files if file.part != "whole"))
    if parts and whole:
        parts = [f"{whole} whole files" if whole > 1 else "1 whole file", *parts]
    if absent:
        parts = parts or [f"{len(files)} of {len(files) + len(absent)} files"]
        parts.append("absent: " + ", ".join(absent))
    kinds = dict.fromkeys(file.origin.split(": ")[0] for file in files)
    return Manifest(
        corpus=name,
        title=corpus.title,
        version=corpus.version,
        licence=corpus.licence.name,
        roles=tuple(corpus.roles),
        source=corpus.source,
        origin=" + ".join(kinds),
        part="; ".join(parts) or "whole",
        files=tuple(files),
    )


def place_nothing(name: str, corpus: Corpus, out: Path) -> Manifest:
    """Write a manifest that marks the corpus unavailable."""
    manifest = replace(describe(name, corpus, [], []), origin="unavailable", part="unavailable")
    with filling(out) as folder:
        write_manifest(folder, manifest)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a corpus folder.

    Raises:
        DivLogicError: there is none, or it is not a manifest.
    """
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DivLogicError(f"{folder}: no {MANIFEST} there; fetch the corpus with `divlogic corpora fetch`.")
    try:
        values: dict[str, Any] = read_json(path)
        files = tuple(
            ManifestFile(**{**file, "members": tuple(file.get("members", ()))})
            for file in values.pop("files")
        )
        return Manifest(**{**values, "roles": tuple(values["roles"]), "files": files})
    except (TypeError, KeyError, AttributeError) as error:
        raise DivLogicError(f"{path}: not a corpus manifest ({error}); fetch the corpus again.") from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest into a corpus folder."""
    values = asdict(manifest)
    for file in values["files"]:
        if not file["members"]:
            del file["members"]
    write_json(Path(folder) / MANIFEST, values)


def problems(folder: Path, manifest: Manifest, *, checksums: bool) -> list[str]:
    """Say which files of a corpus folder are missing or are not as the manifest has them."""
    found = []
    for file in manifest.files:
        path = Path(folder) / file.name
        if not path.is_file():
            found.append(f"{file.name} is missing")
        elif path.stat().st_size != file.bytes:
            found.append(f"{file.name} has {path.stat().st_size:,} bytes instead of {file.bytes:,}")
        elif checksums and file_sha256(path) != file.sha256:
            found.append(f"{file.name} has another checksum")
    return found


def rows_at_hand(name: str, corpus: Corpus, folder: Path, mirror: Path | None) -> int | None:
    """Return the rows of a registered corpus that a run will have; ``None`` where the registry does not know them.

    What is here counts: the corpus folder by its manifest, else what the mirror has of it, in whole or in registered
    parts. A corpus of which neither has anything will be downloaded, so that the registry's number stands.

    Args:
        name, corpus: the registry entry.
        folder: the corpus folder (``data/raw/full/<name>``), whether it is there or not.
        mirror: the mirror of the run's parameters.
    """
    placed = _placed(name, folder)
    if placed is not None:
        return placed
    if mirror is not None and mirror.is_dir():
        found = [_mirrored(name, corpus, file, mirror) for file in corpus.files]
        if any(rows != 0 for rows in found):
            known = [rows for rows in found if rows is not None]
            return sum(known) if len(known) == len(found) else corpus.rows
    return corpus.rows


def _placed(name: str, folder: Path) -> int | None:
    """Return the rows of a corpus folder, ``None`` if there is none or it does not say."""
    if not (folder / MANIFEST).is_file():
        return None
    try:
        manifest = read_manifest(folder)
    except DivLogicError:
        return None  # the step that reads it says what is wrong
    return manifest.rows if manifest.corpus == name else None


def _mirrored(name: str, corpus: Corpus, file: RegisteredFile, mirror: Path) -> int | None:
    """Return the rows that the mirror has of an official file; ``None``: some, and it is not known how many."""
    folders = [mirror / place for place in corpus.mirror_folders or [name]]
    parts = [one for one in corpus.stand_ins if one.of == file.path and (mirror / one.mirror).is_file()]
    taken = {mirror / one.mirror for one in parts}
    whole = dict.fromkeys((file.path, PurePosixPath(file.path).name))
    members = dict.fromkeys(form for member in file.members for form in (member, PurePosixPath(member).name))
    if _there(folders, whole) - taken:
        return file.rows
    if _there(folders, members) - taken:
        return None
    counts = [one.rows for one in parts if one.rows is not None]
    return sum(counts) if len(counts) == len(parts) else None


def _there(folders: list[Path], names: dict[str, None]) -> set[Path]:
    """Return the files of these names, loose or gzipped."""
    paths = {place / form for place in folders for name in names for form in (name, f"{name}.gz")}
    return {path for path in paths if path.is_file()}
