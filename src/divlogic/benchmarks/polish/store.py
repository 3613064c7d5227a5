"""The proposals of the model, kept in an append-only jsonl file so that nothing is paid for twice."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Any

import orjson

from divlogic.errors import DivLogicError
from divlogic.files import unwritable
from divlogic.progress import say


class ProposalStore:
    """Answers by model, prompt and trial.

    A line is written and flushed to disk as soon as an answer arrives. What a killed run left of its last line is
    passed over when the file is read, and closed off before the next line.

    Args:
        path: the jsonl file; made when the first answer is added.

    Raises:
        DivLogicError: a line is JSON but no answer.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._answers: dict[bytes, str | None] = {}
        self._torn = False
        self._load()

    def __len__(self) -> int:
        return len(self._answers)

    def has(self, model: str, prompt: str, trial: int) -> bool:
        """Tell whether an answer is here."""
        return answer_key(model, prompt, trial) in self._answers

    def get(self, model: str, prompt: str, trial: int) -> str | None:
        """Return an answer; ``None`` if the model gave none that can be used.

        Raises:
            KeyError: the question has not been asked.
        """
        return self._answers[answer_key(model, prompt, trial)]

    def add(self, model: str, prompt: str, trial: int, text: str | None, **details: Any) -> None:
        """Append an answer; a question that is answered already keeps its first answer.

        Raises:
            DivLogicError: the file cannot be written.
        """
        key = answer_key(model, prompt, trial)
        row = {"model": model, "prompt": prompt, "trial": trial, "text": text, **details}
        with self._lock:
            if key in self._answers:
                return
            line = orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("ab") as stream:
                    stream.write(b"\n" + line if self._torn else line)
                    stream.flush()
                    os.fsync(stream.fileno())
            except OSError as error:
                self._torn = True
                raise unwritable(self.path, error) from error
            self._torn = False
            self._answers[key] = text

    def _load(self) -> None:
        if not self.path.exists():
            return
        with self.path.open("rb") as stream:
            for number, line in enumerate(stream, start=1):
                self._torn = not line.endswith(b"\n")
                if line.isspace():
                    continue
                try:
                    row = orjson.loads(line)
                except orjson.JSONDecodeError:
                    # Once the last line of a killed run; a later run closed it off and went on after it.
                    say(f"{self.path}, row {number}: cut off by a killed run; that question is asked again.")
                    continue
                try:
                    self._answers.setdefault(
                        answer_key(row["model"], row["prompt"], row["trial"]), row["text"]
                    )
                except (KeyError, TypeError) as error:
                    raise DivLogicError(
                        f"{self.path}, row {number}: no answer of a model ({error!r}); remove that row, the others"
                        " stay usable."
                    ) from error


def answer_key(model: str, prompt: str, trial: int) -> bytes:
    """Return what identifies an answer: 32 bytes that depend on model, prompt and trial."""
    return hashlib.sha256(orjson.dumps([model, prompt, trial])).digest()
