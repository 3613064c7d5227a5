"""LogicNLI's statements for lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from divlogic.benchmarks.answers import answer_format
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation.harness import HarnessTask, write_tasks
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.models.asking import read_questions
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import CLOSED, WITH_CONTEXT

_METRICS = {"acc": "accuracy", "quartet_em": "circular", "answers_read": "answers_read"}
_TOKENS = {False: 64, True: 4096}


def write_harness(
    sources: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    prompt: Annotated[str, "Prompt style, such as zero_shot."] = "zero_shot",
    pool: Annotated[Path | None, "Records that solved examples are drawn from."] = None,
    out: Annotated[Path, FOLDER, "Task folder for lm-evaluation-harness."],
    params: EvaluationRun,
) -> None:
    """Export sets as tasks for lm-evaluation-harness (--include_path), with accuracy and quartet-EM.

    Returns:
        Nothing: one task per set, ``logicnli_<set>_<prompt>``, whose names are printed, and the scoring they share.

    Raises:
        DivLogicError: a file is missing or malformed, or two files give one task name; or there is no such prompt.
    """
    if prompt not in WITH_CONTEXT:
        raise DivLogicError(
            f"there is no prompt '{prompt}' with context; known are {', '.join(WITH_CONTEXT)}."
        )

    def tasks() -> Iterator[HarnessTask]:
        for path in sources:
            questions = read_questions(
                path, pool, prompts=[prompt], instances=None, seed=params.seed, form_of=answer_format
            )
            name = ("logicnli", path.name.partition(".")[0], prompt)
            yield HarnessTask(path, name, map(_row, questions), _METRICS, _TOKENS[CLOSED[prompt].reasoning])

    write_tasks(out, tasks(), "divlogic evaluation logicnli harness")


def _row(question: ClosedQuestion) -> dict[str, object]:
    return {
        "instance": question.instance,
        "input": question.input,
        "gold": question.gold,
        "options": list(question.options),
        "quartet": question.metadata.get("quartet") or question.instance,
    }
