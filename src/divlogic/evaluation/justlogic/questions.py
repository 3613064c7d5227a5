"""JustLogic's questions to which its authors recorded answers, given with the context."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.benchmarks.readers import read_benchmark
from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl
from divlogic.io.log import say
from divlogic.models.recordings.reading import recordings_in
from divlogic.records import Record

READER = "recorded:justlogic"
"""Reader, as the registry calls it, of answers that were given with the context."""


def write_recorded_questions(folders: Sequence[Path], out: Path) -> int:
    """Write the questions of JustLogic's recordings, which each file repeats; return their number.

    Raises:
        DivLogicError: a manifest is missing or a file does not have its form.
    """
    asked: dict[str, Record] = {}
    for recording in recordings_in(folders, READER):
        try:
            records = list(read_benchmark(Path(recording.file), "justlogic", on_problem=_passed_over))
        except DivLogicError as error:
            say(f"{error} Its questions are left out.")
            continue
        asked.update({record.id: record for record in records})
    return write_jsonl(out, (record.to_json() for record in asked.values()))


def _passed_over(*_: object) -> None:
    """Pass over an odd row: the recording's report counts it."""
