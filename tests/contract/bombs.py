"""Files and replies that are small and cost much, or say of themselves what is not so; each with what must be said.

``python -m tests.contract.bombs KIND PATH`` reads one, as the process that the test limits and measures.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

ROW = b'{"id": "q1", "context": "A cat sits.", "question": "What sits?", "options": ["cat", "dog"], "answer": 0}\n'
OPEN = b'{"id": "q2", "context": "c", "question": "q", "options": ["a", "b"], "answer": 0, "x": '
MIB = 1 << 20

PACKED = r"unpacks to more than .* MiB"
DEEP = r"nested deeper than 100 levels"
PARTS = r"one JSON value of more than 5,000,000 parts"
ENDLESS = r"MiB without the end of a line"
NO_TABLE = r"not (an Arrow stream|a parquet file) \(.*export it again, or as csv"
SHEET = r"a sheet of more than .* rows or .* cells, empty ones included"


def _zstd(blocks: list[bytes]) -> bytes:
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdCompressor
    else:
        from backports.zstd import ZstdCompressor
    packer = ZstdCompressor(level=3)
    return b"".join([*map(packer.compress, blocks), packer.flush()])


def _gzip(blocks: list[bytes], wbits: int = 31) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return b"".join([*map(packer.compress, blocks), packer.flush()])


def _zip(*members: tuple[str, list[bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, blocks in members:
            with archive.open(name, "w", force_zip64=True) as stream:
                for block in blocks:
                    stream.write(block)
    return packed.getvalue()


def _overlapping(copies: int) -> bytes:
    """Return a zip whose many entries all name the bytes of one member."""
    packed = _zip(("0.jsonl", [ROW, b"\n" * (60 * MIB)]))
    start = packed.rindex(b"PK\x01\x02")
    end = packed.rindex(b"PK\x05\x06")
    entry = packed[start:end]
    entries = b"".join(entry.replace(b"0.jsonl", b"%c.jsonl" % (48 + n)) for n in range(copies))
    tail = packed[end:]
    tail = tail[:8] + struct.pack("<HHII", copies, copies, len(entries), start) + tail[20:]
    return packed[:start] + entries + tail


def _sheet(
    data: bytes, *, dimension: bytes = b"A1:D3", strings: list[bytes] | None = None
) -> bytes:
    """Return a workbook with two questions, and ``data`` below them."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["question", "A", "B", "answer"], ["q1", "a", "b", "A"], ["q2", "c", "d", "B"]):
        book.active.append(row)
    plain, packed = io.BytesIO(), io.BytesIO()
    book.save(plain)
    with (
        zipfile.ZipFile(plain) as source,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as out,
    ):
        for name in source.namelist():
            content = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = content.replace(b"</sheetData>", data + b"</sheetData>")
                content = re.sub(rb'(<dimension ref=")[^"]*', rb"\g<1>" + dimension, content)
            if name == "xl/worksheets/sheet1.xml" and strings:
                before, mark, after = content.partition(b"</sheetData>")
                cell = b'<row r="4"><c r="A4" t="inlineStr"><is><t>'
                with out.open(name, "w") as stream:
                    for block in (before, cell, *strings, b"</t></is></c></row>", mark, after):
                        stream.write(block)
                continue
            out.writestr(name, content)
    return packed.getvalue()


def _entities(levels: int) -> bytes:
    """Return a workbook whose strings are made of entities of entities."""
    packed, out = io.BytesIO(_sheet(b"")), io.BytesIO()
    named = b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, levels))
    doctype = b'<!DOCTYPE x [<!ENTITY a0 "lollollol">' + named + b"]>"
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if b">q1<" in content:
                content = doctype + content.replace(b">q1<", b">&a%d;<" % (levels - 1))
            target.writestr(name, content)
    return out.getvalue()


def _table() -> Any:
    import pyarrow as pa

    return pa.table(
        {
            "question": [f"q{n}" for n in range(8)],
            "A": ["a"] * 8,
            "B": ["b"] * 8,
            "answer": ["A", "B"] * 4,
        }
    )


def _stream(table: Any, **options: Any) -> bytes:
    import pyarrow as pa

    out = io.BytesIO()
    with pa.ipc.new_stream(out, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return out.getvalue()


def _lying(place: int, offset: int) -> Callable[[], bytes]:
    """Return what makes an Arrow stream one of whose offsets is another one."""

    def make() -> bytes:
        content = bytearray(_stream(_table()))
        start = content.find(struct.pack("<9i", *range(0, 18, 2))) + 4 * place
        content[start : start + 4] = struct.pack("<i", offset)
        return bytes(content)

    return make


def _parquet(make: Callable[[], Any], **options: Any) -> Callable[[], bytes]:
    def written() -> bytes:
        import pyarrow.parquet as pq

        out = io.BytesIO()
        pq.write_table(make(), out, compression="zstd", **options)
        return out.getvalue()

    return written


def _repeated(rows: int, length: int) -> Any:
    """Return a table in which all rows share one long text."""
    import pyarrow as pa

    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), ["x" * length])
    same = {name: pa.array([name] * rows) for name in ("A", "B")}
    return pa.table({"question": text, **same, "answer": pa.array(["A"] * rows)})


def _listed(rows: int, values: int) -> Any:
    """Return a table in which a row holds a list of many values that pack to nothing."""
    import pyarrow as pa

    offsets = pa.array([n * values for n in range(rows + 1)], pa.int32())
    lists = pa.ListArray.from_arrays(offsets, pa.array([True]).take(pa.array([0] * rows * values)))
    texts = {name: pa.array([name] * rows) for name in ("question", "A", "B", "answer")}
    return pa.table({**texts, "more": lists})


def _many_rows(rows: int) -> Any:
    import numpy as np
    import pyarrow as pa

    zeros = pa.array(np.zeros(rows, np.int32))
    return pa.table(
        {
            name: pa.DictionaryArray.from_arrays(zeros, ["a"])
            for name in ("question", "A", "B", "answer")
        }
    )


def _truncated(make: Callable[[], bytes], kept: float) -> Callable[[], bytes]:
    def cut() -> bytes:
        content = make()
        return content[: int(len(content) * kept)]

    return cut


def _blank(mib: int, block: bytes = b" ") -> list[bytes]:
    return [block * (MIB // len(block))] * mib


def _list(inner: bytes) -> bytes:
    return b"[" + ROW.strip() + b"," + inner + b"]"


def _reply(text: bytes) -> bytes:
    return b'{"choices": [{"message": {"content": "A"}, "x": ' + text + b"}]}"


PARQUET = _parquet(_table)
FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    # Packed.
    "blanks.jsonl.gz": (lambda: _gzip([ROW, *_blank(600)]), PACKED),
    "lines.jsonl.gz": (lambda: _gzip([ROW, *_blank(600, b"\n")]), PACKED),
    "rows.jsonl.gz": (lambda: _gzip([ROW * 10_000] * 300), PACKED),
    "blanks.jsonl.zst": (lambda: _zstd([ROW, *_blank(2000)]), PACKED),
    "lines.csv.zst": (
        lambda: _zstd([b"question,A,B,answer\nq,a,b,A\n", *_blank(2000, b"\n")]),
        PACKED,
    ),
    "list.json.zst": (lambda: _zstd([b"[" + ROW, *_blank(2000), b"]"]), PACKED),
    "elements.json.zst": (lambda: _zstd([b"[1", *_blank(1000, b",1"), b"]"]), PACKED),
    "text.txt.zst": (lambda: _zstd([b"A\n", *_blank(2000, b"word \n")]), PACKED),
    "table.parquet.zst": (lambda: _zstd([PARQUET(), *_blank(2000, b"\0")]), PACKED),
    "table.arrow.gz": (lambda: _gzip([_stream(_table()), *_blank(600, b"\0")]), PACKED),
    "book.xlsx.zst": (lambda: _zstd([_sheet(b""), *_blank(2000, b"\0")]), PACKED),
    "twice.zip": (lambda: _zip(("a.jsonl.zst", [_zstd([ROW, *_blank(2000)])])), PACKED),
    "one.zip": (lambda: _zip(("a.jsonl", [ROW, *_blank(600, b"\n")])), PACKED),
    "five.zip": (lambda: _zip(*((f"{n}.jsonl", [ROW, *_blank(60)]) for n in range(5))), PACKED),
    "overlapping.zip": (lambda: _overlapping(20), PACKED),
    "members.zip": (
        lambda: _zip(*((f"{n}.jsonl", [ROW]) for n in range(10_001))),
        "holds 10,001 data files",
    ),
    # JSON.
    "deep_200000.json": (lambda: _list(OPEN + b"[" * 200_000 + b"]" * 200_000 + b"}"), DEEP),
    "deep_3000.json": (lambda: _list(OPEN + b"[" * 3000 + b"]" * 3000 + b"}"), DEEP),
    "deep_101.json": (lambda: _list(OPEN + b"[" * 101 + b"]" * 101 + b"}"), DEEP),
    "deep_objects.json": (lambda: b'{"a": ' * 50_000 + b"1" + b"}" * 50_000, DEEP),
    "deep_line.jsonl": (lambda: OPEN + b"[" * 900 + b"]" * 900 + b"}\n", DEEP),
    "deep_nan.jsonl": (lambda: OPEN + b"[" * 900 + b"NaN" + b"]" * 900 + b"}\n", DEEP),
    "deep_open.json": (lambda: b"[" * 1_000_000, DEEP),
    "deep_names.json": (lambda: b'[{"\\"[": ' * 5000, DEEP),
    "parts.json": (lambda: _list(OPEN + b"[" + b"[]," * 10_000_000 + b"[]]}"), PARTS),
    "parts_object.json": (lambda: b'{"question": [' + b"{}," * 10_000_000 + b"{}]}", PARTS),
    "parts_line.jsonl": (
        lambda: OPEN + b"[" + b"[]," * 10_000_000 + b"[]]}\n" + ROW,
        r"records=1, malformed=1, .*row 1: " + PARTS,
    ),
    "endless.jsonl": (lambda: OPEN + b'"' + b"x" * (70 * MIB) + b'"}\n', ENDLESS),
    # Tables.
    "columns.csv": (lambda: b",".join(b"c%d" % n for n in range(100_000)) + b"\nq\n", "columns"),
    "cell.csv": (
        lambda: b'question,A,B,answer\n"' + b"a b c, d\n" * 2_200_000 + b'",x,y,A\nq,x,y,B\n',
        "row 1: a cell of more than 16 MiB",
    ),
    "endless.csv": (lambda: b'question,A,B,answer\n"' + b"x" * (70 * MIB), ENDLESS),
    "shared.parquet": (_parquet(lambda: _repeated(200, 8 * MIB), store_schema=False), PACKED),
    "shared_kept.parquet": (_parquet(lambda: _repeated(200, 8 * MIB)), "MiB"),
    "lists.parquet": (_parquet(lambda: _listed(4, 3_000_000)), "values"),
    "rows.parquet": (_parquet(lambda: _many_rows(4_000_000)), "more rows than bytes"),
    "half.parquet": (_truncated(PARQUET, 0.5), NO_TABLE),
    "lie_200M.arrow": (_lying(8, 200_000_000), NO_TABLE),
    "lie_2G.arrow": (_lying(8, 2_000_000_000), NO_TABLE),
    "lie_negative.arrow": (_lying(4, -100_000), NO_TABLE),
    "lie_6000.arrow": (_lying(8, 6000), NO_TABLE),
    "lie_back.arrow": (_lying(5, 1), NO_TABLE),
    "shared.arrow": (lambda: _stream(_repeated(200, 8 * MIB), compression="zstd"), "MiB"),
    "zeros.arrow": (lambda: _stream(_many_rows(30_000_000), compression="zstd"), "MiB|rows"),
    "half.arrow": (_truncated(lambda: _stream(_table()), 0.7), NO_TABLE),
    # Workbooks.
    "far_cell.xlsx": (
        lambda: _sheet(b'<row r="20000"><c r="XFD20000"/></row>', dimension=b"A1:XFD20000"),
        "2 records|^read",
    ),
    "far_row.xlsx": (lambda: _sheet(b'<row r="999999999"><c r="A999999999"/></row>'), SHEET),
    "wide_rows.xlsx": (
        lambda: _sheet(
            b"".join(b'<row r="%d"><c r="XFD%d"/></row>' % (n, n) for n in range(4, 9000))
        ),
        SHEET,
    ),
    "dimension.xlsx": (lambda: _sheet(b"", dimension=b"A1:XFD1048576"), "^read"),
    "strings.xlsx": (lambda: _sheet(b"", strings=_blank(400, b"A")), "unpacked it is larger"),
    "entities.xlsx": (lambda: _entities(10), "not an xlsx workbook|damaged"),
    "deep.xlsx": (lambda: _sheet(b"<a>" * 200_000 + b"</a>" * 200_000), "."),
}
REPLIES: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "zstd": (lambda: _zstd(_blank(3000, b"\0")), "zstd", "larger than 16 MiB"),
    "gzip": (lambda: _gzip(_blank(600, b"\0")), "gzip", "larger than 16 MiB"),
    "deflate": (lambda: _gzip(_blank(600, b"\0"), 15), "deflate", "larger than 16 MiB"),
    "gzip_gzip": (lambda: _gzip([_gzip(_blank(600, b"\0"))]), "gzip, gzip", "larger than 16 MiB"),
    "gzip_zstd": (lambda: _zstd([_gzip(_blank(600, b"\0"))]), "gzip, zstd", "larger than 16 MiB"),
    "plain": (lambda: b" " * (17 * MIB), "", "larger than 16 MiB"),
    "brotli": (lambda: b"\0" * 100, "br", "packed with 'br'"),
    "deep": (lambda: _reply(b"[" * 200_000 + b"]" * 200_000), "", DEEP),
    "parts": (lambda: _reply(b"[" + b"[]," * 5_000_000 + b"[]]"), "", PARTS),
    "escapes": (
        lambda: b'{"error": {"message": "\\u001b[2J\\u0007\\u009b1m\\u202eabc"}}',
        "",
        r"\\x1b\[2J\\x07\\x9b1m\\u202eabc",
    ),
    "keys": (lambda: json.dumps({"error": {"message": "sk-" * 2_000_000}}).encode(), "", r"\*\*\*"),
    "colons": (lambda: json.dumps({"error": {"message": "a-" * 4_000_000}}).encode(), "", "a-a"),
}


def make(name: str, folder: Path) -> tuple[str, Path, str]:
    """Write a bomb into a folder; return its kind, its path and what must be said of it."""
    if name in FILES:
        build, said = FILES[name]
        kind, path = "file", folder / name
    else:
        build, encoding, said = REPLIES[name.removeprefix("reply ")]
        kind, path = encoding or "identity", folder / "reply"
    path.write_bytes(build())
    return kind, path, said


class _Reply:
    def __init__(self, content: bytes, encoding: str) -> None:
        self._content, self.headers = content, {"content-encoding": encoding}

    async def aiter_raw(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._content), 1 << 16):
            yield self._content[start : start + (1 << 16)]


def read(kind: str, path: Path) -> str:
    """Read a bomb as the package does, and return what is said of it."""
    from divlogic.errors import DivLogicError

    if kind == "file":
        from divlogic.benchmarks.readers.importing import import_records

        try:
            report = import_records(path, path.with_name(f"{path.name}.out.jsonl"))
        except DivLogicError as error:
            return str(error)
        return f"read; {report}"
    from divlogic.models import provider
    from divlogic.models.replies import ServerError, failure_of

    try:
        body = asyncio.run(provider._read(_Reply(path.read_bytes(), kind)))
        return f"read; {provider._output('m', body)}"
    except ServerError as error:
        return failure_of(error).words


if __name__ == "__main__":
    sys.stdout.buffer.write(read(sys.argv[1], Path(sys.argv[2])).encode())
