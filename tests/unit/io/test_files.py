"""Files are written whole or not at all, with the same bytes for the same content."""

from __future__ import annotations

import errno
import gzip
import subprocess
import sys
import time

import pytest

from divlogic.errors import DivLogicError
from divlogic.io import files
from divlogic.io.files import (
    atomic_writer,
    copy_file,
    file_sha256,
    read_json,
    read_jsonl,
    read_lines,
    write_csv,
    write_jsonl,
    write_text,
)


def test_what_a_killed_process_left_of_a_file_goes_when_the_file_is_written(tmp_path):
    path = tmp_path / "file[1].txt"
    killed = "import os, sys; from pathlib import Path; from divlogic.io.files import atomic_writer\n"
    killed += (
        "with atomic_writer(Path(sys.argv[1])) as stream: stream.write(b'half'); os.kill(os.getpid(), 9)"
    )
    assert subprocess.run([sys.executable, "-c", killed, path]).returncode == -9
    other = tmp_path / ".file[1].txt.gz.abcd1234.tmp"
    other.touch()
    assert len(list(tmp_path.iterdir())) == 2
    write_text(path, "whole")
    assert path.read_text() == "whole"
    assert sorted(tmp_path.iterdir()) == [other, path]


def test_a_file_that_is_being_written_is_not_taken_for_a_leftover(tmp_path):
    path = tmp_path / "file.txt"
    with atomic_writer(path) as stream:
        stream.write(b"first")
        write_text(path, "second")
        assert path.read_text() == "second"
    assert path.read_text() == "first"


def test_compressed_bytes_do_not_depend_on_the_time_or_the_name(tmp_path):
    write_jsonl(tmp_path / "a.jsonl.gz", [{"x": 1}])
    time.sleep(1.1)
    write_jsonl(tmp_path / "b.jsonl.gz", [{"x": 1}])
    assert file_sha256(tmp_path / "a.jsonl.gz") == file_sha256(tmp_path / "b.jsonl.gz")


def test_a_full_disk_is_told_as_a_sentence_and_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "file.txt"
    path.write_text("old")

    def full(_descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(DivLogicError, match=r"file\.txt: the disk is full; free some space"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_in_the_way_is_told_as_a_sentence(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(DivLogicError, match="could not be written"):
        write_text(tmp_path / "file" / "inner.txt", "x")
    with pytest.raises(DivLogicError, match="this is a folder; name a file"):
        write_text(tmp_path, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_that_must_not_be_read_is_told_as_a_sentence(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    path.write_text("{}\n")

    def denied(*_args, **_options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(files.Path, "open", denied)
    with pytest.raises(DivLogicError, match=r"rows\.jsonl: cannot be read \(Permission denied\)"):
        list(read_jsonl(path))


def test_rows_are_numbered_from_one_and_blank_lines_count(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert list(read_jsonl(path)) == [(1, {"a": 1}), (3, {"a": 2})]


@pytest.mark.parametrize("row", ['{"a": 1', "[1, 2]", "nonsense"])
def test_a_malformed_row_is_named(tmp_path, row):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\n' + row + "\n")
    with pytest.raises(DivLogicError, match=r"rows\.jsonl, row 2: .*fix or delete that row"):
        list(read_jsonl(path))


def test_malformed_rows_can_be_collected_instead(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"a": 1}\nx\n{"a": 2}\n')
    problems = []
    rows = list(read_jsonl(path, on_problem=lambda number, text: problems.append(number)))
    assert [row["a"] for _, row in rows] == [1, 2]
    assert problems == [2]


def test_text_that_is_not_utf8_is_named_with_its_row(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(DivLogicError, match=r"text\.txt, row 2: not valid UTF-8"):
        list(read_lines(path))
    assert [line for _, line in read_lines(path, encoding="iso-8859-1")] == ["fine", "café"]


@pytest.mark.parametrize("cut", [20, 40])
def test_broken_compression_is_told_as_a_sentence(tmp_path, cut):
    path = tmp_path / "rows.jsonl.gz"
    whole = gzip.compress(b"".join(b'{"a": %d}\n' % number for number in range(1000)))
    path.write_bytes(whole[:cut] + (b"\xff" * 30 if cut == 40 else b""))
    with pytest.raises(DivLogicError, match="broken gzip data"):
        list(read_jsonl(path))


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(DivLogicError, match="there is no such file"):
        list(read_jsonl(tmp_path / "absent.jsonl"))


def test_a_table_has_unix_lines_and_empty_cells_for_none(tmp_path):
    write_csv(tmp_path / "t.csv", ["a", "b"], [[1, None], ["x,y", 2.5]])
    assert (tmp_path / "t.csv").read_bytes() == b'a,b\n1,\n"x,y",2.5\n'


def test_a_copy_is_equal(tmp_path):
    (tmp_path / "a").write_bytes(b"\x00\xffbytes")
    copy_file(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").read_bytes() == b"\x00\xffbytes"


def test_a_json_file_without_a_field_is_named(tmp_path):
    path = tmp_path / "kept.json"
    path.write_text('{"rows": []}')
    assert read_json(path, "rows") == {"rows": []}
    with pytest.raises(DivLogicError, match=r"kept.json: the field 'about' is missing"):
        read_json(path, "about", "rows")
