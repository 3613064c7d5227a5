"""Task folders that lm-evaluation-harness takes with ``--include_path``, of rotations and of LogicNLI's statements."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import click

from divlogic.benchmarks.answers import answer_format
from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores
from divlogic.evaluation.parameters import EvaluationRun
from divlogic.evaluation.rotations import read_rotations, rotation_json, style_named
from divlogic.io.files import write_jsonl, write_text
from divlogic.io.templates import render
from divlogic.models import letters
from divlogic.models.asking import read_questions
from divlogic.models.parameters import THINKING_TOKENS
from divlogic.models.requests import ClosedQuestion
from divlogic.models.styles import CLOSED, WITH_CONTEXT

_OWN_IMPORT = re.compile(r"^from (?:__future__|divlogic\S*) import .*\n", re.MULTILINE)
_METRICS = {
    "acc": "accuracy",
    "cir": "circular",
    "pc": "partial_circular",
    "answers_read": "answers_read",
}


class HarnessTask(NamedTuple):
    """One task of a folder.

    Attributes:
        source: where its questions come from.
        name: parts of its name.
        rows: questions with ``input`` and ``gold``.
        tokens: maximum number of tokens of an answer; ``None``: the likeliest letter is the answer.
    """

    source: Path
    name: Sequence[str]
    rows: Iterable[Mapping[str, Any]]
    tokens: int | None


def write_harness(
    rotations: Annotated[tuple[Path, ...], ARGUMENT],
    out: Annotated[Path, FOLDER, "Task folder for lm-evaluation-harness."],
    thinking: Annotated[bool, "Let models think first: answers have 8,192 tokens."] = False,
) -> None:
    """Export ROTATIONS as tasks for lm-evaluation-harness (--include_path).

    One task per file, ``<benchmark>_<prompt>``, and the scoring that they share. Few-shot examples are part of the
    prompts already, so the tasks are run with no shots of the harness's own.
    """

    def tasks() -> Iterator[HarnessTask]:
        for path in rotations:
            rows = read_rotations(path)
            kinds = {(row.benchmark, row.prompt) for row in rows}
            if len(kinds) > 1:
                what = f"rows of {len(kinds)} benchmarks or prompts"
                raise DivLogicError(f"{path}: {what}; write one file for each.")
            (kind,) = kinds
            tokens = (
                None if style_named(kind[1]).likelihood else THINKING_TOKENS if thinking else 64
            )
            yield HarnessTask(path, kind, map(rotation_json, rows), tokens)

    write_tasks(out, tasks(), _METRICS, "divlogic evaluation harness")


def write_tasks(
    out: Path, tasks: Iterable[HarnessTask], metrics: Mapping[str, str], command: str
) -> None:
    """Write the questions (jsonl) and the description (yaml) of tasks, and their scoring as one stand-alone module.

    Args:
        out: the task folder.
        tasks: the tasks, whose names are printed.
        metrics: names of metrics, and the functions of the exported scoring that aggregate them.
        command: what writes the folder, for people who read it.
    """
    names: list[str] = []
    for source, parts, rows, tokens in tasks:
        name = re.sub(r"\W+", "_", "_".join(parts))
        if name in names:
            problem = f"the task '{name}' was already written from another file"
            raise DivLogicError(f"{source}: {problem}; leave out either file.")
        names.append(name)
        write_jsonl(out / f"{name}.jsonl", rows)
        values = {"name": name, "command": command, "metrics": metrics, "tokens": tokens}
        write_text(
            out / f"{name}.yaml", render(Path(__file__).with_name("harness.yaml.j2"), values)
        )
    # The harness imports single files only.
    code = [_OWN_IMPORT.sub("", inspect.getsource(module)) for module in (letters, harness_scores)]
    write_text(out / "utils.py", "from __future__ import annotations\n\n" + "\n\n".join(code))
    words = letters.WORDS_FILE
    write_text(out / words.name, words.read_text(encoding="utf-8"))
    click.echo("\n".join(names))


_QUARTET_METRICS = {"acc": "accuracy", "quartet_em": "circular", "answers_read": "answers_read"}


def write_logicnli_harness(
    sources: Annotated[tuple[Path, ...], ARGUMENT],
    *,
    prompt: Annotated[str, "Prompt style, such as zero_shot."] = "zero_shot",
    pool: Annotated[Path | None, "Records that solved examples are drawn from."] = None,
    out: Annotated[Path, FOLDER, "Task folder for lm-evaluation-harness."],
    params: EvaluationRun,
) -> None:
    """Export sets as tasks for lm-evaluation-harness (--include_path), with accuracy and quartet-EM.

    One task per set, ``logicnli_<set>_<prompt>``, and the scoring that they share.
    """
    if prompt not in WITH_CONTEXT:
        known = ", ".join(WITH_CONTEXT)
        raise DivLogicError(f"there is no prompt '{prompt}' with context; known are {known}.")

    def tasks() -> Iterator[HarnessTask]:
        for path in sources:
            questions = read_questions(
                path,
                pool,
                prompts=[prompt],
                instances=None,
                seed=params.seed,
                form_of=answer_format,
            )
            name = ("logicnli", path.name.partition(".")[0], prompt)
            tokens = 4096 if CLOSED[prompt].reasoning else 64
            yield HarnessTask(path, name, map(_row, questions), tokens)

    write_tasks(out, tasks(), _QUARTET_METRICS, "divlogic evaluation logicnli harness")


def _row(question: ClosedQuestion) -> dict[str, object]:
    return {
        "instance": question.instance,
        "input": question.input,
        "gold": question.gold,
        "options": list(question.options),
        "quartet": question.metadata.get("quartet") or question.instance,
    }
