"""LogicNLI's statements as prompts, and their export for lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from divlogic.benchmarks.answers import answer_format
from divlogic.benchmarks.logicnli.asked import spaced_groups
from divlogic.errors import DivLogicError
from divlogic.evaluation.harness_tasks import task_name, write_scoring, write_task
from divlogic.evaluation.logicnli import harness_scores
from divlogic.models import option_names
from divlogic.models.asking import ClosedQuestion, read_questions
from divlogic.models.styles import CLOSED, WITH_CONTEXT

_METRICS = {"acc": "accuracy", "quartet_em": "quartet_em", "answers_read": "answers_read"}
_TOKENS = {False: 64, True: 4096}


def asked_questions(
    source: Path, pool: Path | None, *, prompt: str, quartets: int | None, seed: int
) -> list[ClosedQuestion]:
    """Return the prompts of a set.

    Args:
        source: the set (jsonl).
        pool: records that solved examples are drawn from, for styles that show some.
        prompt: prompt style with context.
        quartets: number of quartets or theories, evenly spaced over the depths; ``None``: all.
        seed: seed of the draw of examples.

    Raises:
        DivLogicError: a file is missing or malformed, the set is empty, or there is no such prompt.
    """
    if prompt not in WITH_CONTEXT:
        raise DivLogicError(
            f"there is no prompt '{prompt}' with context; known are {', '.join(WITH_CONTEXT)}."
        )
    return read_questions(
        source,
        pool,
        prompts=[prompt],
        instances=quartets,
        seed=seed,
        form_of=answer_format,
        choose=spaced_groups,
    )


def write_harness(
    sources: Sequence[Path], out: Path, *, prompt: str, pool: Path | None, seed: int
) -> list[str]:
    """Write one task per set, ``logicnli_<set>_<prompt>``, and the scoring they share; return their names.

    Raises:
        DivLogicError: a file is missing or malformed, or two files give one task name.
    """
    names: list[str] = []
    for path in sources:
        set_name = path.name.partition(".")[0]
        names.append(task_name(path, ("logicnli", set_name, prompt), names))
        questions = asked_questions(path, pool, prompt=prompt, quartets=None, seed=seed)
        write_task(
            out,
            names[-1],
            map(_row, questions),
            command="divlogic evaluation logicnli harness",
            loader="load_statements",
            metrics=_METRICS,
            tokens=_TOKENS[CLOSED[prompt].reasoning],
        )
    write_scoring(out, (option_names, harness_scores))
    return names


def _row(question: ClosedQuestion) -> dict[str, object]:
    return {
        "instance": question.instance,
        "input": question.input,
        "gold": question.gold,
        "options": list(question.record.options),
        "quartet": question.record.metadata.get("quartet") or question.instance,
    }
