"""Readers for answers that somebody else recorded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from divlogic.errors import DivLogicError
from divlogic.evaluation.predictions import Prediction, Series
from divlogic.files import read_lines
from divlogic.models.letters import LETTERS, OPTIONS, parse_answer

Format = Literal["ilogiceval", "justlogic", "justlogic-prior", "inspect", "predictions"]
FORMATS: tuple[Format, ...] = ("ilogiceval", "justlogic", "justlogic-prior", "inspect", "predictions")

Note = Callable[[str], None]
"""Called with a sentence about something in a file that was read all the same."""

_ILOGICEVAL = re.compile(
    r"^(?P<instance>\d+) (?P<gold>[A-D]) (?P<predicted>[A-Z]) (?P<answer>.*?)\s*(?P<parsed>True|False)?$"
)


def read_ilogiceval(path: Path, *, model: str, prompt: str, run: int = 0, note: Note) -> Iterator[Prediction]:
    """Yield the predictions of an ILogicEval result file.

    One line per rotation, four in a row per instance: instance number, gold letter in that rotation, predicted letter
    (``N`` for none), the answer, and whether a letter was found in it. An instance whose gold letters name different
    options is reported through ``note`` and scored as recorded, each rotation by its own gold letter.

    Raises:
        DivLogicError: a line does not have that form, or an instance does not have four rotations.
    """
    series = Series("ilogiceval", model, prompt, run)
    instance, rotation, golds = None, 0, set[int]()
    number = 0
    for number, line in read_lines(path):
        match = _ILOGICEVAL.match(line)
        if not match:
            raise DivLogicError(
                f"{path}, row {number}: expected 'instance gold predicted answer True|False', found {line[:60]!r};"
                " mend or remove that row."
            )
        if match["instance"] != instance:
            _check_complete(path, number, instance, rotation)
            instance, rotation, golds = match["instance"], 0, set()
        elif rotation == OPTIONS:
            raise DivLogicError(
                f"{path}, row {number}: a fifth rotation of instance {instance}; remove that row."
            )
        golds.add((LETTERS.index(match["gold"]) + rotation) % OPTIONS)
        if rotation == OPTIONS - 1 and len(golds) > 1:
            note(
                f"{path}, row {number}: the gold letters of instance {instance} name {len(golds)} different options"
            )
        predicted = match["predicted"] if match["predicted"] in LETTERS else None
        yield Prediction(series, match["instance"], rotation, "", match["gold"], predicted, match["answer"])
        rotation += 1
    if not number:
        raise DivLogicError(f"{path}: the file is empty; fetch it again.")
    _check_complete(path, number, instance, rotation)


def read_inspect(path: Path, *, run: int = 0, note: Note) -> Iterator[Prediction]:
    """Yield the predictions in a log of the Inspect tasks of this package (``.eval`` or ``.json``).

    Raises:
        DivLogicError: the file is no Inspect log, or its samples are not rotations.
    """
    from inspect_ai.log import read_eval_log

    if not path.is_file():
        raise DivLogicError(f"{path}: there is no such file; check the path.")
    try:
        log = read_eval_log(str(path))
    except Exception as error:
        raise DivLogicError(
            f"{path}: not a readable Inspect log ({type(error).__name__}: {error})."
        ) from error
    if log.status != "success":
        note(f"{path}: this run ended with status '{log.status}'; only its finished samples are read")
    for sample in log.samples or ():
        about = sample.metadata or {}
        if "instance" not in about or "rotation" not in about:
            raise DivLogicError(
                f"{path}: sample {sample.id!r} is no rotation; was the log made by a divlogic task?"
            )
        if sample.error is not None:
            note(f"{path}: sample {sample.id!r} has no answer ({sample.error.message.splitlines()[0][:80]})")
            continue
        answer = sample.output.completion
        series = Series(about["benchmark"], str(log.eval.model), about["prompt"], run + sample.epoch - 1)
        yield Prediction(
            series,
            str(about["instance"]),
            int(about["rotation"]),
            about.get("question_type") or "",
            str(sample.target),
            parse_answer(answer),
            answer,
        )


def _check_complete(path: Path, number: int, instance: str | None, rotations: int) -> None:
    """Raise unless the instance that ends before row ``number`` has all its rotations."""
    if instance is not None and rotations != OPTIONS:
        raise DivLogicError(
            f"{path}, row {number}: instance {instance} has {rotations} of {OPTIONS} rotations; is the file cut?"
        )
