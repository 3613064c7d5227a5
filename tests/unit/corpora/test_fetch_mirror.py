"""Fetching a corpus from a mirror folder: whole, in part, damaged; what goes before what."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora import obtain as module
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.obtain import fetch
from divlogic.errors import DivLogicError
from tests.unit.corpora.fetch_samples import PART, ROWS, bring, corpus, official, sha256, zipped
from tests.unit.corpora.fetch_server import FileServer


@pytest.mark.parametrize(
    ("name", "content", "origin"),
    [
        ("pairs.jsonl", ROWS, "pairs.jsonl"),
        ("pairs.jsonl.gz", gzip.compress(ROWS), "pairs.jsonl.gz"),
        ("all.zip", zipped({"deep/pairs.jsonl": ROWS}), "all.zip/deep/pairs.jsonl"),
    ],
    ids=["plain", "gzipped", "inside a zip"],
)
def test_the_mirror_is_asked_before_the_network(tmp_path, server, mirror, name, content, origin):
    (mirror / "pairs" / name).write_bytes(content)
    out = bring(tmp_path, corpus(official(server.put("/p", ROWS))), mirror=mirror)
    manifest = read_manifest(out)
    assert (manifest.part, manifest.files[0].origin) == ("whole", f"mirror: pairs/{origin}")
    assert (out / "pairs.jsonl").read_bytes() == ROWS
    assert server.requests == []


@pytest.mark.parametrize(
    ("loose", "part"),
    [
        ({"dev.jsonl": ROWS, "test.jsonl.gz": gzip.compress(PART)}, "whole, as unpacked"),
        ({"dev.jsonl": ROWS}, "without test.jsonl, as unpacked"),
    ],
)
def test_the_mirror_may_hold_the_members_of_a_zip_loose_or_some_of_them(tmp_path, mirror, loose, part):
    for name, content in loose.items():
        (mirror / "pairs" / name).write_bytes(content)
    file = official(content=b"zip", path="pairs.zip", members=["pairs/dev.jsonl", "pairs/test.jsonl"])
    manifest = read_manifest(bring(tmp_path, corpus(file), mirror=mirror))
    assert [(file.name, file.reader) for file in manifest.files] == [(name, "nli") for name in loose]
    assert manifest.part.startswith(part)


def stand_in(name: str, of: str, content: bytes, part: str, **more: Any) -> dict[str, Any]:
    return {
        "mirror": f"pairs/{name}",
        "path": name,
        "of": of,
        "sha256": sha256(content),
        "part": part,
        **more,
    }


PARTIAL = stand_in("part.jsonl", "pairs.jsonl", PART, "25 of 50 rows (dev)", rows=25, reader="nli")


def test_pieces_that_the_mirror_lacks_are_named(tmp_path, mirror):
    pieces = [stand_in(f"{name}.json", "z.zip", name.encode(), "whole") for name in ("dev", "test")]
    (mirror / "pairs" / "dev.json").write_bytes(b"dev")
    file = {"path": "z.zip", "urls": ["http://127.0.0.1:9/none"], "unpack": True, "unpacked_bytes": 9}
    manifest = read_manifest(bring(tmp_path, corpus(file, stand_ins=pieces), mirror=mirror))
    assert manifest.part == "1 of 2 files; absent: test.json"


def test_a_partial_mirror_counts_and_the_manifest_says_which_part_unless_the_whole_is_wanted(
    tmp_path: Path, server: FileServer, mirror: Path
) -> None:
    (mirror / "pairs" / "part.jsonl").write_bytes(PART)
    entry = corpus(official(server.put("/p", ROWS)), stand_ins=[PARTIAL])
    manifest = read_manifest(bring(tmp_path, entry, mirror=mirror))
    assert (manifest.part, manifest.rows) == ("25 of 50 rows (dev)", 25)
    assert server.requests == []
    # Whole means to download what the mirror has in part.
    out = bring(tmp_path, entry, mirror=mirror, whole=True)
    assert sorted(path.name for path in out.glob("[!.]*")) == ["MANIFEST.json", "pairs.jsonl"]
    assert read_manifest(out).part == "whole"


def test_a_mirror_without_the_corpus_leads_to_the_network(
    tmp_path: Path, server: FileServer, mirror: Path
) -> None:
    out = bring(tmp_path, corpus(official(server.put("/p", ROWS)), stand_ins=[PARTIAL]), mirror=mirror)
    assert read_manifest(out).origin == "url"


@pytest.mark.parametrize("name", ["pairs.jsonl", "part.jsonl"])
def test_a_spoilt_file_of_the_mirror_is_not_taken(
    tmp_path: Path, mirror: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (mirror / "pairs" / name).write_bytes(b"spoilt\n")
    with pytest.raises(DivLogicError):
        bring(tmp_path, corpus(official(), stand_ins=[PARTIAL]), mirror=mirror)
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith(f"pairs/{name}: ")]
    assert line.endswith("not taken.")


def test_broken_compression_in_the_mirror_is_not_taken(
    tmp_path: Path, mirror: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = random.Random(3).randbytes(10_000)
    (mirror / "pairs" / "pairs.jsonl.gz").write_bytes(gzip.compress(content)[:-2000])
    with pytest.raises(DivLogicError):
        bring(tmp_path, corpus(official(content=content)), mirror=mirror)
    assert "its compression is broken" in capsys.readouterr().err


def test_no_manifest_tells_where_the_mirror_lies(tmp_path, mirror):
    (mirror / "pairs" / "pairs.jsonl").write_bytes(ROWS)
    out = bring(tmp_path, corpus(official()), mirror=mirror)
    assert str(tmp_path) not in (out / "MANIFEST.json").read_text()


ZIP = {"path": "z.zip", "urls": ["http://127.0.0.1:9/none"], "members": ["in/a.jsonl"], "unpack": True}


@pytest.mark.parametrize(
    "file",
    [
        official(bytes=1_000),
        {"path": "pairs.jsonl", "bytes_between": [1, 1_000]},
        {**ZIP, "members": ["pairs.jsonl"], "unpacked_bytes": 1_000},
    ],
    ids=["of a registered size", "between limits", "member of a zip"],
)
@pytest.mark.parametrize("form", ["gzipped", "zipped"])
def test_no_more_is_written_than_a_file_of_the_mirror_may_have(
    tmp_path: Path, mirror: Path, monkeypatch: pytest.MonkeyPatch, file: dict[str, Any], form: str
) -> None:
    bomb = b"0" * 20_000_000
    if form == "gzipped":
        (mirror / "pairs" / "pairs.jsonl.gz").write_bytes(gzip.compress(bomb))
    else:
        (mirror / "pairs" / "all.zip").write_bytes(zipped({"pairs.jsonl": bomb}))
    largest = 0
    remove = Path.unlink

    def measured(path: Path, missing_ok: bool = False) -> None:
        nonlocal largest
        largest = max(largest, path.stat().st_size if path.exists() else 0)
        remove(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", measured)
    with pytest.raises(DivLogicError, match="could not be obtained"):
        bring(tmp_path, corpus(file), mirror=mirror)
    assert largest <= 1_000


def test_a_login_page_does_not_count_as_a_member_of_a_zip(tmp_path: Path, mirror: Path) -> None:
    (mirror / "pairs" / "a.jsonl").write_bytes(b"<html>login</html>")
    with pytest.raises(DivLogicError, match="could not be obtained"):
        bring(tmp_path, corpus({**ZIP, "unpacked_bytes": 1_000}), mirror=mirror)


@pytest.mark.parametrize("name", ["PAIRS/Pairs.JSONL", "pairs/PAIRS.jsonl", "pairs/Dev.jsonl"])
def test_a_name_in_other_capitals_gets_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = tmp_path / "mirror" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(ROWS)
    with pytest.raises(DivLogicError):
        bring(tmp_path, corpus(official(members=["dev.jsonl"])), mirror=tmp_path / "mirror")
    wanted = tmp_path / "mirror" / name.lower()
    assert (
        f"{path}: passed over; did you mean {wanted.name}? Rename it to {wanted}." in capsys.readouterr().err
    )


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


def test_the_official_file_wins_where_it_lies_in_the_place_of_a_stand_in(tmp_path, mirror):
    same = stand_in("pairs.jsonl", "pairs.jsonl", PART, "25 of 50 rows", reader="nli")
    for known in ({}, {"sha256": None, "bytes": None}):
        entry = corpus(official(**known), stand_ins=[same])
        for content, part in ((ROWS, "whole"), (PART, "25 of 50 rows")):
            (mirror / "pairs" / "pairs.jsonl").write_bytes(content)
            out = tmp_path / f"{part[:2]}{len(known)}"
            assert fetch("pairs", entry, out, mirror=mirror).part == part
            assert (out / "pairs.jsonl").read_bytes() == content
