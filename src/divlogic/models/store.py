"""The response store: an append-only jsonl file of what models answered, so that no answer is paid for twice.

A row is written in one piece the moment an answer arrives, and never changed. A run that is killed leaves at most one
torn row at the end, which is passed over when reading (its answer will be asked for again) and closed with a line
end before the next row is appended.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from divlogic.errors import DivLogicError
from divlogic.io.files import unwritable
from divlogic.io.log import say
from divlogic.models.store_index import Rows

_SYNC_SECONDS = 1.0


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

    def to_json(self) -> dict[str, Any]:
        """Return the row of the store."""
        row = {name: getattr(self, name) for name in self.__slots__}
        if self.logprobs is None:
            del row["logprobs"]
        return row


def request_key(*, model: str, fingerprint: str, text: str, sampling: dict[str, Any], run: int) -> str:
    """Return the key of a request: SHA-256 over model, prompt, sampling and run.

    ``fingerprint`` tells apart what goes by one name, such as a baseline trained on other data.
    """
    asked = {"model": model, "fingerprint": fingerprint, "text": text, "sampling": sampling, "run": run}
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


def read_responses(path: Path) -> tuple[Mapping[str, Response], int]:
    """Read a store: its answers by key, and how many torn rows were passed over. A missing store has none.

    Of two rows with one key the first counts. Answers are read from the file when they are asked for.

    Raises:
        DivLogicError: the file is not a response store.
    """
    if not path.is_file():
        return {}, 0
    rows = _rows_of(path)
    return _Responses(rows), rows.torn


def _rows_of(path: Path) -> Rows:
    named = fields(Response)
    required = frozenset(field.name for field in named if field.default is MISSING)
    return Rows(path, required, frozenset(field.name for field in named))


class _Responses(Mapping[str, Response]):
    """The rows of a store as answers."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __getitem__(self, key: str) -> Response:
        return Response(**self._rows[key])

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


class ResponseStore:
    """A response store open for one run; a second run on the same file is refused while it is open."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._handle = -1
        self._synced = 0.0
        self._rows: Rows | None = None
        self.responses: Mapping[str, Response] = {}
        self.torn = 0

    def __enter__(self) -> ResponseStore:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise unwritable(self.path, error) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._handle)
            raise DivLogicError(
                f"{self.path}: another run is writing to this store; wait for it or use another file."
            ) from error
        except OSError:
            say(
                f"{self.path}: this file system has no locks; do not let two runs write to this store at once"
            )
        try:
            self._rows = _rows_of(self.path)
        except DivLogicError:
            os.close(self._handle)
            raise
        self.responses, self.torn = _Responses(self._rows), self._rows.torn
        size = os.fstat(self._handle).st_size
        if size and os.pread(self._handle, 1, size - 1) != b"\n":
            self._write(b"\n")
            self._rows.skip(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            os.fsync(self._handle)
            if self._rows is not None:
                with suppress(
                    DivLogicError, OSError
                ):  # without an index the next opening takes longer, no more
                    self._rows.write_index()
        except OSError as failed:
            raise unwritable(self.path, failed) from failed
        finally:
            os.close(self._handle)  # with it goes the lock

    def add(self, response: Response) -> None:
        """Append an answer.

        Raises:
            DivLogicError: the disk is full or the file cannot be written.
        """
        row = orjson.dumps(response.to_json(), option=orjson.OPT_APPEND_NEWLINE)
        self._write(row)
        assert self._rows is not None
        self._rows.add(response.key, len(row))

    def add_fault(self, key: str, model: str, fault: str, detail: str) -> None:
        """Append a note that an attempt failed; it answers nothing and is asked again by the next run."""
        values = {"key": key, "model": model, "fault": fault, "detail": detail}
        row = orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)
        self._write(row)
        assert self._rows is not None
        self._rows.skip(len(row))

    def _write(self, row: bytes) -> None:
        try:
            while row:
                row = row[os.write(self._handle, row) :]
            # The kernel keeps what was written if we are killed; once a second also if the machine is.
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._handle)
                self._synced = time.monotonic()
        except OSError as error:
            raise unwritable(self.path, error) from error
