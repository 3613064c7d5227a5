"""Task folders that lm-evaluation-harness takes with ``--include_path``: the files that all exports have in common."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from divlogic.errors import DivLogicError
from divlogic.io.files import write_jsonl, write_text

_TASK = """\
# Made by `{command}`; run with: lm_eval --include_path <this folder> --tasks {name}
task: {name}
custom_dataset: !function utils.{loader}
dataset_kwargs:
  file: {name}.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{{{input}}}}"
doc_to_target: "Answer: {{{{gold}}}}"
process_results: !function utils.process_results
generation_kwargs:
  until: ["</s>", "<|im_end|>"]
  do_sample: false
  temperature: 0.0
  max_gen_toks: {tokens}
metric_list:
{metrics}metadata:
  version: 1.0
"""
_METRIC = "  - metric: {}\n    aggregation: !function utils.{}\n    higher_is_better: true\n"
_OWN_IMPORT = re.compile(r"^from (?:__future__|divlogic\S*) import .*\n", re.MULTILINE)


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
    tokens: int,
) -> None:
    """Write a task's questions (jsonl) and its description (yaml).

    Args:
        out: the task folder.
        name: the task.
        rows: questions with ``input`` and ``gold``.
        command: what writes the folder, for people who read it.
        loader: function of :func:`write_scoring`'s module that reads the questions.
        metrics: names of metrics, and the functions that aggregate them.
        tokens: maximum number of tokens of an answer.
    """
    write_jsonl(out / f"{name}.jsonl", rows)
    listed = "".join(_METRIC.format(metric, function) for metric, function in metrics.items())
    text = _TASK.format(name=name, command=command, loader=loader, metrics=listed, tokens=tokens)
    write_text(out / f"{name}.yaml", text)


def write_scoring(out: Path, modules: Sequence[ModuleType]) -> None:
    """Write modules as one stand-alone ``utils.py``; the harness imports single files only."""
    parts = [_OWN_IMPORT.sub("", inspect.getsource(module)) for module in modules]
    write_text(out / "utils.py", "from __future__ import annotations\n\n" + "\n\n".join(parts))
