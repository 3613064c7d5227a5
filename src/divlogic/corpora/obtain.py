"""Obtaining a corpus: from the repository, from a mirror folder, from its addresses, or placed by hand."""

from __future__ import annotations

import gzip
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Annotated, Any

import orjson

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.download import (
    Expected,
    Retries,
    UnobtainableError,
    check,
    download,
    unregistered,
    write_limited,
)
from divlogic.corpora.manifest import (
    MANIFEST,
    Manifest,
    ManifestFile,
    describe,
    place_nothing,
    problems,
    read_manifest,
    write_manifest,
)
from divlogic.corpora.parameters import CorporaRun
from divlogic.corpora.registry import REGISTRY, Corpus, RegisteredFile, load_registry, select
from divlogic.corpora.untrusted import unpack
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, filling, row_count, unwritable, write_json
from divlogic.io.log import say

CHECKSUMS = "checksums.json"
DOWNLOADS = Path(".divlogic/downloads")

Downloads = Annotated[
    Path, FOLDER, "Where downloads wait and are resumed from; a file placed by hand goes there."
]
Registry = Annotated[Path, "The registry of corpora."]


def fetch_corpora(
    names: Annotated[tuple[str, ...], ARGUMENT, "[NAME]..."] = (),
    *,
    params: CorporaRun,
    registry: Registry = REGISTRY,
    mirror: Annotated[
        Path | None, FOLDER, "Folder looked into first [default: `mirror` of the parameters]."
    ] = None,
    out: Annotated[Path, FOLDER, "Folder of the corpora."] = Path("data/raw/full"),
    whole: Annotated[bool, "Do not be content with what the mirror has in part: download it."] = False,
    downloads: Downloads = DOWNLOADS,
) -> None:
    """Bring corpora here, from the mirror or over the network [default: `corpora.full` of the parameters].

    A download that was interrupted goes on where it stopped. What can be had is brought; what cannot is
    named at the end, with the place to put it by hand.
    """
    wanted = list(names) or list(params.corpora.full)
    mirror = mirror or (Path(params.mirror) if params.mirror else None)
    failures = []
    for name, corpus in select(load_registry(registry), wanted).items():
        if corpus.embedded:
            failures.append(
                f"{name}: an embedded corpus, nothing to fetch; use `divlogic corpora place {name}`."
            )
            continue
        try:
            fetch(name, corpus, out / name, mirror=mirror, downloads=downloads, whole=whole)
        except DivLogicError as error:
            failures.append(str(error))
    if failures:
        raise DivLogicError(" ".join(failures))


def place(
    name: Annotated[str, ARGUMENT],
    *,
    params: CorporaRun,
    out: Annotated[Path, FOLDER, "The corpus folder to fill."],
    registry: Registry = REGISTRY,
    embedded: Annotated[Path, FOLDER, "Folder of the embedded corpora."] = Path("data/embedded"),
    downloads: Downloads = DOWNLOADS,
) -> None:
    """Fill one corpus folder: an embedded corpus is copied, any other one fetched."""
    corpus = select(load_registry(registry), [name])[name]
    if corpus.embedded:
        _place_embedded(name, corpus, embedded / name, out)
        return
    mirror = Path(params.mirror) if params.mirror else None
    try:
        fetch(name, corpus, out, mirror=mirror, downloads=downloads)
    except DivLogicError as error:
        # Sentences cannot be made without their corpus, but a comparison can do without one benchmark.
        optional = set(corpus.roles) <= {"comparator", "recorded"}
        if not optional or params.corpora.missing_comparators == "stop":
            raise
        say(f"{error} Going on without it (corpora.missing_comparators: skip).")
        # The folder is made now, so that neither Snakemake nor DVC would look for the file again.
        say(
            f"Once you have it: `divlogic corpora fetch {name} --out {out.parent}`, then run the workflow again."
        )
        place_nothing(name, corpus, out)


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
    if mirror is not None and not mirror.is_dir():
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
                files += _download(name, corpus, file, folder, downloads / name, retries)
            missing = [file for file in missing if file.optional and not (folder / file.path).exists()]
        absent += _named(missing, files)
        return _finish(name, describe(name, corpus, files, absent), folder)


def _finish(name: str, manifest: Manifest, folder: Path) -> Manifest:
    write_manifest(folder, manifest)
    count = "1 file" if len(manifest.files) == 1 else f"{len(manifest.files)} files"
    rows = f"{manifest.rows or 0:,} rows, " if manifest.source == "embedded" else ""
    say(f"{name}: {count}, {rows}{manifest.bytes:,} bytes, from {manifest.origin}: {manifest.part}.")
    return manifest


def _place_embedded(name: str, corpus: Corpus, source: Path, out: Path) -> None:
    """Copy an embedded corpus."""
    with filling(out) as folder:
        files = []
        for file in corpus.embedded:
            path = source / file.path
            if not path.is_file():
                raise DivLogicError(
                    f"{path}: the embedded corpus lacks this file; restore it from the repository."
                )
            try:
                shutil.copyfile(path, folder / file.path)
            except OSError as error:
                raise unwritable(out / file.path, error) from error
            header = path.suffix in (".tsv", ".csv")
            rows = row_count(path) - header if file.reader else None
            files.append(_described(folder, file.path, "embedded", rows, file.reader))
        _finish(name, describe(name, corpus, files, []), folder)


def _described(
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
    return ManifestFile(name, path.stat().st_size, file_sha256(path), rows, reader, part, origin, members)


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


# ---------------------------------------------------------------------------------------- the mirror


def _from_mirror(
    name: str, corpus: Corpus, mirror: Path | None, folder: Path, whole: bool
) -> tuple[list[ManifestFile], list[RegisteredFile], list[str]]:
    """Take what the mirror has; return that, the official files still missing, and the pieces it lacks."""
    if mirror is None:
        return [], list(corpus.files), []
    files: list[ManifestFile] = []
    missing: list[RegisteredFile] = []
    absent: list[str] = []
    for file in corpus.files:
        folders = [mirror / place for place in corpus.mirror_folders or [name]]
        taken = (
            _official(corpus, file, folders, mirror, folder)
            or _loose_members(corpus, file, folders, mirror, folder)
            or _stand_ins(corpus, file, mirror, folder)
        )
        lacking = _lacking_pieces(corpus, file, taken)
        if taken and not (whole and (lacking or any(copy.part != "whole" for copy in taken))):
            files += taken
            absent += lacking
            continue
        for copy in taken:
            (folder / copy.name).unlink()
        if not taken:
            _say_other_case(folders, file)
        missing.append(file)
    return files, missing, absent


def _official(
    corpus: Corpus, file: RegisteredFile, folders: list[Path], mirror: Path, folder: Path
) -> list[ManifestFile]:
    """Take an official file, loose, gzipped or inside a zip, that is as registered; ``[]`` if there is none."""
    others = {mirror / stand_in.mirror: stand_in.sha256 for stand_in in corpus.stand_ins}
    for path, stream in _copies(folders, file):
        # The official file may lie where a stand-in is registered: only the stand-in's own bytes are left to it.
        if path in others and file_sha256(path) == others[path]:
            continue
        origin = path.relative_to(mirror).as_posix()
        if _take(stream, folder / file.path, file_expected(file), origin):
            if file.unpack:
                return _unpacked(folder / file.path, file, folder, f"mirror: {origin}")
            members = tuple(file.members)
            return [
                _described(folder, file.path, f"mirror: {origin}", file.rows, file.reader, members=members)
            ]
    return []


def _copies(folders: list[Path], file: RegisteredFile) -> Iterator[tuple[Path, IO[bytes]]]:
    """Open what bears a file's name: the file, its gzipped form, and members of zips."""
    name = PurePosixPath(file.path).name
    for path in (place / form for place in folders for form in dict.fromkeys((file.path, name))):
        packed = path.with_name(path.name + ".gz")
        if path.is_file():
            with path.open("rb") as stream:
                yield path, stream
        if packed.is_file():
            with gzip.open(packed, "rb") as unpacked:
                yield packed, unpacked  # type: ignore[misc]
    for archive in (path for place in folders for path in sorted(place.glob("*.zip"))):
        try:
            with zipfile.ZipFile(archive) as zipped:
                for member in zipped.infolist():
                    if not member.is_dir() and PurePosixPath(member.filename).name == name:
                        with zipped.open(member) as stream:
                            yield archive / member.filename, stream
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            say(f"{archive}: passed over, not a readable zip ({error}).")


def _take(stream: IO[bytes], target: Path, expected: Expected, origin: str) -> bool:
    """Copy a file of the mirror within its limits; one that is not what it should be is named and not taken."""
    try:
        write_limited(_blocks(stream, origin), target, expected, origin)
        check(target, expected, origin)
    except UnobtainableError as reason:
        say(f"{reason}; not taken.")
        target.unlink(missing_ok=True)
        return False
    return True


def _blocks(stream: IO[bytes], origin: str) -> Iterator[bytes]:
    """Yield the blocks of a stream; distinguish errors of reading from those of writing."""
    try:
        while block := stream.read(1 << 20):
            yield block
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise UnobtainableError(f"{origin}: its compression is broken ({error})") from error
    except OSError as error:
        raise DivLogicError(f"{origin}: could not be read ({error.strerror or error}).") from error


def _loose_members(
    corpus: Corpus, file: RegisteredFile, folders: list[Path], mirror: Path, folder: Path
) -> list[ManifestFile]:
    """Take the registered members of a zip that lie unpacked in the mirror; no checksum is known for those."""
    known = {mirror / stand_in.mirror for stand_in in corpus.stand_ins}
    left = file.unpacked_bytes or Expected().most_bytes
    taken: list[tuple[str, str]] = []
    lacking: list[str] = []
    for member in file.members:
        name = PurePosixPath(member).name
        candidates = [
            place / form for place in folders for form in (member, name, f"{member}.gz", f"{name}.gz")
        ]
        path = next((path for path in candidates if path.is_file()), None)
        if path is None or path in known:
            lacking.append(name)
            continue
        origin = path.relative_to(mirror).as_posix()
        target = PurePosixPath(file.into, member).as_posix() if file.unpack else path.name
        packed = path.suffix == ".gz" and file.unpack
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            if not _take(stream, folder / target, Expected(most_bytes=left), origin):  # type: ignore[arg-type]
                for name, _ in taken:
                    (folder / name).unlink()
                return []
        left -= (folder / target).stat().st_size
        taken.append((target, origin))
    which = f"without {', '.join(lacking)}" if lacking else "whole"
    part = f"{which}, as unpacked (no checksum is registered for the members of {file.path})"
    reader = None if file.unpack else file.reader
    return [_described(folder, target, f"mirror: {origin}", None, reader, part) for target, origin in taken]


def _stand_ins(corpus: Corpus, file: RegisteredFile, mirror: Path, folder: Path) -> list[ManifestFile]:
    """Take the registered stand-ins of a file that are there with their checksum."""
    taken = []
    for stand_in in corpus.stand_ins:
        path = mirror / stand_in.mirror
        if stand_in.of != file.path or not path.is_file():
            continue
        expected = Expected(stand_in.sha256, stand_in.bytes)
        with path.open("rb") as stream:
            if _take(stream, folder / stand_in.path, expected, stand_in.mirror):
                about = stand_in.rows, stand_in.reader, stand_in.part
                taken.append(_described(folder, stand_in.path, f"mirror: {stand_in.mirror}", *about))
    return taken


def _say_other_case(folders: list[Path], file: RegisteredFile) -> None:
    """Name a file of the mirror whose path differs from the wanted one in capitals only."""
    for place in folders:
        for wanted in (place / file.path, *(place / member for member in file.members)):
            found = Path()
            for part in wanted.parts:
                if not (found / part).exists() and found.is_dir():
                    names = (path.name for path in found.iterdir())
                    part = next((name for name in names if name.casefold() == part.casefold()), part)
                found /= part
            if found != wanted and found.is_file():
                say(f"{found}: passed over; did you mean {wanted.name}? Rename it to {wanted}.")


def _named(missing: list[RegisteredFile], files: list[ManifestFile]) -> list[str]:
    """Name missing files; a series with gaps is missing only as a whole."""
    here = {file.name.rpartition("/")[0] for file in files}
    names = (
        file.series or file.path
        for file in missing
        if not (file.series and file.path.rpartition("/")[0] in here)
    )
    return list(dict.fromkeys(names))


def _lacking_pieces(corpus: Corpus, file: RegisteredFile, taken: list[ManifestFile]) -> list[str]:
    """Name the pieces of an official file that the mirror lacks, where it has others of them."""
    names = {copy.name for copy in taken}
    pieces = [piece.path for piece in corpus.stand_ins if piece.of == file.path and piece.part == "whole"]
    return [piece for piece in pieces if piece not in names] if names & set(pieces) else []


# ---------------------------------------------------------------------------------------- the network


def file_expected(file: RegisteredFile) -> Expected:
    """Return what the registry knows of a file."""
    return Expected(file.sha256, file.bytes) if file.sha256 is not None else unregistered(file)


def _download(
    name: str, corpus: Corpus, file: RegisteredFile, folder: Path, downloads: Path, retries: Retries | None
) -> list[ManifestFile]:
    """Bring an official file here over the network, or from the place for files placed by hand."""
    target = downloads / file.path
    known = _recorded(downloads).get(file.path)
    expected = file_expected(file)
    if file.sha256 is None and known:
        expected = Expected(known["sha256"], known["bytes"])
    reasons: list[str] = []
    origin: str | None = None
    if target.is_file():
        try:
            check(target, expected, str(target))
            origin = str((known or {}).get("origin", "by hand"))
        except UnobtainableError as reason:
            say(f"{reason}; kept as {target.name}.bad.")
            reasons.append(str(reason))
            target.replace(target.with_name(target.name + ".bad"))
    addresses = [(url, "url") for url in file.urls] + [(url, "archive url") for url in file.archive_urls]
    for url, kind in addresses if origin is None else ():
        try:
            download(url, target, expected, retries=retries)
        except UnobtainableError as reason:
            say(f"{reason}.")
            reasons.append(str(reason))
            continue
        origin = f"{kind}: {url}"
        break
    if origin is None:
        if file.optional and (file.series or not file.urls):
            return []
        tried = "; ".join(reasons) or "no address is registered"
        accept = ""
        if file.sha256 is None and known:
            accept = f" To accept another version, remove its entry from {downloads / CHECKSUMS}."
        by_hand = _by_hand(corpus, target, expected)
        raise DivLogicError(f"{name}: {file.path} could not be obtained ({tried}). {by_hand}{accept}")
    entry = {"sha256": file_sha256(target), "bytes": target.stat().st_size, "origin": origin}
    if known != entry:
        recorded = {**_recorded(downloads), file.path: entry}
        write_json(downloads / CHECKSUMS, dict(sorted(recorded.items())), note=False)
    _link(target, folder / file.path)
    if file.unpack:
        return _unpacked(folder / file.path, file, folder, origin)
    return [_described(folder, file.path, origin, file.rows, file.reader, members=tuple(file.members))]


def _unpacked(archive: Path, file: RegisteredFile, folder: Path, origin: str) -> list[ManifestFile]:
    """Unpack a zip that lies in ``folder``, remove it, and describe its members."""
    assert file.unpacked_bytes is not None  # the registry's model sees to it
    names = unpack(archive, folder / file.into, members=list(file.members), limit=file.unpacked_bytes)
    archive.unlink()
    places = [PurePosixPath(file.into, name).as_posix() for name in sorted(names)]
    return [_described(folder, place, origin, None, file.reader) for place in places]


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
