"""Obtaining a corpus: from the repository, from a mirror folder, from its addresses, or placed by hand."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.corpora.download import Expected, Fault, UnobtainableError, check, download
from divlogic.corpora.manifest import (
    UNREACHABLE,
    Manifest,
    ManifestFile,
    describe,
    describe_file,
    problems,
    read_manifest,
    write_manifest,
)
from divlogic.corpora.mirror import Mirror, expected_of, unpacked
from divlogic.corpora.parameters import CorporaRun
from divlogic.corpora.registry import REGISTRY, Corpus, RegisteredFile, load_registry, select
from divlogic.errors import DivLogicError
from divlogic.io.files import (
    alone,
    file_sha256,
    filling,
    read_json,
    row_count,
    write_json,
    writing,
)
from divlogic.io.log import say

CHECKSUMS = "checksums.json"
DOWNLOADS = Path(".divlogic/downloads")

Downloads = Annotated[
    Path, FOLDER, "Where downloads wait and are resumed from; a file placed by hand goes there."
]
Registry = Annotated[Path, "The registry of corpora."]


class NotObtainedError(DivLogicError):
    """A corpus that no place gave.

    Attributes:
        fault: the kind of failure; a corpus with several addresses is unreachable if one of them is.
    """

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault: Fault = fault


def fetch_corpora(
    names: Annotated[tuple[str, ...], ARGUMENT, "[NAME]..."] = (),
    *,
    params: CorporaRun,
    registry: Registry = REGISTRY,
    mirror: Annotated[
        Path | None, FOLDER, "Folder looked into first [default: `mirror` of the parameters]."
    ] = None,
    out: Annotated[Path, FOLDER, "Folder of the corpora."] = Path("data/raw/full"),
    whole: Annotated[
        bool, "Do not be content with what the mirror has in part: download it."
    ] = False,
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
    except NotObtainedError as error:
        # Sentences cannot be made without their corpus, but a comparison can do without one benchmark.
        if not corpus.optional or params.corpora.missing_comparators == "stop":
            raise
        say(f"{error} Going on without it (corpora.missing_comparators: skip).")
        # Snakemake wants a folder. One of a fault that passes is not taken for done by the next run (`to_try_again`).
        if error.fault == UNREACHABLE:
            say("It could not be reached: the next run of the workflow tries again.")
        else:
            say(
                f"Once you have it: `divlogic corpora fetch {name} --out {out.parent}`, then run the workflow again."
            )
        with filling(out) as folder:
            write_manifest(folder, describe(name, corpus, [], [], error.fault))


def fetch(
    name: str,
    corpus: Corpus,
    out: Path,
    *,
    mirror: Path | None = None,
    downloads: Path = DOWNLOADS,
    whole: bool = False,
) -> Manifest:
    """Fill the folder ``out`` with a corpus and its manifest, in one step once everything is here.

    A folder that is whole already is left alone. What the mirror has of a corpus counts, even a part; only a corpus of
    which it has nothing is downloaded, and with ``whole`` what it lacks. A corpus that cannot be obtained is an error
    that says where to place which file.
    """
    if mirror is not None and not mirror.is_dir():
        raise DivLogicError(
            f"{mirror}: this mirror folder does not exist; correct --mirror (or `mirror` in params.yaml)."
        )
    if (here := _already(name, corpus, out)) is not None:
        say(f"{name}: already here, whole.")
        return here
    with filling(out) as folder:
        files: list[ManifestFile] = []
        missing: list[RegisteredFile] = []
        absent: list[str] = []
        for file in corpus.files:
            if file.instead_of and not (mirror and not files):
                continue
            taken: list[ManifestFile] = []
            if mirror:
                taken, lacking = Mirror(mirror, name, corpus, folder).take(file, whole=whole)
                absent += lacking
            files += taken
            if file.instead_of:
                missing = [one for one in missing if not taken or one.path != file.instead_of]
            else:
                missing += [] if taken else [file]
        if whole or not files:
            for file in missing:
                with alone(downloads / name):
                    files += _download(name, corpus, file, folder, downloads / name)
            missing = [
                file for file in missing if file.optional and not (folder / file.path).exists()
            ]
        # A series with gaps is missing only as a whole.
        folders = {file.name.rpartition("/")[0] for file in files}
        gone = [
            one for one in missing if not one.series or one.path.rpartition("/")[0] not in folders
        ]
        absent += dict.fromkeys(one.series or one.path for one in gone)
        return _finish(name, describe(name, corpus, files, absent), folder)


def _finish(name: str, manifest: Manifest, folder: Path) -> Manifest:
    write_manifest(folder, manifest)
    count = "1 file" if len(manifest.files) == 1 else f"{len(manifest.files)} files"
    rows = f"{manifest.rows or 0:,} rows, " if manifest.source == "embedded" else ""
    say(
        f"{name}: {count}, {rows}{manifest.bytes:,} bytes, from {manifest.origin}: {manifest.part}."
    )
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
            with writing(out / file.path):
                shutil.copyfile(path, folder / file.path)
            header = path.suffix in (".tsv", ".csv")
            rows = row_count(path) - header if file.reader else None
            files.append(describe_file(folder, file.path, "embedded", rows, file.reader))
        _finish(name, describe(name, corpus, files, []), folder)


def _already(name: str, corpus: Corpus, out: Path) -> Manifest | None:
    """Return the manifest of a folder that holds the registered version whole and undamaged."""
    try:
        manifest = read_manifest(out)
    except DivLogicError:
        return None
    if (manifest.corpus, manifest.part, manifest.version) != (name, "whole", corpus.version):
        return None
    found = {file.name: file.sha256 for file in manifest.files}
    same = all(
        file.unpack
        or (file.series and file.path not in found)
        or (file.instead_of and file.path not in found)
        or any(other.instead_of == file.path and other.path in found for other in corpus.files)
        or found.get(file.path) == (file.sha256 or found.get(file.path, ""))
        for file in corpus.files
    )
    return manifest if same and not problems(out, manifest, checksums=True) else None


def _download(
    name: str, corpus: Corpus, file: RegisteredFile, folder: Path, downloads: Path
) -> list[ManifestFile]:
    """Bring an official file here over the network, or from the place for files placed by hand."""
    target = downloads / file.path
    known = _recorded(downloads).get(file.path)
    expected = expected_of(file)
    if file.sha256 is None and known:
        expected = Expected(known["sha256"], known["bytes"])
    reasons: list[str] = []
    faults: list[Fault] = []
    origin: str | None = None
    if target.is_file():
        try:
            check(target, expected, str(target))
            origin = str((known or {}).get("origin", "by hand"))
        except UnobtainableError as reason:
            say(f"{reason}; kept as {target.name}.bad.")
            reasons.append(str(reason))
            target.replace(target.with_name(target.name + ".bad"))
    addresses = [(url, "url") for url in file.urls] + [
        (url, "archive url") for url in file.archive_urls
    ]
    for url, kind in addresses if origin is None else ():
        try:
            download(url, target, expected)
        except UnobtainableError as reason:
            say(f"{reason}.")
            reasons.append(str(reason))
            faults.append(reason.fault)
            continue
        origin = f"{kind}: {url}"
        break
    if origin is None:
        for other in (one for one in corpus.files if one.instead_of == file.path):
            say(f"{name}: {file.path} could not be had; trying its other form {other.path}.")
            try:
                return _download(name, corpus, other, folder, downloads)
            except NotObtainedError as reason:
                reasons.append(str(reason))
                faults.append(reason.fault)
        unknown: Fault = "gated" if corpus.gated else "absent"
        fault = next((one for one in _ORDER if one in faults), unknown)
        # What is not there for good can be done without; what may be there tomorrow is not left out for good.
        if file.optional and fault != UNREACHABLE:
            return []
        tried = "; ".join(reasons) or "no address is registered"
        accept = f" To accept another version, remove its entry from {downloads / CHECKSUMS}."
        accept = accept if file.sha256 is None and known else ""
        by_hand = _by_hand(corpus, target, expected)
        raise NotObtainedError(
            f"{name}: {file.path} could not be obtained ({_SAID[fault]}: {tried}). {by_hand}{accept}",
            fault,
        )
    entry = {"sha256": file_sha256(target), "bytes": target.stat().st_size, "origin": origin}
    if known != entry:
        recorded = {**_recorded(downloads), file.path: entry}
        write_json(downloads / CHECKSUMS, dict(sorted(recorded.items())))
    _link(target, folder / file.path)
    if file.unpack:
        return unpacked(folder / file.path, file, folder, origin)
    return [
        describe_file(
            folder, file.path, origin, file.rows, file.reader, members=tuple(file.members)
        )
    ]


_ORDER: tuple[Fault, ...] = ("unreachable", "gated", "wrong", "absent")
"""What the failure of several addresses is called, the first kind that any of them has."""

_SAID: dict[Fault, str] = {
    "unreachable": "not reached for now",
    "gated": "handed out on request only",
    "wrong": "another file than the registered one",
    "absent": "no longer at its addresses",
}


def _recorded(folder: Path) -> dict[str, dict[str, Any]]:
    """Read the checksums of what was downloaded before."""
    return read_json(folder / CHECKSUMS) if (folder / CHECKSUMS).is_file() else {}


def _link(source: Path, target: Path) -> None:
    """Put a finished download into the corpus folder without a second copy of its bytes where that is possible."""
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            target.hardlink_to(source)
        except OSError:
            shutil.copyfile(source, target)


def _by_hand(corpus: Corpus, target: Path, expected: Expected) -> str:
    """Say how to place a file by hand: where exactly, and what it must be."""
    what = (
        corpus.by_hand
        or f"Get the file by other means (see {corpus.homepage or corpus.licence.url})"
    )
    own = "no checksum is registered: the file's own is recorded"
    sums = f"sha256 {expected.sha256}" if expected.sha256 else own
    size = f", {expected.bytes:,} bytes" if expected.bytes is not None else ""
    return (
        f"{what.rstrip('.')}; put it at {target} ({sums}{size}), then run the same command again."
    )
