"""The response store: an SQLite file of what models answered, so that no answer is paid for twice.

An answer is committed the moment it arrives and never changed: a run that is killed keeps all of its answers, and two
runs may write to one store.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable

_MAGIC = b"SQLite format 3\0"
_SETTINGS = ("PRAGMA busy_timeout = 60000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL")
"""Wait a minute for another run that writes; each answer reaches the kernel, which keeps it if the run is killed."""

_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT, run INTEGER, answer TEXT, stop_reason TEXT,"
    " input_tokens INTEGER, output_tokens INTEGER, logprobs TEXT)",
    "CREATE TABLE IF NOT EXISTS faults (key TEXT, model TEXT, fault TEXT, detail TEXT)",
)


@dataclass(frozen=True, slots=True)
class Response:
    """One answer as the model gave it.

    Attributes:
        key: what it answers, see :func:`request_key`.
        model: the model's name, for people who read the file.
        run: number of the independent run.
        answer: the text; empty if the model returned nothing.
        stop_reason: Inspect's word for why it ended (``stop``, ``max_tokens``, ``content_filter``, ...).
        input_tokens, output_tokens: what it cost, where the server says so.
        logprobs: natural log-probabilities of the letters, where the server gives them.
    """

    key: str
    model: str
    run: int
    answer: str
    stop_reason: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    logprobs: dict[str, float] | None = None


_FIELDS = tuple(field.name for field in fields(Response))
_INSERT = f"INSERT OR IGNORE INTO answers VALUES ({', '.join('?' * len(_FIELDS))})"


def request_key(*, model: str, fingerprint: str, text: str, sampling: dict[str, Any], run: int) -> str:
    """Return the key of a request: SHA-256 over model, prompt, sampling and run.

    ``fingerprint`` tells apart what goes by one name, such as a baseline trained on other data.
    """
    asked = {"model": model, "fingerprint": fingerprint, "text": text, "sampling": sampling, "run": run}
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


class Responses(Mapping[str, Response]):
    """The answers of an open store by key, in the order in which they came."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getitem__(self, key: str) -> Response:
        row = self._connection.execute("SELECT * FROM answers WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise KeyError(key)
        values = dict(zip(_FIELDS, row, strict=True))
        return Response(**values | {"logprobs": row[-1] and orjson.loads(row[-1])})

    def __contains__(self, key: object) -> bool:
        found = self._connection.execute("SELECT 1 FROM answers WHERE key = ?", (key,))
        return found.fetchone() is not None

    def __iter__(self) -> Iterator[str]:
        return (key for (key,) in self._connection.execute("SELECT key FROM answers ORDER BY rowid"))

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT COUNT(*) FROM answers").fetchone()[0])


def read_responses(path: Path) -> Mapping[str, Response]:
    """Return the answers of a store; they are read from the file when they are asked for. A missing store has none.

    Raises:
        DivLogicError: the file is not a response store.
    """
    if not path.is_file():
        return {}
    _check(path)
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    try:
        connection.execute("SELECT 1 FROM answers LIMIT 1")
    except sqlite3.Error as error:
        raise DivLogicError(f"{path}: not a response store ({error}); give another file.") from error
    return Responses(connection)


class ResponseStore:
    """A response store open for a run; other runs may have it open, too."""

    responses: Mapping[str, Response]

    def __init__(self, path: Path) -> None:
        self.path = Path(path)

    def __enter__(self) -> ResponseStore:
        _check(self.path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.open("ab").close()
        except OSError as error:
            raise unwritable(self.path, error) from error
        self._connection = sqlite3.connect(self.path, isolation_level=None)
        try:
            with self._writing():
                for statement in (*_SETTINGS, "BEGIN IMMEDIATE", *_TABLES, "COMMIT"):
                    self._connection.execute(statement)
        except DivLogicError:
            self._connection.close()
            raise
        self.responses = Responses(self._connection)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A single file lies there afterwards, unless another run still writes to it.
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA journal_mode = DELETE")
        # Answers of this run are read after it, too; the connection goes with them.

    def add(self, response: Response) -> None:
        """Keep an answer; the first one to a key counts.

        Raises:
            DivLogicError: the disk is full or the file cannot be written.
        """
        with self._writing():
            self._connection.execute(_INSERT, _row(response))

    def add_all(self, responses: Iterable[Response]) -> None:
        """Keep answers that cost nothing, a thousand at a time: a run that is killed loses what it made last.

        Raises:
            DivLogicError: the disk is full or the file cannot be written.
        """
        rows = map(_row, responses)
        while many := list(islice(rows, 1000)):
            with self._writing():
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany(_INSERT, many)
                self._connection.execute("COMMIT")

    def add_fault(self, key: str, model: str, fault: str, detail: str) -> None:
        """Keep a note that an attempt failed; it answers nothing and is asked again by the next run."""
        with self._writing():
            self._connection.execute("INSERT INTO faults VALUES (?, ?, ?, ?)", (key, model, fault, detail))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            reason = str(error)
            problem = f"could not be written ({reason}); run the same command again, or name another file"
            if "full" in reason:
                problem = "the disk is full; free some space and run the same command again"
            elif "not a database" in reason or "malformed" in reason:
                problem = f"not a response store ({reason}); give another file"
            raise DivLogicError(f"{self.path}: {problem}.") from error


def _row(response: Response) -> tuple[Any, ...]:
    *values, logprobs = (getattr(response, name) for name in _FIELDS)
    return (*values, logprobs and orjson.dumps(logprobs).decode())


def _check(path: Path) -> None:
    """Refuse a file that is no store, before SQLite touches it.

    Raises:
        DivLogicError: it is another file.
    """
    if not path.is_file():
        return
    with path.open("rb") as stream:
        head = stream.read(len(_MAGIC))
    if head and head != _MAGIC:
        raise DivLogicError(f"{path}: not a response store; give another file.")
