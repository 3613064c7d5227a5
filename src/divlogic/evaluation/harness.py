"""Export of rotation files as a task folder that lm-evaluation-harness takes with ``--include_path``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores
from divlogic.evaluation.harness_tasks import task_name, write_scoring, write_task
from divlogic.evaluation.rotations import read_rotations, rotation_json
from divlogic.models import letters
from divlogic.models.parameters import THINKING_TOKENS

_METRICS = {
    "acc": "accuracy",
    "cir": "circular",
    "pc": "partial_circular",
    "answers_read": "answers_read",
}


def write_harness(rotations: Sequence[Path], out: Path, *, thinking: bool = False) -> list[str]:
    """Write one task per rotation file, ``<benchmark>_<prompt>``, and the scoring they share; return their names.

    Few-shot examples are part of the prompts already, so the tasks are run with no shots of the harness's own. With
    ``thinking`` an answer has 8,192 tokens in place of 64.

    Raises:
        DivLogicError: a file is missing or malformed, mixes prompts, or two files give one task name.
    """
    names: list[str] = []
    for path in rotations:
        rows = read_rotations(path)
        kinds = {(row.benchmark, row.prompt) for row in rows}
        if len(kinds) > 1:
            raise DivLogicError(
                f"{path}: rows of {len(kinds)} benchmarks or prompts; write one file for each."
            )
        names.append(task_name(path, kinds.pop(), names))
        write_task(
            out,
            names[-1],
            map(rotation_json, rows),
            command="divlogic evaluation harness",
            loader="load_rotations",
            metrics=_METRICS,
            tokens=THINKING_TOKENS if thinking else 64,
        )
    write_scoring(out, (letters, harness_scores))
    return names
