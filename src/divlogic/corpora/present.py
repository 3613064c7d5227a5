"""How many rows of a corpus a run will have, found without reading or copying anything."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from divlogic.corpora.manifest import MANIFEST, read_manifest
from divlogic.corpora.registry import Corpus, RegisteredFile
from divlogic.errors import DivLogicError


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
