"""The reference text: a sample of Wikipedia, streamed article by article."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import read_jsonl, read_lines


def reference_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a reference: JSON lines with a field `text`, or plain text with one text per line.

    Raises:
        DivLogicError: the file is missing, a row has no text, or nothing is in it.
    """
    found = False
    if Path(path.name.removesuffix(".gz")).suffix in (".jsonl", ".json"):
        for number, row in read_jsonl(path):
            if not isinstance(row.get("text"), str):
                raise DivLogicError(f"{path}, row {number}: has no field 'text'; fix or delete that row.")
            if row["text"].strip():
                found = True
                yield row["text"]
    else:
        for _, line in read_lines(path):
            if line.strip():
                found = True
                yield line
    if not found:
        raise DivLogicError(f"{path}: holds no text; fetch or make the Wikipedia sample again.")
