"""Fetching a corpus: mirror first, then its addresses, else a word on how to place it by hand."""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora import fetch as module
from divlogic.corpora.download import Retries
from divlogic.corpora.fetch import fetch
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError
from tests.unit.corpora.fetch_server import FileServer

ROWS = b'{"gold_label": "neutral", "sentence1": "A dog barks.", "sentence2": "A dog barks at a cat."}\n' * 50
PART = ROWS[: len(ROWS) // 2]
NEVER = Retries(attempts=1)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def corpus(*files: dict[str, Any], **more: Any) -> Corpus:
    values = {
        "title": "Pairs",
        "version": "1",
        "licence": {"name": "CC0 1.0", "url": "http://localhost/licence"},
        "citation": {"authors": "N. N.", "title": "Pairs", "venue": "here", "year": 2026},
        "roles": ["nli"],
        "by_hand": "Ask N. N. for it",
        "files": list(files),
        **more,
    }
    return Corpus.model_validate(values)


def official(url: str = "http://127.0.0.1:9/none", content: bytes = ROWS, **more: Any) -> dict[str, Any]:
    known = {"sha256": sha256(content), "bytes": len(content), "rows": 50, "reader": "nli"}
    return {"path": "pairs.jsonl", "urls": [url], **known, **more}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = FileServer()
    yield server
    server.close()


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    (tmp_path / "mirror" / "pairs").mkdir(parents=True)
    return tmp_path / "mirror"


def bring(tmp_path: Path, entry: Corpus, **options: Any) -> Path:
    out = tmp_path / "raw" / "full" / "pairs"
    fetch("pairs", entry, out, downloads=tmp_path / "downloads", retries=NEVER, **options)
    return out


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


def test_a_file_placed_by_hand_is_taken_without_the_network(tmp_path: Path) -> None:
    place = tmp_path / "downloads" / "pairs" / "pairs.jsonl"
    place.parent.mkdir(parents=True)
    place.write_bytes(ROWS)
    gated = corpus({**official(), "urls": []}, gated=True)
    assert read_manifest(bring(tmp_path, gated)).origin == "by hand"
    assert place.exists()


def test_a_wrong_file_placed_by_hand_is_put_aside_and_named(tmp_path: Path) -> None:
    place = tmp_path / "downloads" / "pairs" / "pairs.jsonl"
    place.parent.mkdir(parents=True)
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


def test_a_whole_corpus_is_not_fetched_twice(tmp_path: Path, server: FileServer) -> None:
    entry = corpus(official(server.put("/pairs.jsonl", ROWS)))
    bring(tmp_path, entry)
    bring(tmp_path, entry)
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


def test_a_truncated_zip_is_said_to_be_one(tmp_path: Path, server: FileServer) -> None:
    content = zipped({"a.jsonl": ROWS})[:-30]
    file = {"path": "z.zip", "urls": [server.put("/z", content)], "unpack": True, "unpacked_bytes": 10**6}
    with pytest.raises(DivLogicError, match="not a whole zip"):
        bring(tmp_path, corpus(file))
    assert not (tmp_path / "raw" / "full" / "pairs").exists()


def test_a_zip_that_leads_out_of_the_folder_is_not_unpacked(tmp_path: Path, server: FileServer) -> None:
    content = zipped({"../../escaped.txt": b"x"})
    file = {"path": "z.zip", "urls": [server.put("/z", content)], "unpack": True, "unpacked_bytes": 10**6}
    with pytest.raises(DivLogicError, match="leads out"):
        bring(tmp_path, corpus(file))
    assert not list(tmp_path.rglob("escaped.txt"))


# ---------------------------------------------------------------------------------------- the mirror


def test_the_mirror_is_asked_before_the_network(tmp_path: Path, server: FileServer, mirror: Path) -> None:
    (mirror / "pairs" / "pairs.jsonl").write_bytes(ROWS)
    out = bring(tmp_path, corpus(official(server.put("/p", ROWS))), mirror=mirror)
    manifest = read_manifest(out)
    assert (manifest.part, manifest.files[0].origin) == ("whole", "mirror: pairs/pairs.jsonl")
    assert server.requests == []


def test_the_mirror_may_hold_a_file_gzipped(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "pairs.jsonl.gz").write_bytes(gzip.compress(ROWS))
    out = bring(tmp_path, corpus(official()), mirror=mirror)
    assert (out / "pairs.jsonl").read_bytes() == ROWS


def test_the_mirror_may_hold_a_file_inside_a_zip(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "all.zip").write_bytes(zipped({"deep/pairs.jsonl": ROWS}))
    manifest = read_manifest(bring(tmp_path, corpus(official()), mirror=mirror))
    assert manifest.files[0].origin == "mirror: pairs/all.zip/deep/pairs.jsonl"


def test_the_mirror_may_hold_the_members_of_a_zip_loose(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "dev.jsonl").write_bytes(ROWS)
    (mirror / "pairs" / "test.jsonl.gz").write_bytes(gzip.compress(PART))
    file = official(content=b"zip", path="pairs.zip", members=["pairs/dev.jsonl", "pairs/test.jsonl"])
    manifest = read_manifest(bring(tmp_path, corpus(file), mirror=mirror))
    assert [(file.name, file.reader) for file in manifest.files] == [
        ("dev.jsonl", "nli"),
        ("test.jsonl.gz", "nli"),
    ]
    assert manifest.part.startswith("whole, as unpacked")


def test_some_members_of_a_zip_are_a_part_that_counts(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "dev.jsonl").write_bytes(ROWS)
    file = official(content=b"zip", path="pairs.zip", members=["pairs/dev.jsonl", "pairs/test.jsonl"])
    manifest = read_manifest(bring(tmp_path, corpus(file), mirror=mirror))
    assert [file.name for file in manifest.files] == ["dev.jsonl"]
    assert manifest.part.startswith("without test.jsonl, as unpacked")


def partial(content: bytes = PART) -> dict[str, Any]:
    names = {"mirror": "pairs/part.jsonl", "path": "part.jsonl", "of": "pairs.jsonl"}
    return {**names, "sha256": sha256(content), "part": "25 of 50 rows (dev)", "rows": 25, "reader": "nli"}


def test_a_partial_mirror_counts_and_the_manifest_says_which_part(
    tmp_path: Path, server: FileServer, mirror: Path
) -> None:
    (mirror / "pairs" / "part.jsonl").write_bytes(PART)
    entry = corpus(official(server.put("/p", ROWS)), stand_ins=[partial()])
    manifest = read_manifest(bring(tmp_path, entry, mirror=mirror))
    assert (manifest.part, manifest.rows) == ("25 of 50 rows (dev)", 25)
    assert server.requests == []


def test_whole_means_downloading_what_the_mirror_has_in_part(
    tmp_path: Path, server: FileServer, mirror: Path
) -> None:
    (mirror / "pairs" / "part.jsonl").write_bytes(PART)
    entry = corpus(official(server.put("/p", ROWS)), stand_ins=[partial()])
    out = bring(tmp_path, entry, mirror=mirror, whole=True)
    assert sorted(path.name for path in out.glob("[!.]*")) == ["MANIFEST.json", "pairs.jsonl"]
    assert read_manifest(out).part == "whole"


def test_a_mirror_without_the_corpus_leads_to_the_network(
    tmp_path: Path, server: FileServer, mirror: Path
) -> None:
    out = bring(tmp_path, corpus(official(server.put("/p", ROWS)), stand_ins=[partial()]), mirror=mirror)
    assert read_manifest(out).origin == "url"


@pytest.mark.parametrize("name", ["pairs.jsonl", "part.jsonl"])
def test_a_spoilt_file_of_the_mirror_is_not_taken(
    tmp_path: Path, mirror: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (mirror / "pairs" / name).write_bytes(b"spoilt\n")
    with pytest.raises(DivLogicError):
        bring(tmp_path, corpus(official(), stand_ins=[partial()]), mirror=mirror)
    assert f"pairs/{name}: not taken" in capsys.readouterr().err


def test_broken_compression_in_the_mirror_is_not_taken(
    tmp_path: Path, mirror: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = random.Random(3).randbytes(10_000)
    (mirror / "pairs" / "pairs.jsonl.gz").write_bytes(gzip.compress(content)[:-2000])
    with pytest.raises(DivLogicError):
        bring(tmp_path, corpus(official(content=content)), mirror=mirror)
    assert "its compression is broken" in capsys.readouterr().err


def test_pieces_that_the_mirror_lacks_are_named(tmp_path: Path, mirror: Path) -> None:
    pieces = [
        {
            "mirror": f"pairs/{name}.json",
            "path": f"{name}.json",
            "of": "z.zip",
            "sha256": sha256(name.encode()),
            "part": "whole",
        }
        for name in ("dev", "test")
    ]
    (mirror / "pairs" / "dev.json").write_bytes(b"dev")
    file = {"path": "z.zip", "urls": ["http://127.0.0.1:9/none"], "unpack": True, "unpacked_bytes": 9}
    manifest = read_manifest(bring(tmp_path, corpus(file, stand_ins=pieces), mirror=mirror))
    assert manifest.part == "1 of 2 files; absent: test.json"


def test_no_manifest_tells_where_the_mirror_lies(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "pairs.jsonl").write_bytes(ROWS)
    out = bring(tmp_path, corpus(official()), mirror=mirror)
    assert str(tmp_path) not in (out / "MANIFEST.json").read_text()


def test_a_mirror_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(DivLogicError, match="this mirror folder does not exist"):
        bring(tmp_path, corpus(official()), mirror=tmp_path / "nowhere")


@pytest.mark.parametrize("place", ["mirror", "download"])
def test_a_full_disk_is_said_and_leaves_no_half_corpus(
    tmp_path: Path, server: FileServer, mirror: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    really_open = Path.open

    def full_when_written(path: Path, mode: str = "r", **options: Any) -> Any:
        return full() if "w" in mode else really_open(path, mode, **options)

    entry = corpus(official(server.put("/p", ROWS)))
    if place == "mirror":
        (mirror / "pairs" / "pairs.jsonl").write_bytes(ROWS)
        monkeypatch.setattr(Path, "open", full_when_written)
    else:
        monkeypatch.setattr(module.shutil, "copyfile", full)
        monkeypatch.setattr(Path, "hardlink_to", full)
    with pytest.raises(DivLogicError, match="the disk is full"):
        bring(tmp_path, entry, mirror=mirror if place == "mirror" else None)
    monkeypatch.undo()
    assert list((tmp_path / "raw" / "full").iterdir()) == []
    bring(tmp_path, entry)
    assert len(server.requests) == 1


def test_the_official_file_wins_where_it_lies_in_the_place_of_a_stand_in(tmp_path: Path) -> None:
    mirror = tmp_path / "mirror"
    (mirror / "pairs").mkdir(parents=True)
    stand_in = {
        "mirror": "pairs/pairs.jsonl",
        "path": "pairs.jsonl",
        "of": "pairs.jsonl",
        "sha256": sha256(PART),
        "part": "25 of 50 rows",
        "reader": "nli",
    }
    for known in ({}, {"sha256": None, "bytes": None}):
        entry = corpus(official(**known), stand_ins=[stand_in])
        for content, part in ((ROWS, "whole"), (PART, "25 of 50 rows")):
            (mirror / "pairs" / "pairs.jsonl").write_bytes(content)
            out = tmp_path / f"{part[:2]}{len(known)}"
            manifest = fetch("pairs", entry, out, mirror=mirror)
            assert manifest.part == part
            assert (out / "pairs.jsonl").read_bytes() == content
