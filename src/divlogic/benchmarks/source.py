"""Where published rows come from: plain, gzipped or zipped files of JSON lines, JSON documents or CSV."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, islice
from pathlib import Path
from typing import IO, Any

from divlogic.benchmarks.columns import find_columns, plain_value
from divlogic.errors import DivLogicError

SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".arrow")
"""What a data file may be called, before an optional ``.gz``."""

TABLES = (".csv", ".tsv")
"""Files of separated values; the separator is read off the header."""

DELIMITERS = ",;\t|"

_SPLITS = (("train", "train"), ("val", "validation"), ("dev", "validation"), ("test", "test"))
_BOM = b"\xef\xbb\xbf"
_LINE_LIMIT, _DOCUMENT_LIMIT = 64 << 20, 1 << 30
_MOST_COLUMNS = 2000
_CELL_LIMIT = 1 << 24  # the longest CSV cell read; the module's own limit of 128 KiB is too small for proofs


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that could not be used: which file, which row (number or key), and why."""

    path: str
    row: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}, row {self.row}: {self.reason}"


OnProblem = Callable[[Problem], None]
"""Called for a malformed row, which is then skipped."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a benchmark, on disk or inside a zip archive."""

    path: Path
    member: str | None = None
    columns: tuple[tuple[str, str], ...] = ()
    """Fields of a record and the columns that the user says hold them."""

    @property
    def name(self) -> str:
        """Return the file's own name, without folders and without ``.gz``."""
        return Path(self.member or self.path).name.removesuffix(".gz")

    @property
    def stem(self) -> str:
        """Return the name up to its last full stop; of an Arrow file with the folder, which may be named by a split."""
        stem = self.name.rsplit(".", 1)[0]
        return f"{self.folder}-{stem}" if self.name.endswith(".arrow") else stem

    @property
    def folder(self) -> str:
        """Return the name of the folder that holds the file."""
        return Path(self.member or self.path).parent.name

    @property
    def split(self) -> str:
        """Return the split that the file's name tells (``test`` if it tells none)."""
        words = re.split(r"[^a-z]+", self.stem.lower())
        for start, split in _SPLITS:
            if any(word.startswith(start) for word in words):
                return split
        return "test"

    def __str__(self) -> str:
        return f"{self.path}:{self.member}" if self.member else str(self.path)

    def sibling(self, name: str) -> SourceFile:
        """Return the file called ``name`` in the same folder or archive folder (whether it exists or not)."""
        if self.member is None:
            return SourceFile(self.path.with_name(name))
        return SourceFile(self.path, str(Path(self.member).with_name(name)))

    def exists(self) -> bool:
        """Return whether there is such a file or archive member."""
        if self.member is None:
            return self.path.is_file()
        with zipfile.ZipFile(self.path) as archive:
            return self.member in archive.namelist()

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file's (unpacked) bytes."""
        if not self.path.is_file():
            raise DivLogicError(f"{self.path}: there is no such file; check the path or fetch the benchmark.")
        try:
            with contextlib.ExitStack() as stack:
                raw: Any = stack.enter_context(self.path.open("rb"))
                if self.member is not None:
                    archive = stack.enter_context(zipfile.ZipFile(raw))
                    raw = stack.enter_context(self._opened(archive, self.member))
                if Path(self.member or self.path).suffix == ".gz":
                    raw = stack.enter_context(gzip.GzipFile(fileobj=raw, mode="rb"))
                yield raw
        except (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error) as error:
            raise DivLogicError(f"{self}: broken archive ({error}); fetch the file again.") from error

    def _opened(self, archive: zipfile.ZipFile, member: str) -> IO[bytes]:
        try:
            return archive.open(member)
        except RuntimeError as error:  # encrypted, or compressed by a method that Python does not know
            raise DivLogicError(
                f"{self}: cannot be unpacked here ({error}); unpack the archive, and name its folder."
            ) from error


def source_files(path: Path) -> list[SourceFile]:
    """List the data files under ``path``: a file is itself, a folder or a zip archive all it holds, sorted."""
    path = Path(path)
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.is_file() and _is_data(file.name))
        files = [SourceFile(file) for file in found]
    elif path.suffix == ".zip" and path.is_file():
        try:
            with zipfile.ZipFile(path) as archive:
                names = sorted(filter(_is_data, archive.namelist()))
        except zipfile.BadZipFile as error:
            raise DivLogicError(f"{path}: broken zip archive ({error}); fetch the file again.") from error
        files = [SourceFile(path, name) for name in names if "__MACOSX" not in name]
    elif path.is_file():
        files = [SourceFile(path)]
    else:
        raise DivLogicError(f"{path}: no such file or folder; check the path or fetch the benchmark.")
    if not files:
        raise DivLogicError(f"{path}: holds no data file ({', '.join(SUFFIXES)}); check the path.")
    return files


def rows(
    file: SourceFile, *, encoding: str = "utf-8-sig", on_problem: OnProblem | None = None
) -> Iterator[tuple[str, Any]]:
    """Yield (row name, value) in file order, one row in memory at a time.

    A row is a CSV row (as a dict), a line of JSON, an element of a JSON list, or an item of a JSON object;
    its name is its number from 1 (CSV: the first line after the header is row 1), or the item's key.

    Raises:
        DivLogicError: the file cannot be read, a JSON document breaks off, or, without ``on_problem``,
            a line is malformed.
    """
    renamed = {column: field for field, column in file.columns if column != "none"}
    for name, row in _rows(file, encoding, on_problem):
        if renamed and isinstance(row, dict):
            row = {renamed.get(column, column): cell for column, cell in row.items()}
        yield name, row


def _rows(file: SourceFile, encoding: str, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    if file.name.endswith((".parquet", ".arrow")):
        yield from _arrow_rows(file)
    elif file.name.endswith(".xlsx"):
        with file.open() as stream:
            content = _whole(stream, file)
        yield from sheet_rows(str(file), content, lambda row, why: report(file, row, why, on_problem))
    elif file.name.endswith(TABLES):
        yield from _csv_rows(file, encoding, on_problem)
    elif _is_document(file):
        yield from _document_rows(file)
    else:
        yield from _line_rows(file, on_problem)


def report(file: SourceFile, row: str, reason: str, on_problem: OnProblem | None) -> None:
    """Hand a malformed row to ``on_problem``, or raise it as an error where there is none."""
    problem = Problem(str(file), row, reason)
    if on_problem is None:
        raise DivLogicError(f"{problem}; fix or delete that row.")
    on_problem(problem)


class _Bounded(io.RawIOBase):
    """A stream that ends with an error where too much comes without the end of a line; a few KiB may unpack to that."""

    def __init__(self, stream: IO[bytes], file: SourceFile, limit: int) -> None:
        self._stream, self._file, self._limit = stream, file, limit
        self._since = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer))
        buffer[: len(block)] = block
        last = max(block.rfind(b"\n"), block.rfind(b"\r"))
        self._since = len(block) - last - 1 if last >= 0 else self._since + len(block)
        if self._since > self._limit:
            raise DivLogicError(
                f"{self._file}: more than {self._limit >> 20:,} MiB without the end of a line; no data set is like"
                " that, fetch or export it again."
            )
        return len(block)


def _bounded(stream: IO[bytes], file: SourceFile, limit: int) -> io.BufferedReader[Any]:
    return io.BufferedReader(_Bounded(stream, file, limit), buffer_size=1 << 18)


def _whole(stream: IO[bytes], file: SourceFile) -> bytes:
    content = stream.read(_DOCUMENT_LIMIT + 1)
    if len(content) > _DOCUMENT_LIMIT:
        raise DivLogicError(f"{file}: larger than {_DOCUMENT_LIMIT >> 30} GiB; unpack it, or save it as csv.")
    return content


def _is_data(name: str) -> bool:
    return name.removesuffix(".gz").endswith(SUFFIXES) and not Path(name).name.startswith((".", "~$"))


def _is_document(file: SourceFile) -> bool:
    """Tell a JSON document (list or object of rows) from JSON lines."""
    with file.open() as stream:
        first = stream.readline(_LINE_LIMIT).lstrip(_BOM + b" \t")
        while first.isspace():
            first = stream.readline(_LINE_LIMIT).lstrip()
        if first.startswith(b"["):
            return True
        if not file.name.endswith(".json"):
            return False
        try:
            complete = isinstance(json.loads(first), dict)
        except (ValueError, RecursionError):
            return True  # an object over several lines, or one that only the reader of documents can take in
        return not complete or not stream.readline(_LINE_LIMIT).strip()


def _line_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    import orjson

    with file.open() as stream:
        for number, raw in enumerate(_bounded(stream, file, _LINE_LIMIT), start=1):
            line = raw.removeprefix(_BOM) if number == 1 else raw
            if not line.strip():
                continue
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                report(file, str(number), f"not valid JSON ({error.msg})", on_problem)
                continue
            yield str(number), value


def _csv_rows(file: SourceFile, encoding: str, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    csv.field_size_limit(_CELL_LIMIT)
    encoding = detected_encoding(file) if encoding == "utf-8-sig" else encoding
    with (
        file.open() as stream,
        io.TextIOWrapper(_bounded(stream, file, _LINE_LIMIT), encoding=encoding, newline="") as text,
    ):
        delimiter = delimiter_of(file, encoding)
        reader = csv.DictReader(text, fieldnames=_header(file, encoding, delimiter), delimiter=delimiter)
        number = 0
        _check_width(file, reader, encoding)
        while True:
            number += 1
            try:
                row = next(reader, None)
            except UnicodeDecodeError as error:
                raise DivLogicError(
                    f"{file}, row {number}: not valid {encoding.upper()} ({error.reason}); convert the file to UTF-8."
                ) from error
            except csv.Error as error:
                report(file, str(number), f"not valid CSV ({error})", on_problem)
                continue
            if row is None:
                return
            if None in row or None in row.values():
                columns = len(reader.fieldnames or ())
                report(file, str(number), f"does not have the header's {columns} columns", on_problem)
                continue
            yield str(number), row


@lru_cache(maxsize=8)
def detected_encoding(file: SourceFile) -> str:
    """Return the encoding of a text file: UTF-8 if all of it is, else UTF-16 or what spreadsheets write on Windows."""
    with file.open() as stream:
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        try:
            while block := stream.read(1 << 20):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            pass
        else:
            return "utf-8-sig"
    with file.open() as stream:
        return "utf-16" if stream.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "cp1252"


def _header(file: SourceFile, encoding: str, delimiter: str) -> list[str] | None:
    """Return the columns of a table of questions that has no header (MMLU's); ``None``: its first line is the header.

    Such a line is a question, two options or more, and the letter of one of them.
    """
    with (
        file.open() as stream,
        io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="") as text,
    ):
        try:
            first = next(csv.reader(io.StringIO(text.readline(_LINE_LIMIT)), delimiter=delimiter), [])
        except csv.Error:
            return None
    letters = "ABCDEFGHIJ"[: max(0, len(first) - 2)]
    if not 2 <= len(letters) <= 10 or first[-1].strip() not in tuple(letters) or find_columns(first):
        return None
    return ["question", *letters, "answer"]


def _check_width(file: SourceFile, reader: csv.DictReader[str], encoding: str) -> None:
    """Refuse a table with more columns than questions could have: a line of it is no question."""
    try:
        width = len(reader.fieldnames or ())
    except (csv.Error, UnicodeDecodeError):
        return  # reported with the first row
    if width > _MOST_COLUMNS:
        raise DivLogicError(
            f"{file}: the first line has {width:,} columns, more than the {_MOST_COLUMNS:,} that are read; give each"
            " question a line and each of its parts a column."
        )


def delimiter_of(file: SourceFile, encoding: str = "utf-8-sig") -> str:
    """Return the character that separates the columns: the one that the header line has most often outside quotes."""
    with file.open() as stream:
        header = stream.readline(_LINE_LIMIT).decode(encoding, "replace")
    bare = re.sub(r'"[^"]*"', "", header)
    return max(DELIMITERS, key=lambda mark: (bare.count(mark), -DELIMITERS.index(mark)))


def _arrow_rows(file: SourceFile) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a parquet file, or of the Arrow stream that ``save_to_disk`` of `datasets` writes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with file.open() as stream:
        data = _whole(stream, file) if file.member or file.path.suffix == ".gz" else None
    try:
        source = io.BytesIO(data) if data is not None else file.path
        stream_file = file.name.endswith(".arrow")
        batches = pa.ipc.open_stream(source) if stream_file else pq.ParquetFile(source).iter_batches(1000)
        number = 0
        for batch in batches:
            for row in batch.to_pylist():
                number += 1
                yield str(number), plain_value(row)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).partition("\n")[0]
        kind = "an Arrow stream" if file.name.endswith(".arrow") else "a parquet file"
        raise DivLogicError(f"{file}: not {kind} ({reason}); export it again, or as csv.") from error


def _document_rows(file: SourceFile) -> Iterator[tuple[str, Any]]:
    """Yield the elements of a JSON list, or the items of a JSON object, without loading the whole."""
    import ijson

    done = 0
    try:
        with file.open() as stream:
            buffered = _bounded(stream, file, _DOCUMENT_LIMIT)
            if buffered.peek(3).startswith(_BOM):
                buffered.read(len(_BOM))
            while (sign := buffered.peek(1)[:1]).isspace():
                buffered.read(1)
            if sign == b"[":
                elements = enumerate(ijson.items(buffered, "item", use_float=True), start=1)
                named: Iterator[tuple[str, Any]] = ((str(number), element) for number, element in elements)
            else:
                named = _items(ijson.kvitems(buffered, "", use_float=True))
            for name, value in named:
                yield name, value
                done += 1
    except (ijson.JSONError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0]
        raise DivLogicError(
            f"{file}, row {done + 1}: broken JSON document ({reason}); fetch the file again."
        ) from error


def _items(named: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the items of a JSON object; of one that has its rows under ``examples`` (BBH) or ``data``, those rows."""
    for name, value in named:
        if name in ("examples", "data") and isinstance(value, list):
            yield from ((str(number), row) for number, row in enumerate(value, start=1))
        elif name != "canary":
            yield name, value


_AGAIN = "save it as xlsx again, or as csv."
_ERRORS = frozenset(("#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"))


def sheet_rows(file: str, content: bytes, on_wrong: Callable[[str, str], None]) -> Iterator[tuple[str, Any]]:
    """Yield (row name, cells by column) of the sheets of a workbook that hold questions and options.

    A sheet's header is its first row that is not empty. Of several sheets with questions all are read if they have the
    same columns, and a row's name then begins with its sheet's; sheets without questions (notes, say) are passed over.
    Cells are read as they were last calculated.
    """
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(member.file_size for member in packed.infolist()) > _DOCUMENT_LIMIT:
                raise DivLogicError(f"{file}: unpacked it is larger than 1 GiB; save the questions as csv.")
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (zipfile.BadZipFile, InvalidFileException, KeyError, ValueError, OSError, SyntaxError) as error:
        raise DivLogicError(f"{file}: not an xlsx workbook ({error}); {_AGAIN}") from error
    try:
        chosen = _with_questions(file, {sheet.title: sheet for sheet in book.worksheets})
        for title, sheet in chosen.items():
            for number, row in _named_rows(file, title, sheet, on_wrong):
                yield (f"{title}-{number}" if len(chosen) > 1 else str(number)), row
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError) as error:
        # Sheets are unpacked as they are read.
        raise DivLogicError(f"{file}: a sheet is damaged ({error}); {_AGAIN}") from error
    finally:
        book.close()


def _with_questions(file: str, sheets: dict[str, Any]) -> dict[str, Any]:
    headers = {title: _header_of(sheet) for title, sheet in sheets.items()}
    held = {title: header for title, header in headers.items() if header}
    if not held:
        raise DivLogicError(f"{file}: all its sheets are empty; save the workbook with its questions.")
    chosen = [title for title, header in held.items() if find_columns(header)] or list(held)[:1]
    if len({tuple(held[title]) for title in chosen}) > 1:
        raise DivLogicError(
            f"{file}: the sheets {', '.join(map(repr, chosen))} all hold questions, in different columns; save each as"
            " a file of its own."
        )
    return {title: sheets[title] for title in chosen}


def _header_of(sheet: Any) -> list[str]:
    cells = next(dropwhile(_is_blank, sheet.iter_rows(values_only=True)), ())
    names = ["" if cell is None else str(cell).strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return names


def _is_blank(cells: Sequence[Any]) -> bool:
    return all(cell is None for cell in cells)


def _named_rows(
    file: str, title: str, sheet: Any, on_wrong: Callable[[str, str], None]
) -> Iterator[tuple[int, dict[str, Any]]]:
    from openpyxl.utils import get_column_letter

    names = _header_of(sheet)
    if len(set(filter(None, names))) < len(list(filter(None, names))):
        raise DivLogicError(f"{file}, sheet {title!r}: two columns have the same name; rename one.")
    rows_below = dropwhile(_is_blank, sheet.iter_rows(values_only=True))
    for number, cells in enumerate(islice(rows_below, 1, None), start=1):
        if _is_blank(cells):
            continue
        for place, cell in enumerate(cells):
            if cell is not None and (place >= len(names) or not names[place]):
                raise DivLogicError(
                    f"{file}, sheet {title!r}, row {number}: column {get_column_letter(place + 1)} holds something and"
                    " has no name in the first row. Give every column its own name there; unmerge merged cells of the"
                    " header, and delete a title above it."
                )
        wrong = next((cell for cell in cells if isinstance(cell, str) and cell in _ERRORS), None)
        if wrong:
            on_wrong(str(number), f"a cell holds the error {wrong}")
            continue
        row = dict(zip(names, map(plain_value, cells), strict=False))
        yield number, {name: row.get(name) for name in names if name}
