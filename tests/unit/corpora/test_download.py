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


@pytest.fixture
def fetched(tmp_path: Path) -> Callable[..., bytes]:
    """Download an address, and return what arrived under the name `a`."""

    def run(url: str, **options: Retries) -> bytes:
        download(url, tmp_path / "a", EXPECTED, **options)
        return (tmp_path / "a").read_bytes()

    return run


@pytest.fixture
def begin(server: FileServer, tmp_path: Path) -> Callable[[bytes], str]:
    """Begin to download what is cut after 100,000 bytes; return its address."""

    def run(content: bytes) -> str:
        url = server.put("/a", content, faults=[("cut", 100_000)])
        with pytest.raises(UnobtainableError, match="1 tries"):
            download(url, tmp_path / "a", EXPECTED, retries=Retries(attempts=1))
        assert (tmp_path / "a.part").stat().st_size == 100_000
        return url

    return run


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def retries(pauses: list[float]) -> Retries:
    return Retries(attempts=3, sleep=pauses.append)


def test_a_whole_file_arrives_and_leaves_no_unfinished_one(tmp_path: Path, server: FileServer) -> None:
    download(server.put("/a", CONTENT), tmp_path / "sub" / "a", EXPECTED)
    assert (tmp_path / "sub" / "a").read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["a"]


def test_a_file_without_announced_length_arrives(server, fetched):
    assert fetched(server.put("/a", CONTENT, announce_length=False)) == CONTENT


def test_a_cut_connection_is_resumed_where_it_stopped(server, fetched, retries, pauses):
    url = server.put("/a", CONTENT, faults=[("cut", 100_000), ("cut", 50_000)])
    assert fetched(url, retries=retries) == CONTENT
    assert [(seen.range, seen.if_range, seen.status) for seen in server.requests] == [
        (None, None, 200),
        ("bytes=100000-", '"first"', 206),
        ("bytes=150000-", '"first"', 206),
    ]
    # Each try brought something, so the pause did not grow.
    assert pauses == [1.0, 1.0]


def test_a_later_run_resumes_what_an_earlier_one_left(server, fetched, begin):
    assert fetched(begin(CONTENT)) == CONTENT
    assert server.requests[-1].range == "bytes=100000-"


@pytest.mark.parametrize(
    ("served", "asked"),
    [
        ({"etag": 'W/"weak"', "modified": DATE}, ("bytes=100000-", DATE, 206)),
        ({"ranges": False}, ("bytes=100000-", '"first"', 200)),
        ({"etag": None}, (None, None, 200)),
    ],
    ids=["a weak ETag and a date", "no ranges", "no validator"],
)
def test_pieces_are_put_together_only_where_the_server_vouches_for_them(
    server, fetched, retries, served, asked
):
    url = server.put("/a", CONTENT, faults=[("cut", 100_000)], **served)
    assert fetched(url, retries=retries) == CONTENT
    found = [(seen.range, seen.if_range, seen.status) for seen in server.requests]
    assert found == [(None, None, 200), asked]


def test_a_file_changed_on_the_server_is_not_glued_to_the_old_beginning(server, fetched, begin):
    begin(OTHER)
    assert fetched(server.put("/a", CONTENT, etag='"second"')) == CONTENT
    assert server.requests[-1].status == 200


def test_an_unfinished_file_of_another_address_is_not_continued(server, fetched, begin):
    begin(OTHER)
    assert fetched(server.put("/b", CONTENT)) == CONTENT
    assert server.requests[-1].range is None


@pytest.mark.parametrize(("part", "statuses"), [(CONTENT, [416]), (OTHER[:1000], None)])
def test_a_download_that_only_lacked_its_renaming_is_accepted_and_a_spoilt_one_begun_again(
    tmp_path, server, fetched, part, statuses
):
    url = server.put("/a", CONTENT)
    (tmp_path / "a.part").write_bytes(part)
    state = {"url": url, "etag": '"first"', "last_modified": None}
    (tmp_path / "a.part.json").write_bytes(orjson.dumps(state))
    assert fetched(url) == CONTENT
    assert statuses is None or [seen.status for seen in server.requests] == statuses
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_a_wrong_checksum_keeps_the_old_file_and_puts_the_new_one_aside(tmp_path, server):
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(UnobtainableError) as caught:
        download(server.put("/a", OTHER), tmp_path / "a", EXPECTED)
    assert hashlib.sha256(CONTENT).hexdigest() in str(caught.value)
    assert hashlib.sha256(OTHER).hexdigest() in str(caught.value)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old", "a.bad": OTHER}


def of_size(least: int, most: int) -> Expected:
    return Expected(None, None, least, most)


@pytest.mark.parametrize(
    ("content", "served", "wanted", "limits", "requests", "problem"),
    [
        (CONTENT * 3, {"announce_length": False}, EXPECTED, {}, 1, "bytes registered"),
        (b"<!DOCTYPE html><title>Sign in</title>", {}, Expected("0" * 64), {}, 1, "it is a web page"),
        (CONTENT, {}, Expected(most_bytes=1000), {}, 1, "more than the 1,000 bytes accepted at most"),
        (b"id,text\n" * 100, {}, of_size(10, 100), {}, 1, "more than the 100 bytes"),
        (b"id,text\n" * 100, {}, of_size(1000, 2000), {}, 1, "not between 1,000 and 2,000"),
        # The stream may have been cut.
        (CONTENT, {"announce_length": False}, of_size(10, 10**6), {}, 1, "not say how long the file is"),
        (CONTENT, {"faults": [404]}, EXPECTED, {"attempts": 3}, 1, "404"),
        (CONTENT, {"faults": [500] * 9}, EXPECTED, {"attempts": 3}, 3, r"answered 500 \(3 tries\)"),
        (CONTENT, {}, EXPECTED, {"total": -1}, 0, "not finished within"),
    ],
)
def test_what_is_not_taken_is_told(tmp_path, server, content, served, wanted, limits, requests, problem):
    retries = Retries(sleep=lambda seconds: None, **limits)
    with pytest.raises(UnobtainableError, match=problem):
        download(server.put("/a", content, **served), tmp_path / "a.csv", wanted, retries=retries)
    assert len(server.requests) == requests
    assert not (tmp_path / "a.csv").exists()


def test_another_size_is_refused_before_the_body_is_read(tmp_path, server, fetched):
    with pytest.raises(UnobtainableError, match="300,001 bytes instead of the registered 300,000"):
        fetched(server.put("/a", CONTENT + b"x"))
    assert not (tmp_path / "a.part").exists()


def test_a_file_of_unknown_checksum_is_taken_within_its_limits(tmp_path, server):
    url = server.put("/a.csv", b"id,text\n" * 100)
    download(url, tmp_path / "a.csv", of_size(10, 1000))


@pytest.mark.parametrize(
    ("faults", "headers", "paused"),
    [
        *[([status, status], {}, [1.0, 2.0]) for status in (500, 503, 429, 408)],
        ([429], {"Retry-After": "7"}, [7.0]),
    ],
)
def test_a_server_that_is_not_ready_is_asked_again(server, fetched, retries, pauses, faults, headers, paused):
    url = server.put("/a", CONTENT, faults=faults, headers=headers)
    assert fetched(url, retries=retries) == CONTENT
    assert pauses == paused


def test_nobody_listening_is_no_traceback(tmp_path: Path, retries: Retries) -> None:
    with pytest.raises(UnobtainableError, match="3 tries"):
        download("http://127.0.0.1:9/a", tmp_path / "a", EXPECTED, retries=retries)


@pytest.mark.parametrize(
    ("problem", "raised", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DivLogicError, "the disk is full"),
        (KeyboardInterrupt(), KeyboardInterrupt, None),
    ],
    ids=["a full disk", "the user"],
)
def test_a_download_that_something_stops_can_be_resumed(
    tmp_path, server, fetched, monkeypatch, problem, raised, sentence
):
    url = server.put("/a", CONTENT)
    monkeypatch.setattr("divlogic.corpora.download._shown", _stop_after(50_000, problem))
    with pytest.raises(raised, match=sentence):
        fetched(url)
    monkeypatch.undo()
    have = (tmp_path / "a.part").stat().st_size
    assert 50_000 <= have < len(CONTENT)
    assert fetched(url) == CONTENT
    assert server.requests[-1].range == f"bytes={have}-"


def _stop_after(count: int, problem: BaseException):
    """Stand in for the progress bar: raise once so many bytes are written, as the disk or the user would."""

    def shown(blocks: Iterable[bytes], name: str, start: int, total: int | None) -> Iterator[bytes]:
        for block in blocks:
            yield block
            start += len(block)
            if start >= count:
                raise problem

    return shown


class Drip(httpx.SyncByteStream):
    """A body that comes byte by byte."""

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(1000):
            time.sleep(0.01)
            yield b"x"


def test_a_server_that_drips_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Drip()))
    monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=transport))
    with pytest.raises(UnobtainableError, match="the server sent only"):
        download("http://drip/a", tmp_path / "a", Expected("0" * 64), retries=Retries(window=0.05))


def test_pieces_of_different_files_are_not_one_in_a_single_run_either(tmp_path, server, fetched):
    url = server.put("/a", OTHER, faults=[("cut", 100_000)])
    # The server changes the file, and keeps its ETag.
    changing = Retries(sleep=lambda pause: server.put("/a", CONTENT) and None)
    assert fetched(url, retries=changing) == CONTENT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_a_certificate_that_does_not_hold_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pauses: list[float]
) -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        try:
            raise ssl.SSLCertVerificationError("certificate verify failed: self-signed certificate")
        except ssl.SSLError as error:
            raise httpx.ConnectError(str(error)) from error

    monkeypatch.setattr(httpx, "Client", partial(httpx.Client, transport=httpx.MockTransport(refuse)))
    with pytest.raises(UnobtainableError, match="certificate verify failed"):
        download("https://here/a", tmp_path / "a", EXPECTED, retries=Retries(sleep=pauses.append))
    assert pauses == []


@pytest.mark.parametrize("note", [b"[]", b'{"url": "http', b"", b"\xff\xfe", b'{"url": 7, "etag": 8}'])
def test_a_torn_note_on_an_unfinished_download_starts_it_again(tmp_path, server, fetched, note):
    (tmp_path / "a.part").write_bytes(CONTENT[:100])
    (tmp_path / "a.part.json").write_bytes(note)
    assert fetched(server.put("/a", CONTENT)) == CONTENT
