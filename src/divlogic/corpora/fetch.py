"""Bringing one corpus here: from the mirror, else from its addresses, else with a word on how to place it by hand."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from typing import Any

import orjson

from divlogic.corpora import mirror as mirrors
from divlogic.corpora.archive import unpack
from divlogic.corpora.download import (
    Expected,
    Retries,
    UnobtainableError,
    check,
    download,
    unregistered,
    unusable,
)
from divlogic.corpora.manifest import (
    MANIFEST,
    Manifest,
    ManifestFile,
    describe,
    filling,
    problems,
    read_manifest,
    write_manifest,
)
from divlogic.corpora.registry import Corpus, RegisteredFile
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, unwritable, write_json
from divlogic.io.log import say

CHECKSUMS = "checksums.json"
DOWNLOADS = Path(".divlogic/downloads")
"""Where downloads wait, finished or not, and where a file may be placed by hand."""


def fetch(
    name: str,
    corpus: Corpus,
    out: Path,
    *,
    mirror: Path | None = None,
    downloads: Path = DOWNLOADS,
    whole: bool = False,
    retries: Retries | None = None,
) -> Manifest:
    """Fill the folder ``out`` with a corpus and its manifest; a folder that is whole already is left alone.

    Args:
        name, corpus: the registry entry.
        out: the corpus folder; it is replaced in one step once everything is here.
        mirror: folder looked into first. What it has of a corpus counts, even a part; only a corpus of which
            it has nothing is downloaded.
        downloads: where downloads are kept, and resumed from.
        whole: do not be content with a part: download what the mirror lacks.
        retries: how patiently to download.

    Raises:
        DivLogicError: the corpus cannot be obtained (the message says where to place which file), or the disk is full.
    """
    out = Path(out)
    if mirror is not None and not Path(mirror).is_dir():
        raise DivLogicError(
            f"{mirror}: this mirror folder does not exist; correct --mirror (or `mirror` in params.yaml)."
        )
    if (here := _already(name, corpus, out)) is not None:
        say(f"{name}: already here, whole.")
        return here
    with filling(out) as folder:
        files, missing, absent = _from_mirror(name, corpus, mirror, folder, whole)
        if whole or not files:
            for file in missing:
                files += _download(name, corpus, file, folder, Path(downloads), retries)
            missing = [file for file in missing if file.optional and not (folder / file.path).exists()]
        absent += _named(missing, files)
        manifest = describe(name, corpus, files, absent)
        write_manifest(folder, manifest)
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    say(f"{name}: {count}, {manifest.bytes:,} bytes, from {manifest.origin}: {manifest.part}.")
    return manifest


def _already(name: str, corpus: Corpus, out: Path) -> Manifest | None:
    """Return the manifest of a folder that holds the registered version whole and undamaged."""
    if not (out / MANIFEST).is_file():
        return None
    try:
        manifest = read_manifest(out)
    except DivLogicError:
        return None
    if manifest.corpus != name or manifest.part != "whole" or problems(out, manifest, checksums=True):
        return None
    found = {file.name: file.sha256 for file in manifest.files}
    same = all(
        file.unpack
        or (file.series and file.path not in found)
        or found.get(file.path) == (file.sha256 or found.get(file.path, ""))
        for file in corpus.files
    )
    return manifest if same and manifest.version == corpus.version else None


def _from_mirror(
    name: str, corpus: Corpus, mirror: Path | None, folder: Path, whole: bool
) -> tuple[list[ManifestFile], list[RegisteredFile], list[str]]:
    """Take what the mirror has; return that, the official files still missing, and the pieces it lacks."""
    files: list[ManifestFile] = []
    missing: list[RegisteredFile] = []
    absent: list[str] = []
    for file in corpus.files:
        taken = mirrors.take(name, corpus, file, Path(mirror), folder) if mirror is not None else []
        lacking = _lacking_pieces(corpus, file, taken)
        if not taken or (whole and (lacking or any(copy.part != "whole" for copy in taken))):
            for copy in taken:
                (folder / copy.name).unlink()
            missing.append(file)
        else:
            files += [part for copy in taken for part in _settle(copy, file, folder)]
            absent += lacking
    return files, missing, absent


def _named(missing: list[RegisteredFile], files: list[ManifestFile]) -> list[str]:
    """Name missing files; a series with gaps is missing only as a whole."""
    here = {file.name for file in files}
    found = {file.path.rpartition("/")[0] for file in missing if file.series}
    held = {folder for folder in found if any(name.rpartition("/")[0] == folder for name in here)}
    names = (
        file.series or file.path
        for file in missing
        if not (file.series and file.path.rpartition("/")[0] in held)
    )
    return list(dict.fromkeys(names))


def _lacking_pieces(corpus: Corpus, file: RegisteredFile, taken: list[mirrors.Taken]) -> list[str]:
    """Name the pieces of an official file that the mirror lacks, where it has others of them."""
    names = {copy.name for copy in taken}
    pieces = [piece.path for piece in corpus.stand_ins if piece.of == file.path and piece.part == "whole"]
    return [piece for piece in pieces if piece not in names] if names & set(pieces) else []


def _settle(copy: mirrors.Taken, file: RegisteredFile, folder: Path) -> list[ManifestFile]:
    """Describe a file taken from the mirror; an official zip that is meant to be unpacked is unpacked."""
    origin = f"mirror: {copy.origin}"
    if file.unpack and copy.name == file.path:
        return _unpacked(folder / copy.name, file, folder, origin)
    entry = ManifestFile(
        copy.name, copy.bytes, copy.sha256, copy.rows, copy.reader, copy.part, origin, copy.members
    )
    return [entry]


def _unpacked(archive: Path, file: RegisteredFile, folder: Path, origin: str) -> list[ManifestFile]:
    """Unpack a zip that lies in ``folder``, remove it, and describe its members."""
    assert file.unpacked_bytes is not None  # the registry's model sees to it
    names = unpack(archive, folder / file.into, members=list(file.members), limit=file.unpacked_bytes)
    archive.unlink()
    entries = []
    for name in sorted(names):
        path = folder / file.into / name
        place = (PurePosixPath(file.into) / name).as_posix()
        size, digest = path.stat().st_size, file_sha256(path)
        entries.append(ManifestFile(place, size, digest, None, file.reader, "whole", origin))
    return entries


def _download(
    name: str, corpus: Corpus, file: RegisteredFile, folder: Path, downloads: Path, retries: Retries | None
) -> list[ManifestFile]:
    """Bring an official file here over the network, or from the place for files placed by hand."""
    target = downloads / name / file.path
    expected = _expected(target, file, downloads / name)
    reasons: list[str] = []
    origin = _placed(target, file, expected, downloads / name, reasons)
    if origin is None:
        addresses = [(url, "url") for url in file.urls] + [(url, "archive url") for url in file.archive_urls]
        for url, kind in addresses:
            try:
                download(url, target, expected, retries=retries)
            except UnobtainableError as reason:
                say(f"{reason}.")
                reasons.append(str(reason))
                continue
            origin = f"{kind}: {url}"
            break
        else:
            if file.optional and (file.series or not file.urls):
                return []
            by_hand = _by_hand(corpus, target, expected)
            if file.sha256 is None and expected.sha256 is not None:
                by_hand += (
                    f" To accept another version, remove its entry from {downloads / name / CHECKSUMS}."
                )
            raise unusable(f"{name}: {file.path}", reasons, by_hand)
    digest = _record(target, file, downloads / name, origin)
    place = folder / file.path
    _link(target, place)
    if file.unpack:
        return _unpacked(place, file, folder, origin)
    size = place.stat().st_size
    members = tuple(file.members)
    return [ManifestFile(file.path, size, digest, file.rows, file.reader, "whole", origin, members)]


def _expected(target: Path, file: RegisteredFile, folder: Path) -> Expected:
    """Return what the file must be: as registered, or as the first download was."""
    if file.sha256 is not None:
        return Expected(file.sha256, file.bytes)
    known = _recorded(folder).get(file.path)
    return Expected(known["sha256"], known["bytes"]) if known else unregistered(file)


def _placed(
    target: Path, file: RegisteredFile, expected: Expected, folder: Path, reasons: list[str]
) -> str | None:
    """Accept a finished file in the downloads folder; a wrong one is put aside and named."""
    if not target.is_file():
        return None
    try:
        check(target, expected, str(target))
    except UnobtainableError as reason:
        say(f"{reason}; kept as {target.name}.bad.")
        reasons.append(str(reason))
        target.replace(target.with_name(target.name + ".bad"))
        return None
    return str(_recorded(folder).get(file.path, {}).get("origin", "by hand"))


def _recorded(folder: Path) -> dict[str, dict[str, Any]]:
    """Read the checksums of what was downloaded before."""
    path = folder / CHECKSUMS
    if not path.is_file():
        return {}
    try:
        return dict(orjson.loads(path.read_bytes()))
    except (orjson.JSONDecodeError, ValueError) as error:
        raise DivLogicError(
            f"{path}: not valid JSON ({error}); delete it, and the checksums are recorded again."
        ) from error


def _record(target: Path, file: RegisteredFile, folder: Path, origin: str) -> str:
    """Note the checksum and origin of a finished download and return the checksum."""
    digest = file_sha256(target)
    known = _recorded(folder)
    entry = {"sha256": digest, "bytes": target.stat().st_size, "origin": origin}
    if known.get(file.path) != entry:
        write_json(folder / CHECKSUMS, dict(sorted({**known, file.path: entry}.items())), note=False)
    return digest


def _link(source: Path, target: Path) -> None:
    """Put a finished download into the corpus folder without a second copy of its bytes where that is possible."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            target.hardlink_to(source)
        except OSError:
            shutil.copyfile(source, target)
    except OSError as error:
        raise unwritable(target, error) from error


def _by_hand(corpus: Corpus, target: Path, expected: Expected) -> str:
    """Say how to place a file by hand: where exactly, and what it must be."""
    what = corpus.by_hand or f"Get the file by other means (see {corpus.homepage or corpus.licence.url})"
    sums = (
        f"sha256 {expected.sha256}"
        if expected.sha256
        else "no checksum is registered: the file's own is recorded"
    )
    size = f", {expected.bytes:,} bytes" if expected.bytes is not None else ""
    return f"{what.rstrip('.')}; put it at {target} ({sums}{size}), then run the same command again."
