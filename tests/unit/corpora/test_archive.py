"""Files from outside: unpacking of a zip, and what a file of unknown checksum is taken for."""

from __future__ import annotations

import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from divlogic.corpora.download import implausible, unpack
from divlogic.errors import DivLogicError

ZIP, OUT = Path("a.zip"), Path("deep/out")


def archive(members: dict[Any, bytes], compression: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(ZIP, "w", compression) as target:
        for name, content in members.items():
            target.writestr(name, content)


def refused(problem: str, *members: str) -> None:
    """Unpack the zip, which must be refused and leave no more than may be of it."""
    with pytest.raises(DivLogicError, match=problem):
        unpack(ZIP, OUT, members=list(members), limit=1000)
    assert sum(file.stat().st_size for file in OUT.rglob("*")) <= 1000


def link() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo("link")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def change_headers(local: int, central: int, value: bytes) -> None:
    """Write over a field of the first member, which stands at one offset of each of its two headers."""
    content = ZIP.read_bytes()
    for at in (local, content.index(b"PK\x01\x02") + central):
        content = content[:at] + value + content[at + len(value) :]
    ZIP.write_bytes(content)


def test_all_files_are_unpacked_where_no_member_is_named() -> None:
    archive({"d/": b"", "d/a": b"1", "b": b"2"})
    assert unpack(ZIP, OUT, members=[], limit=2) == ["d/a", "b"]
    assert (OUT / "d" / "a").read_bytes() == b"1"


def test_only_the_named_members_are_unpacked() -> None:
    archive({"a": b"1", "b": b"2" * 1000})
    unpack(ZIP, OUT, members=["a"], limit=1)
    assert list(OUT.iterdir()) == [OUT / "a"]


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
def test_a_zip_that_may_not_be_unpacked_leaves_nothing(content, wanted, problem):
    archive(content)
    refused(problem, *wanted)
    assert [file.name for file in Path().rglob("*")] == ["a.zip"]


def test_a_member_name_that_occurs_twice_is_refused() -> None:
    with zipfile.ZipFile(ZIP, "w") as target:
        target.writestr("a", "1")
        with pytest.warns(UserWarning, match="Duplicate name"):
            target.writestr("a", "2")
    refused("the same name")


@pytest.mark.parametrize(
    ("size", "fields", "problem"),
    [(1_000_000, (22, 24, struct.pack("<I", 10)), "zip"), (1, (6, 8, b"\1"), "encrypted")],
    ids=["which lies about its size", "which is encrypted"],
)
def test_a_member_is_refused(size: int, fields: tuple[int, int, bytes], problem: str) -> None:
    archive({"a": b"0" * size})
    change_headers(*fields)
    refused(problem)


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[: len(content) * 9 // 10],
        lambda content: content.replace(b"hello hello", b"hellO hello"),  # found by its checksum
    ],
)
def test_a_truncated_or_spoilt_zip_is_said_to_be_one(spoilt: Callable[[bytes], bytes]) -> None:
    archive({"a": b"hello hello hello", "b": bytes(range(256))}, zipfile.ZIP_STORED)
    ZIP.write_bytes(spoilt(ZIP.read_bytes()))
    refused("not a whole zip file")


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
def test_a_file_with_data_is_taken(name: str, content: bytes) -> None:
    (Path(name)).write_bytes(content)
    assert implausible(Path(name)) is None


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
def test_a_file_without_data_is_refused(name: str, content: bytes, problem: str) -> None:
    (Path(name)).write_bytes(content)
    assert problem in (implausible(Path(name)) or "")
