"""The embedded corpora: copied from data/embedded, the captions composed by their grammar."""

from __future__ import annotations

from pathlib import Path

from divlogic.corpora.manifest import Manifest, ManifestFile, describe, filling, write_manifest
from divlogic.corpora.parameters import CorporaRun
from divlogic.corpora.registry import Corpus, EmbeddedFile
from divlogic.errors import DivLogicError
from divlogic.io.files import atomic_writer, file_sha256, open_bytes
from divlogic.io.log import say


def place_embedded(name: str, corpus: Corpus, embedded: Path, params: CorporaRun, out: Path) -> Manifest:
    """Fill the folder ``out`` with an embedded corpus and its manifest.

    Args:
        name, corpus: the registry entry.
        embedded: the folder that holds the embedded corpora (data/embedded).
        params: seed and number of caption groups.
        out: the corpus folder; it is replaced in one step.

    Raises:
        DivLogicError: a file of the corpus is missing, or the disk is full.
    """
    with filling(Path(out)) as folder:
        files = [_place(file, Path(embedded) / name, folder, params) for file in corpus.embedded]
        manifest = describe(name, corpus, files, [])
        write_manifest(folder, manifest)
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    say(f"{name}: {count}, {manifest.rows or 0:,} rows, {manifest.bytes:,} bytes, embedded.")
    return manifest


def _place(file: EmbeddedFile, source: Path, folder: Path, params: CorporaRun) -> ManifestFile:
    """Copy or compose one file and describe it."""
    target = folder / file.path
    if file.composed:
        from divlogic.corpora.captions import write_captions

        write_captions(target, params.corpora.captions.groups, params.seed, source / "lexicon")
        origin = "embedded: composed"
    else:
        path = source / file.path
        if not path.is_file():
            raise DivLogicError(
                f"{path}: the embedded corpus lacks this file; restore it from the repository."
            )
        with open_bytes(path) as stream, atomic_writer(target) as copy:
            while block := stream.read(1 << 20):
                copy.write(block)
        origin = "embedded"
    rows = _rows(target) if file.reader else None
    return ManifestFile(
        file.path, target.stat().st_size, file_sha256(target), rows, file.reader, "whole", origin
    )


def _rows(path: Path) -> int:
    """Count the lines of a file, without the header of a table."""
    with open_bytes(path) as stream:
        lines = sum(1 for line in stream if not line.isspace())
    return lines - (1 if ".tsv" in path.suffixes or ".csv" in path.suffixes else 0)
