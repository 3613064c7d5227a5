"""Fetching a corpus: its addresses, a file placed by hand, archives."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora import obtain
from divlogic.corpora.download import download
from divlogic.corpora.manifest import read_manifest
from divlogic.errors import DivLogicError
from tests.unit.corpora.fetch_samples import PART, ROWS, bring, corpus, official, sha256, zipped
from tests.unit.corpora.fetch_server import FileServer

# ---------------------------------------------------------------------------------------- the network


def test_a_corpus_comes_from_its_address_with_a_manifest(tmp_path: Path, server: FileServer) -> None:
    out = bring(tmp_path, corpus(official(server.put("/pairs.jsonl", ROWS))))
    assert (out / "pairs.jsonl").read_bytes() == ROWS
    manifest = read_manifest(out)
    assert (manifest.part, manifest.origin, manifest.rows, manifest.bytes) == ("whole", "url", 50, len(ROWS))
    assert manifest.files[0].sha256 == sha256(ROWS)
    assert manifest.files[0].origin == f"url: {server.url('/pairs.jsonl')}"


def test_the_archive_is_asked_after_the_official_address(tmp_path: Path, server: FileServer) -> None:
    archived = server.put("/archived", ROWS)
    out = bring(tmp_path, corpus(official(server.url("/gone"), archive_urls=[archived])))
    assert read_manifest(out).origin == "archive url"
    assert [(seen.path, seen.status) for seen in server.requests] == [("/gone", 404), ("/archived", 200)]


def test_of_a_series_with_gaps_the_numbers_that_there_are_come_and_the_corpus_is_whole(
    tmp_path: Path, server: FileServer
) -> None:
    server.put("/rubrics/002.json", b'{"id": 2}')
    series = {"path": "rubrics/{001-003}.json", "urls": [server.url("/rubrics/{}.json")]}
    out = bring(tmp_path, corpus(official(server.put("/pairs.jsonl", ROWS)), series))
    assert [path.name for path in (out / "rubrics").iterdir()] == ["002.json"]
    assert read_manifest(out).part == "whole"
    asked = len(server.requests)
    bring(tmp_path, corpus(official(server.url("/pairs.jsonl")), series))
    assert len(server.requests) == asked


def test_a_series_of_which_nothing_is_here_is_named_as_one(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "pairs.jsonl").write_bytes(ROWS)
    out = bring(tmp_path, corpus(official(), {"path": "rubrics/{001-200}.json"}), mirror=mirror)
    assert read_manifest(out).part == "1 of 2 files; absent: rubrics/{001-200}.json"


def test_a_file_with_a_wrong_checksum_is_looked_for_in_the_archive(
    tmp_path: Path, server: FileServer
) -> None:
    changed = server.put("/pairs.jsonl", bytes(reversed(ROWS)))
    out = bring(tmp_path, corpus(official(changed, archive_urls=[server.put("/archived", ROWS)])))
    assert (out / "pairs.jsonl").read_bytes() == ROWS


def test_a_corpus_that_cannot_be_had_says_where_to_put_which_file(tmp_path: Path, server: FileServer) -> None:
    with pytest.raises(DivLogicError) as caught:
        bring(tmp_path, corpus(official(server.url("/gone"))))
    message = str(caught.value)
    assert str(tmp_path / "downloads" / "pairs" / "pairs.jsonl") in message
    assert sha256(ROWS) in message and "Ask N. N. for it" in message and "404" in message
    assert not (tmp_path / "raw" / "full" / "pairs").exists()


def test_a_wrong_download_leaves_the_corpus_that_is_here_alone(tmp_path: Path, server: FileServer) -> None:
    out = bring(tmp_path, corpus(official(server.put("/pairs.jsonl", ROWS))))
    newer = corpus(official(server.put("/pairs.jsonl", PART), content=ROWS + b"\n"), version="2")
    (tmp_path / "downloads" / "pairs" / "pairs.jsonl").unlink()
    with pytest.raises(DivLogicError, match="registered"):
        bring(tmp_path, newer)
    assert (out / "pairs.jsonl").read_bytes() == ROWS
    assert read_manifest(out).version == "1"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where a file is placed by hand."""
    (tmp_path / "downloads" / "pairs").mkdir(parents=True)
    return tmp_path / "downloads" / "pairs" / "pairs.jsonl"


def test_a_file_placed_by_hand_is_taken_without_the_network(tmp_path, place):
    place.write_bytes(ROWS)
    gated = corpus({**official(), "urls": []}, gated=True)
    assert read_manifest(bring(tmp_path, gated)).origin == "by hand"
    assert place.exists()


def test_a_wrong_file_placed_by_hand_is_put_aside_and_named(tmp_path, place):
    place.write_bytes(PART)
    with pytest.raises(DivLogicError, match=f"registered {len(ROWS):,}"):
        bring(tmp_path, corpus({**official(), "urls": []}))
    assert place.with_name("pairs.jsonl.bad").read_bytes() == PART


def test_an_unknown_checksum_is_recorded_and_checked_from_then_on(tmp_path: Path, server: FileServer) -> None:
    url = server.put("/pairs.jsonl", ROWS)
    entry = corpus({"path": "pairs.jsonl", "urls": [url], "reader": "nli"})
    out = bring(tmp_path, entry)
    (tmp_path / "downloads" / "pairs" / "pairs.jsonl").unlink()
    (out / "pairs.jsonl").unlink()
    server.put("/pairs.jsonl", bytes(reversed(ROWS)))
    with pytest.raises(DivLogicError, match=r"checksums\.json") as caught:
        bring(tmp_path, entry)
    assert sha256(ROWS) in str(caught.value)
    server.put("/pairs.jsonl", ROWS)
    assert (bring(tmp_path, entry) / "pairs.jsonl").read_bytes() == ROWS


def test_of_two_runs_with_one_folder_of_downloads_one_downloads_and_the_other_waits(
    tmp_path: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*arguments: Any, **options: Any) -> None:
        time.sleep(0.3)
        download(*arguments, **options)

    monkeypatch.setattr(obtain, "download", slow)
    entry = corpus(official(server.put("/pairs.jsonl", ROWS)))
    clones = [tmp_path / name for name in ("one", "two")]
    for clone in clones:
        clone.mkdir()
        (clone / "downloads").symlink_to(tmp_path / "shared")
    (tmp_path / "shared").mkdir()
    with ThreadPoolExecutor() as pool:
        made = list(pool.map(lambda clone: bring(clone, entry), clones))
    assert [(folder / "pairs.jsonl").read_bytes() for folder in made] == [ROWS, ROWS]
    assert len(server.requests) == 1


def test_a_damaged_corpus_is_brought_again(tmp_path: Path, server: FileServer) -> None:
    entry = corpus(official(server.put("/pairs.jsonl", ROWS)))
    out = bring(tmp_path, entry)
    (out / "pairs.jsonl").unlink()
    (out / "pairs.jsonl").write_bytes(ROWS[:-1] + b" ")
    bring(tmp_path, entry)
    assert (out / "pairs.jsonl").read_bytes() == ROWS
    # The finished download was still there.
    assert len(server.requests) == 1


def test_an_optional_file_may_be_absent(tmp_path: Path, server: FileServer) -> None:
    held_back = {"path": "test.jsonl", "sha256": "0" * 64, "optional": True}
    manifest = read_manifest(bring(tmp_path, corpus(official(server.put("/p", ROWS)), held_back)))
    assert manifest.part == "1 of 2 files; absent: test.jsonl"


def test_what_a_killed_run_left_beside_the_corpora_is_cleared(tmp_path: Path, server: FileServer) -> None:
    left = tmp_path / "raw" / "full" / ".pairs.abc.tmp"
    left.mkdir(parents=True)
    bring(tmp_path, corpus(official(server.put("/p", ROWS))))
    assert [path.name for path in left.parent.iterdir()] == ["pairs"]


# ---------------------------------------------------------------------------------------- zips


def test_a_zip_is_unpacked_where_the_registry_says(tmp_path: Path, server: FileServer) -> None:
    content = zipped({"set/a.json": b"{}", "set/b.json": b"[1]", "set/notes.txt": b"no"})
    file = official(
        server.put("/z", content), content, path="sub/z.zip", members=["set/a.json", "set/b.json"]
    )
    out = bring(tmp_path, corpus({**file, "unpack": True, "into": "sub", "unpacked_bytes": 5}))
    assert [file.name for file in read_manifest(out).files] == ["sub/set/a.json", "sub/set/b.json"]
    assert sorted(path.name for path in (out / "sub").rglob("*") if path.is_file()) == ["a.json", "b.json"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (zipped({"a.jsonl": ROWS})[:-30], "this zip file breaks off"),
        (zipped({"../../escaped.txt": b"x"}), "leads out"),
    ],
)
def test_a_zip_that_cannot_be_unpacked_makes_no_corpus(tmp_path, server, content, problem):
    file = {"path": "z.zip", "urls": [server.put("/z", content)], "unpack": True, "unpacked_bytes": 10**6}
    with pytest.raises(DivLogicError, match=problem):
        bring(tmp_path, corpus(file))
    assert not (tmp_path / "raw" / "full" / "pairs").exists()
    assert not list(tmp_path.rglob("escaped.txt"))
