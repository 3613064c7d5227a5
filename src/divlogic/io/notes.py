"""Sidecar checksums of intermediate files: rows, bytes and CRC-32, verified on read.

A file that one step writes and another reads (``NOTED``) has a small hidden file next to it, ``.NAME.sum``, with the
number of its rows and bytes and the CRC-32 of its content before compression. It is counted while the file is written,
and again while it is read to its end: no pass is added. CRC-32 finds accidents at 6 GB/s; it does not stop a forger.
The note also names the file, and the seed that the step drew with or that a file had which it read. A file that has
another's note counts as one without; a file of another seed is refused by a run that has said its own (``RUN_SEED``).

The note names what the file was made from: the CRC-32 of each product that the step had read, and of its ``--params``.
A file that was made from another input than the one that lies here is refused by its reader. Content is compared, not
time, so that an input which was made again with the same bytes changes nothing. The workflow compares the parameters,
which a reader does not know, before its first job (``check_parameters`` of workflow/start.smk). A shard is not named,
because a run may have any number of them: what is made from it is noted with the inputs and parameters of the shard.

Where the workflow writes (``PLACES``) a file without a note is refused: what a step has written has one, so that
a file without one was put there, or lost it, afterwards. The user may say that it is right (``divlogic accept``), which
writes the note. Anywhere else a file without a note was brought by the user, and is taken as it is. The place decides,
not an option: what is true of a rule is true of the same command by hand.

The note is a file of its own because the content must keep its bytes, for every reader (a footer would be a row to
them), and because a footer goes with the lines that are cut off. It follows its file wherever folders are copied,
recorded and restored as a whole. Where a job of a cluster works on copies of single files (``STORAGE``), the note lies
next to the original, too. Objects of a store (S3) have no folder for notes: a job's copy of one is compared with a note
only if the note is on the same machine, and otherwise taken as the store has checked it.
"""

from __future__ import annotations

import contextlib
import glob
import io
import os
import re
import shlex
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from divlogic.errors import DivLogicError

NOTED = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".csv", ".json", ".json.gz", ".svg", ".png")
"""Endings of the files that carry a note."""

_OF_DATA = ("interim", "sentences", "benchmarks", "evaluation", "hardening", "imported")
PLACES = (*(f"data/{name}/" for name in _OF_DATA), "results/")
"""Folders of a run that only its steps, and ``divlogic benchmarks import``, write to."""

STORAGE = re.compile(r"(?:^|/)\.snakemake/storage/fs(/.+)")
"""Where Snakemake puts copies of the files of another folder, whose path follows (its ``fs`` storage)."""

WHOLE = 1 << 33
"""Bytes of a file that is compared as a whole before a part of it is read: a few seconds at most."""

_SHARD = re.compile(r"(?:^|/)(?:\d+\.[^/]*|plan\.json)$")
"""A shard, or the plan that divides a benchmark among its shards."""

_FILLING = re.compile(r"(?<=/)\.([^/]+)\.\w+\.tmp/")

BLOCK = 1 << 18
"""Bytes that are counted at once."""

RUN_SEED = "DIVLOGIC_SEED"
"""Set by the workflow: the seed of the run, which its files must have if they depend on one."""

_opened: dict[str, Path] = {}
"""Files with a note that this process has begun to read, but not read to the end."""
_seeds: set[int] = set()
"""The seeds that what this process writes depends on."""
_params: dict[str, set[str]] = {"own": set(), "shards": set()}
"""Digests of the parameters of this process, and of those that the shards which it read were made with."""
_inputs: dict[str, str] = {}
"""The products that this process has read, each with its CRC-32; empty of those that it has written itself."""
_lying: dict[Path, str | None] = {}
"""The CRC-32 that the notes here give for inputs of what was read: a table of tables names the same files often."""


@dataclass(slots=True)
class Count:
    """The account of a content: its rows (line ends), bytes and CRC-32, and what it was made with and from."""

    rows: int = 0
    bytes: int = 0
    crc: int = 0
    seed: int | None = None
    params: str | None = None
    inputs: dict[str, str] = field(default_factory=dict)

    def add(self, block: Any) -> None:
        """Count a further block."""
        view = bytes(block)
        self.rows += view.count(b"\n")
        self.bytes += len(view)
        self.crc = zlib.crc32(view, self.crc)


def note_path(path: Path) -> Path:
    """Return where the note on a file lies."""
    return path.with_name(f".{path.name}.sum")


def is_noted(path: Path) -> bool:
    """Return whether files of this name carry a note."""
    return path.name.endswith(NOTED)


def _note_paths(path: Path) -> list[Path]:
    """Return where the notes on a file lie: next to it, and next to what it is a job's copy of."""
    return [note_path(file) for file in (path, original(path)) if file]


def original(path: Path) -> Path | None:
    """Return the file that a job's copy was made from or will be copied to; ``None`` if it is no such copy."""
    found = STORAGE.search(Path(path).as_posix())
    # A folder that is being filled has a name of its own (`divlogic.io.files.filling`).
    return Path(_FILLING.sub(r"\1/", found[1])) if found else None


def is_product(path: Path) -> bool:
    """Return whether a file lies where only the workflow writes files that have notes.

    Places are counted from the folder that the program runs in. What a release gives away has no notes.
    """
    if not is_noted(path):
        return False
    _, inside = _root_and_name(path)
    is_manifest = re.fullmatch(r"data/raw/[^/]+/[^/]+/MANIFEST\.json", inside) is not None
    return is_manifest or (inside.startswith(PLACES) and "/release/" not in inside)


def _root_and_name(path: Path) -> tuple[str, str]:
    """Return the folder of the run that a file belongs to, empty for the current one, and its path in there."""
    stored = original(path)
    if stored is None:
        return "", _FILLING.sub(r"\1/", Path(os.path.relpath(path)).as_posix())
    text = stored.as_posix()
    start = max(text.rfind("/data/"), text.rfind("/results/")) + 1
    return text[:start], text[start:]


def required_note(path: Path) -> Count | None:
    """Return what was written into a file; ``None`` if nobody noted it and it may be the user's."""
    noted = read_note(path)
    if noted and noted.seed is not None:
        if os.environ.get(RUN_SEED, str(noted.seed)) != str(noted.seed):
            raise DivLogicError(
                f"{path}: made with seed {noted.seed}, and this run has seed {os.environ[RUN_SEED]}; delete it and run"
                " the same command again, which makes it again."
            )
        draws_with(noted.seed)
    if noted and is_product(path):
        _check_inputs(path, noted)
    if noted is None and is_product(path):
        raise DivLogicError(
            f"{path}: nothing says what was written into it (its note {note_path(path).name} is missing or damaged),"
            " so that rows may be missing. Make it again (delete it and run the same command); if you put it there"
            f" yourself and it is right, run: divlogic accept {shlex.quote(str(path))}"
        )
    return noted


def _check_inputs(path: Path, noted: Count) -> None:
    """Refuse a product that was made from another input than lies here; else count it among this process's inputs."""
    root, name = _root_and_name(path)
    for source, crc in noted.inputs.items():
        place = Path(root, source)
        if place not in _lying:
            found = read_note(place)
            _lying[place] = f"{found.crc:08x}" if found and place.is_file() else None
        if _lying[place] not in (None, crc):
            raise DivLogicError(
                f"{path}: made from another {source} than the one that lies here; one of the two is of another run or"
                f" out of date. Delete that one and run the same command again, or, if {name} is right, run:"
                f" divlogic accept {shlex.quote(str(path))}"
            )
    if _SHARD.search(name):
        _inputs.update(noted.inputs | _inputs)
        if noted.params:
            _params["shards"].add(noted.params)
    else:
        _inputs.setdefault(name, f"{noted.crc:08x}")


def digest_of(params: str) -> str:
    """Return the digest of the text of a step's parameters."""
    return f"{zlib.crc32(params.encode()):08x}"


def params_of_files(path: Path) -> set[str]:
    """Return the digests that the notes on a file, or on the files in a folder, give of their parameters."""
    files = [path.joinpath(note.name[1:].removesuffix(".sum")) for note in path.glob(".*.sum")] or [path]
    return {noted.params for file in files if (noted := read_note(file)) and noted.params}


def made_with(params: str) -> None:
    """Say with which parameters (JSON) this process makes what it will write."""
    _params["own"].add(digest_of(params))


def draws_with(seed: int) -> None:
    """Say that what this process will write depends on a seed."""
    _seeds.add(seed)


def write_note(path: Path, count: Count) -> None:
    """Write the note on a file that has just been written, and the same on what it is a job's copy of.

    It appears at once and whole. It is not flushed to disk by itself: one torn by a power cut counts as none.
    """
    row: dict[str, Any] = {
        "name": path.name,
        "rows": count.rows,
        "bytes": count.bytes,
        "crc32": f"{count.crc:08x}",
    }
    if len(_seeds) == 1:
        row["seed"] = min(_seeds)
    params = _params["own"] or _params["shards"]
    if len(params) == 1:
        row["params"] = min(params)
    root, name = _root_and_name(path)
    _inputs[name] = ""
    _lying.pop(Path(root, name), None)
    if inputs := {source: crc for source, crc in sorted(_inputs.items()) if crc}:
        row["inputs"] = inputs
    for note in _note_paths(path):
        note.parent.mkdir(parents=True, exist_ok=True)
        # Named like the temporary files of `atomic_path`, which removes those of killed processes.
        temporary = note.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
        try:
            temporary.write_bytes(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            with contextlib.suppress(FileNotFoundError):  # another process writes the same file, and its note
                temporary.replace(note)
        finally:
            temporary.unlink(missing_ok=True)


def forget(path: Path) -> None:
    """Remove the note on a file that is about to be replaced."""
    for note in _note_paths(path):
        note.unlink(missing_ok=True)


def read_note(path: Path) -> Count | None:
    """Return what was written into a file, ``None`` if nobody noted it."""
    for note in _note_paths(path) if is_noted(path) else ():
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            row = orjson.loads(note.read_bytes())
            if row["name"] == path.name:
                made = row.get("seed"), row.get("params"), dict(row.get("inputs", {}))
                return Count(int(row["rows"]), int(row["bytes"]), int(row["crc32"], 16), *made)
    return None


def twin_of(path: Path, count: Count) -> Path | None:
    """Return another file of the folder, or of this name in a folder next to it, that was written with this content."""
    if count.rows < 2:  # files without rows, and reports on nothing, are the same
        return None
    notes = (*path.parent.glob(".*.sum"), *path.parent.parent.glob(f"*/{glob.escape(note_path(path).name)}"))
    files = (note.with_name(note.name[1:].removesuffix(".sum")) for note in notes if note != note_path(path))
    written = ((file, noted) for file in files if (noted := read_note(file)))
    return next(
        (file for file, noted in written if (noted.bytes, noted.crc) == (count.bytes, count.crc)), None
    )


def counted(target: Any, count: Count) -> io.BufferedWriter:
    """Return a stream that counts what it passes on to ``target``."""
    return io.BufferedWriter(_CountingWriter(target, count), BLOCK)


def checked(path: Path, source: Any, noted: Count) -> io.BufferedReader:
    """Return a stream of ``source`` that compares what it has read with the note at its end.

    What is not read to the end is compared by :func:`begun`'s caller.
    """
    _opened[str(path)] = path
    return io.BufferedReader(_CheckingReader(path, source, noted), BLOCK)


def begun() -> list[Path]:
    """Return the files with a note that this process has begun to read and not read to their ends.

    They are forgotten, and so is what was read: the command ends here, or another begins.
    """
    found = [path for path in _opened.values() if path.is_file()]
    for known in (_opened, _seeds, _inputs, _lying, *_params.values()):
        known.clear()  # type: ignore[attr-defined]
    return found


class _CountingWriter(io.RawIOBase):
    def __init__(self, target: BinaryIO, count: Count) -> None:
        self._target, self._count = target, count

    def writable(self) -> bool:
        return True

    def write(self, block: Any) -> int:
        self._target.write(block)
        self._count.add(block)
        return len(block)


class _CheckingReader(io.RawIOBase):
    def __init__(self, path: Path, source: BinaryIO, noted: Count) -> None:
        self._path, self._source, self._noted = path, source, noted
        self._bytes = self._crc = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        block = self._source.read(len(target))
        size = len(block)
        target[:size] = block
        self._bytes += size
        self._crc = zlib.crc32(block, self._crc)
        if not size:
            _opened.pop(str(self._path), None)
            if (self._bytes, self._crc) != (self._noted.bytes, self._noted.crc):
                raise changed(self._path, self._source, self._noted)
        return size


def changed(path: Path, source: Any, noted: Count) -> DivLogicError:
    """Return the sentence for a file that is not what was written."""
    found = Count()
    with contextlib.suppress(OSError, EOFError, zlib.error):
        source.seek(0)
        while block := source.read(BLOCK):
            found.add(block)
    if found.rows != noted.rows and ".json" not in (path.suffix, Path(path.stem).suffix):
        what = f"{found.rows:,} rows instead of the {noted.rows:,} that were written"
    else:
        what = "not the content that was written"
    return DivLogicError(
        f"{path}: {what}; it was changed or damaged since. Make it again (delete it and run the same command), or, if"
        f" you changed it on purpose, run: divlogic accept {shlex.quote(str(path))}"
    )
