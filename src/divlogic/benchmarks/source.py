"""Where rows come from: plain, packed or zipped files of JSON lines, JSON documents, separated values, sheets."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, groupby, islice
from pathlib import Path
from typing import IO, Any

from divlogic.benchmarks import documents, encodings
from divlogic.benchmarks.columns import find_columns, plain_value
from divlogic.benchmarks.documents import JsonError
from divlogic.benchmarks.encodings import UTF8, Utf8Stream
from divlogic.errors import DivLogicError
from divlogic.io import foreign
from divlogic.io.foreign import BeyondError, Lined, Nested, Unpacked, check_arrow, check_json

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile
else:
    from backports.zstd import ZstdError, ZstdFile

SUFFIXES = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".xlsx", ".arrow")
"""What a data file may be called, before an optional ``.gz`` or ``.zst``."""

_PACKED = (".gz", ".zst")

TABLES = (".csv", ".tsv")
"""Files of separated values; the separator is read off the first lines. A ``.txt`` may be one, too."""

TABULAR = (*TABLES, ".parquet", ".xlsx", ".arrow")
"""Files whose rows are cells under the names of columns."""

DELIMITERS = ",;\t|"

_SPLITS = (("train", "train"), ("val", "validation"), ("dev", "validation"), ("test", "test"))
_BLOCK = 1 << 18
_BOM = b"\xef\xbb\xbf"
_LETTERS = "ABCDEFGHIJ"
# Rows from which the separator is told: the first ones agree in their number of cells with the right one only.
_ROWS_FOR_SEPARATOR = 20


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
class Said:
    """What the user says of a file of their own.

    Attributes:
        columns: field of a record -> columns that hold it; none for a field that the file lacks.
        keys: how answers are read (:data:`divlogic.benchmarks.readers.keys.CHOICES`).
        labels: the options of questions without options of their own, in the order of their numbers.
        encoding: of the texts.
    """

    columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    keys: str = ""
    labels: tuple[str, ...] = ()
    encoding: str = ""


NOTHING_SAID = Said()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a benchmark, on disk or inside a zip archive."""

    path: Path
    member: str | None = None
    said: Said = NOTHING_SAID

    @property
    def name(self) -> str:
        """Return the file's own name, without folders and without ``.gz`` or ``.zst``."""
        name = Path(self.member or self.path).name
        for suffix in _PACKED:
            name = name.removesuffix(suffix)
        return name

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

    @property
    def stamp(self) -> tuple[int, int]:
        """Return size and time of change, by which what was found out about the file holds no longer."""
        if not self.path.is_file():
            return (0, 0)
        status = self.path.stat()
        return (status.st_size, status.st_mtime_ns)

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
        return self.member in _archive(self.path, self.stamp).NameToInfo

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file's (unpacked) bytes."""
        if not self.path.is_file():
            raise DivLogicError(
                f"{self.path}: there is no such file; check the path or fetch the benchmark."
            )
        try:
            with contextlib.ExitStack() as stack:
                if self.member is None:
                    raw: Any = stack.enter_context(self.path.open("rb"))
                    size = self.stamp[0]
                else:
                    archive = _archive(self.path, self.stamp)
                    size = archive.getinfo(self.member).compress_size
                    raw = stack.enter_context(self._opened(archive, self.member))
                    raw = io.BufferedReader(Unpacked(raw, str(self), size), _BLOCK)
                suffix = Path(self.member or self.path).suffix
                if suffix in _PACKED:
                    if suffix == ".gz":
                        packed: Any = gzip.GzipFile(fileobj=raw, mode="rb")
                    else:
                        packed = ZstdFile(raw, mode="rb")
                    stack.enter_context(packed)
                    raw = io.BufferedReader(Unpacked(packed, str(self), size), _BLOCK)
                yield raw
        except (EOFError, gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, ZstdError) as error:
            raise DivLogicError(
                f"{self}: broken archive ({error}); fetch the file again."
            ) from error

    def _opened(self, archive: zipfile.ZipFile, member: str) -> IO[bytes]:
        try:
            return archive.open(member)
        except (
            RuntimeError
        ) as error:  # encrypted, or compressed by a method that Python does not know
            raise DivLogicError(
                f"{self}: cannot be unpacked here ({error}); unpack the archive, and name its folder."
            ) from error


@lru_cache(maxsize=4)
def _archive(path: Path, stamp: tuple[int, int]) -> zipfile.ZipFile:
    """Return an archive that stays open: its list of files is read once, and not again for each of them.

    Raises:
        DivLogicError: it holds too many files, or announces more bytes than an archive of its size can hold.
    """
    archive = zipfile.ZipFile(path)
    members = [member for member in archive.infolist() if _is_data(member.filename)]
    if len(members) > foreign.BUDGET.members:
        raise DivLogicError(
            f"{path}: holds {len(members):,} data files, more than the {foreign.BUDGET.members:,} that are read; join"
            " them, or unpack the archive and name a folder of it."
        )
    limit = foreign.BUDGET.largest(stamp[0])
    if sum(member.file_size for member in members) > limit:
        raise DivLogicError(
            f"{path}: unpacks to more than {limit >> 20:,} MiB, {foreign.BUDGET.times} times its size or more; no data"
            " set packs so well. Unpack it yourself if it is one."
        )
    return archive


def source_files(path: Path) -> list[SourceFile]:
    """List the data files under ``path``: a file is itself, a folder or a zip archive all it holds, sorted."""
    path = Path(path)
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.is_file() and _is_data(file.name))
        files = [SourceFile(file) for file in found]
    elif path.suffix == ".zip" and path.is_file():
        try:
            names = sorted(filter(_is_data, _archive(path, SourceFile(path).stamp).namelist()))
        except zipfile.BadZipFile as error:
            raise DivLogicError(
                f"{path}: broken zip archive ({error}); fetch the file again."
            ) from error
        files = [SourceFile(path, name) for name in names if "__MACOSX" not in name]
    elif path.is_file():
        files = [SourceFile(path)]
    else:
        raise DivLogicError(
            f"{path}: no such file or folder; check the path or fetch the benchmark."
        )
    if not files:
        raise DivLogicError(f"{path}: holds no data file ({', '.join(SUFFIXES)}); check the path.")
    return files


def rows(file: SourceFile, *, on_problem: OnProblem | None = None) -> Iterator[tuple[str, Any]]:
    """Yield (row name, value) in file order, one row in memory at a time.

    A row is a row of a table (as a dict), a line of JSON, an element of a JSON list, or an item of a JSON object;
    its name is its number from 1 (tables: the first line after the header is row 1), or the item's key.

    Raises:
        DivLogicError: the file cannot be read, a JSON document breaks off, or, without ``on_problem``,
            a line is malformed.
    """
    if file.name.endswith((".parquet", ".arrow")):
        yield from _arrow_rows(file)
    elif file.name.endswith(".xlsx"):
        with file.open() as stream:
            content = _whole(stream, file)
        yield from sheet_rows(file, content, lambda row, why: report(file, row, why, on_problem))
    elif _is_blocks(file):
        yield from _block_rows(file, on_problem)
    elif is_table(file):
        yield from _csv_rows(file, on_problem)
    else:
        yield from _json_rows(file, on_problem)


def is_binary(file: SourceFile) -> bool:
    """Return whether a file has a format of its own, and so no encoding."""
    return file.name.endswith((".parquet", ".arrow", ".xlsx"))


def is_table(file: SourceFile) -> bool:
    """Return whether a file holds separated values: by its name, or, of a ``.txt``, by its first line."""
    if file.name.endswith(TABLES):
        return True
    return file.name.endswith(".txt") and not _first_line(file).lstrip().startswith((b"{", b"["))


def is_tabular(file: SourceFile) -> bool:
    """Return whether the rows of a file are cells under the names of columns."""
    return file.name.endswith(TABULAR) or (is_table(file) and not _is_blocks(file))


def encoding_of(file: SourceFile) -> str:
    """Return the encoding of a text file: what the user says, else what its bytes show."""
    if file.said.encoding:
        return encodings.check_encoding(str(file), file.said.encoding)
    return _shown_encoding(file, file.stamp)


@lru_cache(maxsize=8)
def _shown_encoding(file: SourceFile, stamp: tuple[int, int]) -> str:
    @contextlib.contextmanager
    def bounded() -> Iterator[IO[bytes]]:
        with file.open() as stream:
            yield _bounded(stream, file, foreign.BUDGET.document)

    return encodings.detected_encoding(str(file), bounded)


def report(file: SourceFile, row: str, reason: str, on_problem: OnProblem | None) -> None:
    """Hand a malformed row to ``on_problem``, or raise it as an error where there is none."""
    problem = Problem(str(file), row, reason)
    if on_problem is None:
        raise DivLogicError(f"{problem}; fix or delete that row.")
    on_problem(problem)


def _bounded(stream: IO[bytes], file: SourceFile, limit: int) -> io.BufferedReader[Any]:
    return io.BufferedReader(Lined(stream, str(file), limit), buffer_size=_BLOCK)


def _whole(stream: IO[bytes], file: SourceFile) -> bytes:
    limit = foreign.BUDGET.whole
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise DivLogicError(f"{file}: larger than {limit >> 20} MiB; unpack it, or save it as csv.")
    return content


@contextlib.contextmanager
def _utf8(file: SourceFile, limit: int = 0) -> Iterator[io.BufferedReader[Any]]:
    """Open a text file as UTF-8, whatever its encoding, without a byte-order mark."""
    encoding = encoding_of(file)
    with file.open() as stream:
        buffered = _bounded(stream, file, limit or foreign.BUDGET.line)
        if file.said.encoding or encoding != UTF8:
            buffered = io.BufferedReader(Utf8Stream(buffered, str(file), encoding))
        if buffered.peek(len(_BOM)).startswith(_BOM):
            buffered.read(len(_BOM))
        yield buffered


def _first_line(file: SourceFile) -> bytes:
    """Return the first line that is not blank, as UTF-8."""
    with _utf8(file) as stream:
        for line in stream:
            if line.strip():
                return line
    return b""


def _is_data(name: str) -> bool:
    plain = name
    for suffix in _PACKED:
        plain = plain.removesuffix(suffix)
    return plain.endswith(SUFFIXES) and not Path(name).name.startswith((".", "~$"))


def _json_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a file of JSON, in whichever of the usual ways it holds them."""
    way = _json_way(file)
    if way is _line_rows:
        yield from _line_rows(file, on_problem)
        return
    done = 0
    try:
        with _utf8(file, foreign.BUDGET.document) as stream:
            while stream.peek(1)[:1].isspace():
                stream.read(1)
            for name, value in way(_nested(stream, file, way), lambda: _all_bytes(file)):
                yield name, value
                done += 1
    except JsonError as error:
        raise DivLogicError(
            f"{file}, row {done + 1}: broken JSON document ({error}); correct it there, or export the file again."
        ) from error


def _nested(stream: IO[bytes], file: SourceFile, way: Callable[..., Any]) -> IO[bytes]:
    """Return a stream of JSON that stops where it is nested too deep, or where what is held at once has no end."""
    # Of a list its elements are held, of several values each, of an object all.
    held = {documents.list_rows: 1, documents.object_rows: -1}.get(way, 0)
    return io.BufferedReader(Nested(stream, str(file), held), _BLOCK)


def _json_way(file: SourceFile) -> Callable[..., Iterator[tuple[str, Any]]]:
    """Return the function that reads a file of JSON: a list, an object, several objects, or lines."""
    document = documents.object_rows if file.name.endswith(".json") else documents.several_rows
    with _utf8(file, foreign.BUDGET.document) as stream:
        first = stream.readline(foreign.BUDGET.line).strip()
        while not first and stream.peek(1):
            first = stream.readline(foreign.BUDGET.line).strip()
        if first.startswith(b"["):
            return documents.list_rows
        if not first.startswith(b"{"):
            return _line_rows
        try:
            check_json(first, str(file))
            whole = isinstance(json.loads(first), dict)
        except BeyondError:
            # A line among others is left out; a document is refused by its reader.
            return _line_rows if _has_more(stream) else document
        except RecursionError:
            return document  # only the reader of documents can take it in
        except ValueError:
            # An object over several lines begins with a line that ends where a value may begin.
            return document if first.endswith((b"{", b"[", b",", b":")) else _line_rows
        return _line_rows if _has_more(stream) or not whole else document


def _has_more(stream: IO[bytes]) -> bool:
    """Return whether anything but white space is left; read in blocks, since a small file may hold 10^8 blank lines."""
    while block := stream.read(_BLOCK):
        if block.strip():
            return True
    return False


def _all_bytes(file: SourceFile) -> bytes:
    with _utf8(file, foreign.BUDGET.document) as stream:
        return io.BufferedReader(Nested(stream, str(file), -1), _BLOCK).read()


def _line_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    with _utf8(file) as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                check_json(line, f"{file}, row {number}")
                value = documents.parse_line(line)
            except BeyondError as error:
                report(file, str(number), error.reason, on_problem)
                continue
            except JsonError as error:
                report(file, str(number), f"not valid JSON ({error})", on_problem)
                continue
            yield str(number), value


def _csv_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    csv.field_size_limit(foreign.BUDGET.cell)
    separator = separator_of(file)
    with _utf8(file) as stream, io.TextIOWrapper(stream, encoding="utf-8", newline="") as text:
        if _names_separator(_first_line(file)):
            text.readline()
        header = _header(file, separator)
        reader = csv.DictReader(text, fieldnames=header, delimiter=separator)
        _check_header(file, reader, headless=header is not None)
        number = 0
        while True:
            number += 1
            try:
                row = next(reader, None)
            except csv.Error as error:
                if "field limit" in str(error):
                    # The reader would go on in the middle of the cell and take its lines for rows.
                    raise DivLogicError(
                        f"{file}, row {number}: a cell of more than {foreign.BUDGET.cell >> 20} MiB; a quotation mark"
                        " that is opened there may never be closed. Correct that row, or export the file again."
                    ) from error
                report(file, str(number), f"not valid CSV ({error})", on_problem)
                continue
            if row is None:
                return
            if None in row or None in row.values():
                columns = len(reader.fieldnames or ())
                report(
                    file, str(number), f"does not have the header's {columns} columns", on_problem
                )
                continue
            yield str(number), row


def _is_blocks(file: SourceFile) -> bool:
    """Return whether a ``.txt`` holds blocks as LogiQA 1.0 writes them, whose first line is the key's letter."""
    first = _first_line(file).strip() if file.name.endswith(".txt") else b""
    return len(first) == 1 and first.isalpha()


def _block_rows(file: SourceFile, on_problem: OnProblem | None) -> Iterator[tuple[str, Any]]:
    """Yield blocks of lines, divided by blank lines: the key's letter, the context, the question, and the options."""
    number = 0
    with _utf8(file) as stream:
        texts = (line.decode("utf-8").strip() for line in stream)
        for filled, lines in groupby(texts, key=bool):
            if not filled:
                continue
            number += 1
            block = list(lines)
            if len(block) < 5:
                reason = (
                    f"is a block of {len(block)} lines, not letter, context, question and options"
                )
                report(file, str(number), reason, on_problem)
                continue
            answer, context, question, *options = block
            cells = {"context": context, "question": question, "answer": answer}
            for letter, option in zip(_LETTERS, options, strict=False):
                cells[letter] = re.sub(r"^[A-J][.、．)]\s*", "", option)
            yield str(number), cells


def _names_separator(line: bytes) -> str:
    """Return the separator that a line names (Excel's ``sep=;``); empty if the line is another."""
    match = re.fullmatch(r'"?sep=(.)"?', line.decode("utf-8", "replace").rstrip("\r\n"))
    return match[1] if match else ""


def _header(file: SourceFile, separator: str) -> list[str] | None:
    """Return the columns of a table of questions that has no header (MMLU's); ``None``: its first line is the header.

    Such a line is a question, two options or more, and the letter of one of them.
    """
    try:
        first = next(iter(_first_cells(file, separator, 1)), [])
    except csv.Error:
        return None
    letters = _LETTERS[: max(0, len(first) - 2)]
    if (
        not 2 <= len(letters) <= 10
        or first[-1].strip() not in tuple(letters)
        or find_columns(first)
    ):
        return None
    return ["question", *letters, "answer"]


def _first_cells(file: SourceFile, separator: str, number: int) -> list[list[str]]:
    """Return the cells of the first rows, the header's included."""
    with _utf8(file) as stream:
        lines = [line.decode("utf-8", "replace") for line in islice(stream, number * 3 + 1)]
    if lines and _names_separator(lines[0].encode()):
        lines = lines[1:]
    cells = csv.reader(lines, delimiter=separator)
    return [row for row in islice(cells, number) if row]


def _check_header(file: SourceFile, reader: csv.DictReader[str], *, headless: bool) -> None:
    """Refuse a header that no table of questions has, and give columns without a name pandas' name for them."""
    try:
        names = list(reader.fieldnames or ())
    except csv.Error:
        return  # reported with the first row
    if len(names) > foreign.BUDGET.columns:
        raise DivLogicError(
            f"{file}: the first line has {len(names):,} columns, more than the {foreign.BUDGET.columns:,} that are"
            " read; give each question a line and each of its parts a column."
        )
    named = [name for name in names if name.strip()]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None and not headless:
        raise DivLogicError(f"{file}: two columns are called '{twice}'; rename one.")
    reader.fieldnames = [
        name if name.strip() else f"Unnamed: {place}" for place, name in enumerate(names)
    ]


def separator_of(file: SourceFile) -> str:
    """Return the character that separates the columns: the one with which the first rows have equally many cells.

    Of several, it is the one that gives the most columns.
    """
    first = _first_line(file)
    if named := _names_separator(first):
        return named
    best = (0, 0)
    found = DELIMITERS[0]
    for separator in DELIMITERS:
        if separator.encode() not in first:
            continue
        try:
            cells = _first_cells(file, separator, _ROWS_FOR_SEPARATOR)
        except csv.Error:
            continue
        width = len(cells[0]) if cells else 0
        # The last row may be cut off within a quoted cell.
        agreeing = sum(len(row) == width for row in cells[1:-1] or cells)
        if width > 1 and (agreeing, width) > best:
            best = (agreeing, width)
            found = separator
    return found


def _arrow_rows(file: SourceFile) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a parquet file, or of the Arrow stream that ``save_to_disk`` of `datasets` writes."""
    import pyarrow as pa

    form: foreign.Form = "arrow" if file.name.endswith(".arrow") else "parquet"
    data = None
    if file.member or file.path.suffix in _PACKED:
        with file.open() as stream:
            data = _whole(stream, file)
        check_arrow(data, str(file), form)
    else:
        with file.open():
            if problem := _table_problem(file.path, file.stamp, form):
                raise DivLogicError(problem)
    try:
        schema, batches = foreign.arrow_batches(
            io.BytesIO(data) if data is not None else file.path, form
        )
        classes = _class_names(schema)
        number = 0
        for batch in batches:
            for row in batch.to_pylist():
                number += 1
                yield str(number), _with_class_names(plain_value(row), classes)
    except (pa.ArrowException, OSError, ValueError, SystemError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        kind = "an Arrow stream" if form == "arrow" else "a parquet file"
        raise DivLogicError(
            f"{file}: not {kind} ({reason}); export it again, or as csv."
        ) from error


@lru_cache(maxsize=64)
def _table_problem(path: Path, stamp: tuple[int, int], form: foreign.Form) -> str:
    """Return why a table is not read; empty if it is. Looked at once as long as it is the same."""
    try:
        check_arrow(path, str(path), form)
    except DivLogicError as error:
        return str(error)
    return ""


def _class_names(schema: Any) -> dict[str, list[str]]:
    """Return the columns of whole numbers whose names the file tells, as `datasets` writes them (``ClassLabel``)."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
    except (KeyError, TypeError, ValueError):
        return {}
    return {
        name: feature["names"]
        for name, feature in features.items()
        if isinstance(feature, dict) and feature.get("_type") == "ClassLabel"
    }


def _with_class_names(row: dict[str, Any], classes: dict[str, list[str]]) -> dict[str, Any]:
    """Return a row with the names of classes in the place of their numbers; -1 is none."""
    for column, names in classes.items():
        number = row.get(column)
        if isinstance(number, int) and -1 <= number < len(names):
            row[column] = names[number] if number >= 0 else None
    return row


_AGAIN = "save it as xlsx again, or as csv."
_ERRORS = frozenset(("#REF!", "#N/A", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!"))


def sheet_rows(
    file: SourceFile, content: bytes, on_wrong: Callable[[str, str], None]
) -> Iterator[tuple[str, Any]]:
    """Yield (row name, cells by column) of the sheets of a workbook that hold questions and options.

    A sheet's header is its first row that is not empty. Of several sheets with questions all are read if they have the
    same columns, and a row's name then begins with its sheet's; sheets without questions (notes, say) are passed over.
    Cells are read as they were last calculated.
    """
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if sum(member.file_size for member in packed.infolist()) > foreign.BUDGET.whole:
                raise DivLogicError(
                    f"{file}: unpacked it is larger than {foreign.BUDGET.whole >> 20} MiB; save the questions as csv."
                )
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (
        zipfile.BadZipFile,
        InvalidFileException,
        KeyError,
        ValueError,
        OSError,
        SyntaxError,
    ) as error:
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


def _with_questions(file: SourceFile, sheets: dict[str, Any]) -> dict[str, Any]:
    headers = {title: _header_of(sheet) for title, sheet in sheets.items()}
    held = {title: header for title, header in headers.items() if header}
    if not held:
        raise DivLogicError(
            f"{file}: all its sheets are empty; save the workbook with its questions."
        )
    given = dict(file.said.columns)
    chosen = [title for title, header in held.items() if find_columns(header, given)]
    chosen = chosen or list(held)[:1]
    if len({tuple(held[title]) for title in chosen}) > 1:
        raise DivLogicError(
            f"{file}: the sheets {', '.join(map(repr, chosen))} all hold questions, in different columns; save each as"
            " a file of its own."
        )
    return {title: sheets[title] for title in chosen}


def _cells_of(sheet: Any) -> Iterator[Sequence[Any]]:
    """Yield the cells of each row of a sheet, as many as it has, whatever size the sheet announces.

    Raises:
        DivLogicError: a row or a cell lies so far away that all the empty ones before it cannot be gone through.
    """
    sheet.reset_dimensions()
    cells = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells += len(row)
        if number > foreign.BUDGET.sheet_rows or cells > foreign.BUDGET.sheet_cells:
            raise DivLogicError(
                f"{sheet.title!r}: a sheet of more than {foreign.BUDGET.sheet_rows:,} rows or"
                f" {foreign.BUDGET.sheet_cells:,} cells, empty ones included; delete the empty rows and columns, or"
                " save the questions as csv."
            )
        yield row


def _header_of(sheet: Any) -> list[str]:
    cells = next(dropwhile(_is_blank, _cells_of(sheet)), ())
    names = ["" if cell is None else str(cell).strip() for cell in cells]
    while names and not names[-1]:
        names.pop()
    return names


def _is_index(sheet: Any) -> bool:
    """Return whether the first column holds whole numbers below its header: the index that pandas writes."""
    cells = [row[0] for row in dropwhile(_is_blank, _cells_of(sheet)) if row]
    below = [cell for cell in cells[1:] if cell is not None]
    return bool(below) and all(isinstance(cell, int) for cell in below)


def _is_blank(cells: Sequence[Any]) -> bool:
    return all(cell is None for cell in cells)


def _named_rows(
    file: SourceFile, title: str, sheet: Any, on_wrong: Callable[[str, str], None]
) -> Iterator[tuple[int, dict[str, Any]]]:
    from openpyxl.utils import get_column_letter

    names = _header_of(sheet)
    if len(names) > 1 and not names[0] and _is_index(sheet):
        names[0] = "Unnamed: 0"
    if len(set(filter(None, names))) < len(list(filter(None, names))):
        raise DivLogicError(f"{file}, sheet {title!r}: two columns have the same name; rename one.")
    rows_below = dropwhile(_is_blank, _cells_of(sheet))
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
