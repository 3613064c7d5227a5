"""Files are written whole or not at all, with the same bytes for the same content."""

from __future__ import annotations

import errno
import gzip
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from unittest.mock import Mock

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
    row_count,
    write_csv,
    write_jsonl,
    write_text,
)

pytestmark = pytest.mark.usefixtures("here")
PATH = Path("rows.jsonl")


def test_what_a_killed_process_left_of_a_file_goes_when_the_file_is_written():
    path = Path("file[1].txt")
    killed = (
        "import os, sys; from pathlib import Path; from divlogic.io.files import atomic_writer\n"
    )
    killed += "with atomic_writer(Path(sys.argv[1])) as stream: stream.write(b'half'); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", killed, path]).returncode == -9
    other = Path(".file[1].txt.gz.abcd1234.tmp")
    other.touch()
    assert len(list(Path().iterdir())) == 2
    write_text(path, "whole")
    assert path.read_text() == "whole"
    assert sorted(Path().iterdir()) == [other, path]


def test_a_file_that_is_being_written_is_not_taken_for_a_leftover():
    with atomic_writer(PATH) as stream:
        stream.write(b"first")
        write_text(PATH, "second")
        assert PATH.read_text() == "second"
    assert PATH.read_text() == "first"


def test_compressed_bytes_do_not_depend_on_the_time_or_the_name():
    write_jsonl(Path("a.jsonl.gz"), [{"x": 1}])
    time.sleep(1.1)
    write_jsonl(Path("b.jsonl.gz"), [{"x": 1}])
    assert file_sha256(Path("a.jsonl.gz")) == file_sha256(Path("b.jsonl.gz"))


def test_a_full_disk_is_told_as_a_sentence_and_leaves_the_old_file(monkeypatch):
    PATH.write_text("old")
    monkeypatch.setattr(
        files.os, "fsync", Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
    )
    with pytest.raises(DivLogicError, match=r"rows\.jsonl: the disk is full; free some space"):
        write_text(PATH, "new")
    assert PATH.read_text() == "old"
    assert list(Path().iterdir()) == [PATH]


@pytest.mark.parametrize(
    ("path", "told"),
    [("file/inner.txt", "could not be written"), (".", "this is a folder; name a file")],
)
def test_a_folder_in_the_way_is_told_as_a_sentence(path, told):
    Path("file").write_text("not a folder")
    with pytest.raises(DivLogicError, match=told):
        write_text(Path(path).absolute(), "x")
    assert list(Path().iterdir()) == [Path("file")]


def test_a_file_that_must_not_be_read_is_told_as_a_sentence(monkeypatch):
    PATH.write_text("{}\n")
    denied = Mock(side_effect=PermissionError(errno.EACCES, "Permission denied"))
    monkeypatch.setattr(files.Path, "open", denied)
    with pytest.raises(DivLogicError, match=r"rows\.jsonl: cannot be read \(Permission denied\)"):
        list(read_jsonl(PATH))


def test_rows_are_numbered_from_one_and_blank_lines_count():
    PATH.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert list(read_jsonl(PATH)) == [(1, {"a": 1}), (3, {"a": 2})]


PACKED = gzip.compress(b"".join(b'{"a": %d}\n' % number for number in range(1000)), mtime=0)
MALFORMED = [b'{"a": 1', b"[1, 2]", b"nonsense"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        *[
            ("a.jsonl", b'{"a": 1}\n' + row, r"a\.jsonl, row 2: .*fix or delete that row")
            for row in MALFORMED
        ],
        ("a.jsonl", None, "there is no such file"),
    ],
)
def test_what_cannot_be_read_is_told_as_a_sentence(name, content, told):
    if content is not None:
        Path(name).write_bytes(content)
    with pytest.raises(DivLogicError, match=told):
        list(read_jsonl(Path(name)))


DAMAGES = {
    "emptied": lambda packed: b"",
    "cut in its head": lambda packed: packed[:5],
    "cut in the middle": lambda packed: packed[: len(packed) // 2],
    "cut before its checksum": lambda packed: packed[:-8],
    "cut in its checksum": lambda packed: packed[:-2],
    "overwritten": lambda packed: packed[:40] + b"\xff" * 30,
    "one bit turned": lambda packed: packed[:60] + bytes([packed[60] ^ 1]) + packed[61:],
    "one bit of its checksum turned": lambda packed: (
        packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]
    ),
    "another file behind it": lambda packed: packed + b"text",
}
"""What happens to a compressed file: of each the sentence is wanted, and no row."""


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize(
    "read",
    [
        lambda path: next(read_jsonl(path)),
        lambda path: list(read_lines(path)),
        lambda path: copy_file(path, Path("copy")),
        row_count,
    ],
    ids=["first row", "all rows", "copy", "count"],
)
def test_no_row_of_a_damaged_compressed_file_is_read_and_the_sentence_says_what_to_do(damage, read):
    path = Path("a.jsonl.gz")
    path.write_bytes(damage(PACKED))
    with pytest.raises(
        DivLogicError, match=r"a\.jsonl\.gz: damaged gzip data .* delete it and run the"
    ):
        read(path)
    assert not Path("copy").exists()


@pytest.mark.parametrize(
    "damage", ["emptied", "cut in its head", "cut in the middle", "overwritten"]
)
def test_a_cut_or_overwritten_zstd_file_is_told(damage):
    path = Path("a.jsonl.zst")
    write_jsonl(path, [{"a": number} for number in range(1000)])
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(DivLogicError, match=r"a\.jsonl\.zst: damaged zstd data"):
        next(read_jsonl(path))


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz", "rows.jsonl.zst"])
@pytest.mark.parametrize("rows", [[], [{"row": number} for number in range(900)]], ids=len)
def test_what_was_written_is_read(name, rows):
    assert write_jsonl(Path(name), rows) == len(rows) == row_count(Path(name))
    assert [row for _, row in read_jsonl(Path(name))] == rows


def test_a_limit_on_the_size_of_files_is_a_sentence_and_leaves_nothing():
    code = (
        "from pathlib import Path\nfrom divlogic.io.files import write_jsonl\n"
        "write_jsonl(Path('rows.jsonl'), ({'row': n} for n in range(9999)))"
    )
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (4096, 4096))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, preexec_fn=limit
    )
    assert "rows.jsonl: larger than a file may be here; raise the limit (ulimit -f)" in done.stderr
    assert list(Path().iterdir()) == []


def test_malformed_rows_can_be_collected_instead():
    PATH.write_text('{"a": 1}\nx\n{"a": 2}\n')
    problems = []
    rows = list(read_jsonl(PATH, on_problem=lambda number, text: problems.append(number)))
    assert [row["a"] for _, row in rows] == [1, 2]
    assert problems == [2]


def test_text_that_is_not_utf8_is_named_with_its_row():
    PATH.write_bytes(b"fine\ncaf\xe9\n")
    with pytest.raises(DivLogicError, match=r"rows\.jsonl, row 2: not valid UTF-8"):
        list(read_lines(PATH))
    assert [line for _, line in read_lines(PATH, encoding="iso-8859-1")] == ["fine", "café"]


def test_a_table_has_unix_lines_and_empty_cells_for_none():
    write_csv(Path("t.csv"), ["a", "b"], [[1, None], ["x,y", 2.5]])
    assert Path("t.csv").read_bytes() == b'a,b\n1,\n"x,y",2.5\n'


def test_a_copy_is_equal():
    Path("a").write_bytes(b"\x00\xffbytes")
    copy_file(Path("a"), Path("b"))
    assert Path("b").read_bytes() == b"\x00\xffbytes"


def test_a_json_file_without_a_field_is_named():
    PATH.write_text('{"rows": []}')
    assert read_json(PATH, "rows") == {"rows": []}
    with pytest.raises(DivLogicError, match=r"rows.jsonl: the field 'about' is missing"):
        read_json(PATH, "about", "rows")
