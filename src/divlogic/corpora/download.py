"""Downloading one file over HTTP: resumed where it stopped, retried, and checked before it counts."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from divlogic.corpora.plausible import implausible, web_page
from divlogic.errors import DivLogicError
from divlogic.io.backoff import parse_retry_after, waiting_time
from divlogic.io.files import file_sha256, unwritable, write_json
from divlogic.io.log import say

if TYPE_CHECKING:
    import httpx

    from divlogic.corpora.registry import RegisteredFile

Sleep = Callable[[float], None]


class UnobtainableError(Exception):
    """One address did not give the file; the message says why, and the next address is tried."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known of a file before it is here: its checksum, its size, or neither.

    Attributes:
        least_bytes, most_bytes: of a file of unknown size; a download is given up at the latter.
    """

    sha256: str | None = None
    bytes: int | None = None
    least_bytes: int = 1
    most_bytes: int = 64 << 30


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
    sleep: Sleep = field(default=time.sleep)


def download(url: str, target: Path, expected: Expected, *, retries: Retries | None = None) -> None:
    """Download ``url`` to ``target``, going on from ``target``'s ``.part`` file if it is of the same address.

    An interrupted download (cut connection, full disk, Ctrl-C, kill) leaves ``target.part`` and
    ``target.part.json`` (address, ETag, Last-Modified); the next call asks for the rest with Range and
    If-Range, so that a file changed on the server is never glued to the old beginning.

    Raises:
        UnobtainableError: the address does not give the file; a file with a wrong checksum is kept as ``.bad``.
        DivLogicError: the disk is full or the folder cannot be written.
    """
    retries = retries or Retries()
    target = Path(target)
    part = target.with_name(target.name + ".part")
    state = target.with_name(target.name + ".part.json")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(target, error) from error
    resumed = part.exists() and state.exists()
    with _client() as client:
        _fetch_all(client, url, part, state, expected, retries)
    try:
        check(part, expected, url)
    except UnobtainableError:
        state.unlink(missing_ok=True)
        bad = target.with_name(target.name + ".bad")
        part.replace(bad)
        if resumed:
            # The beginning came from an earlier run: what is wrong may be there, so start once more from nothing.
            say(f"{url}: the resumed file has a wrong checksum; downloading it from the beginning.")
            download(url, target, expected, retries=retries)
            bad.unlink(missing_ok=True)
            return
        raise
    part.replace(target)
    state.unlink(missing_ok=True)


def unregistered(file: RegisteredFile) -> Expected:
    """Return what is known of a file without a registered checksum: its size, or between what it lies."""
    return Expected(None, file.bytes, *(file.bytes_between or ()))


def check(path: Path, expected: Expected, origin: str) -> str:
    """Return the SHA-256 of a file after comparing it and the size with what is expected.

    Raises:
        UnobtainableError: size or checksum differ, or, where neither is known, the content is not what the file's
            name promises (a login page instead of an archive, say).
    """
    size = path.stat().st_size
    if expected.bytes is not None and size != expected.bytes:
        raise UnobtainableError(
            f"{origin}: {size:,} bytes instead of the registered {expected.bytes:,}{web_page(path)}"
        )
    if expected.sha256 is None and not expected.least_bytes <= max(size, 1) <= expected.most_bytes:
        raise UnobtainableError(
            f"{origin}: {size:,} bytes, not between {expected.least_bytes:,} and {expected.most_bytes:,}"
            f"{web_page(path)}"
        )
    found = file_sha256(path)
    if expected.sha256 is not None and found != expected.sha256:
        raise UnobtainableError(f"{origin}: sha256 expected {expected.sha256}, found {found}{web_page(path)}")
    if expected.sha256 is None and (problem := implausible(path)):
        raise UnobtainableError(f"{origin}: {problem}{web_page(path)}")
    return found


def _client() -> httpx.Client:
    """Open a client that follows redirections and wants the bytes as they are."""
    import httpx

    from divlogic import __version__

    return httpx.Client(
        follow_redirects=True,
        timeout=httpx.Timeout(30.0, connect=15.0),
        headers={"Accept-Encoding": "identity", "User-Agent": f"divlogic/{__version__}"},
    )


def _fetch_all(
    client: httpx.Client, url: str, part: Path, state: Path, expected: Expected, retries: Retries
) -> None:
    """Bring ``part`` to its full length, trying again as long as it grows."""
    import httpx

    failures = 0
    deadline = time.monotonic() + retries.total
    while True:
        if time.monotonic() > deadline:
            raise UnobtainableError(f"{url}: not finished within {retries.total / 3600:g} hours")
        before = part.stat().st_size if part.exists() else 0
        wait: float | None = None
        try:
            if _fetch_once(client, url, part, state, expected, retries):
                return
            why = "the connection was closed before the end"
        except _TryAgainError as problem:
            why, wait = str(problem), problem.wait
        except httpx.UnsupportedProtocol as error:
            raise UnobtainableError(f"{url}: {error}") from error
        except httpx.TransportError as error:
            why = str(error) or type(error).__name__
        except httpx.HTTPError as error:
            raise UnobtainableError(f"{url}: {error}") from error
        grown = part.exists() and part.stat().st_size > before
        failures = 1 if grown else failures + 1
        if failures >= retries.attempts:
            raise UnobtainableError(f"{url}: {why} ({failures} tries)")
        pause = waiting_time(failures, first=retries.pause, longest=retries.longest, asked=wait)
        say(f"{url}: {why}; trying again in {pause:g} s.")
        retries.sleep(pause)


class _TryAgainError(Exception):
    """The server is not ready; ``wait`` is the pause that it asks for."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


def _fetch_once(
    client: httpx.Client, url: str, part: Path, state: Path, expected: Expected, retries: Retries
) -> bool:
    """Ask for the file, or for the rest of it; return whether ``part`` is whole now."""
    have, headers = _resume_point(url, part, state)
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == 416 and have:
            # The server has nothing after our last byte: whole, if that is its length, else not the same file.
            total = re.fullmatch(r"bytes \*/(\d+)", response.headers.get("Content-Range", ""))
            if total and int(total[1]) == have:
                return True
            _start_over(part, state)
            return False
        if response.status_code in (408, 429) or response.status_code >= 500:
            raise _TryAgainError(
                f"the server answered {response.status_code}",
                parse_retry_after(response.headers.get("Retry-After")),
            )
        if response.status_code not in (200, 206):
            raise UnobtainableError(
                f"{url}: the server answered {response.status_code} {response.reason_phrase}"
            )
        start = _first_byte(response, have)
        length = response.headers.get("Content-Length")
        total_bytes = start + int(length) if length is not None and length.isdigit() else None
        if None not in (expected.bytes, total_bytes) and total_bytes != expected.bytes:
            raise UnobtainableError(
                f"{url}: the server offers {total_bytes:,} bytes instead of the registered {expected.bytes:,}"
            )
        _write_state(state, url, response)
        _save(response, part, start, total_bytes, expected, retries)
    if total_bytes is None:
        # The length was not announced: httpx has checked the chunked end, the checksum settles the rest.
        return True
    return part.stat().st_size == total_bytes


def _resume_point(url: str, part: Path, state: Path) -> tuple[int, dict[str, str]]:
    """Return how many bytes are here already and the headers that ask for the rest."""
    have = part.stat().st_size if part.exists() else 0
    if not have:
        return 0, {}
    try:
        loaded: Any = orjson.loads(state.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        loaded = None
    known: dict[str, Any] = loaded if isinstance(loaded, dict) else {}
    validator = known.get("etag") or known.get("last_modified")
    if known.get("url") != url or not validator:
        _start_over(part, state)
        return 0, {}
    say(f"{url}: going on after {have:,} bytes.")
    return have, {"Range": f"bytes={have}-", "If-Range": validator}


def _start_over(part: Path, state: Path) -> None:
    """Forget an unfinished download that cannot be continued."""
    part.unlink(missing_ok=True)
    state.unlink(missing_ok=True)


def _first_byte(response: httpx.Response, have: int) -> int:
    """Return the position of the answer's first byte in the file."""
    if response.status_code == 200:
        return 0
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    if not found or int(found[1]) != have:
        raise UnobtainableError(
            f"{response.url}: the server answered with another range than the one asked for"
        )
    return have


def _write_state(state: Path, url: str, response: httpx.Response) -> None:
    """Note what tells this version of the file from another one."""
    etag = response.headers.get("ETag")
    known = {
        "url": url,
        # A weak ETag promises the same meaning, not the same bytes, and If-Range refuses it.
        "etag": None if etag is None or etag.startswith("W/") else etag,
        "last_modified": response.headers.get("Last-Modified"),
    }
    write_json(state, known, note=False)


def _save(
    response: httpx.Response, part: Path, start: int, total: int | None, expected: Expected, retries: Retries
) -> None:
    """Append the answer's body to ``part`` from ``start`` on; what arrives before an interruption is kept."""
    limit = expected.most_bytes if expected.bytes is None else expected.bytes
    written = start
    since, count = time.monotonic(), 0
    try:
        with part.open("r+b" if start else "wb") as stream, _progress(part.stem, start, total) as advance:
            stream.seek(start)
            stream.truncate()
            for block in response.iter_raw():
                written += len(block)
                if written > limit:
                    which = "the most that is accepted" if expected.bytes is None else "registered"
                    raise UnobtainableError(f"{response.url}: more than the {limit:,} bytes {which}")
                stream.write(block)
                advance(len(block))
                count += len(block)
                if time.monotonic() - since > retries.window:
                    if count < retries.least_bytes:
                        raise UnobtainableError(
                            f"{response.url}: the server sent only {count:,} bytes in {retries.window:g} s"
                        )
                    since, count = time.monotonic(), 0
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise unwritable(part, error) from error


@contextlib.contextmanager
def _progress(name: str, start: int, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar with rate and remaining time on a terminal; elsewhere say where a download stands now and then."""
    import sys

    if not sys.stderr.isatty():
        yield _teller(name, start, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.progress import TransferSpeedColumn as Speed

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        Speed(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(name, total=total, completed=start)
        yield lambda count: bar.advance(task, count)


def _teller(name: str, start: int, total: int | None) -> Callable[[int], None]:
    """Return a counter that prints a line every 32 MiB."""
    step = 32 << 20
    done = start

    def advance(count: int) -> None:
        nonlocal done
        before, done = done, done + count
        if done // step > before // step:
            of = f" of {total / 1e6:,.0f}" if total else ""
            say(f"{name}: {done / 1e6:,.0f}{of} MB")

    return advance


def unusable(name: str, reasons: list[str], by_hand: str) -> DivLogicError:
    """Return the sentence for a file that no address gave."""
    tried = "; ".join(reasons) or "no address is registered"
    return DivLogicError(f"{name} could not be obtained ({tried}). {by_hand}")
