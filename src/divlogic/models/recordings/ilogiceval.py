"""ILogicEval's result files: letters of rotated options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.io.files import RowProblem, read_lines
from divlogic.models.letters import LETTERS, OPTIONS
from divlogic.models.predictions import Prediction

_ROW = re.compile(
    r"^(?P<instance>\d+) (?P<gold>[A-D]) (?P<predicted>\S+)(?: (?P<answer>.*?))??\s*(?P<parsed>True|False)?$"
)


def read(
    path: Path,
    *,
    model: str,
    prompt: str,
    run: int = 0,
    note: Callable[[str], None],
    on_problem: RowProblem,
) -> Iterator[Prediction]:
    """Yield the predictions of an ILogicEval result file.

    One line per rotation, four in a row per instance: instance number, gold letter in that rotation, what was read of
    the answer, the answer, and whether a letter was found in it. Whatever was read that is none of the options' letters
    (``N``, a lower-case letter, a word) names no option. An instance whose gold letters name different options is
    reported through ``note`` and scored as recorded, each rotation by its own gold letter.

    Args:
        path: the file.
        model, prompt, run: whose answers they are.
        note: called with a sentence about something odd.
        on_problem: called for each row that cannot be used: also those of an instance without four rotations.

    Raises:
        DivLogicError: the file is missing or empty.
    """
    instance: str | None = None
    block: list[tuple[int, re.Match[str] | None]] = []
    number = 0

    def finished() -> Iterator[Prediction]:
        for rotation, match in _rotations(path, block, note, on_problem):
            letter = match["predicted"]
            yield Prediction(
                "ilogiceval",
                model,
                prompt,
                match["instance"],
                match["gold"],
                letter if letter in tuple(LETTERS) else None,
                run=run,
                rotation=rotation,
                answer=match["answer"] or "",
            )

    for number, line in read_lines(path):
        match = _ROW.match(line)
        if match is not None and match["instance"] != instance:
            yield from finished()
            instance, block = match["instance"], []
        block.append((number, match))
    yield from finished()
    if not number:
        raise DivLogicError(f"{path}: the file is empty; fetch it again.")


def _rotations(
    path: Path,
    block: list[tuple[int, re.Match[str] | None]],
    note: Callable[[str], None],
    on_problem: RowProblem,
) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield (rotation, row) of one instance; nothing if the rotations of its rows cannot be determined."""
    rows = [(number, match) for number, match in block if match is not None]
    for number, match in block:
        if match is None:
            on_problem(number, "not 'instance gold predicted answer True|False'")
    if len(rows) == OPTIONS:
        placed = [(rotation, match) for rotation, (_, match) in enumerate(rows)]
    elif len(block) == OPTIONS:
        placed = [(rotation, match) for rotation, (_, match) in enumerate(block) if match is not None]
    else:
        for number, match in rows:
            on_problem(number, f"instance {match['instance']} has {len(rows)} of {OPTIONS} rotations")
        return
    golds = {(LETTERS.index(match["gold"]) + rotation) % OPTIONS for rotation, match in placed}
    if len(golds) > 1:
        number, match = rows[-1]
        note(
            f"{path}, row {number}: the gold letters of instance {match['instance']} name {len(golds)} different"
            " options"
        )
    yield from placed
