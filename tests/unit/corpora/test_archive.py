"""Files from outside: unpacking of a zip, and what a file of unknown checksum is taken for."""

from __future__ import annotations

import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora.download import implausible, unpack
from divlogic.errors import DivLogicError


def archive(tmp_path: Path, members: dict[Any, bytes], compression: int = zipfile.ZIP_DEFLATED) -> Path:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", compression) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return path


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def change_headers(path: Path, local: int, central: int, value: bytes) -> None:
    """Write over a field of the first member, which stands at one offset of each of its two headers."""
    content = path.read_bytes()
    for at in (local, content.index(b"PK\x01\x02") + central):
        content = content[:at] + value + content[at + len(value) :]
    path.write_bytes(content)


def test_all_files_are_unpacked_where_no_member_is_named(tmp_path: Path) -> None:
    path = archive(tmp_path, {"d/": b"", "d/a": b"1", "b": b"2"})
    assert unpack(path, tmp_path / "out", members=[], limit=2) == ["d/a", "b"]
    assert (tmp_path / "out" / "d" / "a").read_bytes() == b"1"


def test_only_the_named_members_are_unpacked(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a": b"1", "b": b"2" * 1000})
    unpack(path, tmp_path / "out", members=["a"], limit=1)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["a"]


OUTSIDE = (".", "../x", "/etc/x", "a/../../x", "C:/x", "a\\..\\..\\x")


@pytest.mark.parametrize(
    ("content", "wanted", "problem"),
    [
        ({"a": b"1"}, ["c"], "'c' is not in it"),
        *[({name: b"1"}, [], "leads out of the folder") for name in OUTSIDE],
        ({link(): b"/etc/passwd"}, [], "a link"),
        ({"a": b"0" * 10_000_000}, [], "more than the 1,000 registered"),
    ],
)
def test_a_zip_that_may_not_be_unpacked_leaves_nothing(tmp_path, content, wanted, problem):
    path = archive(tmp_path, content)
    with pytest.raises(DivLogicError, match=problem):
        unpack(path, tmp_path / "deep" / "out", members=wanted, limit=1000)
    assert [file.name for file in tmp_path.rglob("*")] == ["a.zip"]


def test_a_member_name_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            target.writestr("a", "2")
    with pytest.raises(DivLogicError, match="the same name"):
        unpack(path, tmp_path / "out", members=[], limit=9)


def test_a_zip_that_lies_about_its_size_is_stopped(tmp_path):
    path = archive(tmp_path, {"a": b"0" * 1_000_000})
    change_headers(path, 22, 24, struct.pack("<I", 10))
    with pytest.raises(DivLogicError):
        unpack(path, tmp_path / "out", members=[], limit=1000)
    assert sum(file.stat().st_size for file in tmp_path.rglob("out/*")) <= 1000


def test_an_encrypted_member_is_refused(tmp_path):
    path = archive(tmp_path, {"a": b"1"})
    change_headers(path, 6, 8, b"\1")
    with pytest.raises(DivLogicError, match="encrypted"):
        unpack(path, tmp_path / "out", members=[], limit=9)


@pytest.mark.parametrize("keep", [0.5, 0.9])
def test_a_truncated_zip_is_said_to_be_one(tmp_path: Path, keep: float) -> None:
    path = archive(tmp_path, {"a": bytes(range(256)) * 40})
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])
    with pytest.raises(DivLogicError, match="not a whole zip file"):
        unpack(path, tmp_path / "out", members=[], limit=10**6)


def test_a_spoilt_member_is_found_by_its_checksum(tmp_path):
    path = archive(tmp_path, {"a": b"hello hello hello"}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"hello hello", b"hellO hello"))
    with pytest.raises(DivLogicError, match="not a whole zip file"):
        unpack(path, tmp_path / "out", members=[], limit=99)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b'\xef\xbb\xbf[{"error": 1}]'),
        ("a.json", b'{"error": 1, "rows": []}'),
        ("a.json", b'{"rows": {"error": 1}}'),
        ("a.json.part", b"[1]"),
        ("a.jsonl", b'{"id": 1}\nfurther rows are read later'),
        ("a.jsonl", b'["a"]'),
        ("a.csv", b'{"error": 1}'),
    ],
)
def test_a_file_with_data_is_taken(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert implausible(tmp_path / name) is None


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.zip", b"<!DOCTYPE html><title>Sign in</title>", "no zip file"),
        ("a.jsonl.gz", b"<html>Sign in</html>", "no gz file"),
        ("a.parquet", b"Please sign in", "no parquet file"),
        ("a.jsonl", b"\xef\xbb\xbf <html>Sign in</html>", "a web page"),
        ("a.tsv", b"<HTML>Sign in</HTML>", "a web page"),
        ("a.json", b"Please sign in", "no json file"),
        ("a.csv", b"", "is empty"),
        ("a.csv", b"<?xml version='1.0'?><html/>", "a web page"),
        ("a.json", b'{"message": "Not Found"}', "error message"),
        ("a.json", b'[{"id": 1}, {"id"', "no json file"),
        ("a.zip", b"PK\3\4 and no end", "breaks off"),
        ("a.parquet", b"PAR1 and no end", "breaks off"),
        ("a.jsonl", b'{"error": 1}\n{"id": 1}', "error message"),
        ("a.txt", b"\0\0", "no text"),
        ("a.json", b"[]", "there are no data"),
        ("a.json", b"{}", "there are no data"),
        ("a.json", b'"signed out"', "there are no data"),
        ("a.json", b"[1] [2]", "no json file"),
        ("a.json", b'{"id": NaN}', "no json file"),
        ("a.json", b'{"id": "\xff"}', "no json file"),
        ("a.json.part", b'{"Error": {"rows": 1}, "status": [404]}', "error message"),
        ("a.jsonl", b'{"detail": "none"}\n{"id": 1}', "error message"),
        ("a.jsonl.bad", b"signed out", "no jsonl file"),
    ],
)
def test_a_file_without_data_is_refused(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert problem in (implausible(tmp_path / name) or "")
