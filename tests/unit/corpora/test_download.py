"""Downloading one file: resumed, retried, checked."""

from __future__ import annotations

import errno
import hashlib
import random
import ssl
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from divlogic.corpora.download import Expected, Retries, UnobtainableError, download
from divlogic.errors import DivLogicError
from tests.unit.corpora.fetch_server import FileServer

CONTENT = random.Random(1).randbytes(300_000)
OTHER = random.Random(2).randbytes(300_000)
DATE = "Mon, 01 Jan 2024 00:00:00 GMT"


def expected(content: bytes = CONTENT) -> Expected:
    return Expected(hashlib.sha256(content).hexdigest(), len(content))


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def retries(pauses: list[float]) -> Retries:
    return Retries(attempts=3, sleep=pauses.append)


def test_a_whole_file_arrives_and_leaves_no_unfinished_one(tmp_path: Path, server: FileServer) -> None:
    download(server.put("/a", CONTENT), tmp_path / "sub" / "a", expected())
    assert (tmp_path / "sub" / "a").read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["a"]


def test_a_file_without_announced_length_arrives(tmp_path: Path, server: FileServer) -> None:
    download(server.put("/a", CONTENT, announce_length=False), tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT


def test_a_cut_connection_is_resumed_where_it_stopped(
    tmp_path: Path, server: FileServer, retries: Retries, pauses: list[float]
) -> None:
    url = server.put("/a", CONTENT, faults=[("cut", 100_000), ("cut", 50_000)])
    download(url, tmp_path / "a", expected(), retries=retries)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert [(seen.range, seen.if_range, seen.status) for seen in server.requests] == [
        (None, None, 200),
        ("bytes=100000-", '"first"', 206),
        ("bytes=150000-", '"first"', 206),
    ]
    # Each try brought something, so the pause did not grow.
    assert pauses == [1.0, 1.0]


def test_a_later_run_resumes_what_an_earlier_one_left(tmp_path: Path, server: FileServer) -> None:
    url = server.put("/a", CONTENT, faults=[("cut", 100_000)])
    with pytest.raises(UnobtainableError, match="1 tries"):
        download(url, tmp_path / "a", expected(), retries=Retries(attempts=1))
    assert (tmp_path / "a.part").stat().st_size == 100_000
    download(url, tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
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
    tmp_path: Path, server: FileServer, retries: Retries, served: dict[str, Any], asked: tuple[Any, ...]
) -> None:
    url = server.put("/a", CONTENT, faults=[("cut", 100_000)], **served)
    download(url, tmp_path / "a", expected(), retries=retries)
    assert (tmp_path / "a").read_bytes() == CONTENT
    found = [(seen.range, seen.if_range, seen.status) for seen in server.requests]
    assert found == [(None, None, 200), asked]


def test_a_file_changed_on_the_server_is_not_glued_to_the_old_beginning(
    tmp_path: Path, server: FileServer
) -> None:
    url = server.put("/a", OTHER, faults=[("cut", 100_000)])
    with pytest.raises(UnobtainableError):
        download(url, tmp_path / "a", Expected(), retries=Retries(attempts=1))
    server.put("/a", CONTENT, etag='"second"')
    download(url, tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert server.requests[-1].status == 200


def test_an_unfinished_file_of_another_address_is_not_continued(tmp_path: Path, server: FileServer) -> None:
    first = server.put("/a", OTHER, faults=[("cut", 100_000)])
    with pytest.raises(UnobtainableError):
        download(first, tmp_path / "a", expected(), retries=Retries(attempts=1))
    download(server.put("/b", CONTENT), tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert server.requests[-1].range is None


@pytest.mark.parametrize(("part", "statuses"), [(CONTENT, [416]), (OTHER[:1000], None)])
def test_a_download_that_only_lacked_its_renaming_is_accepted_and_a_spoilt_one_begun_again(
    tmp_path: Path, server: FileServer, part: bytes, statuses: list[int] | None
) -> None:
    url = server.put("/a", CONTENT)
    (tmp_path / "a.part").write_bytes(part)
    state = {"url": url, "etag": '"first"', "last_modified": None}
    (tmp_path / "a.part.json").write_bytes(orjson.dumps(state))
    download(url, tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert statuses is None or [seen.status for seen in server.requests] == statuses
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


def test_a_wrong_checksum_keeps_the_old_file_and_puts_the_new_one_aside(
    tmp_path: Path, server: FileServer
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(UnobtainableError) as caught:
        download(server.put("/a", OTHER), tmp_path / "a", expected())
    assert hashlib.sha256(CONTENT).hexdigest() in str(caught.value)
    assert hashlib.sha256(OTHER).hexdigest() in str(caught.value)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert (tmp_path / "a.bad").read_bytes() == OTHER
    assert not (tmp_path / "a.part").exists()


def test_another_size_is_refused_before_the_body_is_read(tmp_path: Path, server: FileServer) -> None:
    url = server.put("/a", CONTENT + b"x")
    with pytest.raises(UnobtainableError, match=r"300,001 bytes instead of the registered 300,000"):
        download(url, tmp_path / "a", expected())
    assert not (tmp_path / "a.part").exists()


def test_a_body_that_does_not_end_is_stopped_at_the_registered_size(
    tmp_path: Path, server: FileServer
) -> None:
    url = server.put("/a", CONTENT * 3, announce_length=False)
    with pytest.raises(UnobtainableError, match="bytes registered"):
        download(url, tmp_path / "a", expected())


def test_a_web_page_in_the_place_of_the_file_is_called_one(tmp_path: Path, server: FileServer) -> None:
    url = server.put("/a", b"<!DOCTYPE html><title>Sign in</title>")
    with pytest.raises(UnobtainableError, match="it is a web page"):
        download(url, tmp_path / "a", Expected("0" * 64))


def test_a_missing_file_is_not_asked_for_again(tmp_path: Path, server: FileServer, retries: Retries) -> None:
    with pytest.raises(UnobtainableError, match="404"):
        download(server.url("/nothing"), tmp_path / "a", expected(), retries=retries)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_server_that_is_not_ready_is_asked_again(
    tmp_path: Path, server: FileServer, retries: Retries, pauses: list[float], status: int
) -> None:
    url = server.put("/a", CONTENT, faults=[status, status])
    download(url, tmp_path / "a", expected(), retries=retries)
    assert (tmp_path / "a").read_bytes() == CONTENT
    assert pauses == [1.0, 2.0]


def test_the_pause_that_a_server_asks_for_is_kept(
    tmp_path: Path, server: FileServer, retries: Retries, pauses: list[float]
) -> None:
    url = server.put("/a", CONTENT, faults=[429], headers={"Retry-After": "7"})
    download(url, tmp_path / "a", expected(), retries=retries)
    assert pauses == [7.0]


def test_patience_ends(tmp_path: Path, server: FileServer, retries: Retries) -> None:
    url = server.put("/a", CONTENT, faults=[500] * 9)
    with pytest.raises(UnobtainableError, match=r"answered 500 \(3 tries\)"):
        download(url, tmp_path / "a", expected(), retries=retries)
    assert len(server.requests) == 3


def test_nobody_listening_is_no_traceback(tmp_path: Path, retries: Retries) -> None:
    with pytest.raises(UnobtainableError, match="3 tries"):
        download("http://127.0.0.1:9/a", tmp_path / "a", expected(), retries=retries)


@pytest.mark.parametrize(
    ("problem", "raised"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DivLogicError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
    ids=["a full disk", "the user"],
)
def test_a_download_that_something_stops_can_be_resumed(
    tmp_path: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch, problem: Any, raised: Any
) -> None:
    url = server.put("/a", CONTENT)
    monkeypatch.setattr("divlogic.corpora.download._shown", _stop_after(50_000, problem))
    with pytest.raises(raised, match="the disk is full" if raised is DivLogicError else None):
        download(url, tmp_path / "a", expected())
    monkeypatch.undo()
    have = (tmp_path / "a.part").stat().st_size
    assert 50_000 <= have < len(CONTENT)
    download(url, tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
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


def test_a_download_of_unknown_size_has_a_limit(tmp_path: Path, server: FileServer) -> None:
    with pytest.raises(UnobtainableError, match="more than the 1,000 bytes accepted at most"):
        download(server.put("/a", CONTENT), tmp_path / "a", Expected(most_bytes=1000))


def test_a_stream_that_may_have_been_cut_is_not_whole(tmp_path: Path, server: FileServer) -> None:
    url = server.put("/a.csv", CONTENT, announce_length=False)
    with pytest.raises(UnobtainableError, match="does not say how long the file is"):
        download(url, tmp_path / "a.csv", Expected(None, None, 10, 10**6))


def test_pieces_of_different_files_are_not_one_in_a_single_run_either(
    tmp_path: Path, server: FileServer
) -> None:
    url = server.put("/a", OTHER, faults=[("cut", 100_000)])
    # The server changes the file, and keeps its ETag.
    changing = Retries(sleep=lambda pause: server.put("/a", CONTENT) and None)
    download(url, tmp_path / "a", expected(), retries=changing)
    assert (tmp_path / "a").read_bytes() == CONTENT
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
        download("https://here/a", tmp_path / "a", expected(), retries=Retries(sleep=pauses.append))
    assert pauses == []


def test_an_address_has_a_limited_time(tmp_path: Path, server: FileServer) -> None:
    with pytest.raises(UnobtainableError, match="not finished within"):
        download(server.put("/a", CONTENT), tmp_path / "a", expected(), retries=Retries(total=-1))


def test_a_file_of_unknown_checksum_is_refused_below_and_above_its_size(
    tmp_path: Path, server: FileServer
) -> None:
    url = server.put("/a.csv", b"id,text\n" * 100)
    for size in (Expected(None, None, 1000, 2000), Expected(None, None, 10, 100)):
        with pytest.raises(UnobtainableError, match=r"not between 1,000 and 2,000|more than the 100 bytes"):
            download(url, tmp_path / "a.csv", size)
    download(url, tmp_path / "a.csv", Expected(None, None, 10, 1000))


@pytest.mark.parametrize("note", [b"[]", b'{"url": "http', b"", b"\xff\xfe", b'{"url": 7, "etag": 8}'])
def test_a_torn_note_on_an_unfinished_download_starts_it_again(
    tmp_path: Path, server: FileServer, note: bytes
) -> None:
    (tmp_path / "a.part").write_bytes(CONTENT[:100])
    (tmp_path / "a.part.json").write_bytes(note)
    download(server.put("/a", CONTENT), tmp_path / "a", expected())
    assert (tmp_path / "a").read_bytes() == CONTENT
