"""Every rule's command, run in this process on damaged inputs: is the damage told, or does it go unnoticed?"""

from __future__ import annotations

import contextlib
import functools
import gc
import gzip
import io
import os
import re
import shlex
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import orjson
import pyarrow

from divlogic.cli import cli
from divlogic.config.option import STRICT
from divlogic.errors import DivLogicError
from divlogic.io.files import check_begun, count_of
from divlogic.io.log import set_up
from divlogic.io.notes import begun, note_path, read_note
from tests.contract.graph import Job

SOURCES = ("data/embedded/", "data/published/", "data/profiles/", "data/recorded/", "data/registry.yaml")
"""What git keeps."""

FILES = 3
"""Inputs of a job that are damaged, at most."""

Change = Callable[[bytes], bytes]


def _middle(content: bytes, pattern: bytes, become: Callable[[re.Match[bytes]], bytes]) -> bytes:
    """Replace the first match after the middle, else the last one before it."""
    found = re.compile(pattern).search(content, len(content) // 2) or re.search(pattern, content)
    return content[: found.start()] + become(found) + content[found.end() :] if found else content


CHANGES: dict[str, Change] = {
    "cut": lambda content: content[: len(content) // 2],
    "flipped": lambda content: _middle(content, rb"[0-8]", lambda m: bytes([m[0][0] + 1])),
    "empty": lambda content: b"",
    "columns": lambda content: re.sub(rb"[a-z]\b", b"x", content, count=1),
    "nan": lambda content: _middle(content, rb"(?<=[:, ])[0-9.]+(?=[,}\s])", lambda m: b"NaN"),
    "doubled": lambda content: content + content[content[:-1].rfind(b"\n") + 1 :],
    "bom": lambda content: b"\xef\xbb\xbf" + content,
    "crlf": lambda content: content.replace(b"\n", b"\r\n"),
    "latin1": lambda content: content[: len(content) // 2] + b"\xe9" + content[len(content) // 2 :],
}
"""The kinds of damage, of the content before compression."""

PACKED: dict[str, Change] = {
    "cut": lambda packed: packed[: len(packed) // 2],
    "flipped": lambda packed: (
        packed[: len(packed) // 2] + bytes([packed[len(packed) // 2] ^ 1]) + packed[len(packed) // 2 + 1 :]
    ),
}
"""Damage of the compressed file itself."""


@dataclass(frozen=True)
class Case:
    """One damaged input of one job; without its note it stands for a file that lost it, or came without one."""

    job: Job
    file: str
    damage: str
    noted: bool

    def __str__(self) -> str:
        return f"{self.job.rule}: {self.file} {self.damage}{'' if self.noted else ', no note'}"


@dataclass(frozen=True)
class Outcome:
    """What became of a case: ``refused`` in a sentence, ``unchanged`` or ``other`` bytes, or a ``traceback``.

    ``told`` are other bytes as well, of a step that named the file in its log and went on without it or its rows;
    ``source`` of a file that git keeps, which says what its owner wants: results follow it, and ``git status`` tells.
    """

    case: Case
    kind: str
    said: str = ""


def files_of(root: Path, job: Job) -> list[str]:
    """Return the data files among a job's inputs, of each folder and suffix one, from folders their first two."""
    found: dict[tuple[str, str], str] = {}
    for name in job.inputs:
        path = root / name
        inside = sorted(p for p in path.rglob("[!.]*") if p.is_file())[:2] if path.is_dir() else [path]
        for file in inside:
            relative = file.relative_to(root).as_posix()
            found.setdefault((str(file.parent), "".join(file.suffixes)), relative)
    return [*found.values()][:FILES]


KINDS = [(damage, noted) for noted in (True, False) for damage in CHANGES]
KINDS += [("swapped", True), ("foreign", True)]
"""Every damage, to a file with its note and to one without; then a whole file in the place of another.

``swapped``: another file of the folder, which the user accepts. ``foreign``: a file of a run whose inputs were others,
with that run's note; only where a note names inputs.
"""


def cases(root: Path, jobs: list[Job], turn: int) -> list[Case]:
    """Return one kind of damage to each of the first inputs of one job of every rule.

    Args:
        root: a finished run.
        jobs: its jobs.
        turn: which kind comes first; they take turns from file to file, and over all turns every file gets every kind.
    """
    chosen: dict[str, Job] = {}
    for job in sorted(jobs, key=lambda job: job.outputs):
        if "divlogic " in job.command:
            chosen.setdefault(job.rule, job)
    files = [(job, file) for job in chosen.values() for file in files_of(root, job)]
    every = [Case(job, file, *KINDS[at % len(KINDS)]) for at, (job, file) in enumerate(files, start=turn)]
    return [case for case in every if _is_possible(root / case.file, case.damage)]


def outcome_of(root: Path, case: Case) -> Outcome:
    """Damage the input, run the command, and put everything back."""
    path = root / case.file
    before = _files(root, case)
    note = before.get(note_path(path))
    try:
        path.write_bytes(_damaged(path, case, before[path]))
        if not case.noted:
            note_path(path).unlink(missing_ok=True)
        if case.damage == "foreign" and note:
            _note_of_another_run(path, note)
        accepted = f"divlogic accept {shlex.quote(case.file)}\n" if case.damage == "swapped" else ""
        kind, said = _run(root, accepted + case.job.command)
        if kind == "accepted":
            said_of = path.name in said
            after = _files(root, case)
            changed = _changed(path, before, after)
            kind, said = "unchanged", ""
            # The run may be one of earlier code, which wrote other bytes.
            if changed and _changed(path, _undamaged(root, case, before), after):
                kind = "told" if said_of else "source" if case.file.startswith(SOURCES) else "other"
                said = ", ".join(sorted(file.relative_to(root).as_posix() for file in changed))
    finally:
        for file in _files(root, case).keys() - before.keys():
            file.unlink()
        _put_back(before)
    return Outcome(case, kind, said)


def _undamaged(root: Path, case: Case, before: dict[Path, bytes]) -> dict[Path, bytes]:
    """Return what there is after the command has read the whole input."""
    _put_back(
        {file: before[file] for file in (root / case.file, note_path(root / case.file)) if file in before}
    )
    _run(root, case.job.command)
    return _files(root, case)


def _put_back(files: dict[Path, bytes]) -> None:
    for file, content in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _files(root: Path, case: Case) -> dict[Path, bytes]:
    """Return the damaged input, the outputs, and their notes."""
    paths = [root / name for name in (case.file, *case.job.outputs)]
    found = [file for path in paths for file in (*path.rglob("*"), path, note_path(path))]
    return {file: file.read_bytes() for file in found if file.is_file()}


def _changed(path: Path, one: dict[Path, bytes], other: dict[Path, bytes]) -> set[Path]:
    """Return the outputs, without their notes, that differ."""
    files = {file for file in one.keys() | other.keys() if one.get(file) != other.get(file)}
    return {file for file in files if not file.name.startswith(".")} - {path}


def problem_with(outcome: Outcome) -> str | None:
    """Say what is wrong with an outcome: a traceback, or a change that was accepted without a word."""
    if outcome.kind == "traceback":
        return f"{outcome.case}: {outcome.said}"
    if outcome.kind == "other":
        return f"{outcome.case}: accepted, with other bytes in {outcome.said}"
    return None


def _is_possible(path: Path, damage: str) -> bool:
    """Return whether a file can be damaged in this way."""
    if damage == "swapped":
        return _sibling(path) is not None
    noted = read_note(path)
    return damage != "foreign" or (noted is not None and bool(noted.inputs))


def _sibling(path: Path) -> Path | None:
    """Return another file of rows of the folder that ends alike and has another content."""
    own = read_note(path)
    for other in sorted(path.parent.glob(f"[!.]*{''.join(path.suffixes)}")):
        noted = read_note(other)
        if own and noted and noted.rows > 1 and (noted.crc, noted.bytes) != (own.crc, own.bytes):
            return other
    return None


def _note_of_another_run(path: Path, note: bytes) -> None:
    """Note a file as a run would that made it from other inputs."""
    row, count = orjson.loads(note), count_of(path)
    content = {"rows": count.rows, "bytes": count.bytes, "crc32": f"{count.crc:08x}"}
    other = {"inputs": dict.fromkeys(row["inputs"], "00000000")}
    note_path(path).write_bytes(orjson.dumps(row | content | other))


def _damaged(path: Path, case: Case, whole: bytes) -> bytes:
    if case.damage == "swapped":
        return (_sibling(path) or path).read_bytes()
    change = CHANGES["flipped" if case.damage == "foreign" else case.damage]
    if not case.file.endswith((".gz", ".zst")):
        return change(whole)
    if case.damage in PACKED and not case.noted:
        return PACKED[case.damage](whole)
    if case.file.endswith(".zst"):
        content = pyarrow.input_stream(pyarrow.BufferReader(whole), compression="zstd").read()
        return bytes(pyarrow.compress(change(content), "zstd", asbytes=True))
    return gzip.compress(change(gzip.decompress(whole)), mtime=0)


def _run(root: Path, command: str) -> tuple[str, str]:
    """Run a rule's commands as the command line does; return how they ended and what was said."""
    said = io.StringIO()
    with (
        contextlib.chdir(root),
        patch.dict(os.environ, {STRICT: "1"}),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        begun()
        set_up()
        try:
            for arguments in _arguments(command):
                _forget_caches()
                try:
                    cli.main(arguments, prog_name="divlogic", standalone_mode=False)
                except (DivLogicError, click.ClickException):
                    raise
                except Exception:
                    check_begun()
                    raise
        except (DivLogicError, click.ClickException) as error:
            return "refused", str(error)
        except SystemExit as stop:
            return "refused" if stop.code else "accepted", said.getvalue()
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            return "traceback", f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
    return "accepted", said.getvalue()


def _arguments(command: str) -> Iterator[list[str]]:
    """Yield the arguments of each `divlogic` command of a rule's shell text, without what the shell does with them."""
    text = re.sub(
        r'"\$\(dirname ([^)]*)\)"', lambda m: shlex.quote(str(Path(shlex.split(m[1])[0]).parent)), command
    )
    text = re.sub(r"\s[12&]?>{1,2}\s*(?:&\d|\S+)", " ", text)
    words: list[str] = []
    for word in shlex.split(text.replace("\\\n", " ")):
        if word == "divlogic" and words:
            yield words[1:]
            words = []
        words.append(word)
    yield words[1:]


def _forget_caches() -> None:
    """Empty the caches of this package, as a new process would."""
    for cache in _caches(len(sys.modules)):
        cache.cache_clear()


@functools.lru_cache(maxsize=1)
def _caches(_modules: int) -> list[Any]:
    """Return the caches of this package's modules; to look through all objects takes longer than most commands."""
    return [
        found
        for found in gc.get_objects()
        if isinstance(found, functools._lru_cache_wrapper) and (found.__module__ or "").startswith("divlogic")
    ]
