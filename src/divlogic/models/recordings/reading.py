"""Reading recordings: by their format, with odd rows counted and not fatal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from divlogic.errors import DivLogicError
from divlogic.io.files import RowProblem, read_json, write_json
from divlogic.io.log import say
from divlogic.models.predictions import Prediction, Series

Format = Literal["ilogiceval", "justlogic", "justlogic-prior", "inspect", "predictions"]
FORMATS: tuple[Format, ...] = ("ilogiceval", "justlogic", "justlogic-prior", "inspect", "predictions")
LABEL_FORMATS = ("justlogic", "justlogic-prior")
"""Formats that hold labels; the others hold letters of rotated options."""

MOST_UNREADABLE = 0.02
"""Share of unreadable rows above which a recording is refused; a single such row never refuses it."""

_NAMED = 3


@dataclass(frozen=True)
class Recording:
    """A file of recorded answers.

    Attributes:
        file: the file.
        format: how it is read.
        model: whose answers they are; empty for what the file says, or its name.
        prompt: prompt style, where the file names none.
        run: number of the run, where the file names none.
        benchmark: what was answered, where the file does not say.
        choices: number of possible answers, where the labels of the file do not give it.
    """

    file: str
    format: Format
    model: str = ""
    prompt: str = ""
    run: int = 0
    benchmark: str = ""
    choices: int | None = None


@dataclass
class Report:
    """What was met while a recording was read.

    Attributes:
        file: the file's name.
        rows: rows read, those that could not be included.
        unreadable: rows that could not be read.
        no_option: answers that name none of the options.
        unasked: questions that were never put to the system.
        problems: the first unreadable rows, each as "row N: what is wrong".
        error: why nothing of the file is used; empty if it is.
    """

    file: str
    rows: int = 0
    unreadable: int = 0
    no_option: int = 0
    unasked: int = 0
    problems: tuple[str, ...] = ()
    error: str = ""

    def sentence(self) -> str:
        """Return what is odd about the recording; empty if nothing is."""
        if self.error:
            return f"{self.file} is left out: {self.error}"
        if not self.unreadable:
            return ""
        return f"{self.file}: {self.unreadable:,} of {self.rows:,} rows could not be read ({'; '.join(self.problems)})"


def read_recording(
    recording: Recording, note: Callable[[str], None] = say
) -> tuple[list[Prediction], Report]:
    """Return the predictions of a recording and what was met in it.

    Args:
        recording: the file and what is known of it.
        note: called with a sentence about something in the file that was read all the same.

    Raises:
        DivLogicError: the file is missing or has another format, or more than a small share of its rows cannot be read.
    """
    path = Path(recording.file)
    report = Report(path.name)
    problems: list[str] = []

    def on_problem(number: int, problem: str) -> None:
        report.unreadable += 1
        if len(problems) < _NAMED:
            problems.append(f"row {number}: {problem}")

    predictions = list(_once(_rows(recording, path, note, on_problem), on_problem))
    report.rows, report.problems = len(predictions) + report.unreadable, tuple(problems)
    report.unasked = sum(not prediction.asked for prediction in predictions)
    report.no_option = sum(p.answered and p.predicted is None for p in predictions)
    if not report.rows:
        raise DivLogicError(f"{path}: the recording has no rows; fetch the file again.")
    too_many = report.unreadable > 1 and report.unreadable > MOST_UNREADABLE * report.rows
    if too_many or not predictions:
        raise DivLogicError(
            f"{path}: {report.unreadable:,} of {report.rows:,} rows cannot be read ({'; '.join(problems)}); at most"
            f" {MOST_UNREADABLE:.0%} may be so. Check the format, fix the rows, or leave the recording out."
        )
    if report.unreadable:
        note(f"{path}: {report.sentence().partition(': ')[2]}")
    return predictions, report


def read_recordings(recordings: Sequence[Recording]) -> tuple[list[Prediction], list[Report]]:
    """Return the predictions of all recordings that can be used, and a report of each, used or not."""
    predictions: list[Prediction] = []
    reports: list[Report] = []
    given: dict[Series, str] = {}
    for recording in recordings:
        try:
            found, report = read_recording(recording)
            own = {prediction.series for prediction in found}
            twice = sorted(str(series) for series in own if series in given)
            if twice:
                raise DivLogicError(
                    f"{recording.file}: answers of {twice[0]} were already read from another recording; give one of"
                    " them another model name or run."
                )
        except DivLogicError as error:
            say(f"{error} This recording is left out.")
            reports.append(Report(Path(recording.file).name, error=_without_path(str(error), recording.file)))
            continue
        given.update(dict.fromkeys(own, recording.file))
        predictions += found
        reports.append(report)
    return predictions, reports


def write_reports(path: Path, reports: Sequence[Report]) -> None:
    """Write the reports as JSON."""
    write_json(path, [asdict(report) for report in reports])


def note_of(paths: Iterable[Path]) -> str:
    """Return the sentences of a table's note about the recordings reported in files; empty if nothing was odd.

    Raises:
        DivLogicError: a file is missing or is no report.
    """
    sentences: list[str] = []
    for path in paths:
        try:
            reports = [Report(**row) for row in read_json(path)]
        except TypeError as error:
            raise DivLogicError(f"{path}: not a report on recordings; make the file again.") from error
        sentences += [sentence for report in reports if (sentence := report.sentence())]
    return f" Recordings: {'; '.join(sentences)}." if sentences else ""


def _rows(
    recording: Recording, path: Path, note: Callable[[str], None], on_problem: RowProblem
) -> Iterable[Prediction]:
    from divlogic.models.recordings import ilogiceval, inspect_logs, justlogic, prediction_files

    model = recording.model or path.stem
    match recording.format:
        case "ilogiceval":
            return ilogiceval.read(
                path,
                model=model,
                prompt=recording.prompt,
                run=recording.run,
                note=note,
                on_problem=on_problem,
            )
        case "justlogic" | "justlogic-prior":
            return justlogic.read(
                path,
                benchmark=recording.benchmark or "justlogic",
                model=model,
                prompt=recording.prompt,
                run=recording.run,
                choices=recording.choices,
                on_problem=on_problem,
            )
        case "inspect":
            found: Any = inspect_logs.read(path, run=recording.run, note=note, on_problem=on_problem)
        case "predictions":
            found = prediction_files.read(path, on_problem=on_problem)
    return (replace(one, model=recording.model) for one in found) if recording.model else found


def _once(predictions: Iterable[Prediction], on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield each question of a series once; a second answer to it cannot be distinguished from the first."""
    seen: set[tuple[Series, str, int]] = set()
    for number, prediction in enumerate(predictions, start=1):
        key = (prediction.series, prediction.instance, prediction.rotation)
        if key in seen:
            on_problem(number, f"a second answer to instance {prediction.instance!r}")
        else:
            seen.add(key)
            yield prediction


def _without_path(message: str, path: str) -> str:
    return message.removeprefix(f"{path}: ").rstrip(".")
