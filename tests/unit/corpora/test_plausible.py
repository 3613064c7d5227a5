"""What a file of unknown checksum is taken for, by its form alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from divlogic.corpora.download import implausible


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
