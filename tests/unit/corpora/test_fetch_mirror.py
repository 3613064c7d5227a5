"""Fetching a corpus from a mirror folder: whole, in part, damaged; what goes before what."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from divlogic.corpora import obtain as module
from divlogic.corpora.manifest import read_manifest
from divlogic.corpora.obtain import fetch
from divlogic.corpora.registry import Corpus
from divlogic.errors import DivLogicError
from tests.unit.corpora import fetch_samples as s
from tests.unit.corpora.fetch_server import FileServer


@pytest.mark.parametrize(
    ("name", "content", "origin"),
    [
        ("pairs.jsonl", s.ROWS, "pairs.jsonl"),
        ("pairs.jsonl.gz", gzip.compress(s.ROWS, mtime=0), "pairs.jsonl.gz"),
        ("all.zip", s.zipped({"deep/pairs.jsonl": s.ROWS}), "all.zip/deep/pairs.jsonl"),
    ],
    ids=["plain", "gzipped", "inside a zip"],
)
def test_the_mirror_is_asked_before_the_network_and_no_manifest_tells_where_it_lies(
    tmp_path, server, entry, name, content, origin
):
    s.mirrored(name, content)
    out = s.bring(entry, mirror=tmp_path / s.MIRROR)
    manifest = read_manifest(out)
    assert (manifest.part, manifest.files[0].origin) == ("whole", f"mirror: pairs/{origin}")
    assert str(tmp_path) not in (out / "MANIFEST.json").read_text()
    assert (out / "pairs.jsonl").read_bytes() == s.ROWS
    assert server.requests == []


@pytest.mark.parametrize(
    ("loose", "part"),
    [
        (
            {"dev.jsonl": s.ROWS, "test.jsonl.gz": gzip.compress(s.PART, mtime=0)},
            "whole, as unpacked",
        ),
        ({"dev.jsonl": s.ROWS}, "without test.jsonl, as unpacked"),
    ],
)
def test_the_mirror_may_hold_the_members_of_a_zip_loose_or_some_of_them(loose, part):
    for name, content in loose.items():
        s.mirrored(name, content)
    file = s.official(
        content=b"zip", path="pairs.zip", members=["pairs/dev.jsonl", "pairs/test.jsonl"]
    )
    manifest = read_manifest(s.bring(s.corpus(file), mirror=s.MIRROR))
    assert [(file.name, file.reader) for file in manifest.files] == [
        (name, "nli") for name in loose
    ]
    assert manifest.part.startswith(part)


def stand_in(name: str, of: str, content: bytes, part: str, **more: Any) -> dict[str, Any]:
    known = {
        "mirror": f"pairs/{name}",
        "path": name,
        "of": of,
        "sha256": s.sha256(content),
        "part": part,
    }
    return known | more


PARTIAL = stand_in(
    "part.jsonl", "pairs.jsonl", s.PART, "25 of 50 rows (dev)", rows=25, reader="nli"
)
ZIP = {
    "path": "z.zip",
    "urls": ["http://127.0.0.1:9/none"],
    "unpack": True,
    "unpacked_bytes": 1_000,
}


def test_pieces_that_the_mirror_lacks_are_named():
    pieces = [stand_in(f"{name}.json", "z.zip", name.encode(), "whole") for name in ("dev", "test")]
    s.mirrored("dev.json", b"dev")
    manifest = read_manifest(s.bring(s.corpus(ZIP, stand_ins=pieces), mirror=s.MIRROR))
    assert manifest.part == "1 of 2 files; absent: test.json"


def test_a_partial_mirror_counts_and_the_manifest_says_which_part_unless_the_whole_is_wanted(
    server: FileServer,
) -> None:
    s.mirrored("part.jsonl", s.PART)
    entry = s.corpus(s.official(server.put("/p", s.ROWS)), stand_ins=[PARTIAL])
    manifest = read_manifest(s.bring(entry, mirror=s.MIRROR))
    assert (manifest.part, manifest.rows) == ("25 of 50 rows (dev)", 25)
    assert server.requests == []
    # Whole means to download what the mirror has in part.
    out = s.bring(entry, mirror=s.MIRROR, whole=True)
    assert sorted(path.name for path in out.glob("[!.]*")) == ["MANIFEST.json", "pairs.jsonl"]
    assert read_manifest(out).part == "whole"


def test_a_mirror_without_the_corpus_leads_to_the_network(server: FileServer) -> None:
    (s.MIRROR / "pairs").mkdir(parents=True)
    out = s.bring(
        s.corpus(s.official(server.put("/p", s.ROWS)), stand_ins=[PARTIAL]), mirror=s.MIRROR
    )
    assert read_manifest(out).origin == "url"


NOISE = random.Random(3).randbytes(10_000)


@pytest.mark.parametrize(
    ("name", "content", "wanted", "told"),
    [
        ("pairs.jsonl", b"spoilt\n", s.ROWS, "not taken."),
        ("part.jsonl", b"spoilt\n", s.ROWS, "not taken."),
        (
            "pairs.jsonl.gz",
            gzip.compress(NOISE, mtime=0)[:-2000],
            NOISE,
            "its compression is broken",
        ),
    ],
)
def test_a_spoilt_file_of_the_mirror_is_not_taken(capsys, name, content, wanted, told):
    s.mirrored(name, content)
    with pytest.raises(DivLogicError):
        s.bring(s.corpus(s.official(content=wanted), stand_ins=[PARTIAL]), mirror=s.MIRROR)
    (line,) = [
        line for line in capsys.readouterr().err.splitlines() if line.startswith(f"pairs/{name}: ")
    ]
    assert told in line


@pytest.mark.parametrize(
    "file",
    [
        s.official(bytes=1_000),
        {"path": "pairs.jsonl", "bytes_between": [1, 1_000]},
        {**ZIP, "members": ["pairs.jsonl"]},
    ],
    ids=["of a registered size", "between limits", "member of a zip"],
)
@pytest.mark.parametrize("form", ["gzipped", "zipped"])
def test_no_more_is_written_than_a_file_of_the_mirror_may_have(
    monkeypatch: pytest.MonkeyPatch, file: dict[str, Any], form: str
) -> None:
    bomb = b"0" * 20_000_000
    if form == "gzipped":
        s.mirrored("pairs.jsonl.gz", gzip.compress(bomb))
    else:
        s.mirrored("all.zip", s.zipped({"pairs.jsonl": bomb}))
    sizes = [0]
    remove = Path.unlink

    def measured(path: Path, missing_ok: bool = False) -> None:
        sizes.append(path.stat().st_size if path.exists() else 0)
        remove(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", measured)
    with pytest.raises(DivLogicError, match="could not be obtained"):
        s.bring(s.corpus(file), mirror=s.MIRROR)
    assert max(sizes) <= 1_000


def test_a_login_page_does_not_count_as_a_member_of_a_zip() -> None:
    s.mirrored("a.jsonl", b"<html>login</html>")
    with pytest.raises(DivLogicError, match="could not be obtained"):
        s.bring(s.corpus({**ZIP, "members": ["in/a.jsonl"]}), mirror=s.MIRROR)


@pytest.mark.parametrize("name", ["PAIRS/Pairs.JSONL", "pairs/PAIRS.jsonl", "pairs/Dev.jsonl"])
def test_a_name_in_other_capitals_gets_a_hint(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path, wanted = s.MIRROR / name, s.MIRROR / name.lower()
    path.parent.mkdir(parents=True)
    path.write_bytes(s.ROWS)
    with pytest.raises(DivLogicError):
        s.bring(s.corpus(s.official(members=["dev.jsonl"])), mirror=s.MIRROR)
    hint = f"{path}: passed over; did you mean {wanted.name}? Rename it to {wanted}."
    assert hint in capsys.readouterr().err


def test_a_mirror_that_is_not_there_is_said_so() -> None:
    with pytest.raises(DivLogicError, match="this mirror folder does not exist"):
        s.bring(s.corpus(s.official()), mirror=Path("nowhere"))


@pytest.mark.parametrize("place", ["mirror", "download"])
def test_a_full_disk_is_said_and_leaves_no_half_corpus(
    server: FileServer, entry: Corpus, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    full = Mock(side_effect=OSError(28, "No space left on device"))
    really_open = Path.open

    def full_when_written(path: Path, mode: str = "r", **options: Any) -> Any:
        return full() if "w" in mode else really_open(path, mode, **options)

    if place == "mirror":
        s.mirrored("pairs.jsonl", s.ROWS)
    with monkeypatch.context() as patch, pytest.raises(DivLogicError, match="the disk is full"):
        if place == "mirror":
            patch.setattr(Path, "open", full_when_written)
        else:
            patch.setattr(module.shutil, "copyfile", full)
            patch.setattr(Path, "hardlink_to", full)
        s.bring(entry, mirror=s.MIRROR if place == "mirror" else None)
    assert list(s.RAW.iterdir()) == []
    s.bring(entry)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "known", [{}, {"sha256": None, "bytes": None}], ids=["known", "of no checksum"]
)
@pytest.mark.parametrize(("content", "part"), [(s.ROWS, "whole"), (s.PART, "25 of 50 rows")])
def test_the_official_file_wins_where_it_lies_in_the_place_of_a_stand_in(known, content, part):
    same = stand_in("pairs.jsonl", "pairs.jsonl", s.PART, "25 of 50 rows", reader="nli")
    s.mirrored("pairs.jsonl", content)
    assert (
        fetch("pairs", s.corpus(s.official(**known), stand_ins=[same]), s.RAW, mirror=s.MIRROR).part
        == part
    )
    assert (s.RAW / "pairs.jsonl").read_bytes() == content
