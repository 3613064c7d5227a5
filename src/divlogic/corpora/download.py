"""Files from outside: downloaded over HTTP, resumed, retried, checked, and unpacked within limits."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

import orjson

from divlogic import __version__
from divlogic.errors import DivLogicError
from divlogic.io.backoff import parse_retry_after, waiting_time
from divlogic.io.files import file_sha256, unwritable, write_json, writing
from divlogic.io.log import say

if TYPE_CHECKING:
    import httpx

_MAGIC = {".zip": b"PK", ".gz": b"\x1f\x8b", ".bz2": b"BZh", ".parquet": b"PAR1"}
"""First bytes of the binary forms that are downloaded."""

_BOM = b"\xef\xbb\xbf"
_ERROR_KEYS = frozenset(
    ("error", "errors", "message", "detail", "status", "code", "documentation_url")
)


def implausible(path: Path) -> str | None:
    """Return why a file without a registered checksum cannot be what its name promises, or ``None``.

    A download that waits is called ``NAME.part``; the name before that suffix decides.
    """
    form = Path(path.name.removesuffix(".part").removesuffix(".bad")).suffix.lower()
    with path.open("rb") as stream:
        start = stream.read(512)
    if not start:
        return "the file is empty"
    if form in _MAGIC:
        if not start.startswith(_MAGIC[form]):
            return f"this is no {form[1:]} file"
        return None if _ends_well(path, form) else f"this {form[1:]} file breaks off"
    opening = start.lstrip(_BOM + b" \t\r\n").lower()
    if opening.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<?xml")):
        return "a web page was sent instead of the file"
    if b"\0" in start:
        return "this is no text"
    return _no_data(path, form[1:]) if form in (".json", ".jsonl") else None


def web_page(path: Path) -> str:
    """Return a remark that a file is a web page, the usual reason why it is not the file asked for; else nothing."""
    with path.open("rb") as stream:
        start = stream.read(512)
    return " (it is a web page)" if _is_page(start) else ""


def _is_page(start: bytes) -> bool:
    return start.lstrip().lower().startswith((b"<!doctype html", b"<html"))


def _ends_well(path: Path, form: str) -> bool:
    """Return whether the end of an archive or parquet file is there, without which it cannot be opened."""
    if form == ".zip":
        return zipfile.is_zipfile(path)
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 4))
        return form != ".parquet" or stream.read() == _MAGIC[form]


def _no_data(path: Path, form: str) -> str | None:
    """Return why a JSON document, or the first row of JSON Lines, holds no data."""
    with path.open("rb") as stream:
        text = stream.readline() if form == "jsonl" else stream.read()
    try:
        value = orjson.loads(text.removeprefix(_BOM))
    except orjson.JSONDecodeError:
        return f"this is no {form} file"
    if not isinstance(value, dict | list) or not value:
        return "there are no data in it"
    if isinstance(value, dict) and _ERROR_KEYS.issuperset(map(str.lower, value)):
        return "the server's error message was sent instead of the file"
    return None


def unpack(archive: Path, folder: Path, *, members: list[str], limit: int) -> list[str]:
    """Unpack members of a zip (all its files if none are named) and return their names in archive order.

    Together they may have ``limit`` bytes; `zipfile` reads no more of one than the zip announces.
    """
    try:
        with zipfile.ZipFile(archive) as zipped:
            files = [member for member in zipped.infolist() if not member.is_dir()]
            names = [member.filename for member in files]
            if lacking := sorted(set(members) - set(names)):
                raise DivLogicError(
                    f"{archive}: the member '{lacking[0]}' is not in it; fetch the registered version."
                )
            chosen = [member for member in files if not members or member.filename in members]
            size = sum(member.file_size for member in chosen)
            problem = (
                f"its members have {size:,} bytes, more than the {limit:,} registered"
                if size > limit
                else ""
            )
            if len(set(names)) < len(names):  # one file could hide behind another
                problem = "two of its members have the same name"
            for member in chosen:
                if not _is_plain_file(member):
                    problem = f"the member {member.orig_filename!r} is encrypted, a link, or leads out of the folder"
            if problem:
                raise DivLogicError(
                    f"{archive}: not unpacked, since {problem}; fetch the registered version."
                )
            zipped.extractall(folder, chosen)
            return [member.filename for member in chosen]
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DivLogicError(
            f"{archive}: not a whole zip file ({error}); fetch it again."
        ) from error
    except OSError as error:
        raise unwritable(folder, error) from error


def _is_plain_file(member: zipfile.ZipInfo) -> bool:
    """Return whether a member is a readable file below the folder it is unpacked to."""
    # ZipInfo cuts the name at a NUL byte and may turn separators round; orig_filename is what the zip says.
    name = member.orig_filename
    path = PurePosixPath(name)
    if stat.S_ISLNK(member.external_attr >> 16) or member.flag_bits & 0x1 or not path.parts:
        return False
    outside = path.is_absolute() or ".." in path.parts or ":" in path.parts[0]
    return not (outside or {"\\", "\0"} & set(name))


Fault = Literal["unreachable", "gated", "absent", "wrong"]
"""Why a place did not give a file: a fault that passes (no route, a cut, 5xx, too many requests, a page in the file's
place); one of access (401, 403); no such file (404, 410); or another file than the registered one."""


class UnobtainableError(Exception):
    """A place did not give the file; the message says why, and the next place is tried.

    Attributes:
        fault: what kind of failure it is.
    """

    def __init__(self, message: str, fault: Fault = "wrong") -> None:
        super().__init__(message)
        self.fault: Fault = fault


_FAULTS: dict[int, Fault] = {401: "gated", 403: "gated", 404: "absent", 410: "absent"}
"""Answers that stay as they are, by their status; 408, 429 and 5xx pass."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of a file before it is here: its checksum, its size, or neither.

    Attributes:
        git_blob: the id by which git names its content (SHA-1), or the first eight or more digits of it.
        least_bytes, most_bytes: of a file of unknown size; copying is given up at the latter.
    """

    sha256: str | None = None
    bytes: int | None = None
    least_bytes: int = 1
    most_bytes: int = 64 << 30
    git_blob: str | None = None


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a cut connection, a 5xx or a 429 is tried again, and how long to wait before.

    Attributes:
        attempts: tries in a row that bring no new byte before the address is given up.
        pause: seconds before the first retry; each further one waits twice as long, ``longest`` at most.
        window, least_bytes: an answer that brings fewer than ``least_bytes`` in ``window`` seconds is given up.
        total: seconds that one address may take altogether.
    """

    attempts: int = 5
    pause: float = 1.0
    longest: float = 60.0
    window: float = 60.0
    least_bytes: int = 4096
    total: float = 12 * 3600.0
    sleep: Callable[[float], None] = field(default=time.sleep)


def check(path: Path, expected: Expected, origin: str) -> None:
    """Raise an UnobtainableError if size or checksum of a file are not as expected.

    Where neither is known, so is content that is not what the file's name promises (a login page for an archive, say).
    """
    size = path.stat().st_size
    if expected.bytes is not None and size != expected.bytes:
        problem = f"{size:,} bytes instead of the registered {expected.bytes:,}"
    elif expected.sha256 is not None:
        found = file_sha256(path)
        problem = (
            "" if found == expected.sha256 else f"sha256 expected {expected.sha256}, found {found}"
        )
    elif expected.git_blob and not (blob := git_blob_of(path)).startswith(expected.git_blob):
        problem = f"git blob expected {expected.git_blob}, found {blob}"
    elif not expected.least_bytes <= max(size, 1) <= expected.most_bytes:
        problem = (
            f"{size:,} bytes, not between {expected.least_bytes:,} and {expected.most_bytes:,}"
        )
    else:
        problem = implausible(path) or ""
    if problem:
        page = web_page(path)
        # A portal or a quota sends its page with status 200 until it lets the file through.
        raise UnobtainableError(f"{origin}: {problem}{page}", "unreachable" if page else "wrong")


def git_blob_of(path: Path) -> str:
    """Return the id by which git names the content of a file: SHA-1 of a header with its size, and of its bytes."""
    with path.open("rb") as stream:
        header = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
        while block := stream.read(1 << 20):
            header.update(block)
    return header.hexdigest()


def write_limited(
    blocks: Iterable[bytes], target: Path, expected: Expected, origin: str, start: int = 0
) -> None:
    """Write blocks to ``target`` from byte ``start`` on; what arrives before an interruption is kept.

    More bytes than expected raise an UnobtainableError.
    """
    limit = expected.most_bytes if expected.bytes is None else expected.bytes
    written = start
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("r+b" if start else "wb") as stream:
            stream.seek(start)
            stream.truncate()
            for block in blocks:
                written += len(block)
                if written > limit:
                    which = "accepted at most" if expected.bytes is None else "registered"
                    raise UnobtainableError(f"{origin}: more than the {limit:,} bytes {which}")
                stream.write(block)
            stream.flush()
            os.fsync(stream.fileno())


def download(url: str, target: Path, expected: Expected, *, retries: Retries | None = None) -> None:
    """Download ``url`` to ``target``, going on from ``target``'s ``.part`` file if it is of the same address.

    An interrupted download (cut connection, full disk, Ctrl-C, kill) leaves ``target.part`` and
    ``target.part.json`` (address, ETag, Last-Modified); the next call asks for the rest with Range and
    If-Range, so that a file changed on the server is never glued to the old beginning.

    Raises:
        UnobtainableError: the address does not give the file; a file with a wrong checksum is kept as ``.bad``.
        DivLogicError: the disk is full or the folder cannot be written.
    """
    import httpx

    transfer = _Transfer(url, target, expected, retries or Retries())
    bad = target.with_name(target.name + ".bad")
    headers = {"Accept-Encoding": "identity", "User-Agent": f"divlogic/{__version__}"}
    timeout = httpx.Timeout(30.0, connect=15.0)
    for last in (False, True):
        with httpx.Client(follow_redirects=True, timeout=timeout, headers=headers) as client:
            transfer.run(client)
        try:
            check(transfer.part, expected, url)
        except UnobtainableError:
            transfer.state.unlink(missing_ok=True)
            transfer.part.replace(bad)
            if last or not transfer.resumed:
                raise
            # The pieces may be of different files: start once more from nothing.
            say(f"{url}: the resumed file has a wrong checksum; downloading it from the beginning.")
            continue
        transfer.part.replace(target)
        transfer.state.unlink(missing_ok=True)
        if last:
            bad.unlink(missing_ok=True)
        return


class _Transfer:
    """One file on its way from one address."""

    def __init__(self, url: str, target: Path, expected: Expected, retries: Retries) -> None:
        self.url, self.expected, self.retries = url, expected, retries
        self.part = target.with_name(target.name + ".part")
        self.state = target.with_name(target.name + ".part.json")
        self.resumed = False

    def run(self, client: httpx.Client) -> None:
        """Bring ``part`` to its full length, trying again as long as it grows."""
        import httpx

        failures = 0
        deadline = time.monotonic() + self.retries.total
        while True:
            if time.monotonic() > deadline:
                hours = self.retries.total / 3600
                raise self._given_up(f"not finished within {hours:g} hours", "unreachable")
            before, wait = self._size(), None
            try:
                if self._ask(client):
                    return
                why = "the connection was closed before the end"
            except httpx.HTTPStatusError as error:
                status = error.response.status_code
                why = f"the server answered {status}"
                if status < 500 and status not in (408, 429):
                    said = f"{why} {error.response.reason_phrase}"
                    raise self._given_up(said, _FAULTS.get(status, "wrong")) from error
                wait = parse_retry_after(error.response.headers.get("Retry-After"))
            except httpx.HTTPError as error:
                why = str(error) or type(error).__name__
                hopeless = (
                    isinstance(error, httpx.UnsupportedProtocol)
                    or "certificate verify failed" in why
                )
                if hopeless or not isinstance(error, httpx.TransportError):
                    # What is between here and the server may let it through another day.
                    certificate = "certificate verify failed" in why
                    raise self._given_up(why, "unreachable" if certificate else "wrong") from error
            failures = 1 if self._size() > before else failures + 1
            if failures >= self.retries.attempts:
                raise self._given_up(f"{why} ({failures} tries)", "unreachable")
            pause = waiting_time(
                failures, first=self.retries.pause, longest=self.retries.longest, asked=wait
            )
            say(f"{self.url}: {why}; trying again in {pause:g} s.")
            self.retries.sleep(pause)

    def _given_up(self, why: str, fault: Fault = "wrong") -> UnobtainableError:
        return UnobtainableError(f"{self.url}: {why}", fault)

    def _size(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _ask(self, client: httpx.Client) -> bool:
        """Ask for the file, or for the rest of it; return whether ``part`` is whole now."""
        have, headers = self._resume_point()
        with client.stream("GET", self.url, headers=headers) as response:
            given = response.headers.get("Content-Range", "")
            if response.status_code == 416 and have:
                # The server has nothing after our last byte: whole, if that is its length, else not the same file.
                whole: bool = given == f"bytes */{have}"
                if not whole:
                    self._start_over()
                return whole
            response.raise_for_status()
            start = have if response.status_code == 206 else 0
            if start and not given.startswith(f"bytes {have}-"):
                raise self._given_up(
                    "the server answered with another range than the one asked for"
                )
            length = response.headers.get("Content-Length", "")
            size = start + int(length) if length.isdigit() else None
            known = self.expected.bytes
            if None not in (known, size) and size != known:
                offered = f"the server offers {size:,} bytes instead of the registered {known:,}"
                page = _is_page(next(response.iter_raw(512), b""))
                raise self._given_up(offered, "unreachable" if page else "wrong")
            chunked = "chunked" in response.headers.get("Transfer-Encoding", "")
            if size is None and not chunked and known is None and self.expected.sha256 is None:
                raise self._given_up(
                    "the server does not say how long the file is, so that a cut would go unnoticed"
                )
            etag = response.headers.get("ETag")
            # A weak ETag promises the same meaning, not the same bytes, and If-Range refuses it.
            strong = None if etag is None or etag.startswith("W/") else etag
            state = {
                "url": self.url,
                "etag": strong,
                "last_modified": response.headers.get("Last-Modified"),
            }
            write_json(self.state, state)
            self.resumed |= start > 0
            blocks = _shown(self._steady(response), self.part.stem, start, size)
            try:
                write_limited(blocks, self.part, self.expected, self.url, start)
            except UnobtainableError as error:
                error.fault = "unreachable" if web_page(self.part) else error.fault
                raise
        # Of an unannounced length, httpx has checked the chunked end, or the checksum settles the rest.
        return size is None or self._size() == size

    def _resume_point(self) -> tuple[int, dict[str, str]]:
        """Return how many bytes are here already and the headers that ask for the rest."""
        have = self._size()
        if not have:
            return 0, {}
        try:
            loaded: Any = orjson.loads(self.state.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            loaded = None
        known: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
        validator = known.get("etag") or known.get("last_modified")
        if known.get("url") != self.url or not validator:
            self._start_over()
            return 0, {}
        say(f"{self.url}: going on after {have:,} bytes.")
        return have, {"Range": f"bytes={have}-", "If-Range": validator}

    def _start_over(self) -> None:
        """Forget an unfinished download that cannot be continued."""
        self.part.unlink(missing_ok=True)
        self.state.unlink(missing_ok=True)

    def _steady(self, response: httpx.Response) -> Iterator[bytes]:
        """Yield the answer's blocks as long as they come fast enough."""
        since, count = time.monotonic(), 0
        for block in response.iter_raw():
            yield block
            count += len(block)
            if time.monotonic() - since > self.retries.window:
                if count < self.retries.least_bytes:
                    slow = f"the server sent only {count:,} bytes in {self.retries.window:g} s"
                    raise self._given_up(slow, "unreachable")
                since, count = time.monotonic(), 0


def _shown(blocks: Iterable[bytes], name: str, start: int, total: int | None) -> Iterator[bytes]:
    """Yield blocks; show a bar with rate and remaining time on a terminal, elsewhere a line every 32 MiB."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import DownloadColumn, Progress, TransferSpeedColumn

        columns = (*Progress.get_default_columns(), DownloadColumn(), TransferSpeedColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task(name, total=total, completed=start)
            for block in blocks:
                yield block
                bar.advance(task, len(block))
        return
    done = start
    for block in blocks:
        yield block
        before, done = done, done + len(block)
        if done >> 25 > before >> 25:
            of = f" of {total / 1e6:,.0f}" if total else ""
            say(f"{name}: {done / 1e6:,.0f}{of} MB")
