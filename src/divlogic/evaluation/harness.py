"""Task folders that lm-evaluation-harness takes with ``--include_path``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import click

from divlogic.config.command import ARGUMENT, FOLDER
from divlogic.errors import DivLogicError
from divlogic.evaluation import harness_scores
from divlogic.evaluation.rotations import read_rotations, rotation_json, style_named
from divlogic.io.files import write_jsonl, write_text
from divlogic.models import letters
from divlogic.models.parameters import THINKING_TOKENS

_TASK = """\
# Made by `{command}`; run with: lm_eval --include_path <this folder> --tasks {name}
task: {name}
custom_dataset: !function utils.{loader}
dataset_kwargs:
  file: {name}.jsonl
test_split: test
{asked}process_results: !function utils.process_results
metric_list:
{metrics}metadata:
  version: 1.0
"""
_GENERATED = """\
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: "Answer: {{{{gold}}}}"
generation_kwargs:
  until: ["</s>", "<|im_end|>"]
  do_sample: false
  temperature: 0.0
  max_gen_toks: {tokens}
"""
_LIKELIEST = """\
output_type: multiple_choice
doc_to_text: "{{input}}\\n\\nAnswer:"
doc_to_choice: !function utils.letters_of
doc_to_target: "{{gold}}"
"""
_METRIC = "  - metric: {}\n    aggregation: !function utils.{}\n    higher_is_better: true\n"
_OWN_IMPORT = re.compile(r"^from (?:__future__|divlogic\S*) import .*\n", re.MULTILINE)
_METRICS = {"acc": "accuracy", "cir": "circular", "pc": "partial_circular", "answers_read": "answers_read"}


def write_harness(
    rotations: Annotated[tuple[Path, ...], ARGUMENT],
    out: Annotated[Path, FOLDER, "Task folder for lm-evaluation-harness."],
    thinking: Annotated[bool, "Let models think first: answers have 8,192 tokens."] = False,
) -> None:
    """Export ROTATIONS as tasks for lm-evaluation-harness (--include_path).

    One task per file, ``<benchmark>_<prompt>``, and the scoring that they share. Few-shot examples are part of the
    prompts already, so the tasks are run with no shots of the harness's own.

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
        kind = kinds.pop()
        names.append(task_name(path, kind, names))
        is_likelihood = style_named(kind[1]).likelihood
        write_task(
            out,
            names[-1],
            map(rotation_json, rows),
            command="divlogic evaluation harness",
            loader="load_rotations",
            metrics=_METRICS,
            tokens=None if is_likelihood else THINKING_TOKENS if thinking else 64,
        )
    write_scoring(out, (letters, harness_scores))
    click.echo("\n".join(names))


def task_name(source: Path, parts: Sequence[str], taken: Sequence[str]) -> str:
    """Return a task's name, put together from parts: letters, digits and underscores.

    Raises:
        DivLogicError: the name is taken by the task of another file than `source`.
    """
    name = re.sub(r"\W+", "_", "_".join(parts))
    if name in taken:
        raise DivLogicError(
            f"{source}: the task '{name}' was already written from another file; leave out either file."
        )
    return name


def write_task(
    out: Path,
    name: str,
    rows: Iterable[Mapping[str, Any]],
    *,
    command: str,
    loader: str,
    metrics: Mapping[str, str],
    tokens: int | None,
) -> None:
    """Write a task's questions (jsonl) and its description (yaml).

    Args:
        out: the task folder.
        name: the task.
        rows: questions with ``input`` and ``gold``.
        command: what writes the folder, for people who read it.
        loader: function of :func:`write_scoring`'s module that reads the questions.
        metrics: names of metrics, and the functions that aggregate them.
        tokens: maximum number of tokens of an answer; ``None``: the likeliest letter is the answer.
    """
    write_jsonl(out / f"{name}.jsonl", rows)
    listed = "".join(_METRIC.format(metric, function) for metric, function in metrics.items())
    asked = _LIKELIEST if tokens is None else _GENERATED.format(tokens=tokens)
    text = _TASK.format(name=name, command=command, loader=loader, metrics=listed, asked=asked)
    write_text(out / f"{name}.yaml", text)


def write_scoring(out: Path, modules: Sequence[ModuleType]) -> None:
    """Write modules as one stand-alone ``utils.py``; the harness imports single files only."""
    parts = [_OWN_IMPORT.sub("", inspect.getsource(module)) for module in modules]
    write_text(out / "utils.py", "from __future__ import annotations\n\n" + "\n\n".join(parts))
