"""``divlogic recordings``: read what others recorded as predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from divlogic.config.command import ARGUMENT, command_of
from divlogic.errors import DivLogicError
from divlogic.models.predictions import write_predictions
from divlogic.models.recordings.reading import read_recordings, write_reports
from divlogic.models.recordings.sources import READERS, recording_from, recordings_in


def read(
    out: Annotated[Path, "Predictions (jsonl)."],
    sources: Annotated[tuple[str, ...], ARGUMENT] = (),
    readers: Annotated[
        tuple[str, ...],
        "--reader",
        click.Choice(sorted(READERS)),
        "Which files of corpus folders, by the registry's reader; repeatable.",
    ] = (),
    report: Annotated[Path | None, "What was met in each recording (json), for the notes of tables."] = None,
) -> None:
    """Read the recordings in SOURCES as predictions; without any, the file is empty.

    A source is a corpus folder, or one recording as a JSON object: '{"file": "answers.txt", "format": "ilogiceval",
    "model": "GPT-4", "prompt": "zero_shot"}'. A recording of a corpus that cannot be used is reported and left out; one
    that is named itself must be usable.
    """
    folders = [Path(source) for source in sources if not source.startswith("{")]
    found = [recording for reader in readers for recording in recordings_in(folders, reader)]
    named = [recording_from(source) for source in sources if source.startswith("{")]
    predictions, reports = read_recordings([*found, *named])
    refused = [one.sentence() for one in reports[len(found) :] if one.error]
    if refused:
        raise DivLogicError(
            f"{'; '.join(refused)}. Correct the file, or take it out of the parameters"
            " (`divlogic accept FILE` takes a file that was brought by hand as it is)."
        )
    write_predictions(out, predictions)
    if report is not None:
        write_reports(report, reports)


cli = command_of(read, "recordings")
