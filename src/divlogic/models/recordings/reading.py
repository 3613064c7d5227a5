"""Recordings that a run has, and their reading: odd rows are counted and not fatal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import click
import orjson
from pydantic import TypeAdapter, ValidationError

from divlogic.config.command import ARGUMENT
from divlogic.corpora.manifest import read_manifest
from divlogic.errors import DivLogicError
from divlogic.io.files import read_json, write_json
from divlogic.io.log import say
from divlogic.models.predictions import Prediction, Series, write_predictions
from divlogic.models.recordings.formats import Recording, predictions_in

MOST_UNREADABLE = 0.02
"""Share of unreadable rows above which a recording is refused; a single such row never refuses it."""

READERS = {
    "recorded:ilogiceval": re.compile(
        r"(?P<shots>[03])-shot-(?P<model>.+?)(?:-(?P<run>\d+))?\.txt(?:\.gz)?"
    ),
    "recorded:justlogic": re.compile(
        r"(?P<shots>\d)_shot_(?P<thought>cot_(?:w_depth_)?)?"
        r"(?P<model>llama8B|llama70B|gpt4o?|openai_o1_preview|openai_o1)_results\.csv(?:\.gz)?"
    ),
    "recorded:justlogic_prior": re.compile(r"ci_results_(?P<benchmark>[a-z]+)\.csv(?:\.gz)?"),
}
"""Names of recorded files, by the registry's name of the reader."""

_SETTINGS = {"0": "zero_shot", "3": "three_shot", "6": "six_shot"}
_THOUGHTS = {"cot_w_depth_": "chain_of_thought", "cot_": "chain_of_thought_without_depth"}
"""JustLogic's two prompts that ask for steps; its table is of the one that shows arguments of several depths."""

_SYSTEMS = {
    "gpt4": "GPT-4",
    "gpt4o": "GPT-4o",
    "llama8B": "Llama3-8B",
    "llama70B": "Llama3-70B",
    "openai_o1": "OpenAI o1",
    "openai_o1_preview": "OpenAI o1-preview",
}
"""The systems as JustLogic prints them."""

_RENAMED = {"logiqa": "logiqa2"}
_NAMED = 3


def read(
    out: Annotated[Path, "Predictions (jsonl)."],
    sources: Annotated[tuple[str, ...], ARGUMENT] = (),
    readers: Annotated[
        tuple[str, ...],
        "--reader",
        click.Choice(sorted(READERS)),
        "Which files of corpus folders, by the registry's reader; repeatable.",
    ] = (),
    report: Annotated[
        Path | None, "What was met in each recording (json), for the notes of tables."
    ] = None,
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
            f"{'; '.join(refused)}. Correct the file, or take it out of the parameters."
        )
    write_predictions(out, predictions)
    if report is not None:
        write_json(report, [asdict(one) for one in reports])


@dataclass
class Report:
    """What was met while a recording was read.

    Attributes:
        rows: rows read, those that could not be included.
        problems: the first unreadable rows, each as "row N: what is wrong".
        error: why nothing of the file is used; empty if it is.
    """

    file: str
    rows: int = 0
    unreadable: int = 0
    problems: tuple[str, ...] = ()
    error: str = ""

    def sentence(self) -> str:
        """Return what is odd about the recording; empty if nothing is."""
        if self.error:
            return f"{self.file} is left out: {self.error}"
        if not self.unreadable:
            return ""
        return f"{self.file}: {self.unreadable:,} of {self.rows:,} rows could not be read ({'; '.join(self.problems)})"


def recordings_in(folders: Sequence[Path], reader: str) -> Iterator[Recording]:
    """Yield the recordings in corpus folders that have a reader of the registry (``recorded:ilogiceval``, ...).

    Model, setting and run stand in the file name; files with other names or settings are passed over.
    """
    for folder in folders:
        for entry in read_manifest(folder).files:
            match = READERS[reader].fullmatch(Path(entry.name).name)
            if entry.reader != reader or not match:
                continue
            file, name = str(Path(folder, entry.name)), match.groupdict()
            thought = name.get("thought")
            prompt = _THOUGHTS[thought] if thought else _SETTINGS.get(name.get("shots") or "")
            if reader == "recorded:justlogic_prior":
                benchmark = _RENAMED.get(name["benchmark"], name["benchmark"])
                yield Recording(file, "justlogic-prior", model="GPT-4", benchmark=benchmark)
            elif prompt and reader == "recorded:justlogic":
                model = _SYSTEMS[name["model"]]
                yield Recording(
                    file, "justlogic", model=model, prompt=prompt, benchmark="justlogic"
                )
            elif prompt:
                model, run = f"{name['model']} (recorded)", int(name["run"] or 1) - 1
                yield Recording(file, "ilogiceval", model=model, prompt=prompt, run=run)


def recording_from(text: str) -> Recording:
    """Return the recording that a JSON object describes."""
    try:
        values = {name: value for name, value in orjson.loads(text).items() if value is not None}
        return TypeAdapter(Recording).validate_python(values)
    except (ValueError, AttributeError) as error:
        problem = str(error)
        if isinstance(error, ValidationError):
            first = error.errors()[0]
            problem = f"the field '{first['loc'][0]}': {first['msg']}"
        raise DivLogicError(
            f"not a recording ({problem}): {text[:80]}; give an object with the fields file, format, model, prompt,"
            " run."
        ) from error


def read_recording(recording: Recording) -> tuple[list[Prediction], Report]:
    """Return the predictions of a recording and what was met in it.

    It is an error if the file is missing or has another format, or more than a small share of its rows cannot be read.
    """
    path = recording.path
    report = Report(path.name)
    problems: list[str] = []

    def on_problem(number: int, problem: str) -> None:
        report.unreadable += 1
        if len(problems) < _NAMED:
            problems.append(f"row {number}: {problem}")

    predictions: list[Prediction] = []
    seen: set[tuple[Series, str, int]] = set()
    for number, prediction in enumerate(predictions_in(recording, on_problem), start=1):
        key = (prediction.series, prediction.instance, prediction.rotation)
        if key in seen:
            # It cannot be distinguished from the first.
            on_problem(number, f"a second answer to instance {prediction.instance!r}")
        else:
            seen.add(key)
            predictions.append(prediction)
    report.rows, report.problems = len(predictions) + report.unreadable, tuple(problems)
    if not report.rows:
        raise DivLogicError(f"{path}: the recording has no rows; fetch the file again.")
    too_many = report.unreadable > 1 and report.unreadable > MOST_UNREADABLE * report.rows
    if too_many or not predictions:
        raise DivLogicError(
            f"{path}: {report.unreadable:,} of {report.rows:,} rows cannot be read ({'; '.join(problems)}); at most"
            f" {MOST_UNREADABLE:.0%} may be so. Check the format, fix the rows, or leave the recording out."
        )
    if report.unreadable:
        say(f"{path}: {report.sentence().partition(': ')[2]}")
    return predictions, report


def read_recordings(recordings: Sequence[Recording]) -> tuple[list[Prediction], list[Report]]:
    """Return the predictions of all recordings that can be used, and a report of each, used or not."""
    predictions: list[Prediction] = []
    reports: list[Report] = []
    given: set[Series] = set()
    for recording in recordings:
        try:
            found, report = read_recording(recording)
            own = {prediction.series for prediction in found}
            if twice := sorted(str(series) for series in own & given):
                raise DivLogicError(
                    f"{recording.file}: answers of {twice[0]} were already read from another recording; give one of"
                    " them another model name or run."
                )
        except DivLogicError as error:
            say(f"{error} This recording is left out.")
            reason = str(error).removeprefix(f"{recording.file}: ").rstrip(".")
            reports.append(Report(recording.path.name, error=reason))
            continue
        given |= own
        predictions += found
        reports.append(report)
    return predictions, reports


def note_of(paths: Iterable[Path]) -> str:
    """Return the sentences of a table's note about the recordings reported in files; empty if nothing was odd."""
    reports = [Report(**row) for path in paths for row in read_json(path)]
    sentences = [sentence for report in reports if (sentence := report.sentence())]
    return f" Recordings: {'; '.join(sentences)}." if sentences else ""
