"""Fetching a corpus: its addresses, a file placed by hand, archives."""

from __future__ import annotations

import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora import obtain
from divlogic.corpora.download import download
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.obtain import NotObtainedError
from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError
from tests.unit.corpora import fetch_samples as s
from tests.unit.corpora.fetch_server import FileServer

PLACE = s.DOWNLOADS / "pairs" / "pairs.jsonl"
"""Where a file is placed by hand, and a download is kept."""

# ---------------------------------------------------------------------------------------- the network


def test_a_corpus_comes_from_its_address_with_a_manifest(server: FileServer, entry: Corpus) -> None:
    out = s.bring(entry)
    assert (out / "pairs.jsonl").read_bytes() == s.ROWS
    manifest = read_manifest(out)
    assert (manifest.part, manifest.origin, manifest.rows, manifest.bytes) == (
        "whole",
        "url",
        50,
        len(s.ROWS),
    )
    assert manifest.files[0].sha256 == s.sha256(s.ROWS)
    assert manifest.files[0].origin == f"url: {server.url('/pairs.jsonl')}"


@pytest.mark.parametrize(
    ("served", "status"),
    [(None, 404), (bytes(reversed(s.ROWS)), 200)],
    ids=["nothing", "another file"],
)
def test_the_archive_is_asked_after_the_official_address(
    server: FileServer, served: bytes | None, status: int
) -> None:
    archived, url = server.put("/archived", s.ROWS), server.url("/pairs.jsonl")
    if served:
        server.put("/pairs.jsonl", served)
    out = s.bring(s.corpus(s.official(url, archive_urls=[archived])))
    assert read_manifest(out).origin == "archive url"
    assert (out / "pairs.jsonl").read_bytes() == s.ROWS
    asked = [(seen.path, seen.status) for seen in server.requests]
    assert asked == [("/pairs.jsonl", status), ("/archived", 200)]


def test_of_a_series_with_gaps_the_numbers_that_there_are_come_and_the_corpus_is_whole(
    server: FileServer,
) -> None:
    server.put("/rubrics/002.json", b'{"id": 2}')
    series = {"path": "rubrics/{001-003}.json", "urls": [server.url("/rubrics/{}.json")]}
    entry = s.corpus(s.official(server.put("/pairs.jsonl", s.ROWS)), series)
    out = s.bring(entry)
    assert [path.name for path in (out / "rubrics").iterdir()] == ["002.json"]
    assert read_manifest(out).part == "whole"
    asked = len(server.requests)
    s.bring(entry)
    assert len(server.requests) == asked


@pytest.mark.parametrize(
    "file",
    [
        {"path": "rubrics/{001-200}.json"},
        {"path": "test.jsonl", "sha256": "0" * 64, "optional": True},
    ],
    ids=["a series", "an optional file"],
)
def test_what_is_not_to_be_had_is_named_as_it_is_registered(file: dict[str, Any]) -> None:
    s.mirrored("pairs.jsonl", s.ROWS)
    manifest = read_manifest(s.bring(s.corpus(s.official(), file), mirror=s.MIRROR))
    assert manifest.part == f"1 of 2 files; absent: {file['path']}"


def test_a_corpus_that_cannot_be_had_says_where_to_put_which_file(server: FileServer) -> None:
    with pytest.raises(DivLogicError) as caught:
        s.bring(s.corpus(s.official(server.url("/gone"))))
    for told in (str(PLACE), s.sha256(s.ROWS), "Ask N. N. for it", "404"):
        assert told in str(caught.value)
    assert not (s.RAW / "pairs").exists()


def test_a_wrong_download_leaves_the_corpus_that_is_here_alone(
    server: FileServer, entry: Corpus
) -> None:
    out = s.bring(entry)
    newer = s.corpus(
        s.official(server.put("/pairs.jsonl", s.PART), content=s.ROWS + b"\n"), version="2"
    )
    PLACE.unlink()
    with pytest.raises(DivLogicError, match="registered"):
        s.bring(newer)
    assert (out / "pairs.jsonl").read_bytes() == s.ROWS
    assert read_manifest(out).version == "1"


def by_hand(content: bytes, **more: Any) -> Corpus:
    """Place a file by hand; return the corpus, which has no address."""
    PLACE.parent.mkdir(parents=True)
    PLACE.write_bytes(content)
    return s.corpus({**s.official(), "urls": []}, **more)


def test_a_file_placed_by_hand_is_taken_without_the_network() -> None:
    assert read_manifest(s.bring(by_hand(s.ROWS, gated=True))).origin == "by hand"
    assert PLACE.exists()


def test_a_wrong_file_placed_by_hand_is_put_aside_and_named() -> None:
    with pytest.raises(DivLogicError, match=f"registered {len(s.ROWS):,}"):
        s.bring(by_hand(s.PART))
    assert PLACE.with_name("pairs.jsonl.bad").read_bytes() == s.PART


def test_an_unknown_checksum_is_recorded_and_checked_from_then_on(server: FileServer) -> None:
    url = server.put("/pairs.jsonl", s.ROWS)
    entry = s.corpus({"path": "pairs.jsonl", "urls": [url], "reader": "nli"})
    out = s.bring(entry)
    PLACE.unlink()
    (out / "pairs.jsonl").unlink()
    server.put("/pairs.jsonl", bytes(reversed(s.ROWS)))
    with pytest.raises(DivLogicError, match=r"checksums\.json") as caught:
        s.bring(entry)
    assert s.sha256(s.ROWS) in str(caught.value)
    server.put("/pairs.jsonl", s.ROWS)
    assert (s.bring(entry) / "pairs.jsonl").read_bytes() == s.ROWS


@pytest.mark.late
def test_of_two_runs_with_one_folder_of_downloads_one_downloads_and_the_other_waits(
    server: FileServer, entry: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*arguments: Any, **options: Any) -> None:
        time.sleep(0.3)
        download(*arguments, **options)

    monkeypatch.setattr(obtain, "download", slow)
    Path("shared").mkdir()
    clones = [Path(name) for name in ("one", "two")]
    for clone in clones:
        clone.mkdir()
        (clone / s.DOWNLOADS).symlink_to(Path("shared").absolute())
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda clone: s.bring(entry, clone), clones))
    assert [(folder / "pairs.jsonl").read_bytes() for folder in made] == [s.ROWS, s.ROWS]
    assert len(server.requests) == 1


def test_a_damaged_corpus_is_brought_again(server: FileServer, entry: Corpus) -> None:
    file = s.bring(entry) / "pairs.jsonl"
    file.unlink()
    file.write_bytes(s.ROWS[:-1] + b" ")
    s.bring(entry)
    assert file.read_bytes() == s.ROWS
    # The finished download was still there.
    assert len(server.requests) == 1


def test_what_a_killed_run_left_beside_the_corpora_is_cleared(entry: Corpus) -> None:
    (s.RAW / ".pairs.abc.tmp").mkdir(parents=True)
    s.bring(entry)
    assert [path.name for path in s.RAW.iterdir()] == ["pairs"]


# ---------------------------------------------------------------------------------------- zips


def test_a_zip_is_unpacked_where_the_registry_says(server: FileServer) -> None:
    content = s.zipped({"set/a.json": b"{}", "set/b.json": b"[1]", "set/notes.txt": b"no"})
    named = {
        "path": "sub/z.zip",
        "members": ["set/a.json", "set/b.json"],
        "unpack": True,
        "into": "sub",
    }
    out = s.bring(
        s.corpus(s.official(server.put("/z", content), content, **named, unpacked_bytes=5))
    )
    assert [file.name for file in read_manifest(out).files] == ["sub/set/a.json", "sub/set/b.json"]
    assert sorted(path.name for path in (out / "sub").rglob("*") if path.is_file()) == [
        "a.json",
        "b.json",
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (s.zipped({"a.jsonl": s.ROWS})[:-30], "this zip file breaks off"),
        (s.zipped({"../../escaped.txt": b"x"}), "leads out"),
    ],
)
def test_a_zip_that_cannot_be_unpacked_makes_no_corpus(server, tmp_path, content, problem):
    file = {
        "path": "z.zip",
        "urls": [server.put("/z", content)],
        "unpack": True,
        "unpacked_bytes": 10**6,
    }
    with pytest.raises(DivLogicError, match=problem):
        s.bring(s.corpus(file))
    assert not (s.RAW / "pairs").exists()
    assert not list(tmp_path.rglob("escaped.txt"))


# ---------------------------------------------------------------------------------------- several ways to one file


def unsummed(url: str, **more: Any) -> dict[str, Any]:
    """Return the entry of a file of which neither checksum nor size is known."""
    return s.official(url, sha256=None, bytes=None, **more)


def test_the_id_that_git_gives_a_file_is_a_checksum_too(server: FileServer) -> None:
    address = server.put("/pairs.jsonl", s.ROWS)
    command = ["git", "hash-object", "--stdin"]
    blob = subprocess.run(command, input=s.ROWS, capture_output=True, check=True).stdout.decode()
    for known in (blob.strip(), blob[:8]):
        out = s.bring(s.corpus(unsummed(address, git_blob=known)))
        assert (out / "pairs.jsonl").read_bytes() == s.ROWS
        shutil.rmtree(out)
        shutil.rmtree(s.DOWNLOADS)
    with pytest.raises(NotObtainedError, match="git blob expected 00000000") as refused:
        s.bring(s.corpus(unsummed(address, git_blob="00000000")))
    assert refused.value.fault == "wrong"


def with_other_form(first: str, second: str) -> Corpus:
    """Return a corpus of one file that has another form."""
    other = {"path": "other.parquet", "instead_of": "pairs.jsonl", "urls": [second]}
    return s.corpus(s.official(first), other | {"sha256": s.sha256(b"PAR1other")})


def test_the_other_form_of_a_file_is_taken_where_the_file_cannot_be_had_and_only_there(
    server: FileServer,
) -> None:
    first, second = server.put("/a", s.ROWS), server.put("/b", b"PAR1other")
    out = s.bring(with_other_form(first, second))
    assert [file.name for file in read_manifest(out).files] == ["pairs.jsonl"]
    shutil.rmtree(out)
    shutil.rmtree(s.DOWNLOADS)

    server.resources["/a"].faults = [500] * 9
    entry = with_other_form(first, second)
    out = s.bring(entry)
    assert [file.name for file in read_manifest(out).files] == ["other.parquet"]
    assert read_manifest(out).part == "whole"
    asked = len(server.requests)
    s.bring(entry)
    assert len(server.requests) == asked, "a whole corpus is left alone"


@pytest.mark.parametrize(
    ("status", "fault"),
    [(404, "absent"), (403, "gated"), (500, "unreachable"), (429, "unreachable")],
)
def test_a_corpus_that_cannot_be_had_says_what_kind_of_failure_it_is(
    server: FileServer, status: int, fault: str
) -> None:
    address = server.put("/pairs.jsonl", s.ROWS, faults=[status] * 9)
    with pytest.raises(NotObtainedError) as failed:
        s.bring(s.corpus(s.official(address)))
    assert failed.value.fault == fault


def test_a_file_that_is_optional_is_left_out_for_good_only_where_it_is_not_there(
    server: FileServer,
) -> None:
    first = s.official(server.put("/a", s.ROWS))
    address = server.put("/b", s.ROWS, faults=[404] * 9)
    second = s.official(address, optional=True) | {"path": "more.jsonl"}
    assert len(read_manifest(s.bring(s.corpus(first, second))).files) == 1
    server.resources["/b"].faults = [503] * 9
    shutil.rmtree(s.RAW)
    with pytest.raises(NotObtainedError, match=r"more\.jsonl could not be obtained"):
        s.bring(s.corpus(first, second))
