"""MANIFEST.json: what a corpus folder holds, which part of the corpus it is, and where it came from."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, read_json, write_json

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


def describe_file(
    folder: Path,
    name: str,
    origin: str,
    rows: int | None = None,
    reader: str | None = None,
    part: str = "whole",
    members: tuple[str, ...] = (),
) -> ManifestFile:
    """Describe a file of a corpus folder."""
    path = folder / name
    return ManifestFile(
        name, path.stat().st_size, file_sha256(path), rows, reader, part, origin, members
    )


UNREACHABLE = "unreachable"
"""Origin of a corpus that a fault kept away which may have passed by the next run."""


def describe(
    name: str, corpus: Corpus, files: list[ManifestFile], absent: list[str], why: str = ""
) -> Manifest:
    """Return the manifest of a folder with files of a corpus; without files it is unavailable.

    ``absent`` are official files of which nothing is here; ``why`` is the kind of failure of a corpus without files.
    """
    whole = sum(file.part == "whole" for file in files)
    parts = list(dict.fromkeys(file.part for file in files if file.part != "whole"))
    if parts and whole:
        parts = [f"{whole} whole files" if whole > 1 else "1 whole file", *parts]
    if absent:
        parts = parts or [f"{len(files)} of {len(files) + len(absent)} files"]
        parts.append("absent: " + ", ".join(absent))
    return Manifest(
        corpus=name,
        title=corpus.title,
        version=corpus.version,
        licence=corpus.licence.name,
        roles=tuple(corpus.roles),
        source=corpus.source,
        origin=" + ".join(dict.fromkeys(file.origin.split(": ")[0] for file in files))
        or why
        or "unavailable",
        part="; ".join(parts) or ("whole" if files else "unavailable"),
        files=tuple(files),
    )


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a corpus folder."""
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DivLogicError(
            f"{folder}: no {MANIFEST} there; fetch the corpus with `divlogic corpora fetch`."
        )
    try:
        return TypeAdapter(Manifest).validate_python(read_json(path))
    except ValidationError as error:
        raise DivLogicError(
            f"{path}: not a corpus manifest ({error}); fetch the corpus again."
        ) from error


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
