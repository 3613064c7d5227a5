"""Formats of recorded answers: ILogicEval's and JustLogic's files, Inspect logs, prediction files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from divlogic.errors import DivLogicError
from divlogic.io.files import RowProblem, open_bytes, read_jsonl, read_lines
from divlogic.io.log import say
from divlogic.models.letters import LETTERS, OPTIONS, parse_answer
from divlogic.models.outcome import is_final
from divlogic.models.predictions import (
    TRUTH_LABELS,
    Prediction,
    Status,
    fold_label,
    prediction_from,
)

Format = Literal["ilogiceval", "justlogic", "justlogic-prior", "inspect", "predictions"]
LABEL_FORMATS = ("justlogic", "justlogic-prior")
"""Formats that hold labels; the others hold letters of rotated options."""

_ROW = re.compile(
    r"^(?P<instance>\d+) (?P<gold>[A-D]) (?P<predicted>\S+)(?: (?P<answer>.*?))??\s*(?P<parsed>True|False)?$"
)
_LETTERS = tuple(LETTERS)
_ABSENT = frozenset(("", "nan", "none"))
_COMPLETION = "full_completion"
_MOST_ODD = 0.02


@dataclass(frozen=True)
class Recording:
    """A file of recorded answers.

    Attributes:
        model: whose answers they are; empty for what the file says, or its name.
        prompt: prompt style, where the file names none.
        run: number of the run, where the file names none.
        benchmark: what was answered, where the file does not say.
        choices: number of possible answers, where the labels of the file do not give it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    file: str
    format: Format
    model: str = ""
    prompt: str = ""
    run: int = 0
    benchmark: str = ""
    choices: int | None = None

    @property
    def path(self) -> Path:
        return Path(self.file)


def predictions_in(recording: Recording, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions of a recording."""
    read: Any = {"ilogiceval": _ilogiceval, "inspect": _inspect, "predictions": _predictions}
    for one in read.get(recording.format, _justlogic)(recording, on_problem):
        yield replace(one, model=recording.model) if recording.model else one


def _ilogiceval(recording: Recording, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions of an ILogicEval result file.

    One line per rotation, four in a row per instance: instance number, gold letter in that rotation, what was read of
    the answer, the answer, and whether a letter was found in it. A reading that is none of the options' letters
    (``N``, a lower-case letter, a word) names no option. An instance whose gold letters name different options is
    reported and scored as recorded, each rotation by its own gold letter. The rows of an instance
    without four rotations cannot be used.
    """
    path, model = recording.path, recording.path.stem
    rows = [(number, _ROW.match(line)) for number, line in read_lines(path)]
    if not rows:
        raise DivLogicError(f"{path}: the file is empty; fetch it again.")
    # A line that cannot be read belongs to the instance before it.
    named = (match["instance"] if match else "" for _, match in rows)
    instances: Iterator[str] = accumulate(named, lambda last, own: own or last)
    for _, block in groupby(zip(instances, rows, strict=True), itemgetter(0)):
        for rotation, match in _rotations(path, [row for _, row in block], on_problem):
            letter = match["predicted"]
            yield Prediction(
                "ilogiceval",
                model,
                recording.prompt,
                match["instance"],
                match["gold"],
                letter if letter in _LETTERS else None,
                run=recording.run,
                rotation=rotation,
                answer=match["answer"] or "",
            )


def _rotations(
    path: Path, block: list[tuple[int, re.Match[str] | None]], on_problem: RowProblem
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield (rotation, row) of one instance; nothing if the rotations of its rows cannot be determined."""
    rows = [(number, match) for number, match in block if match is not None]
    for number, match in block:
        if match is None:
            on_problem(number, "not 'instance gold predicted answer True|False'")
    if OPTIONS in (len(rows), len(block)):
        numbered = enumerate(rows if len(rows) == OPTIONS else block)
        placed = [(rotation, match) for rotation, (_, match) in numbered if match is not None]
    else:
        for number, match in rows:
            on_problem(
                number, f"instance {match['instance']} has {len(rows)} of {OPTIONS} rotations"
            )
        return
    golds = {(LETTERS.index(match["gold"]) + rotation) % OPTIONS for rotation, match in placed}
    if len(golds) > 1:
        number, match = rows[-1]
        say(
            f"{path}, row {number}: the gold letters of instance {match['instance']} name {len(golds)} different"
            " options"
        )
    yield from placed


def _justlogic(recording: Recording, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions of a csv file with the columns ``label`` and ``predicted``, in ISO-8859-1.

    ``id``, ``depth`` and ``full_completion`` are read where there are such columns. A row without ``predicted`` was
    never asked, unless ``full_completion`` shows what was answered: then the answer named no label. Truth labels are
    folded as JustLogic's evaluation folds them; of other labels the answer counts as it stands, in any case.
    """
    rows, model = [], recording.path.stem
    for number, row in enumerate(_csv_rows(recording.path), start=1):
        if row["label"].strip():
            rows.append((number, row))
        else:
            on_problem(number, "it has no label")
    labels = [row["label"].strip() for _, row in rows]
    # A stray label among thousands of truth labels is an odd row and not another kind of benchmark.
    truth = sum(fold_label(label) is None for label in labels) <= _MOST_ODD * len(labels)
    distinct = TRUTH_LABELS if truth else {label.casefold() for label in labels}
    for (number, row), label in zip(rows, labels, strict=True):
        gold = fold_label(label) if truth else label.casefold()
        if gold is None:
            on_problem(number, f"the label {label[:40]!r} is none of {', '.join(TRUTH_LABELS)}")
            continue
        named, depth = row["predicted"].strip(), row.get("depth", "").strip()
        named = "" if named.casefold() in _ABSENT else named
        text = named or row.get(_COMPLETION, "").strip()
        predicted = (fold_label(named) if truth else named.casefold() or None) if named else None
        yield Prediction(
            recording.benchmark or "justlogic",
            model,
            recording.prompt,
            row.get("id") or str(number),
            gold,
            predicted,
            run=recording.run,
            answer=named,
            source="recorded",
            choices=recording.choices or len(distinct),
            depth=int(depth) if depth.isdecimal() else None,
            asked=bool(text) and text.casefold() not in _ABSENT,
        )


def _csv_rows(path: Path) -> list[dict[Any, Any]]:
    import pandas as pd

    try:
        with open_bytes(path) as stream:
            table = pd.read_csv(
                stream, dtype=str, encoding="iso-8859-1", keep_default_na=False, index_col=False
            )
    except ValueError as error:
        raise DivLogicError(
            f"{path}: not a readable csv file ({error}); fetch it again."
        ) from error
    if absent := {"label", "predicted"} - {*table.columns}:
        raise DivLogicError(
            f"{path}: the column '{min(absent)}' is missing; is it a JustLogic result file?"
        )
    if table.empty:
        raise DivLogicError(f"{path}: no rows below the header; fetch the file again.")
    return table.fillna("").to_dict("records")


def _inspect(recording: Recording, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions in a log of rotated instances (``.eval`` or ``.json``); ``run`` is the first epoch's."""
    from inspect_ai.log import read_eval_log

    path = recording.path
    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; check the path.")
    try:
        log = read_eval_log(str(path))
    except Exception as error:
        raise DivLogicError(
            f"{path}: not a readable Inspect log ({type(error).__name__}: {error})."
        ) from error
    if log.status != "success":
        say(
            f"{path}: this run ended with status '{log.status}'; only its finished samples are read"
        )
    for number, sample in enumerate(log.samples or (), start=1):
        about = sample.metadata or {}
        rotation, gold = about.get("rotation"), str(sample.target)
        named = all(
            isinstance(about.get(name), str) for name in ("benchmark", "prompt", "instance")
        )
        if (
            not named
            or type(rotation) is not int
            or rotation not in range(OPTIONS)
            or gold not in _LETTERS
        ):
            on_problem(
                number, f"sample {sample.id!r} is no rotation; was the log made by a divlogic task?"
            )
            continue
        if sample.error is not None:
            # An exception without a text (a time-out) leaves an empty message.
            first = sample.error.message.strip().partition("\n")[0] or "an error without a message"
            say(f"{path}: sample {sample.id!r} has no answer ({first[:80]})")
            continue
        answer = sample.output.completion
        status = _status(answer, sample.output.stop_reason)
        yield Prediction(
            about["benchmark"],
            str(log.eval.model),
            about["prompt"],
            about["instance"],
            gold,
            None if status == "refused" else parse_answer(answer),
            run=recording.run + sample.epoch - 1,
            rotation=rotation,
            question_type=about.get("question_type") or "",
            answer=answer,
            status=status,
        )


def _status(answer: str, stop: str) -> Status:
    """Return what keeps a sample's reply from being an answer that ended by itself; empty where nothing does."""
    if stop == "content_filter":
        return "refused"
    if stop == "max_tokens":
        return "cut"
    return "" if is_final(answer, stop) else "unanswered"


def _predictions(recording: Recording, on_problem: RowProblem) -> Iterator[Prediction]:
    """Yield the predictions of another run or program; a prediction that is none of the letters names no option."""
    for number, row in read_jsonl(recording.path, on_problem=on_problem):
        try:
            one = prediction_from(row)
        except ValueError as error:
            on_problem(number, str(error))
            continue
        if one.gold not in _LETTERS or not one.rotation < OPTIONS:
            on_problem(
                number, f"the gold letter {one.gold!r} in rotation {one.rotation} is impossible"
            )
        else:
            yield one if one.predicted in _LETTERS else replace(one, predicted=None)
