"""Logs of this package's Inspect tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import RowProblem
from divlogic.models.letters import LETTERS, OPTIONS, parse_answer
from divlogic.models.predictions import Prediction


def read(
    path: Path, *, run: int = 0, note: Callable[[str], None], on_problem: RowProblem
) -> Iterator[Prediction]:
    """Yield the predictions in a log of rotated instances (``.eval`` or ``.json``).

    Args:
        path: the log.
        run: number of the first epoch's run.
        note: called with a sentence about a log or sample that is not whole.
        on_problem: called for each sample that is no rotation.

    Raises:
        DivLogicError: the file is missing or no Inspect log.
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
    for number, sample in enumerate(log.samples or (), start=1):
        about = sample.metadata or {}
        rotation, gold = about.get("rotation"), str(sample.target)
        named = all(isinstance(about.get(name), str) for name in ("benchmark", "prompt", "instance"))
        if (
            not named
            or type(rotation) is not int
            or not 0 <= rotation < OPTIONS
            or gold not in tuple(LETTERS)
        ):
            on_problem(number, f"sample {sample.id!r} is no rotation; was the log made by a divlogic task?")
            continue
        if sample.error is not None:
            # An exception without a text (a time-out) leaves an empty message.
            first = sample.error.message.strip().partition("\n")[0] or "an error without a message"
            note(f"{path}: sample {sample.id!r} has no answer ({first[:80]})")
            continue
        answer = sample.output.completion
        yield Prediction(
            about["benchmark"],
            str(log.eval.model),
            about["prompt"],
            about["instance"],
            gold,
            parse_answer(answer),
            run=run + sample.epoch - 1,
            rotation=rotation,
            question_type=about.get("question_type") or "",
            answer=answer,
        )
