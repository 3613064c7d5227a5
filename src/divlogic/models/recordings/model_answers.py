"""What models answered to this workflow's own questions, as the repository ships it.

A folder per model holds a table for each benchmark and prompt style: instance, rotation, the answer that was read, and
the log-probabilities of the letters. A table holds neither questions nor right answers. It counts only for the very
questions that were asked, wording and order of the options included: their digest stands in the folder's manifest.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import click
import orjson
from pydantic import TypeAdapter, ValidationError

from divlogic.config.command import FOLDER
from divlogic.errors import DivLogicError
from divlogic.io.files import file_sha256, open_bytes, read_json, write_csv, write_json
from divlogic.io.log import say
from divlogic.models.answer_keys import keys_of_questions, read_matching
from divlogic.models.asking import prediction_of
from divlogic.models.gguf import is_served
from divlogic.models.parameters import ModelParameters, SamplingParameters, model_named
from divlogic.models.predictions import Prediction, write_predictions
from divlogic.models.recordings.reading import Report
from divlogic.models.requests import ClosedQuestion, fingerprint_of, label_of
from divlogic.records import grouped

MANIFEST = "MANIFEST.json"
ANOTHER_VERSION = "recorded on another version"
SUFFIX = " (recorded)"
"""What follows the name of a model whose answers were recorded earlier."""

NO_ANSWER, UNREADABLE = "", "?"
_COLUMNS = ("instance", "rotation", "predicted")


@dataclass(frozen=True)
class RecordOptions:
    """Options of every step that records a model's answers."""

    predictions: Annotated[tuple[Path, ...], "The answers; repeatable."]
    name: Annotated[str, "--model", "Label or name of the model whose answers are recorded."]
    folder: Annotated[Path, "--out", FOLDER, "The model's folder in data/recorded."]


@dataclass(frozen=True)
class RecordedOptions:
    """Options of every step that reads recorded answers back."""

    out: Annotated[Path, "Predictions (jsonl)."]
    report: Annotated[Path, "What was met in each table (json), for notes."]
    folders: Annotated[tuple[Path, ...], "--from", FOLDER, "Folder of a recorded model; repeatable."] = ()


@dataclass(frozen=True)
class RecordedTable:
    """One table of a folder.

    Attributes:
        kind: which step of the workflow asked: ``rotations``, ``justlogic``, ``prior_knowledge``.
        questions: SHA-256 of the questions, in the order of the rows.
        sha256: of the file.
    """

    name: str
    kind: str
    benchmark: str
    prompt: str
    rows: int
    questions: str
    sha256: str


@dataclass(frozen=True)
class RecordedModel:
    """The manifest of a folder: name in tables, by kind how it was asked (for people), and what it answered."""

    model: str
    about: Mapping[str, Any]
    tables: tuple[RecordedTable, ...]


def questions_digest(questions: Iterable[ClosedQuestion]) -> str:
    """Return the SHA-256 of questions in their order: which instance is shown how, and what the right answer is."""
    digest = hashlib.sha256()
    for question in questions:
        digest.update(orjson.dumps(question.shown, option=orjson.OPT_APPEND_NEWLINE))
    return digest.hexdigest()


def record(
    given: RecordOptions,
    kind: str,
    questions: Callable[[ModelParameters], Sequence[ClosedQuestion]],
    models: Sequence[ModelParameters],
    sampling: SamplingParameters,
) -> None:
    """Record what a model answered in its first run to questions of one kind, and say how many answers were recorded.

    Tables of that kind that were there before are replaced.
    """
    model, folder = model_named(models, given.name, None), given.folder
    label = label_of(model)
    asked = questions(model)
    key_of = keys_of_questions(asked)
    rows = (row for path in given.predictions for row in read_matching(path, key_of))
    answers = {_key(row): row for row in rows if row.model == label and row.run == 0}
    answered = (question for question in asked if _key(question) in answers)
    parts = grouped(answered, lambda question: (question.benchmark, question.prompt))
    if not parts:
        raise DivLogicError(
            f"{folder}: there is no answer of '{label}' to these questions to be recorded; ask it first (make model)."
        )
    former = read_manifest(folder) if (folder / MANIFEST).is_file() else RecordedModel(label, {}, ())
    if former.model != label:
        raise DivLogicError(
            f"{folder}: it holds the answers of '{former.model}'; record those of '{label}' in a folder of their own."
        )
    about = {"name": model.name, "args": model.args, "sampling": model.sampling_within(sampling)}
    if is_served(model.name):
        about["file"] = fingerprint_of(model)
    written = [
        _write_table(folder, kind, part, [answers[_key(question)] for question in part])
        for part in parts.values()
    ]
    kept = [table for table in former.tables if table.kind != kind]
    tables = sorted((*kept, *written), key=lambda table: table.name)
    listed = dict(sorted({**former.about, kind: about}.items()))
    write_json(folder / MANIFEST, asdict(RecordedModel(label, listed, tuple(tables))), note=False)
    for path in {*folder.glob("*.csv.gz")} - {folder / table.name for table in tables}:
        path.unlink()
    for table in written:
        click.echo(f"{folder / table.name}: {table.rows:,} answers")


def recorded(
    given: RecordedOptions, kind: str, questions: Callable[[RecordedTable], Sequence[ClosedQuestion]]
) -> None:
    """Write the recorded answers of all models to questions of one kind, and what was met in each table.

    A table is passed over if the run has no questions of its benchmark and prompt style: it is none of this run's.
    """
    found: list[Prediction] = []
    reports: list[Report] = []
    for folder in given.folders:
        manifest = read_manifest(folder)
        for table in manifest.tables:
            asked = questions(table) if table.kind == kind else ()
            if not asked:
                continue
            report = Report(f"{folder.name}/{table.name}")
            try:
                answers = list(_answers(folder / table.name, table, asked, manifest.model + SUFFIX))
            except DivLogicError as error:
                report.error = str(error).rstrip(".")
                say(report.sentence())
            else:
                report.rows = len(answers)
                found += answers
            reports.append(report)
    write_predictions(given.out, found)
    write_json(given.report, [asdict(report) for report in reports])


def read_manifest(folder: Path) -> RecordedModel:
    """Read the manifest of a folder."""
    try:
        return TypeAdapter(RecordedModel).validate_python(read_json(folder / MANIFEST))
    except ValidationError as error:
        raise DivLogicError(
            f"{folder / MANIFEST}: not a manifest of recorded answers ({error.errors()[0]['msg']}); fetch it again, or"
            " record the answers again (make record-model)."
        ) from error


def _write_table(
    folder: Path, kind: str, asked: Sequence[ClosedQuestion], answers: Sequence[Prediction]
) -> RecordedTable:
    benchmark, prompt = asked[0].benchmark, asked[0].prompt
    letters = sorted({letter for answer in answers for letter in answer.logprobs or ()})
    name = f"{kind}-{benchmark}-{prompt}.csv.gz"
    rows = [
        [
            answer.instance,
            answer.rotation,
            answer.predicted or (UNREADABLE if answer.answered else NO_ANSWER),
            *((answer.logprobs or {}).get(letter) for letter in letters),
        ]
        for answer in answers
    ]
    write_csv(folder / name, (*_COLUMNS, *letters), rows, note=False)
    digest = file_sha256(folder / name)
    return RecordedTable(name, kind, benchmark, prompt, len(rows), questions_digest(asked), digest)


def _answers(
    path: Path, table: RecordedTable, asked: Sequence[ClosedQuestion], model: str
) -> Iterator[Prediction]:
    """Yield the answers of a table; other questions, or a file that is not the one of the manifest, are an error."""
    if not path.is_file() or file_sha256(path) != table.sha256:
        raise DivLogicError("the file is missing, or not the one of its manifest")
    with open_bytes(path) as stream:
        rows = list(csv.DictReader(io.TextIOWrapper(stream, encoding="utf-8", newline="")))
    by_place = {(question.instance, question.rotation or 0): question for question in asked}
    places = [(row["instance"], int(row["rotation"])) for row in rows]
    matched = [by_place[place] for place in places if place in by_place]
    if len(matched) < len(places) or questions_digest(matched) != table.questions:
        raise DivLogicError(ANOTHER_VERSION)
    for question, row in zip(matched, rows, strict=True):
        predicted = row["predicted"]
        logprobs = {name: float(row[name]) for name in row if name not in _COLUMNS and row[name]}
        yield prediction_of(
            question,
            model,
            None if predicted in (NO_ANSWER, UNREADABLE) else predicted,
            answer=predicted,
            source="" if question.rotation is not None else "model",
            logprobs=logprobs or None,
        )


def _key(row: ClosedQuestion | Prediction) -> tuple[str, str, str, int]:
    return row.benchmark, row.prompt, row.instance, row.rotation or 0
