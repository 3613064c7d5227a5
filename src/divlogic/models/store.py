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
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from divlogic.errors import DivLogicError
from divlogic.files import unwritable

_SYNC_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Response:
    """One answer as the model gave it.

    Attributes:
        key: what it answers, see :func:`request_key`.
        model: the model's name, for people who read the file.
        run: number of the independent run.
        answer: the text; empty if the model said nothing.
        stop_reason: Inspect's word for why it ended (``stop``, ``max_tokens``, ``content_filter``, ...).
        input_tokens, output_tokens: what it cost, where the server says so.
    """

    key: str
    model: str
    run: int
    answer: str
    stop_reason: str
    input_tokens: int | None = None
    output_tokens: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row of the store."""
        return {name: getattr(self, name) for name in self.__slots__}


def request_key(*, model: str, fingerprint: str, text: str, sampling: dict[str, Any], run: int) -> str:
    """Return the key of a request: SHA-256 over model, prompt, sampling and run.

    ``fingerprint`` tells apart what goes by one name, such as a baseline trained on other data.
    """
    asked = {"model": model, "fingerprint": fingerprint, "text": text, "sampling": sampling, "run": run}
    return hashlib.sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).hexdigest()


def read_responses(path: Path) -> tuple[dict[str, Response], int]:
    """Read a store: its answers by key, and how many torn rows were passed over. A missing store has none.

    Of two rows with one key the first counts.

    Raises:
        DivLogicError: the file is no response store.
    """
    responses: dict[str, Response] = {}
    torn = 0
    if not path.is_file():
        return responses, torn
    number = 0
    with path.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                row = orjson.loads(raw)
            except orjson.JSONDecodeError:
                torn += bool(raw.strip())
                continue
            if not isinstance(row, dict) or "key" not in row:
                raise DivLogicError(
                    f"{path}, row {number}: not a row of a response store; give another file."
                )
            if "fault" in row or row["key"] in responses:
                continue
            try:
                responses[row["key"]] = Response(**row)
            except TypeError as error:
                raise DivLogicError(
                    f"{path}, row {number}: not a row of this version's response store; give another file."
                ) from error
    if torn and torn == number:
        raise DivLogicError(f"{path}: no row of it is JSON; it is no response store, give another file.")
    return responses, torn


class ResponseStore:
    """A response store open for one run; a second run on the same file is refused while it is open."""

    def __init__(self, path: Path) -> None:
        self._path = Path(path)
        self._handle = -1
        self._synced = 0.0
        self.responses: dict[str, Response] = {}
        self.torn = 0

    def __enter__(self) -> ResponseStore:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._handle = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        except OSError as error:
            raise unwritable(self._path, error) from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._handle)
            raise DivLogicError(
                f"{self._path}: another run is writing to this store; wait for it or use another file."
            ) from error
        try:
            self.responses, self.torn = read_responses(self._path)
        except DivLogicError:
            os.close(self._handle)
            raise
        size = os.fstat(self._handle).st_size
        if size and os.pread(self._handle, 1, size - 1) != b"\n":
            self._write(b"\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.fsync(self._handle)
        os.close(self._handle)

    def add(self, response: Response) -> None:
        """Append an answer.

        Raises:
            DivLogicError: the disk is full or the file cannot be written.
        """
        self._write(orjson.dumps(response.to_json(), option=orjson.OPT_APPEND_NEWLINE))
        self.responses[response.key] = response

    def add_fault(self, key: str, model: str, fault: str, detail: str) -> None:
        """Append a note that an attempt failed; it answers nothing and is asked again by the next run."""
        row = {"key": key, "model": model, "fault": fault, "detail": detail}
        self._write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))

    def _write(self, row: bytes) -> None:
        try:
            while row:
                row = row[os.write(self._handle, row) :]
            # The kernel keeps what was written if we are killed; once a second also if the machine is.
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._handle)
                self._synced = time.monotonic()
        except OSError as error:
            raise unwritable(self._path, error) from error
