"""``divlogic recordings``: read what others recorded as predictions."""

from __future__ import annotations

from pathlib import Path

import click

from divlogic.config.option import FILE
from divlogic.models.recordings.sources import READERS


@click.command("recordings")
@click.argument("sources", nargs=-1)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    type=click.Choice(sorted(READERS)),
    help="Which files of corpus folders, by the registry's reader; repeatable.",
)
@click.option("--out", type=FILE, required=True, help="Predictions (jsonl).")
@click.option("--report", type=FILE, help="What was met in each recording (json), for the notes of tables.")
def cli(sources: tuple[str, ...], readers: tuple[str, ...], out: Path, report: Path | None) -> None:
    """Read the recordings in SOURCES as predictions; without any, the file is empty.

    A source is a corpus folder, or one recording as a JSON object: '{"file": "answers.txt", "format": "ilogiceval",
    "model": "GPT-4", "prompt": "zero_shot"}'. A recording that cannot be used is reported and left out.
    """
    from divlogic.models.predictions import write_predictions
    from divlogic.models.recordings.reading import read_recordings, write_reports
    from divlogic.models.recordings.sources import recording_from, recordings_in

    recordings = [
        recording
        for reader in readers
        for source in sources
        if not source.startswith("{")
        for recording in recordings_in([Path(source)], reader)
    ]
    recordings += [recording_from(source) for source in sources if source.startswith("{")]
    predictions, reports = read_recordings(recordings)
    write_predictions(out, predictions)
    if report is not None:
        write_reports(report, reports)
