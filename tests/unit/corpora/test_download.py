"""Downloading one file: resumed, retried, checked."""

from __future__ import annotations

import errno
import hashlib
import random
import ssl
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import httpx
import orjson
import pytest

from divlogic.corpora.download import Expected, Retries, UnobtainableError, download
from divlogic.errors import DivLogicError
from tests.unit.corpora.fetch_server import FileServer

CONTENT = random.Random(1).randbytes(300_000)
OTHER = random.Random(2).randbytes(300_000)
DATE = "Mon, 01 Jan 2024 00:00:00 GMT"
EXPECTED = Expected(hashlib.sha256(CONTENT).hexdigest(), len(CONTENT))
PATH, PART, NOTE = (Path(name) for name in ("a", "a.part", "a.part.json"))


def fetched(url: str, **options: Retries) -> bytes:
    download(url, PATH, EXPECTED, **options)
    return PATH.read_bytes()


def begun(server: FileServer, content: bytes) -> str:
    """Begin to download what is cut after 100,000 bytes; return its address."""
    url = server.put("/a", content, faults=[("cut", 100_000)])
    with pytest.raises(UnobtainableError, match="1 tries"):
        fetched(url, retries=Retries(attempts=1))
    assert PART.stat().st_size == 100_000
    return url


def asked(server: FileServer) -> list[tuple[str | None, str | None, int]]:
    return [(seen.range, seen.if_range, seen.status) for seen in server.requests]


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def retries(pauses: list[float]) -> Retries:
    return Retries(attempts=3, sleep=pauses.append)


@pytest.mark.parametrize("told", [True, False], ids=["of announced length", "of unknown length"])
def test_a_whole_file_arrives_and_leaves_no_unfinished_one(server: FileServer, told: bool) -> None:
    download(server.put("/a", CONTENT, announce_length=told), "sub" / PATH, EXPECTED)
    assert ("sub" / PATH).read_bytes() == CONTENT
    assert list(Path("sub").iterdir()) == ["sub" / PATH]


def test_a_cut_connection_is_resumed_where_it_stopped(server, retries, pauses):
    url = server.put("/a", CONTENT, faults=[("cut", 100_000), ("cut", 50_000)])
    assert fetched(url, retries=retries) == CONTENT
    further = [(f"bytes={start}-", '"first"', 206) for start in (100_000, 150_000)]
    assert asked(server) == [(None, None, 200), *further]
    # Each try brought something, so the pause did not grow.
    assert pauses == [1.0, 1.0]


@pytest.mark.parametrize(
    ("served", "again"),
    [
        ({"etag": 'W/"weak"', "modified": DATE}, ("bytes=100000-", DATE, 206)),
        ({"ranges": False}, ("bytes=100000-", '"first"', 200)),
        ({"etag": None}, (None, None, 200)),
    ],
    ids=["a weak ETag and a date", "no ranges", "no validator"],
)
def test_pieces_are_put_together_only_where_the_server_vouches_for_them(
    server, retries, served, again
):
    url = server.put("/a", CONTENT, faults=[("cut", 100_000)], **served)
    assert fetched(url, retries=retries) == CONTENT
    assert asked(server) == [(None, None, 200), again]


@pytest.mark.parametrize(
    ("first", "path", "etag", "again"),
    [
        (CONTENT, "/a", '"first"', ("bytes=100000-", '"first"', 206)),
        (OTHER, "/a", '"second"', ("bytes=100000-", '"first"', 200)),
        (OTHER, "/b", '"first"', (None, None, 200)),
    ],
    ids=["the same file", "changed on the server", "of another address"],
)
def test_a_later_run_resumes_what_an_earlier_one_left_of_the_same_file(
    server, first, path, etag, again
):
    begun(server, first)
    assert fetched(server.put(path, CONTENT, etag=etag)) == CONTENT
    assert asked(server)[-1] == again


@pytest.mark.parametrize(("part", "statuses"), [(CONTENT, [416]), (OTHER[:1000], None)])
def test_a_download_that_only_lacked_its_renaming_is_accepted_and_a_spoilt_one_begun_again(
    server, part, statuses
):
    url = server.put("/a", CONTENT)
    PART.write_bytes(part)
    NOTE.write_bytes(orjson.dumps({"url": url, "etag": '"first"', "last_modified": None}))
    assert fetched(url) == CONTENT
    assert statuses is None or [seen.status for seen in server.requests] == statuses
    assert list(Path().iterdir()) == [PATH]


def test_a_wrong_checksum_keeps_the_old_file_and_puts_the_new_one_aside(server):
    PATH.write_bytes(b"old")
    with pytest.raises(UnobtainableError) as caught:
        fetched(server.put("/a", OTHER))
    assert all(hashlib.sha256(known).hexdigest() in str(caught.value) for known in (CONTENT, OTHER))
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == {
        "a": b"old",
        "a.bad": OTHER,
    }


def of_size(least: int, most: int) -> Expected:
    return Expected(None, None, least, most)


@pytest.mark.parametrize(
    ("content", "served", "wanted", "limits", "requests", "problem"),
    [
        (CONTENT * 3, {"announce_length": False}, EXPECTED, {}, 1, "bytes registered"),
        # Before the body is read.
        (CONTENT + b"x", {}, EXPECTED, {}, 1, "300,001 bytes instead of the registered 300,000"),
        (
            b"<!DOCTYPE html><title>Sign in</title>",
            {},
            Expected("0" * 64),
            {},
            1,
            "it is a web page",
        ),
        (
            CONTENT,
            {},
            Expected(most_bytes=1000),
            {},
            1,
            "more than the 1,000 bytes accepted at most",
        ),
        (b"id,text\n" * 100, {}, of_size(10, 100), {}, 1, "more than the 100 bytes"),
        (b"id,text\n" * 100, {}, of_size(1000, 2000), {}, 1, "not between 1,000 and 2,000"),
        # The stream may have been cut.
        (
            CONTENT,
            {"announce_length": False},
            of_size(10, 10**6),
            {},
            1,
            "not say how long the file is",
        ),
        (CONTENT, {"faults": [404]}, EXPECTED, {"attempts": 3}, 1, "404"),
        (CONTENT, {"faults": [500] * 9}, EXPECTED, {"attempts": 3}, 3, r"answered 500 \(3 tries\)"),
        (CONTENT, {}, EXPECTED, {"total": -1}, 0, "not finished within"),
    ],
)
def test_what_is_not_taken_is_told(server, content, served, wanted, limits, requests, problem):
    retries = Retries(sleep=lambda seconds: None, **limits)
    with pytest.raises(UnobtainableError, match=problem):
        download(server.put("/a", content, **served), Path("a.csv"), wanted, retries=retries)
    assert len(server.requests) == requests
    assert not Path("a.csv").exists()
    assert "instead of" not in problem or not Path("a.csv.part").exists()


def test_a_file_of_unknown_checksum_is_taken_within_its_limits(server):
    download(server.put("/a.csv", b"id,text\n" * 100), Path("a.csv"), of_size(10, 1000))
    assert Path("a.csv").exists()


@pytest.mark.parametrize(
    ("faults", "headers", "paused"),
    [
        *[([status, status], {}, [1.0, 2.0]) for status in (500, 503, 429, 408)],
        ([429], {"Retry-After": "7"}, [7.0]),
    ],
)
def test_a_server_that_is_not_ready_is_asked_again(
    server, retries, pauses, faults, headers, paused
):
    url = server.put("/a", CONTENT, faults=faults, headers=headers)
    assert fetched(url, retries=retries) == CONTENT
    assert pauses == paused


def test_nobody_listening_is_no_traceback(retries: Retries) -> None:
    with pytest.raises(UnobtainableError, match="3 tries"):
        fetched("http://127.0.0.1:9/a", retries=retries)


@pytest.mark.parametrize(
    ("problem", "raised", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DivLogicError, "the disk is full"),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
    ],
    ids=["a full disk", "the user"],
)
def test_a_download_that_something_stops_can_be_resumed(
    server, monkeypatch, problem, raised, sentence
):
    def stopped(
        blocks: Iterable[bytes], name: str, start: int, total: int | None
    ) -> Iterator[bytes]:
        """Stand in for the progress bar: raise once 50,000 bytes are written, as the disk or the user would."""
        for block in blocks:
            yield block
            start += len(block)
            if start >= 50_000:
                raise problem

    url = server.put("/a", CONTENT)
    with monkeypatch.context() as patch, pytest.raises(raised, match=sentence):
        patch.setattr("divlogic.corpora.download._shown", stopped)
        fetched(url)
    have = PART.stat().st_size
    assert 50_000 <= have < len(CONTENT)
    assert fetched(url) == CONTENT
    assert server.requests[-1].range == f"bytes={have}-"


def answer_by(
    monkeypatch: pytest.MonkeyPatch, handler: Callable[[httpx.Request], httpx.Response]
) -> None:
    monkeypatch.setattr(
        httpx, "Client", partial(httpx.Client, transport=httpx.MockTransport(handler))
    )


class Drip(httpx.SyncByteStream):
    """A body that comes byte by byte."""

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(1000):
            time.sleep(0.01)
            yield b"x"


@pytest.mark.late
def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_by(monkeypatch, lambda request: httpx.Response(200, stream=Drip()))
    with pytest.raises(UnobtainableError, match="the server sent only"):
        download("http://drip/a", PATH, Expected("0" * 64), retries=Retries(window=0.05))


def test_pieces_of_different_files_are_not_one_in_a_single_run_either(server):
    url = server.put("/a", OTHER, faults=[("cut", 100_000)])
    # The server changes the file, and keeps its ETag.
    changing = Retries(sleep=lambda pause: server.put("/a", CONTENT) and None)
    assert fetched(url, retries=changing) == CONTENT
    assert list(Path().iterdir()) == [PATH]


def test_a_certificate_that_does_not_hold_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch, retries: Retries, pauses: list[float]
) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        try:
            raise ssl.SSLCertVerificationError("certificate verify failed: self-signed certificate")
        except ssl.SSLError as error:
            raise httpx.ConnectError(str(error)) from error

    answer_by(monkeypatch, refuse)
    with pytest.raises(UnobtainableError, match="certificate verify failed"):
        fetched("https://here/a", retries=retries)
    assert pauses == []


@pytest.mark.parametrize(
    "note", [b"[]", b'{"url": "http', b"", b"\xff\xfe", b'{"url": 7, "etag": 8}']
)
def test_a_torn_note_on_an_unfinished_download_starts_it_again(server, note):
    PART.write_bytes(CONTENT[:100])
    NOTE.write_bytes(note)
    assert fetched(server.put("/a", CONTENT)) == CONTENT
